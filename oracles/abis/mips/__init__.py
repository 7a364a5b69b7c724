"""MIPS, without a model: the n64, n32 and o32 conventions, of which n64 and o32 in both byte orders."""

from __future__ import annotations

from abiprobe.oracles.abis.mips import old_calls
from abiprobe.oracles.abis.mips.calls import calls
from abiprobe.oracles.engine.data_model import DataModel
from abiprobe.oracles.language.lang import Kind
from abiprobe.oracles.text.place import ByteOrder
from abiprobe.oracles.unmodelled import kept, supposed_data, unmodelled

GENERAL = " ".join(f"s{number}" for number in range(9))


def reals(*numbers: int) -> str:
    """Floating-point registers by their numbers."""
    return " ".join(f"f{number}" for number in numbers)


N64_KEPT = kept(GENERAL, reals(*range(24, 32)), stack_align=16)
O32_KEPT = kept(GENERAL, reals(*range(20, 32)), stack_align=8, shadow=16)


def n64(order: ByteOrder) -> DataModel:
    """The types of n64 in a byte order."""
    return supposed_data(order=order, atomic=(16, 8))


def o32(order: ByteOrder) -> DataModel:
    """The types of o32 in a byte order."""
    return supposed_data(
        pointer=4, order=order, long_double=8, without=(Kind.FLOAT128,), biggest=8, atomic=(16, 4)
    )


TARGETS = (
    unmodelled(
        "mips64el-n64", "MIPS, 64-bit, little-endian, n64", "MIPS", "mips64el", n64("little"), N64_KEPT, calls
    ),
    unmodelled("mips64-n64", "MIPS, 64-bit, big-endian, n64", "MIPS", "mips64", n64("big"), N64_KEPT, calls),
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
        o32("little"),
        O32_KEPT,
        old_calls.calls,
    ),
    unmodelled(
        "mips-o32", "MIPS, 32-bit, big-endian, o32", "MIPS", "mips", o32("big"), O32_KEPT, old_calls.calls
    ),
)
