"""Windows on x64: Microsoft's convention on Windows's own types and records, for its compiler's ABI and for MinGW's."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from abiprobe.oracles.abis.x86.ms import REGISTERS
from abiprobe.oracles.abis.x86.ms.calls import assign as assign_usual
from abiprobe.oracles.abis.x86.windows import vectorcall
from abiprobe.oracles.abis.x86.windows.data import LAYOUT, data_model
from abiprobe.oracles.abis.x86.windows_types import type_table
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import PRESERVING, Convention, Prototype
from abiprobe.oracles.model import AbiModel, Model, Target
from abiprobe.oracles.text.options import LayoutOptions
from abiprobe.oracles.text.place import Assignment

SILENT = PRESERVING | {Convention.REGCALL}


def assign(types: TypeTable, prototype: Prototype) -> Assignment:
    """The places of a call by its convention; what is aligned to more than 16 bytes is so only where it is declared."""
    if prototype.convention is Convention.VECTORCALL:
        return vectorcall.assign(types, prototype)
    return assign_usual(types, prototype, aligned="")


def factory(reading: Reading | None, *, mingw: bool) -> Callable[[LayoutOptions], AbiModel]:
    """Return the function that makes the model under language options; the records of Microsoft's ABI have rules of their own."""

    def model(options: LayoutOptions) -> AbiModel:
        data = data_model(reading, options, mingw=mingw)
        return Model(
            type_table(data, LAYOUT, reading, options, mingw=mingw),
            assign,
            conventions=frozenset({Convention.MS_ABI, Convention.VECTORCALL}),
            silent=SILENT,
            wider=lambda vectors: model(replace(options, vectors=vectors)),
        )

    return model


def _target(name: str, title: str, **dialects: Callable[[LayoutOptions], AbiModel]) -> Target:
    return Target(
        name=name,
        title=title,
        family="Windows",
        machine="x86_64-windows",
        sheet="windows",
        also=("ms",),
        dialects={"" if dialect == "written" else dialect: model for dialect, model in dialects.items()},
        registers=REGISTERS,
    )


TARGETS = (
    _target(
        "x86_64-windows-msvc",
        "Windows on x64, with the types of Microsoft's compiler",
        written=factory(None, mingw=False),
        gcc=factory(Reading.GCC, mingw=False),
        clang=factory(Reading.CLANG, mingw=False),
    ),
    _target(
        "x86_64-windows-gnu",
        "Windows on x64, with the long double of MinGW",
        written=factory(None, mingw=True),
        gcc=factory(Reading.GCC, mingw=True),
        clang=factory(Reading.CLANG, mingw=True),
    ),
)
