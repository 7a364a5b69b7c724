"""PowerPC: 64-bit by ELFv2 and ELFv1; without a model 32-bit by the System V supplement."""

from __future__ import annotations

from abiprobe.oracles.abis.powerpc import elfv1, elfv2
from abiprobe.oracles.lang import Kind
from abiprobe.oracles.unmodelled import kept, supposed_data, unmodelled

GENERAL = " ".join(f"r{number}" for number in range(14, 32))
REAL = " ".join(f"f{number}" for number in range(14, 32))

TARGETS = (
    *elfv2.TARGETS,
    *elfv1.TARGETS,
    unmodelled(
        "powerpc-sysv",
        "PowerPC, 32-bit, big-endian, System V supplement",
        "ppc",
        supposed_data(pointer=4, char_signed=False, order="big", without=(Kind.FLOAT128,), atomic=(16, 4)),
        kept(GENERAL, REAL, stack_align=16),
    ),
)
