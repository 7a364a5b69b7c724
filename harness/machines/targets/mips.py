"""MIPS by the n64, n32 and o32 conventions.

Code is not position-independent, so that an image needs no global offset table. gcc for n64 builds for the other two as well.
"""

from __future__ import annotations

from abiprobe.harness.machines.targets.platform import Platform, by_triple

_CODE = ("-mno-abicalls", "-G0")


def _platform(name: str, abi: str, triple: str, instructions: str, *gnu: str) -> Platform:
    options = (f"-march={instructions}", f"-mabi={abi}", *_CODE)
    return Platform(name, triple, {"clang": by_triple(triple, *options), "gcc": options}, gnu)


_LITTLE, _BIG = "mips64el-linux-gnuabi64-", "mips64-linux-gnuabi64-"
PLATFORMS = (
    _platform("mips64el-n64", "64", "mips64el-linux-gnuabi64", "mips64r2", _LITTLE),
    _platform("mips64-n64", "64", "mips64-linux-gnuabi64", "mips64r2", _BIG),
    _platform("mips64el-n32", "n32", "mips64el-linux-gnuabin32", "mips64r2", _LITTLE),
    _platform("mipsel-o32", "32", "mipsel-linux-gnu", "mips32r2", "mipsel-linux-gnu-", _LITTLE),
    _platform("mips-o32", "32", "mips-linux-gnu", "mips32r2", "mips-linux-gnu-", _BIG),
)
