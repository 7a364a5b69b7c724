"""LoongArch: LP64D, without vector extensions, whose registers no argument is in and which older qemus do not have."""

from __future__ import annotations

from abiprobe.harness.machines.targets.platform import Platform, by_triple

_TRIPLE = "loongarch64-linux-gnu"
_CODE = ("-mabi=lp64d", "-mno-lsx", "-mno-relax")

PLATFORMS = (
    Platform(
        "loongarch64-lp64d",
        _TRIPLE,
        {"clang": by_triple(_TRIPLE, *_CODE), "gcc": _CODE},
        ("loongarch64-linux-gnu-",),
        frozenset({"loongarch64"}),
    ),
)
