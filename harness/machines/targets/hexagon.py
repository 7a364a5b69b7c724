"""Hexagon without an operating system, as the ABI has variable arguments: on Linux with musl they are in registers, too.

No vectors (HVX), and no small data, which the global pointer would have to lead to.
"""

from __future__ import annotations

from abiprobe.harness.machines.targets.platform import Platform, by_triple

_TRIPLE = "hexagon-unknown-elf"

PLATFORMS = (Platform("hexagon", _TRIPLE, {"clang": by_triple(_TRIPLE, "-mv67", "-G0")}),)
