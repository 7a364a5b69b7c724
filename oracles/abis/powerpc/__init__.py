"""PowerPC, without a model: little-endian by ELFv2."""

from __future__ import annotations

from abiprobe.oracles.unmodelled import kept, supposed_data, unmodelled

GENERAL = " ".join(f"r{number}" for number in range(14, 32))
REAL = " ".join(f"f{number}" for number in range(14, 32))
VECTOR = " ".join(f"v{number}" for number in range(20, 32))

TARGETS = (
    unmodelled(
        "powerpc64le-elfv2",
        "PowerPC, 64-bit, little-endian, ELFv2",
        "ppc64le",
        supposed_data(char_signed=False),
        kept(GENERAL, REAL, VECTOR, stack_align=16),
    ),
)
