"""PowerPC: 64-bit by ELFv2 and ELFv1, 32-bit by the 32-bit ABI supplement."""

from __future__ import annotations

from abiprobe.oracles.abis.powerpc import elfv1, elfv2, supplement32

TARGETS = (*elfv2.TARGETS, *elfv1.TARGETS, *supplement32.TARGETS)
