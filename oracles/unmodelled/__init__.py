"""Targets without a model: their compilers are compared with each other, and nothing is said of any one of them.

Sizes and alignments are supposed, because buffers need them; no verdict rests on them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import NoReturn, TypeAlias

from abiprobe.oracles.engine.data_model import DECIMAL_SIZES, ILP32_SIZES, LP64_SIZES, DataModel, Sized
from abiprobe.oracles.engine.data_model import bit_int as bit_int_of
from abiprobe.oracles.engine.policies import HABITS
from abiprobe.oracles.engine.policies import TEXT as WRITTEN
from abiprobe.oracles.engine.reading import READINGS, Reading
from abiprobe.oracles.engine.records import LayoutClauses
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import PRESERVING, Kind, Prototype
from abiprobe.oracles.model import AbiModel, Model, Preserved, RegisterConvention, Target
from abiprobe.oracles.text.clause import load_sheet
from abiprobe.oracles.text.options import LayoutOptions
from abiprobe.oracles.text.place import Assignment, ByteOrder, Unspecified

SHEET = load_sheet(__package__)
CALLS = SHEET.cite("calls")
LAYOUTS = SHEET.cite("layouts")
REGISTERS = SHEET.cite("registers")
WHY = "no model"
TEXT = LayoutClauses(LAYOUTS, LAYOUTS, LAYOUTS, LAYOUTS, LAYOUTS, LAYOUTS)
LARGEST = 16
"""Bytes of the largest alignment that a scalar type is supposed to have."""
BIT_INT_CHUNK = 8
"""A `_BitInt` of more than 64 bits is as many of these bytes as needed: so clang has it wherever it knows no ABI, on 32 bits, too."""


Calls: TypeAlias = Callable[[TypeTable, Prototype], Assignment]
"""Assigns places to a call."""


def calls(_types: TypeTable, _prototype: Prototype) -> Assignment:
    """Return the silence about every call."""
    return nothing_is_said()


def nothing_is_said() -> NoReturn:
    """Raise `SilentError`."""
    raise SilentError(CALLS, WHY)


def supposed_data(
    *,
    pointer: int = 8,
    order: ByteOrder = "little",
    char_signed: bool = True,
    long_double: int = 16,
    without: Iterable[Kind] = (),
    more: Mapping[Kind, int] | None = None,
    aligned: Mapping[Kind, int] | None = None,
    biggest: int = LARGEST,
    atomic: tuple[int, int] = (16, 16),
) -> DataModel:
    """Return the data model that most ABIs with a word of `pointer` bytes share.

    `more` are the sizes of types that not every one of them has. No scalar type is aligned to more than `biggest` bytes, and gcc
    tells no larger alignment unasked, nor gives it an atomic type; `aligned` are the alignments that differ otherwise, `atomic` the
    sizes up to which gcc and clang align an atomic type to its size.
    """
    sizes = dict(LP64_SIZES if pointer == LP64_SIZES[Kind.LONG] else ILP32_SIZES)
    sizes |= {Kind.LDOUBLE: long_double, Kind.FLOAT128: 16, **DECIMAL_SIZES, **(more or {})}
    given = aligned or {}
    absent = frozenset(without)
    return DataModel(
        kinds={
            kind: Sized(size, given.get(kind, min(size, biggest)), LAYOUTS)
            for kind, size in sizes.items()
            if kind not in absent
        },
        pointer=Sized(pointer, pointer, LAYOUTS),
        bit_int=bit_int_of(BIT_INT_CHUNK, LAYOUTS),
        vector=vector,
        enum_clause=LAYOUTS,
        char_signed=char_signed,
        bit_int_extended=False,
        significant={},
        order=order,
        biggest=biggest,
        atomic=atomic,
        atomic_align=biggest,
    )


def vector(size: int, _element: Sized) -> Sized:
    """A vector of up to 16 bytes is aligned to its size; compilers part on longer ones."""
    if size > LARGEST:
        raise SilentError(LAYOUTS, f"the alignment of a vector of {size} bytes")
    return Sized(size, size, LAYOUTS)


def kept(*names: str, stack_align: int, shadow: int = 0) -> RegisterConvention:
    """Return the registers that compiled functions are known to preserve, by name; `shadow` bytes of the stack are theirs."""
    registers = (Preserved(name, REGISTERS) for row in names for name in row.split())
    return RegisterConvention(tuple(registers), REGISTERS, stack_align, REGISTERS, shadow=shadow)


def unmodelled(
    name: str,
    title: str,
    family: str,
    machine: str,
    data: DataModel,
    registers: RegisterConvention,
    habits: Calls = calls,
) -> Target:
    """A target whose compilers are compared with each other; `data` is supposed of its types, and `habits` are calls as the families have them."""
    return Target(
        name=name,
        title=title,
        family=family,
        machine=machine,
        sheet=SHEET.name,
        dialects={
            dialect: model_of(data, reading, calls if reading is None else habits)
            for dialect, reading in READINGS.items()
        },
        registers=registers,
        modelled=False,
    )


def layouts_only(
    name: str,
    title: str,
    family: str,
    data: DataModel,
    own: Mapping[Reading, DataModel] = MappingProxyType({}),
) -> Target:
    """A target of whose compilers only layouts are compared; `data` is supposed of its types, but for families with their `own`."""
    return Target(
        name=name,
        title=title,
        family=family,
        machine="",
        sheet=SHEET.name,
        dialects={
            dialect: model_of(data if reading is None else own.get(reading, data), reading)
            for dialect, reading in READINGS.items()
        },
        modelled=False,
    )


def model_of(
    data: DataModel, reading: Reading | None, assign: Calls = calls
) -> Callable[[LayoutOptions], AbiModel]:
    """Return the function that makes the model that has no rules, or those of a family for GNU C's records, under language options."""
    policies = HABITS.get(reading, WRITTEN)
    layouts = Unspecified(LAYOUTS, WHY) if reading is None else None

    def model(options: LayoutOptions) -> AbiModel:
        types = TypeTable(data, TEXT, reading, options, habits=policies)
        return Model(types, assign, silent=PRESERVING, layouts=layouts)

    return model
