"""LoongArch: the procedure call standard, LP64D."""

from __future__ import annotations

from collections.abc import Callable

from abiprobe.oracles.abis.loongarch.calls import calls
from abiprobe.oracles.abis.loongarch.data import TEXT, data_model
from abiprobe.oracles.abis.loongarch.sheet import cite
from abiprobe.oracles.engine.reading import READINGS, Reading
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.lang import PRESERVING
from abiprobe.oracles.model import AbiModel, Model, Preserved, RegisterConvention, Target
from abiprobe.oracles.options import LayoutOptions

PRESERVED = cite("registers.preserved")
PRESERVED_FLOATING = cite("registers.preserved-floating")

REGISTERS = RegisterConvention(
    (
        *(Preserved(f"s{number}", PRESERVED) for number in range(10)),
        *(Preserved(f"fs{number}", PRESERVED_FLOATING) for number in range(8)),
    ),
    PRESERVED,
    16,
    cite("stack.alignment"),
)


def factory(reading: Reading | None) -> Callable[[LayoutOptions], AbiModel]:
    """What makes the model under language options."""
    data = data_model(reading)

    def model(options: LayoutOptions) -> AbiModel:
        return Model(TypeTable(data, TEXT, reading, options), calls, silent=PRESERVING)

    return model


TARGETS = (
    Target(
        name="loongarch64-lp64d",
        title="LoongArch LA64 with the LP64D calling convention",
        machine="loongarch64",
        sheet="lapcs",
        dialects={name: factory(reading) for name, reading in READINGS.items()},
        registers=REGISTERS,
    ),
)
