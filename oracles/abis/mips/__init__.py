"""64-bit MIPS, without a model: the n64 convention."""

from __future__ import annotations

from abiprobe.oracles.unmodelled import kept, supposed_data, unmodelled

GENERAL = " ".join(f"s{number}" for number in range(9))
REAL = " ".join(f"f{number}" for number in range(24, 32))

TARGETS = (
    unmodelled(
        "mips64el-n64",
        "MIPS, 64-bit, little-endian, n64",
        "mips64el",
        supposed_data(atomic=(16, 8)),
        kept(GENERAL, REAL, stack_align=16),
    ),
)
