"""libffi of a target: its static library, linked into what a compiler of C makes of a description of each prototype.

It is looked for among the packages that `toolchains install libffi` unpacks, and where Debian's multiarch packages
(`libffi-dev:arm64`) have it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

from abiprobe.harness.subjects import programs, releases
from abiprobe.harness.subjects.debian.names import ARCHITECTURES
from abiprobe.harness.subjects.families import gcc
from abiprobe.harness.subjects.subject import Identity

NAME = "libffi"
ARCHIVE = "libffi.a"
FOLDERS = {
    "x86_64-sysv": "x86_64-linux-gnu",
    "aarch64-aapcs64": "aarch64-linux-gnu",
    "arm-aapcs-vfp": "arm-linux-gnueabihf",
    "powerpc64le-elfv2": "powerpc64le-linux-gnu",
    "riscv64-lp64d": "riscv64-linux-gnu",
    "s390x": "s390x-linux-gnu",
}
"""The folder of the libraries of a target's architecture."""
COMPILERS = ("gcc", *(f"gcc-{version}" for version in range(40, 9, -1)))


def find(_name: str, target: str) -> tuple[str, ...] | None:
    """A gcc that builds for the target, with the folders of its libffi."""
    root = root_of(target)
    compiler = next(filter(None, (gcc.find(name, target) for name in COMPILERS)), None)
    if root is None or compiler is None:
        return None
    triple = FOLDERS[target]
    options = gcc.GCC.flags[target]
    return (*compiler, *options, f"-I{root}/include/{triple}", f"-L{root}/lib/{triple}")


def root_of(target: str) -> Path | None:
    """The folder with `lib` and `include` in which the libffi of a target lies."""
    if target not in FOLDERS:
        return None
    triple = FOLDERS[target]
    places = (releases.folder() / f"{NAME}-{ARCHITECTURES[target]}" / "usr", Path("/usr"))
    return next((place for place in places if (place / "lib" / triple / ARCHIVE).is_file()), None)


def identity(words: Sequence[str], compiler: Identity) -> Identity:
    """That of the library and of the compiler that describes prototypes to it."""
    folder = Path(next(word.removeprefix("-L") for word in words if word.startswith("-L")))
    text = (folder / "pkgconfig" / "libffi.pc").read_text("utf-8")
    found = re.search(r"^Version: *(.+)$", text, re.MULTILINE)
    version = f"libffi {found[1] if found else 'of unknown version'}, asked by {compiler.version}"
    archive = programs.of_tools(str(folder / ARCHIVE))
    parts = f"{version}\0{archive.digest}\0{compiler.digest}"
    return Identity(version, hashlib.sha256(parts.encode()).hexdigest()[:16])
