"""AArch64: the Procedure Call Standard for the Arm 64-bit Architecture, LP64 and ILP32, and what Apple and Microsoft change of it."""

from __future__ import annotations

from dataclasses import replace

from abiprobe.oracles.abis.aarch64 import ilp32
from abiprobe.oracles.abis.aarch64.calls import calls
from abiprobe.oracles.abis.aarch64.darwin import DARWIN
from abiprobe.oracles.abis.aarch64.data import TEXT, data_model
from abiprobe.oracles.abis.aarch64.registers import registers, sve_registers
from abiprobe.oracles.abis.aarch64.windows import WINDOWS
from abiprobe.oracles.dialects import factory
from abiprobe.oracles.engine.reading import READINGS
from abiprobe.oracles.language.sve import SVE_BITS
from abiprobe.oracles.model import RegisterConvention, Target
from abiprobe.oracles.text.place import ByteOrder


def target(machine: str, title: str, order: ByteOrder, kept: RegisterConvention, sve_bits: int = 0) -> Target:
    """The target for a machine of one byte order, with registers of SVE if they have any bits."""
    return Target(
        name=f"{machine}-aapcs64",
        title=f"{title} with the AAPCS64 calling convention",
        family="AArch64",
        machine=machine,
        sheet="aapcs64",
        dialects={
            name: factory(data_model(reading, order, sve_bits), TEXT, calls, reading)
            for name, reading in READINGS.items()
        },
        registers=kept,
    )


ILP32 = replace(
    target("aarch64_ilp32", "AArch64 with ILP32", "little", registers()),
    dialects={
        name: factory(ilp32.data_model(reading), TEXT, ilp32.calls, reading)
        for name, reading in READINGS.items()
    },
)
TARGETS = (
    target("aarch64", "AArch64", "little", registers()),
    target("aarch64_be", "Big-endian AArch64", "big", registers()),
    target("aarch64_sve", "AArch64 with SVE", "little", sve_registers(), SVE_BITS),
    ILP32,
    DARWIN,
    WINDOWS,
)
