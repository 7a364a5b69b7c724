"""64-bit SPARC."""

from __future__ import annotations

from abiprobe.harness.machines.targets.platform import Platform, by_triple

_TRIPLE = "sparc64-linux-gnu"

PLATFORMS = (
    Platform(
        "sparc64",
        _TRIPLE,
        {"clang": by_triple(_TRIPLE), "gcc": ()},
        ("sparc64-linux-gnu-",),
        frozenset({"sparc64"}),
    ),
)
