"""Windows on i386: Microsoft's conventions with 32-bit words, for its compiler's ABI and for MinGW's."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec.structs import replace

from abiprobe.oracles.abis.x86.win32 import vectorcall
from abiprobe.oracles.abis.x86.win32.calls import assign as assign_usual
from abiprobe.oracles.abis.x86.win32.data import LAYOUT, WORD, data_model
from abiprobe.oracles.abis.x86.windows_types import type_table
from abiprobe.oracles.abis.x86.x87 import x87_stack
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import PRESERVING, Convention, Prototype
from abiprobe.oracles.model import AbiModel, Forbidden, Model, Preserved, RegisterConvention, Target
from abiprobe.oracles.text.clause import load_sheet
from abiprobe.oracles.text.options import LayoutOptions
from abiprobe.oracles.text.place import Assignment

cite = load_sheet(__package__).cite
SILENT = PRESERVING | {Convention.REGCALL}
CONVENTIONS = frozenset({Convention.STDCALL, Convention.FASTCALL, Convention.THISCALL, Convention.VECTORCALL})
SAVED = cite("call.registers")
X87 = cite("call.x87")
REGISTERS = RegisterConvention(
    (*(Preserved(name, SAVED) for name in ("ebx", "esi", "edi", "ebp")), Preserved("x87_control", X87)),
    cite("call.cleanup"),
    WORD,
    cite("call.stack-alignment"),
    (Forbidden("eflags", 0x400, 0x400, "the direction flag is set", cite("call.direction")),),
    stack_of_registers=x87_stack(X87, X87),
)


def assign(types: TypeTable, prototype: Prototype, *, mingw: bool) -> Assignment:
    """The places of a call by its convention."""
    if prototype.convention is Convention.VECTORCALL:
        return vectorcall.assign(types, prototype, mingw=mingw)
    return assign_usual(types, prototype, mingw=mingw)


def factory(reading: Reading | None, *, mingw: bool) -> Callable[[LayoutOptions], AbiModel]:
    """Return the function that makes the model under language options; the records of Microsoft's ABI have rules of their own."""

    def model(options: LayoutOptions) -> AbiModel:
        data = data_model(reading, options, mingw=mingw)
        return Model(
            type_table(data, LAYOUT, reading, options, mingw=mingw),
            partial(assign, mingw=mingw),
            conventions=CONVENTIONS,
            regparm=True,
            silent=SILENT,
            wider=lambda vectors: model(replace(options, vectors=vectors)),
        )

    return model


def _target(name: str, title: str, *, mingw: bool) -> Target:
    return Target(
        name=name,
        title=title,
        family="Windows",
        machine="i386",
        sheet="win32",
        dialects={
            "": factory(None, mingw=mingw),
            "gcc": factory(Reading.GCC, mingw=mingw),
            "clang": factory(Reading.CLANG, mingw=mingw),
        },
        registers=REGISTERS,
    )


TARGETS = (
    _target("i386-windows-msvc", "Windows on i386, with the types of Microsoft's compiler", mingw=False),
    _target("i386-windows-gnu", "Windows on i386, with the long double of MinGW", mingw=True),
)
