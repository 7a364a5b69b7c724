"""Types that Windows on x64 and on i386 have in common, made of sizes and clauses, and the choice of rules for their records."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from abiprobe.oracles.engine.data_model import DataModel, Sized, silent_bit_int
from abiprobe.oracles.engine.data_model import bit_int as usual_bit_int
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.records import LayoutClauses, OwnRules
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Kind
from abiprobe.oracles.text.options import LayoutOptions

X87_BYTES = 10
BIT_INT_CHUNK = 8
"""Bytes of the pieces of which clang makes a `_BitInt` of more than 64 bits on x64 and on i386 alike."""
EMPTY_BYTES = 4
"""The size in bytes that a record without bytes may have where Microsoft's compiler is followed."""


class TypeClauses(NamedTuple):
    """The clauses of a sheet about types; `other` is silent on those that it does not have, `empty` on records without members."""

    scalar: str
    pointer: str
    long_double: str
    x87: str
    vector: str
    enum: str
    enum_gnu: str
    enum_large: str
    other: str
    empty: str


class TypeSizes(NamedTuple):
    """Sizes in bytes: of a pointer, of the types of the tables, of `others` that compilers have, and of vectors.

    `x87` is the size and alignment of MinGW's `long double`; `atomic` is that of `DataModel`.
    """

    word: int
    kinds: Mapping[Kind, int]
    others: Mapping[Kind, int]
    vectors: tuple[int, ...]
    x87: tuple[int, int]
    atomic: tuple[int, int] = (16, 16)


def vector(clauses: TypeClauses, sizes: TypeSizes, widest: int, size: int, _element: Sized) -> Sized:
    """A vector of a size that the text has and that registers of `widest` bytes hold."""
    if size not in sizes.vectors or size > widest:
        raise SilentError(clauses.other, f"a vector of {size} bytes")
    return Sized(size, size, clauses.vector)


def windows_types(
    clauses: TypeClauses,
    sizes: TypeSizes,
    reading: Reading | None,
    options: LayoutOptions,
    *,
    mingw: bool,
) -> DataModel:
    """The data model of the text, or of a compiler family; what differs for `mingw` is in the GCC manual.

    An option makes MinGW's `long double` a `double`, as Microsoft's is, or a `_Float128`.
    """
    others = {kind: Sized(size, size, clauses.other) for kind, size in sizes.others.items()}
    kinds = {kind: Sized(size, size, clauses.scalar) for kind, size in sizes.kinds.items()}
    x87 = mingw and options.real is None
    same = {} if x87 else {Kind.LDOUBLE: options.real or Kind.DOUBLE}
    stored, align = (16, 16) if options.long_double == 16 else sizes.x87
    kinds[Kind.LDOUBLE] = Sized(stored, align, clauses.x87) if x87 else Sized(8, 8, clauses.long_double)
    if options.real is Kind.FLOAT128:
        kinds[Kind.LDOUBLE] = others[Kind.LDOUBLE] = others[Kind.FLOAT128]
    return DataModel(
        kinds=kinds if reading is None else kinds | others,
        pointer=Sized(sizes.word, sizes.word, clauses.pointer),
        bit_int=silent_bit_int(clauses.other)
        if reading is None
        else usual_bit_int(BIT_INT_CHUNK if reading is Reading.CLANG else sizes.word, clauses.other),
        vector=partial(vector, clauses, sizes, options.vectors),
        enum_clause=clauses.enum_gnu if mingw else clauses.enum,
        char_signed=True,
        bit_int_extended=False,
        bit_int_chunk=BIT_INT_CHUNK,
        significant={Kind.LDOUBLE: X87_BYTES} if x87 else {},
        ms_struct=True,
        atomic=sizes.atomic,
        packs_zero_width=mingw,
        same=same,
        unsaid=others if reading is None else {},
        int_enums="" if mingw else clauses.enum_large,
        # The GCC manual, which MinGW goes by, has a structure without members: it has no bytes.
        empty="" if mingw or reading is not None else clauses.empty,
        least=0 if mingw or reading is Reading.GCC else EMPTY_BYTES,
    )


def type_table(
    data: DataModel,
    layout: tuple[LayoutClauses, OwnRules],
    reading: Reading | None,
    options: LayoutOptions,
    *,
    mingw: bool,
) -> TypeTable:
    """The types of a dialect; the text, and clang for Microsoft's ABI, have the records of that ABI by rules of its own."""
    text, records = layout
    if reading is None or (reading is Reading.CLANG and not mingw):
        return TypeTable(data, text, reading, options, records)
    microsoft = options.ms_bitfields is not False
    return TypeTable(data, text, reading, replace(options, ms_bitfields=microsoft))
