"""The forms of members that the small scope is made of, and the types that it passes by themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from abiprobe.oracles.language.lang import (
    Array,
    Atomic,
    BitInt,
    Complex,
    Enum,
    Enumerator,
    FixedKind,
    FixedPoint,
    Kind,
    Member,
    Pointer,
    Position,
    Record,
    Scalar,
    Type,
    Typedef,
    Vector,
)

Form: TypeAlias = Callable[[str], Member]
"""A member by its name; an unnamed bit-field has none."""

INT, UINT, FLOAT, DOUBLE, CHAR = map(Scalar, (Kind.INT, Kind.UINT, Kind.FLOAT, Kind.DOUBLE, Kind.CHAR))
LLONG, LDOUBLE, INT128, FLOAT16 = map(Scalar, (Kind.LLONG, Kind.LDOUBLE, Kind.INT128, Kind.FLOAT16))

NESTED = Record("N", (Member(FLOAT, "n"),))
EITHER = Record("E", (Member(FLOAT, "e"), Member(INT, "g")), union=True)
TIGHT = Record("K", (Member(CHAR, "k"), Member(INT, "m")), packed=True)
UNEVEN = Record("Y", (Member(INT, "p"), Member(CHAR, "r")), packed=True)
"""In an array of these the first element is aligned, and the next is not."""
EMPTY = Record("V", ())
EMPTY_UNION = Record("O", (), union=True)
PADDED = Record("D", (Member(FLOAT, "h"), Member(DOUBLE, "i")))
NAMELESS = Record("L", (Member(INT, "", width=12),))
THREE = Record("F", (Member(Array(CHAR, 3), "j"),))
OPEN_ENDED = Record("Q", (Member(Array(FLOAT, 0), "u"), Member(Array(LLONG, None), "w")))
BESIDE_VECTOR = Record("B", (Member(LLONG, "o", width=7), Member(Vector(Kind.INT, 16), "q")))
WIDE = BitInt(65)

COMMON: tuple[Form, ...] = (
    # Scalars by class and size.
    lambda name: Member(CHAR, name),
    lambda name: Member(INT, name),
    lambda name: Member(LLONG, name),
    lambda name: Member(FLOAT, name),
    lambda name: Member(DOUBLE, name),
    lambda name: Member(LDOUBLE, name),
    lambda name: Member(FLOAT16, name),
    lambda name: Member(INT128, name),
    lambda name: Member(Pointer(), name),
    # Bit-fields: named, unnamed, of width zero, and as wide as their type.
    lambda name: Member(INT, name, width=3),
    lambda name: Member(LLONG, name, width=33),
    lambda _: Member(INT, "", width=7),
    lambda _: Member(INT, "", width=0),
    lambda name: Member(INT, name, width=32),
    # Arrays of none, one and some.
    lambda name: Member(Array(FLOAT, 0), name),
    lambda name: Member(Array(FLOAT, 1), name),
    lambda name: Member(Array(CHAR, 3), name),
    # Records: of one member, empty, packed, and a union.
    lambda name: Member(NESTED, name),
    lambda name: Member(EMPTY, name),
    lambda name: Member(TIGHT, name),
    lambda name: Member(EITHER, name),
    # The types of C23, of complex numbers, of GNU C and of C11.
    lambda name: Member(BitInt(7), name),
    lambda name: Member(BitInt(33), name),
    lambda name: Member(WIDE, name),
    lambda name: Member(Complex(Kind.FLOAT), name),
    lambda name: Member(Vector(Kind.FLOAT, 8), name),
    lambda name: Member(Vector(Kind.FLOAT, 16), name),
    lambda name: Member(Atomic(INT), name),
    lambda name: Member(Atomic(FLOAT), name),
    # Aligned by more and by less than its type asks.
    lambda name: Member(INT, name, align=16),
    lambda name: Member(DOUBLE, name, packed=True),
)
"""Every two of these meet in a record."""

RARE: tuple[Form, ...] = (
    # Arrays of what has no bytes, of what has no names, and of what is not aligned.
    lambda name: Member(Array(EMPTY, 2), name),
    lambda name: Member(Array(WIDE, 0), name),
    lambda name: Member(Array(NAMELESS, 9), name),
    lambda name: Member(Array(UNEVEN, 2), name),
    lambda name: Member(Array(Atomic(FLOAT), 2), name),
    # Records with nothing in them, with nothing that has a name, and with padding inside.
    lambda name: Member(EMPTY_UNION, name),
    lambda name: Member(NAMELESS, name),
    lambda name: Member(PADDED, name),
    lambda name: Member(BESIDE_VECTOR, name),
    lambda name: Member(OPEN_ENDED, name),
    # Integers and reals that few machines have registers for.
    lambda name: Member(Scalar(Kind.UCHAR), name),
    lambda name: Member(Scalar(Kind.BOOL), name),
    lambda name: Member(BitInt(184), name),
    lambda name: Member(Scalar(Kind.BF16), name),
    lambda name: Member(Scalar(Kind.FLOAT128), name),
    lambda name: Member(Complex(Kind.INT), name),
    lambda name: Member(Complex(Kind.FLOAT16), name),
    lambda name: Member(Complex(Kind.LDOUBLE), name),
    lambda name: Member(Atomic(Complex(Kind.FLOAT)), name),
    lambda name: Member(Atomic(THREE), name),
    lambda name: Member(Enum("G", (Enumerator("G_A", 0), Enumerator("G_B", 300))), name),
    # Bit-fields of other types, and with attributes.
    lambda name: Member(BitInt(128), name, width=80),
    lambda name: Member(BitInt(33), name, width=9),
    lambda name: Member(UINT, name, width=11, align=64),
    lambda name: Member(INT, name, width=2, align=4),
    lambda name: Member(INT, name, width=5, packed=True),
    lambda name: Member(Typedef("int_1", INT, 1), name, width=5),
    # Alignments of types and by other ways to ask for them.
    lambda name: Member(Typedef("int_32", INT, 32), name),
    lambda name: Member(Typedef("double_2", DOUBLE, 2), name),
    lambda name: Member(INT, name, alignas=16),
    lambda name: Member(Pointer(), name, align=2, position=Position.POINTER),
    lambda name: Member(Pointer(), name, align=32, position=Position.POINTER),
    # Vectors: of integers, of characters, wider than registers, and with attributes.
    lambda name: Member(Vector(Kind.INT, 8), name),
    lambda name: Member(Vector(Kind.CHAR, 8), name, packed=True),
    lambda name: Member(Vector(Kind.INT, 16), name, align=8),
    lambda name: Member(Vector(Kind.DOUBLE, 32), name),
)
"""Each of these meets itself and plain members (`PLAIN`)."""
WIDE_FORMS: tuple[Form, ...] = (
    lambda name: Member(BitInt(184), name),
    lambda name: Member(BitInt(128), name, width=80),
)
"""Members of more than two words, which meet each other."""
TWO_WORDS: tuple[Type, ...] = (
    LDOUBLE,
    INT128,
    Scalar(Kind.FLOAT128),
    Complex(Kind.DOUBLE),
    Array(DOUBLE, 2),
    Vector(Kind.FLOAT, 16),
)
"""Types that take two words on most machines, and by unlike rules; every two meet in a union."""
PLAIN: tuple[Form, ...] = (
    lambda name: Member(CHAR, name),
    lambda name: Member(INT, name),
    lambda name: Member(FLOAT, name),
    lambda name: Member(DOUBLE, name),
    lambda name: Member(LLONG, name, width=3),
    lambda name: Member(INT, name, width=8),
)
ENDS: tuple[Form, ...] = (
    lambda name: Member(INT, name),
    lambda name: Member(FLOAT, name),
    lambda name: Member(DOUBLE, name),
    lambda name: Member(FLOAT16, name),
)
"""Neighbours before and behind something hollow."""
HOLLOW: tuple[Form, ...] = (
    lambda _: Member(INT, "", width=0),
    lambda _: Member(CHAR, "", width=5),
    lambda name: Member(Array(INT, 0), name),
    lambda name: Member(Array(WIDE, 0), name),
    lambda name: Member(EMPTY, name),
    lambda name: Member(EMPTY_UNION, name),
    lambda name: Member(Array(EMPTY, 17), name),
)
"""Forms without bytes, or without any that a program sees."""
FLEXIBLE = Member(Array(INT, None), "z")
"""Only the last member of a struct may be one, and not its only one."""

BARE: tuple[Type, ...] = (
    *map(Scalar, (Kind.BOOL, Kind.CHAR, Kind.UCHAR, Kind.SHORT, Kind.USHORT, Kind.INT, Kind.UINT)),
    *map(Scalar, (Kind.LLONG, Kind.INT128, Kind.FLOAT16, Kind.BF16, Kind.FLOAT, Kind.DOUBLE)),
    *map(Scalar, (Kind.LDOUBLE, Kind.FLOAT128)),
    *map(Complex, (Kind.FLOAT16, Kind.FLOAT, Kind.DOUBLE, Kind.LDOUBLE, Kind.INT, Kind.LLONG)),
    *map(BitInt, (7, 31, 33, 65, 96, 146, 184)),
    *(BitInt(width, signed=False) for width in (7, 15, 33)),
    *(Vector(Kind.INT, size) for size in (8, 16, 32, 64)),
    *(Vector(kind, 16) for kind in (Kind.DOUBLE, Kind.CHAR, Kind.INT128)),
    Vector(Kind.INT128, 32),
    *map(Atomic, map(Scalar, (Kind.UCHAR, Kind.USHORT, Kind.INT, Kind.FLOAT))),
    Atomic(Complex(Kind.FLOAT)),
    Atomic(THREE),
    Enum("G", (Enumerator("G_A", 0), Enumerator("G_B", 300)), packed=True),
    FixedPoint(FixedKind.ACCUM),
    Pointer(),
)
"""Forms that are passed by themselves."""
ALIGNED: tuple[Type, ...] = (
    CHAR,
    DOUBLE,
    INT128,
    LDOUBLE,
    BitInt(7),
    Vector(Kind.INT, 8),
    Complex(Kind.FLOAT),
    NESTED,
    Record("X", (Member(Typedef("int_16", INT, 16), "x"),)),
    Record("W", (Member(Pointer(), "s"), Member(Pointer(), "t"))),
)
"""Forms that are passed under names of types with an alignment of their own."""
ALIGNMENTS = 2, 64
