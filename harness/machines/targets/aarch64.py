"""AArch64: AAPCS64 as Linux has it."""

from __future__ import annotations

from abiprobe.harness.machines.targets.platform import Platform, by_triple

_TRIPLE = "aarch64-linux-gnu"
# An image has none of the library functions that atomic operations would otherwise be.
_CODE = ("-mno-outline-atomics",)

PLATFORMS = (
    Platform(
        "aarch64-aapcs64",
        _TRIPLE,
        {"clang": by_triple(_TRIPLE, *_CODE), "gcc": _CODE},
        ("aarch64-linux-gnu-",),
        frozenset({"aarch64"}),
    ),
)
