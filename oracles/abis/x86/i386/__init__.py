"""i386 System V: the Intel386 psABI."""

from __future__ import annotations

from abiprobe.oracles.abis.x86.i386.calls import REGISTERS, assign
from abiprobe.oracles.abis.x86.i386.data import TEXT, data_model
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.lang import Convention
from abiprobe.oracles.model import AbiModel, Model, Target
from abiprobe.oracles.options import LayoutOptions

CONVENTIONS = frozenset({Convention.STDCALL, Convention.FASTCALL})


def _model(reading: Reading | None, options: LayoutOptions) -> AbiModel:
    table = TypeTable(data_model(options), TEXT, reading, options)
    return Model(table, assign, conventions=CONVENTIONS, regparm=True)


def _written(options: LayoutOptions) -> AbiModel:
    return _model(None, options)


def _gcc(options: LayoutOptions) -> AbiModel:
    return _model(Reading.GCC, options)


def _clang(options: LayoutOptions) -> AbiModel:
    return _model(Reading.CLANG, options)


I386 = Target(
    name="i386-sysv",
    title="i386 with the System V calling convention",
    machine="i386",
    sheet="i386",
    dialects={"": _written, "gcc": _gcc, "clang": _clang},
    registers=REGISTERS,
)
