"""The named ABIs of RISC-V as targets (RISC-V ABIs Specification, Named ABIs)."""

from __future__ import annotations

from collections.abc import Callable

from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.model import AbiModel, Model, Target
from abiprobe.oracles.options import LayoutOptions
from abiprobe.oracles.riscv import convention
from abiprobe.oracles.riscv.calls import calls
from abiprobe.oracles.riscv.convention import Convention
from abiprobe.oracles.riscv.data import ILP32, LP64, TEXT
from abiprobe.oracles.riscv.sheet import implements

READINGS = {"": None, "gcc": Reading.GCC, "clang": Reading.CLANG}


def factory(abi: Convention, reading: Reading | None) -> Callable[[LayoutOptions], AbiModel]:
    """What makes the model of one named ABI under language options."""
    data = LP64 if abi.xlen == 8 else ILP32

    def model(options: LayoutOptions) -> AbiModel:
        return Model(TypeTable(data, TEXT, reading, options), calls(abi))

    return model


@implements("abi.named")
def target(abi: Convention, machine: str) -> Target:
    """The target of one named ABI."""
    bits = abi.xlen * 8
    return Target(
        name=f"riscv{bits}-{abi.name}",
        title=f"RISC-V RV{bits} with the {abi.name.upper()} calling convention",
        machine=machine,
        sheet="riscv",
        preserved=abi.preserved,
        dialects={name: factory(abi, reading) for name, reading in READINGS.items()},
    )


TARGETS = (
    target(convention.LP64D, "riscv64"),
    target(convention.LP64F, "riscv64-lp64f"),
    target(convention.LP64, "riscv64-lp64"),
    target(convention.ILP32D, "riscv32-ilp32d"),
    target(convention.ILP32F, "riscv32-ilp32f"),
    target(convention.ILP32, "riscv32-ilp32"),
    target(convention.ILP32E, "riscv32-ilp32e"),
)
