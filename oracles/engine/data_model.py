"""The data model of an ABI: sizes, alignments and representations of the types that have no members."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

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
    if kind not in {Kind.INT128, Kind.UINT128}
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
"""What compilers have on every machine, and few documents; supposed where a document does not have it."""


@dataclass(frozen=True)
class DataModel:
    """The scalar types of one ABI.

    `significant` gives, for a floating type that does not fill its storage, the number of bytes that carry its
    value. `bit_int_extended` says that the unused bits of a `_BitInt` in memory are copies of its sign (or
    zero), not undefined, and `bit_int_flattened` that a member of a record can travel by itself and without them. `atomic` are the largest sizes in bytes up to which gcc and clang align an atomic type to
    its size, gcc to no more than `atomic_align` (0: any); where that is not `atomic_settled`, a family gives a type different
    alignments in different places.
    `ms_struct` says that the attribute of that name means something here. `vector_bits` is the width of a scalable
    vector register (VLEN), `sve_bits` that of one of SVE, 0 where there are none, and `scalable_clause` speaks of what they hold. `same` names the
    types that an option makes the same as another one. `order` is the byte order of numbers in memory. `biggest` is the
    alignment in bytes above which gcc knows none here, where the options do not say (0). `unsaid` are types of which the text
    says nothing: what compilers make of them, with the clause that is silent. Where `int_enums` names a clause every
    enumeration is an `int`, and that clause is silent on those whose values none holds; `empty` is the one that is silent on
    records without bytes, of which compilers are supposed to make no more than `least` bytes. `complex_integers` names the
    clause of a text that knows complex integers. Of the `_BitInt`s of more than 64 bits on which a text is silent, compilers are
    supposed to make as many pieces of `bit_int_chunk` bytes as needed, or of a pointer's size where that is 0. To a record that gcc holds as one number it gives
    no alignment above `number_align` bytes, if that is not 0. `packs_ms_units` says that clang's family packs the unit of a packed bit-field
    in an `ms_struct`, as clang 24 does and clang 22, on which vendors' compilers are based, does not.
    """

    kinds: Mapping[Kind, Sized]
    pointer: Sized
    bit_int: Callable[[int], Sized]
    vector: Callable[[int, Sized], Sized]
    enum_clause: str
    char_signed: bool
    bit_int_extended: bool
    significant: Mapping[Kind, int]
    ms_struct: bool = False
    atomic: tuple[int, int] = (16, 16)
    atomic_align: int = 0
    atomic_settled: bool = True
    vector_bits: int = 0
    sve_bits: int = 0
    scalable_clause: str = ""
    same: Mapping[Kind, Kind] = field(default_factory=dict)
    order: ByteOrder = "little"
    biggest: int = 0
    unsaid: Mapping[Kind, Sized] = field(default_factory=dict)
    int_enums: str = ""
    empty: str = ""
    least: int = 0
    complex_integers: str = ""
    bit_int_chunk: int = 0
    number_align: int = 0
    packs_ms_units: bool = True
    bit_int_flattened: bool = False

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
