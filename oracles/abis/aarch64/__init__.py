"""AArch64: the Procedure Call Standard for the Arm 64-bit Architecture, LP64, and what Apple and Microsoft change of it."""

from __future__ import annotations

from collections.abc import Callable

from abiprobe.oracles.abis.aarch64.calls import calls
from abiprobe.oracles.abis.aarch64.darwin import DARWIN
from abiprobe.oracles.abis.aarch64.data import TEXT, data_model
from abiprobe.oracles.abis.aarch64.registers import registers, sve_registers
from abiprobe.oracles.abis.aarch64.windows import WINDOWS
from abiprobe.oracles.engine.reading import READINGS, Reading
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.lang import PRESERVING
from abiprobe.oracles.model import AbiModel, Model, RegisterConvention, Target
from abiprobe.oracles.options import LayoutOptions
from abiprobe.oracles.place import ByteOrder
from abiprobe.oracles.sve import SVE_BITS


def factory(
    reading: Reading | None, order: ByteOrder, sve_bits: int = 0
) -> Callable[[LayoutOptions], AbiModel]:
    """What makes the model under language options."""
    data = data_model(reading, order, sve_bits)

    def model(options: LayoutOptions) -> AbiModel:
        return Model(TypeTable(data, TEXT, reading, options), calls, silent=PRESERVING)

    return model


def target(machine: str, title: str, order: ByteOrder, kept: RegisterConvention, sve_bits: int = 0) -> Target:
    """The target for a machine of one byte order, with registers of SVE if they have any bits."""
    return Target(
        name=f"{machine}-aapcs64",
        title=f"{title} with the AAPCS64 calling convention",
        machine=machine,
        sheet="aapcs64",
        dialects={name: factory(reading, order, sve_bits) for name, reading in READINGS.items()},
        registers=kept,
    )


TARGETS = (
    target("aarch64", "AArch64", "little", registers()),
    target("aarch64_be", "Big-endian AArch64", "big", registers()),
    target("aarch64_sve", "AArch64 with SVE", "little", sve_registers(), SVE_BITS),
    DARWIN,
    WINDOWS,
)
