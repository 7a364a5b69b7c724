"""PowerPC: little-endian by ELFv2, from POWER8 on."""

from __future__ import annotations

from abiprobe.harness.machines.targets.platform import Platform, by_triple

_TRIPLE = "powerpc64le-linux-gnu"
_CODE = ("-mcpu=power8",)

PLATFORMS = (
    Platform(
        "powerpc64le-elfv2",
        _TRIPLE,
        {"clang": by_triple(_TRIPLE, *_CODE), "gcc": _CODE},
        ("powerpc64le-linux-gnu-",),
        frozenset({"ppc64le"}),
    ),
)
