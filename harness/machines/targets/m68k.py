"""m68k from the 68020 on, with the floating-point registers of the 68881, which clang has no use for.

Clang's driver has no option for code that reaches what is farther than 32 KiB away, as the memory of an image is.
"""

from __future__ import annotations

from abiprobe.harness.machines.targets.platform import Platform, by_triple

_TRIPLE = "m68k-linux-gnu"

PLATFORMS = (
    Platform(
        "m68k",
        _TRIPLE,
        {
            "clang": by_triple(_TRIPLE, "-mcpu=M68020", "-Xclang", "-mcmodel=large"),
            "gcc": ("-m68020", "-m68881"),
        },
        (f"{_TRIPLE}-",),
    ),
)
