"""i386 System V: the Intel386 psABI."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from abiprobe.oracles.abis.x86.i386.calls import REGISTERS, assign
from abiprobe.oracles.abis.x86.i386.data import TEXT, data_model
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import PRESERVING, Convention
from abiprobe.oracles.model import AbiModel, Model, Target
from abiprobe.oracles.text.options import LayoutOptions

SILENT = PRESERVING | {Convention.VECTORCALL, Convention.REGCALL}
CONVENTIONS = frozenset({Convention.STDCALL, Convention.FASTCALL, Convention.THISCALL})


def _model(reading: Reading | None, options: LayoutOptions) -> AbiModel:
    table = TypeTable(data_model(reading, options), TEXT, reading, options)
    return Model(
        table,
        assign,
        conventions=CONVENTIONS,
        regparm=True,
        silent=SILENT,
        wider=lambda vectors: _model(reading, replace(options, vectors=vectors)),
    )


I386 = Target(
    name="i386-sysv",
    title="i386 with the System V calling convention",
    family="i386",
    machine="i386",
    sheet="i386",
    dialects={
        "": partial(_model, None),
        "gcc": partial(_model, Reading.GCC),
        "clang": partial(_model, Reading.CLANG),
    },
    registers=REGISTERS,
)
