"""x86: the System V psABIs, Microsoft's convention on System V, and Windows."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from abiprobe.oracles.abis.x86 import win32, windows
from abiprobe.oracles.abis.x86.calls import REGISTERS, calls
from abiprobe.oracles.abis.x86.data import TEXT, data_model
from abiprobe.oracles.abis.x86.i386 import I386
from abiprobe.oracles.abis.x86.ms import MS
from abiprobe.oracles.engine.policies import HABITS, Policies
from abiprobe.oracles.engine.reading import READINGS, Reading
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import PRESERVING, Convention
from abiprobe.oracles.model import AbiModel, Model, Target
from abiprobe.oracles.text.options import LayoutOptions

SILENT = PRESERVING | {Convention.VECTORCALL, Convention.REGCALL}


EXTENDED = HABITS[Reading.CLANG].changed({"extends_to_32": True})
"""The habits of clang, whose functions rely on callers that extend."""


def _model(reading: Reading | None, habits: Policies | None, options: LayoutOptions) -> AbiModel:
    table = TypeTable(data_model(options), TEXT, reading, options, habits=habits)
    return Model(
        table,
        calls,
        silent=SILENT,
        wider=lambda vectors: _model(reading, habits, replace(options, vectors=vectors)),
    )


X86_64 = Target(
    name="x86_64-sysv",
    title="x86-64 with the System V calling convention",
    family="x86-64",
    machine="x86_64",
    sheet="x86_64",
    dialects={
        "": partial(_model, None, None),
        "gcc": partial(_model, Reading.GCC, None),
        "clang": partial(_model, Reading.CLANG, EXTENDED),
    },
    registers=REGISTERS,
)


def _layouts(reading: Reading | None, options: LayoutOptions) -> AbiModel:
    return Model(TypeTable(data_model(options, "ILP32"), TEXT, reading, options))


X32 = Target(
    name="x86_64-x32",
    title="x86-64 with the ILP32 programming model (x32)",
    family="x86-64",
    machine="",
    sheet="x86_64",
    dialects={name: partial(_layouts, reading) for name, reading in READINGS.items()},
)
TARGETS = (X86_64, MS, X32, I386, *windows.TARGETS, *win32.TARGETS)
