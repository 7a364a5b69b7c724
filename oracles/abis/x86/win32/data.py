"""Types of Windows on i386 (ILP32), with Microsoft's `long double` or that of x87, and the clauses of its records."""

from __future__ import annotations

from functools import partial
from typing import NoReturn

from abiprobe.oracles.engine.data_model import DECIMAL_SIZES, ILP32_SIZES, DataModel, Sized
from abiprobe.oracles.engine.data_model import bit_int as usual_bit_int
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.records import LayoutClauses
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.windows_records import Silences, windows_rules
from abiprobe.oracles.language.lang import Kind
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.options import LayoutOptions

cite, implements = citing(__package__)
SCALAR = cite("type.scalar")
POINTER = cite("type.pointer")
LONG_DOUBLE = cite("type.long-double")
X87 = cite("type.long-double-x87")
VECTOR = cite("type.vector")
ENUM = cite("type.enum")
ENUM_GNU = cite("type.enum-gnu")
ENUM_LARGE = cite("type.enum-large")
OTHER = cite("type.other")
EMPTY = cite("record.empty")

WORD = 4
VECTORS = (16, 32)
X87_BYTES, X87_STORAGE = 10, 12
EMPTY_BYTES = 4
"""What a record without bytes may have where Microsoft's compiler is followed."""
OTHERS = {kind: ILP32_SIZES[kind] for kind in (Kind.FLOAT16, Kind.BF16)} | {
    Kind.FLOAT128: 16,
    **DECIMAL_SIZES,
}
"""Sizes in bytes that compilers give to types which the tables do not have."""
SIZES = {kind: size for kind, size in ILP32_SIZES.items() if kind not in OTHERS}


@implements("type.vector", "type.other")
def vector(widest: int, size: int, _element: Sized) -> Sized:
    """A vector of 16 or 32 bytes that registers of `widest` bytes hold; the text has no others."""
    if size not in VECTORS or size > widest:
        # [win32:type.other]
        raise SilentError(OTHER, f"a vector of {size} bytes")
    return Sized(size, size, VECTOR)


@implements("type.other")
def no_bit_int(width: int) -> NoReturn:
    """The text has no bit-precise integers."""
    raise SilentError(OTHER, f"_BitInt({width})")


@implements(
    "type.scalar", "type.long-double", "type.long-double-x87", "type.enum", "type.enum-gnu", "type.enum-large"
)
def data_model(reading: Reading | None, options: LayoutOptions, *, mingw: bool) -> DataModel:
    """The data model of the text, or of a compiler family; what differs for `mingw` is in the GCC manual.

    An option makes MinGW's `long double` a `double`, as Microsoft's is, or a `_Float128`.
    """
    others = {kind: Sized(size, size, OTHER) for kind, size in OTHERS.items()}
    # [win32:type.scalar]
    kinds = {kind: Sized(size, size, SCALAR) for kind, size in SIZES.items()}
    x87 = mingw and options.real is None
    same = {} if x87 else {Kind.LDOUBLE: options.real or Kind.DOUBLE}
    stored, align = (16, 16) if options.long_double == 16 else (X87_STORAGE, WORD)
    # [win32:type.long-double] [win32:type.long-double-x87]
    kinds[Kind.LDOUBLE] = Sized(stored, align, X87) if x87 else Sized(8, 8, LONG_DOUBLE)
    if options.real is Kind.FLOAT128:
        kinds[Kind.LDOUBLE] = others[Kind.LDOUBLE] = others[Kind.FLOAT128]
    return DataModel(
        kinds=kinds if reading is None else kinds | others,
        pointer=Sized(WORD, WORD, POINTER),
        bit_int=no_bit_int if reading is None else usual_bit_int(WORD, OTHER),
        vector=partial(vector, options.vectors),
        # [win32:type.enum-gnu]
        enum_clause=ENUM_GNU if mingw else ENUM,
        char_signed=True,
        bit_int_extended=False,
        significant={Kind.LDOUBLE: X87_BYTES} if x87 else {},
        ms_struct=True,
        atomic=(16, 8),
        packs_zero_width=mingw,
        same=same,
        unsaid=others if reading is None else {},
        # [win32:type.enum] [win32:type.enum-large]
        int_enums="" if mingw else ENUM_LARGE,
        # The GCC manual, which MinGW goes by, has a structure without members: it has no bytes.
        empty="" if mingw or reading is not None else EMPTY,
        least=0 if mingw or reading is Reading.GCC else EMPTY_BYTES,
    )


TEXT = LayoutClauses(
    scalar=SCALAR,
    member=cite("record.member"),
    union=cite("record.union"),
    bit_field=cite("bits.unit"),
    unnamed_bit_field=cite("bits.unit"),
    zero_width=cite("bits.zero-width"),
)
RECORDS = windows_rules(
    Silences(
        attributes=cite("record.attributes"),
        elsewhere=cite("bits.zero-width-elsewhere"),
        in_union=cite("bits.union"),
        bit_attributes=cite("bits.attributes"),
        gcc_struct=cite("bits.gcc-struct"),
        packing=cite("record.packing"),
    )
)
