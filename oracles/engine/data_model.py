"""The data model of an ABI: sizes, alignments and representations of the types that have no members."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum as PyEnum
from typing import NoReturn

from abiprobe.oracles.engine.attributes import GNU
from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.language.lang import UNSIGNED, Enum, FixedKind, Kind
from abiprobe.oracles.text.place import ByteOrder

LP64_SIZES: Mapping[Kind, int] = {
    Kind.BOOL: 1,
    Kind.CHAR: 1,
    Kind.SCHAR: 1,
    Kind.UCHAR: 1,
    Kind.SHORT: 2,
    Kind.USHORT: 2,
    Kind.INT: 4,
    Kind.UINT: 4,
    Kind.LONG: 8,
    Kind.ULONG: 8,
    Kind.LLONG: 8,
    Kind.ULLONG: 8,
    Kind.INT128: 16,
    Kind.UINT128: 16,
    Kind.FLOAT16: 2,
    Kind.BF16: 2,
    Kind.FLOAT: 4,
    Kind.DOUBLE: 8,
}
"""Sizes in bytes that the LP64 ABIs here agree on; `long double` and `_Float128` are for each to say."""
DECIMAL_SIZES: Mapping[Kind, int] = {Kind.DECIMAL32: 4, Kind.DECIMAL64: 8, Kind.DECIMAL128: 16}
"""Sizes in bytes of decimal floating types, in all ABIs that have them."""
FIXED_SIZES: Mapping[FixedKind, int] = {
    FixedKind.SHORT_FRACT: 1,
    FixedKind.FRACT: 2,
    FixedKind.LONG_FRACT: 4,
    FixedKind.SHORT_ACCUM: 2,
    FixedKind.ACCUM: 4,
    FixedKind.LONG_ACCUM: 8,
}
"""Sizes in bytes of fixed-point types, as gcc and clang have them on every machine here; no document gives them."""
ILP32_SIZES: Mapping[Kind, int] = {
    kind: 4 if kind in {Kind.LONG, Kind.ULONG} else size
    for kind, size in LP64_SIZES.items()
    if not kind.is_int128
}
"""The same of ABIs whose words have four bytes."""


@dataclass(frozen=True)
class Sized:
    """Size and alignment in bytes, with the clause that gives them."""

    size: int
    align: int
    clause: str


EXTENSIONS: Mapping[Kind, Sized] = {
    Kind.FP16: Sized(2, 2, GNU.cite("half-storage", "oracles.engine.data_model.DataModel.kind")),
}
"""Types that compilers have on every machine, and few documents; supposed where a document does not have it."""


class EmptyClass(PyEnum):
    """The way in which an argument of an empty class of C++ is passed."""

    ORDINARY = "ordinary"
    """as any other class of its size"""
    PADDING = "padding"
    """as padding of its size"""
    BYTE = "byte"
    """as a record with one byte, which is aligned as the class is"""
    SIZED = "sized"
    """as any other class of its size, and a result as the first argument"""


@dataclass(frozen=True)
class DataModel:
    """The types of one ABI that have no members. Sizes and alignments are in bytes, clauses are full ids.

    The words without a default are what each ABI decides; the others are for an ABI whose text, or whose compilers where the text is
    silent, differ from most.
    """

    kinds: Mapping[Kind, Sized]
    """The arithmetic types that the text has; what is neither here nor in `unsaid` is no type of the ABI."""
    pointer: Sized
    """Every pointer, to data and to functions."""
    bit_int: Callable[[int], Sized]
    """`_BitInt` of a width in bits, usually made by `bit_int` below; raises `SilentError` where the text is silent."""
    vector: Callable[[int, Sized], Sized]
    """A vector of a size in bytes and of elements; raises `SilentError` where the text is silent."""
    enum_clause: str
    """The clause that gives enumerations their type, which is an `int` or, for large values, a larger integer."""
    char_signed: bool
    """True if plain `char` is signed."""
    bit_int_extended: bool
    """True if the unused bits of a `_BitInt` in memory are copies of its sign, or zero; else they are undefined."""
    significant: Mapping[Kind, int]
    """The bytes that carry a value, of types that do not fill their storage: 10 for the `long double` of x87."""
    holes: Mapping[Kind, frozenset[int]] = field(default_factory=dict)
    """The bytes of a type, and of a complex number of it, that hold nothing, as in the `long double` of the 68881, or are not told."""
    ms_struct: bool = False
    """True if the attribute `ms_struct` means something to gcc here, as on x86 and PowerPC; to clang it does everywhere."""
    atomic: tuple[int, int] = (16, 16)
    """The largest size up to which gcc, and up to which clang, aligns an `_Atomic` type to its size."""
    atomic_align: int = 0
    """The largest alignment that gcc gives a type for being `_Atomic`; 0 for any."""
    atomic_settled: bool = True
    """True if a family gives an `_Atomic` type the same alignment in every place; if not, the model leaves it open."""
    vector_bits: int = 0
    """The width in bits of a scalable vector register of RISC-V (VLEN); 0 without."""
    sve_bits: int = 0
    """The width in bits of a scalable vector register of Arm (SVE); 0 without."""
    scalable_clause: str = ""
    """The clause that says what those registers hold."""
    same: Mapping[Kind, Kind] = field(default_factory=dict)
    """Types that an option makes the same as another one: `long double` as `double` by `-mlong-double-64`."""
    order: ByteOrder = "little"
    """The byte order of numbers in memory."""
    biggest: int = 0
    """The largest alignment that gcc gives a type unasked (`BIGGEST_ALIGNMENT`); 0 where options decide it."""
    told: int = 0
    """The largest alignment that gcc tells of a type unasked, where the text has larger ones; 0 for `biggest`."""
    strict_alignment: bool = False
    """True if gcc takes words to be aligned (`STRICT_ALIGNMENT`)."""
    unsaid: Mapping[Kind, Sized] = field(default_factory=dict)
    """Types on which the text is silent: what compilers make of them, with the clause that is silent."""
    int_enums: str = ""
    """Where every enumeration is an `int`, the clause that is silent on values which no `int` holds."""
    short_enums: bool = False
    """Whether an enumeration is the smallest integer that holds its values, where no option says otherwise."""
    open_enums: bool = False
    """True if the text has no enumerations, so that `enum_clause` is silent on all of them."""
    enums_are_ints: bool = False
    """True if the text has every enumeration as an `int`, whatever a family makes of those without negative values."""
    enum_sign_open: bool = False
    """True if the text has enumerations beside `int` without saying that one without negative values is unsigned."""
    empty: str = ""
    """The clause that is silent on records without bytes; none where they have no size, as in GNU C."""
    least: int = 0
    """The size that is supposed of a record without bytes, so that a buffer can hold it."""
    complex_integers: str = ""
    """The clause of a text that knows complex integers, an extension of GNU C that most do not know."""
    bit_int_chunk: int = 0
    """Where the text is silent on `_BitInt` above 64 bits, the size of the pieces compilers make it of; 0 for a pointer's."""
    number_align: int = 0
    """The largest alignment that gcc gives a record which it holds as one number (of a scalar mode); 0 for any."""
    packs_ms_units: bool = True
    """True if clang packs the unit of a packed bit-field in an `ms_struct`: clang 24 does, vendors' older clangs do not."""
    fixed_as_integers: bool = False
    """True if a dialect has fixed-point types, and passes them as integers of their size."""
    packs_zero_width: bool = False
    """True if `#pragma pack` limits a zero-width bit-field of an `ms_struct` by the text, which clang does not follow."""
    bit_int_flattened: bool = False
    """True if a `_BitInt` member of a record can travel by itself, and then without its unused bits."""
    empty_class: tuple[EmptyClass, str] = (EmptyClass.ORDINARY, "")
    """How an argument of an empty class of C++ is passed, and the clause of the C ABI that says so, if it says anything."""

    def kind(self, kind: Kind) -> Sized:
        """Size and alignment of a named arithmetic type; raises `AbsentError` when the ABI has none such.

        Raises `SilentError` when the text does not say, or when it does not have a type that compilers have everywhere.
        """
        # [gnu:half-storage]
        silent = self.unsaid.get(kind) or (None if kind in self.kinds else EXTENSIONS.get(kind))
        if silent is not None:
            raise SilentError(silent.clause, f"the size of {kind.value}")
        if kind not in self.kinds:
            raise AbsentError(f"{kind.value} is not a type of this ABI")
        return self.kinds[kind]

    def is_signed(self, kind: Kind) -> bool:
        """Return whether an integer type is signed; plain `char` is as this ABI has it."""
        return self.char_signed if kind is Kind.CHAR else kind not in UNSIGNED

    def enum_kind(self, enum: Enum, *, short: bool) -> Kind:
        """The integer type an enumeration is compatible with.

        C leaves the choice open (C17 6.7.2.2); the ABIs give an enumeration the size of `int`, and let it grow
        when its values need more. `short` allows it to be smaller. Raises `SilentError` where it can only be an `int`
        and its values need more.
        """
        low = min((item.value for item in enum.enumerators), default=0)
        high = max((item.value for item in enum.enumerators), default=0)
        if self.int_enums and not short:
            limit = 1 << self.kind(Kind.INT).size * 8 - 1
            if not -limit <= low <= high < limit:
                raise SilentError(self.int_enums, f"enum {enum.tag} has a value that no int holds")
            return Kind.INT
        signed = (Kind.SCHAR, Kind.SHORT, Kind.INT, Kind.LONG, Kind.LLONG)
        unsigned = (Kind.UCHAR, Kind.USHORT, Kind.UINT, Kind.ULONG, Kind.ULLONG)
        candidates = signed if low < 0 else unsigned
        for kind in candidates if short else candidates[2:]:
            bits = self.kind(kind).size * 8 - (low < 0)
            if high < 1 << bits and -low <= 1 << bits:
                return kind
        raise AbsentError(f"enum {enum.tag} has a value that no integer type holds")


def bit_int(chunk: int, clause: str) -> Callable[[int], Sized]:
    """`_BitInt(width)`: up to 64 bits the smallest integer type that holds it, above as many `chunk` bytes as needed."""

    def sized(width: int) -> Sized:
        for size in (1, 2, 4, 8):
            if width <= size * 8:
                return Sized(size, size, clause)
        return Sized(-(-width // (8 * chunk)) * chunk, chunk, clause)

    return sized


def silent_bit_int(clause: str) -> Callable[[int], NoReturn]:
    """`_BitInt` of a text without any, which is silent at a clause."""

    def sized(width: int) -> NoReturn:
        raise SilentError(clause, f"_BitInt({width})")

    return sized


def aligned_vector(clause: str, most: int = sys.maxsize) -> Callable[[int, Sized], Sized]:
    """Vectors that are aligned to their size, but to no more than `most` bytes."""
    return lambda size, _: Sized(size, min(size, most), clause)


def silent_vector(clause: str) -> Callable[[int, Sized], NoReturn]:
    """Vectors of a text without any, which is silent at a clause."""

    def sized(size: int, _: Sized) -> NoReturn:
        raise SilentError(clause, f"a vector of {size} bytes")

    return sized
