"""MIPS, little-endian, by the n64, n32 and o32 conventions.

Code is not position-independent, so that an image needs no global offset table. gcc for n64 builds for the other two as well.
"""

from __future__ import annotations

from abiprobe.harness.machines.targets.platform import Platform, by_triple

_GNU = "mips64el-linux-gnuabi64-"
_CODE = ("-mno-abicalls", "-G0")


def _platform(abi: str, name: str, triple: str, instructions: str, *gnu: str) -> Platform:
    options = (f"-march={instructions}", f"-mabi={name}", *_CODE)
    return Platform(
        f"{'mipsel' if abi == 'o32' else 'mips64el'}-{abi}",
        triple,
        {"clang": by_triple(triple, *options), "gcc": options},
        (*gnu, _GNU),
    )


PLATFORMS = (
    _platform("n64", "64", "mips64el-linux-gnuabi64", "mips64r2"),
    _platform("n32", "n32", "mips64el-linux-gnuabin32", "mips64r2"),
    _platform("o32", "32", "mipsel-linux-gnu", "mips32r2", "mipsel-linux-gnu-"),
)
