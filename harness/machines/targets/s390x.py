"""s390x with the vector facility, which came with z13."""

from __future__ import annotations

from abiprobe.harness.machines.targets.platform import Platform, by_triple

_TRIPLE = "s390x-linux-gnu"
_CODE = ("-march=z13",)
# Unicorn's RISBHG, an instruction of the high-word facility that clang likes at -O0, moves nothing.
_NO_HIGH_WORD = ("-Xclang", "-target-feature", "-Xclang", "-high-word")

PLATFORMS = (
    Platform(
        "s390x",
        _TRIPLE,
        {"clang": by_triple(_TRIPLE, *_CODE, *_NO_HIGH_WORD), "gcc": _CODE},
        ("s390x-linux-gnu-",),
        frozenset({"s390x"}),
    ),
)
