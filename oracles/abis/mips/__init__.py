"""MIPS, without a model: the n64, n32 and o32 conventions."""

from __future__ import annotations

from abiprobe.oracles.abis.mips import old_calls
from abiprobe.oracles.abis.mips.calls import calls
from abiprobe.oracles.language.lang import Kind
from abiprobe.oracles.unmodelled import kept, supposed_data, unmodelled

GENERAL = " ".join(f"s{number}" for number in range(9))


def reals(*numbers: int) -> str:
    """Floating-point registers by their numbers."""
    return " ".join(f"f{number}" for number in numbers)


TARGETS = (
    unmodelled(
        "mips64el-n64",
        "MIPS, 64-bit, little-endian, n64",
        "MIPS",
        "mips64el",
        supposed_data(atomic=(16, 8)),
        kept(GENERAL, reals(*range(24, 32)), stack_align=16),
        calls,
    ),
    unmodelled(
        "mips64el-n32",
        "MIPS, 64-bit, little-endian, n32",
        "MIPS",
        "mipsn32el",
        supposed_data(pointer=4, more={Kind.INT128: 16, Kind.UINT128: 16}, atomic=(16, 8)),
        kept(GENERAL, reals(*range(20, 32, 2)), stack_align=16),
        calls,
    ),
    unmodelled(
        "mipsel-o32",
        "MIPS, 32-bit, little-endian, o32",
        "MIPS",
        "mipsel",
        supposed_data(pointer=4, long_double=8, without=(Kind.FLOAT128,), biggest=8, atomic=(8, 4)),
        kept(GENERAL, reals(*range(20, 32)), stack_align=8, shadow=16),
        old_calls.calls,
    ),
)
