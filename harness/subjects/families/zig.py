"""zig's clang: the embedded toolchain, complete with every LLVM target, from the `ziglang` wheel."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from abiprobe.harness.machines.targets import options_of
from abiprobe.harness.subjects.families.gnu import CLANG_COMMON
from abiprobe.harness.subjects.subject import Family


def program() -> str | None:
    """The zig program of the `ziglang` wheel, if that is installed."""
    spec = importlib.util.find_spec("ziglang")
    if spec is None or not spec.submodule_search_locations:
        return None
    path = Path(next(iter(spec.submodule_search_locations))) / "zig"
    return str(path) if path.exists() else None


def find(_name: str, _target: str) -> tuple[str, ...] | None:
    """Find `zig clang`, which behaves as clang itself; `zig cc` would add options of its own."""
    zig = program()
    return (zig, "clang") if zig else None


ZIG = Family("zig", options_of("clang"), CLANG_COMMON, find, any_triple=True)
