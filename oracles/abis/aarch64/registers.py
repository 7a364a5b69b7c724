"""What a function of AArch64 leaves as it found it (AAPCS64 6.1, 6.4.5.2)."""

from __future__ import annotations

from abiprobe.oracles.abis.aarch64.sheet import cite
from abiprobe.oracles.model import Preserved, RegisterConvention

PRESERVED = cite("registers.preserved")
PRESERVED_VECTOR = cite("registers.preserved-vector")
BOTTOM_HALF = 8
"""Bytes of v8 to v15 that a function preserves."""


def registers(*of_platform: Preserved) -> RegisterConvention:
    """The convention of the standard, and what a platform adds to it."""
    return RegisterConvention(
        (
            *of_platform,
            *(Preserved(f"x{number}", PRESERVED) for number in range(19, 30)),
            *(Preserved(f"v{number}", PRESERVED_VECTOR, BOTTOM_HALF) for number in range(8, 16)),
        ),
        PRESERVED,
        16,
        cite("stack.alignment"),
    )
