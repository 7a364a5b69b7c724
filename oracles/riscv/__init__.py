"""RISC-V: the integer and hardware floating-point calling conventions and the LP64 data model."""

from __future__ import annotations

from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.model import AbiModel, Model, Target
from abiprobe.oracles.riscv.calls import calls
from abiprobe.oracles.riscv.convention import LP64D
from abiprobe.oracles.riscv.data import LP64, TEXT


def _lp64d() -> AbiModel:
    return Model(TypeTable(LP64, TEXT), calls(LP64D))


TARGETS = (
    Target(
        name="riscv64-lp64d",
        title="RISC-V RV64 with the LP64D calling convention",
        machine="riscv64",
        sheet="riscv",
        preserved=LP64D.preserved,
        dialects={"": _lp64d},
    ),
)
