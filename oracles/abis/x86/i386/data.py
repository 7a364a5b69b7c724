"""Scalar types of i386 System V (Intel386 psABI 2.1.1, table 2.1)."""

from __future__ import annotations

from functools import partial

from abiprobe.oracles.abis.x86.data import X87_BYTES, packed_type
from abiprobe.oracles.engine.data_model import DECIMAL_SIZES, DataModel, Sized, silent_bit_int
from abiprobe.oracles.engine.data_model import bit_int as usual_bit_int
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.records import LayoutClauses
from abiprobe.oracles.language.lang import Kind
from abiprobe.oracles.text.clause import load_sheet
from abiprobe.oracles.text.options import LayoutOptions

cite = load_sheet(__package__).cite
SCALAR = cite("type.scalar")
VECTOR = cite("type.vector")
VECTOR_SIZE = cite("type.vector-size")
ENUM = cite("type.enum")
BIT_INT = cite("type.bit-int")
FLOAT16 = cite("type.float16")

WORD = 4
SIZES = {
    Kind.BOOL: (1, 1),
    Kind.CHAR: (1, 1),
    Kind.SCHAR: (1, 1),
    Kind.UCHAR: (1, 1),
    Kind.SHORT: (2, 2),
    Kind.USHORT: (2, 2),
    Kind.INT: (4, 4),
    Kind.UINT: (4, 4),
    Kind.LONG: (4, 4),
    Kind.ULONG: (4, 4),
    Kind.LLONG: (8, 4),
    Kind.ULLONG: (8, 4),
    Kind.FLOAT: (4, 4),
    Kind.DOUBLE: (8, 4),
    Kind.LDOUBLE: (12, 4),
    Kind.FLOAT128: (16, 16),
    **{kind: (size, size) for kind, size in DECIMAL_SIZES.items()},
}
ALIGNED_BY_OPTION = (Kind.LLONG, Kind.ULLONG, Kind.DOUBLE)


def bit_int_by_families(width: int) -> Sized:
    """`_BitInt` as compilers have it: an integer, aligned to a word at most, or an array of words."""
    sized = usual_bit_int(WORD, BIT_INT)(width)
    return Sized(sized.size, min(sized.align, WORD), BIT_INT)


def data_model(reading: Reading | None, options: LayoutOptions) -> DataModel:
    """The data model under the options that change it: `-malign-double` and the sizes of `long double`."""
    kinds = {kind: Sized(size, align, SCALAR) for kind, (size, align) in SIZES.items()}
    kinds |= {kind: Sized(2, 2, FLOAT16) for kind in (Kind.FLOAT16, Kind.BF16)}
    same = {} if options.real is None else {Kind.LDOUBLE: options.real}
    if options.align_double:
        kinds |= {kind: Sized(8, 8, SCALAR) for kind in ALIGNED_BY_OPTION}
    if options.long_double == 16:
        kinds[Kind.LDOUBLE] = Sized(16, 16, SCALAR)
    kinds |= {kind: kinds[other] for kind, other in same.items()}
    return DataModel(
        kinds=kinds,
        pointer=Sized(WORD, WORD, SCALAR),
        bit_int=silent_bit_int(BIT_INT) if reading is None else bit_int_by_families,
        vector=partial(packed_type, VECTOR, VECTOR_SIZE, options.vectors),
        enum_clause=ENUM,
        enum_sign_open=True,
        char_signed=True,
        bit_int_extended=False,
        significant={} if same else {Kind.LDOUBLE: X87_BYTES},
        ms_struct=True,
        atomic=(16, 8),
        # gcc 11 and later align an atomic double to 8 bytes in some structs and to 4 in some unions.
        atomic_settled=False,
        number_align=0 if options.align_double else 4,
        same=same,
    )


TEXT = LayoutClauses(
    scalar=SCALAR,
    member=cite("type.record"),
    union=cite("type.union"),
    bit_field=cite("bits.storage-unit"),
    unnamed_bit_field=cite("bits.unnamed"),
    zero_width=cite("bits.zero-width"),
)
