"""i386 System V: the data model. Calls are not modelled yet, so this target answers layouts only."""

from __future__ import annotations

from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.model import AbiModel, Model, Target
from abiprobe.oracles.options import LayoutOptions
from abiprobe.oracles.x86.i386.data import TEXT, data_model


def _model(reading: Reading | None, options: LayoutOptions) -> AbiModel:
    return Model(TypeTable(data_model(options), TEXT, reading, options))


def _written(options: LayoutOptions) -> AbiModel:
    return _model(None, options)


def _gcc(options: LayoutOptions) -> AbiModel:
    return _model(Reading.GCC, options)


def _clang(options: LayoutOptions) -> AbiModel:
    return _model(Reading.CLANG, options)


I386 = Target(
    name="i386-sysv",
    title="i386 with the System V calling convention",
    machine="",
    sheet="i386",
    preserved=(),
    dialects={"": _written, "gcc": _gcc, "clang": _clang},
)
