"""SPARC, 64-bit and 32-bit; gcc for the former builds for the latter as well."""

from __future__ import annotations

from abiprobe.harness.machines.targets.platform import Platform, by_triple

_TRIPLE, _NARROW = "sparc64-linux-gnu", "sparc-linux-gnu"
_V8 = ("-m32", "-mcpu=v8")

PLATFORMS = (
    Platform(
        "sparc64",
        _TRIPLE,
        {"clang": by_triple(_TRIPLE), "gcc": ()},
        ("sparc64-linux-gnu-",),
        frozenset({"sparc64"}),
    ),
    Platform(
        "sparc-sysv",
        _NARROW,
        {"clang": by_triple(_NARROW, *_V8), "gcc": _V8},
        ("sparc-linux-gnu-", "sparc64-linux-gnu-"),
        # Before, clang left what it wrote to an assembler for 64 bits.
        clang_since=15,
    ),
)
