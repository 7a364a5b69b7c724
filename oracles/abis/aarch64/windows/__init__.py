"""AArch64 on Windows: AAPCS64 with LLP64, Microsoft's records, and variadic functions without vector registers."""

from __future__ import annotations

from functools import partial

from abiprobe.oracles.abis.aarch64.registers import registers
from abiprobe.oracles.abis.aarch64.windows.calls import calls
from abiprobe.oracles.abis.aarch64.windows.data import RECORDS, TEXT, data_model
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import PRESERVING
from abiprobe.oracles.model import AbiModel, Model, Preserved, Target
from abiprobe.oracles.text.clause import load_sheet
from abiprobe.oracles.text.options import LayoutOptions

cite = load_sheet(__package__).cite


def model(reading: Reading | None, options: LayoutOptions) -> AbiModel:
    """The model of the text, or of clang, under language options."""
    table = TypeTable(data_model(reading), TEXT, reading, options, RECORDS)
    return Model(table, calls, silent=PRESERVING)


WINDOWS = Target(
    name="aarch64-windows-msvc",
    title="Windows on AArch64, with the types of Microsoft's compiler",
    family="Windows",
    machine="aarch64",
    sheet="windows_arm64",
    also=("aapcs64",),
    dialects={"": partial(model, None), "clang": partial(model, Reading.CLANG)},
    registers=registers(Preserved("x18", cite("registers.platform"))),
)
