"""64-bit MIPS, little-endian, by the n64 convention.

Code is not position-independent, so that an image needs no global offset table.
"""

from __future__ import annotations

from abiprobe.harness.machines.targets.platform import Platform, by_triple

_TRIPLE = "mips64el-linux-gnuabi64"
_CODE = ("-march=mips64r2", "-mabi=64", "-mno-abicalls", "-G0")

PLATFORMS = (
    Platform(
        "mips64el-n64",
        _TRIPLE,
        {"clang": by_triple(_TRIPLE, *_CODE), "gcc": _CODE},
        ("mips64el-linux-gnuabi64-",),
    ),
)
