"""Links to Compiler Explorer, which carry the whole state in the address and store nothing."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from typing import Any

SITE = "https://godbolt.org/clientstate/"
CLANGS = {
    13: "1301",
    14: "1400",
    15: "1500",
    16: "1600",
    17: "1701",
    18: "1810",
    19: "1910",
    20: "2010",
    21: "2110",
}
"""The last release of each clang that the site has, as its identifiers spell it."""
GCC = {
    "aarch64": "carm64g{0}{1}0",
    "s390x": "cs390xg{0}{1}0",
    "riscv64": "rv64-cgcc{0}{1}0",
    "riscv32": "rv32-cgcc{0}{1}0",
    "x86_64": "cg{0}{1}",
    "i386": "cg{0}{1}",
}
"""How the site names a gcc, by the beginning of a target."""
OLDEST_GCC = 10
OTHERS = {"rustc": "r{0}{1}{2}", "zig-lang": "z{0}{1}{2}"}
"""How it names releases of compilers of other languages."""
LANGUAGES = {"rustc": "rust", "zig-lang": "zig"}
"""Its names of their languages."""


def compiler(
    family: str, version: Sequence[int], target: str, options: Sequence[str]
) -> dict[str, str] | None:
    """A compiler of the site as its state names it, `None` where the site has none like it.

    A clang that the site does not have by its version is its newest one.
    """
    if not version:
        return None
    if family == "clang":
        known = CLANGS.get(version[0])
        return {"id": f"cclang{known}" if known else "cclang_trunk", "options": " ".join(options)}
    if family in OTHERS and len(version) > 2:
        return {"id": OTHERS[family].format(*version), "options": " ".join(options)}
    pattern = next((name for prefix, name in GCC.items() if target.startswith(prefix)), None)
    if family != "gcc" or pattern is None or version[0] < OLDEST_GCC or len(version) == 1:
        return None
    return {"id": pattern.format(*version[:2]), "options": " ".join(options)}


def of_cxx(found: dict[str, str]) -> dict[str, str]:
    """The compiler of C++ beside one of C."""
    return found | {"id": found["id"].removeprefix("c").replace("-c", "-")}


def link(sessions: Sequence[tuple[str, str, Sequence[dict[str, str]]]]) -> str:
    """The address that opens units beside each other: of each the language, the text and some compilers."""
    state: dict[str, Any] = {
        "sessions": [
            {"id": number, "language": language, "source": source, "compilers": list(compilers)}
            for number, (language, source, compilers) in enumerate(sessions, 1)
        ]
    }
    data = json.dumps(state, separators=(",", ":")).encode()
    return SITE + base64.urlsafe_b64encode(data).decode()
