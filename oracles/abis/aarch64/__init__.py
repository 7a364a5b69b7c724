"""AArch64: the Procedure Call Standard for the Arm 64-bit Architecture, LP64, and what Apple changes of it."""

from __future__ import annotations

from collections.abc import Callable

from abiprobe.oracles.abis.aarch64.calls import calls
from abiprobe.oracles.abis.aarch64.darwin import DARWIN
from abiprobe.oracles.abis.aarch64.data import TEXT, data_model
from abiprobe.oracles.abis.aarch64.registers import registers
from abiprobe.oracles.engine.reading import READINGS, Reading
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.lang import PRESERVING
from abiprobe.oracles.model import AbiModel, Model, Target
from abiprobe.oracles.options import LayoutOptions
from abiprobe.oracles.place import ByteOrder


def factory(reading: Reading | None, order: ByteOrder) -> Callable[[LayoutOptions], AbiModel]:
    """What makes the model under language options."""
    data = data_model(reading, order)

    def model(options: LayoutOptions) -> AbiModel:
        return Model(TypeTable(data, TEXT, reading, options), calls, silent=PRESERVING)

    return model


def target(machine: str, title: str, order: ByteOrder) -> Target:
    """The target for a machine of one byte order."""
    return Target(
        name=f"{machine}-aapcs64",
        title=f"{title} with the AAPCS64 calling convention",
        machine=machine,
        sheet="aapcs64",
        dialects={name: factory(reading, order) for name, reading in READINGS.items()},
        registers=registers(),
    )


TARGETS = (
    target("aarch64", "AArch64", "little"),
    target("aarch64_be", "Big-endian AArch64", "big"),
    DARWIN,
)
