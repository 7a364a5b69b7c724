"""64-bit SPARC, without a model."""

from __future__ import annotations

from abiprobe.oracles.unmodelled import kept, supposed_data, unmodelled

# Locals and ins are a caller's own by the register windows, and %g6 and %g7 the system's.
TARGETS = (
    unmodelled(
        "sparc64",
        "SPARC, 64-bit, big-endian",
        "sparc64",
        supposed_data(order="big", atomic=(16, 8)),
        kept(stack_align=16),
    ),
)
