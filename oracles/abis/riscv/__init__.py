"""RISC-V: the integer and hardware floating-point calling conventions, ILP32 and LP64."""

from __future__ import annotations

from abiprobe.oracles.abis.riscv.targets import TARGETS

__all__ = ["TARGETS"]
