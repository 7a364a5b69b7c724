"""Homogeneous aggregates: composites of up to four members of one floating-point or vector type (AAPCS64 5.10.5)."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

import msgspec

from abiprobe.oracles.abis.aarch64.data import SHORT_VECTORS, VECTOR_SIZE
from abiprobe.oracles.engine.leaves import has_padded_part, is_bitless, leaves
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.records import Field
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import (
    DECIMAL,
    Array,
    Complex,
    Kind,
    Record,
    Scalar,
    Type,
    Vector,
    spelling,
)
from abiprobe.oracles.text.clause import citing

cite, implements = citing(__package__)
FLOAT = cite("homogeneous.float")
VECTOR = cite("homogeneous.vector")
HALF = cite("homogeneous.half")
ZERO_WIDTH = cite("homogeneous.zero-width")
NO_ELEMENT = cite("homogeneous.no-element")
EMPTY_RECORD = cite("homogeneous.empty-record")
ALIGNMENT = cite("homogeneous.alignment")
UNNAMED = cite("homogeneous.unnamed")

MOST = 4
"""How many uniquely addressable members an HFA or HVA has at most."""


class Class(Enum):
    """The type class of a member, as far as it matters for homogeneity."""

    FLOAT = "floating point"
    DECIMAL = "decimal floating point"
    """machine types of their own in table 1, and floating-point types, too"""
    VECTOR = "short vector"
    OTHER = "other"
    UNNAMED = "unnamed bit-field"
    """has a width, but is no member to C"""
    NOTHING = "nothing"
    """has no bits: a zero-width bit-field, or a member of size zero"""


class FundamentalMember(msgspec.Struct, frozen=True):
    """A fundamental type at a byte offset of a composite. The size in bytes is what tells types of a class apart."""

    of: Class
    size: int
    offset: int
    why: str = ""
    """the clause by which it is what it is, where that is more than its type"""


class Homogeneous(msgspec.Struct, frozen=True):
    """An HFA or HVA: how many members it has, their size in bytes, and the clause without which it would be none."""

    count: int
    size: int
    clause: str

    @property
    def is_plain(self) -> bool:
        """Return whether the types of its members alone decide."""
        return self.clause in {FLOAT, VECTOR}


@implements(
    "homogeneous.float",
    "homogeneous.vector",
    "homogeneous.alignment",
    "homogeneous.unnamed",
    "homogeneous.no-element",
)
def homogeneous(types: TypeTable, c_type: Type, align: int) -> Homogeneous | None:
    """A composite of alignment `align` as an HFA or HVA, or `None` if it is none.

    Raises `SilentError` where an unnamed bit-field or an array without elements would make the difference.
    """
    found: dict[tuple[Class, int], set[int]] = {}
    whys: set[str] = set()
    for part in parts(types, c_type):
        whys.add(part.why)
        if part.of in {Class.UNNAMED, Class.NOTHING}:
            continue
        found.setdefault((part.of, part.size), set()).add(part.offset)
        if part.of is Class.OTHER or len(found) > 1 or len(found[part.of, part.size]) > MOST:
            return None
    for (own, size), offsets in found.items():
        if len(offsets) * size == types.extent(c_type).size:
            if types.policies.padded_part_is_a_member and has_padded_part(types, c_type, MOST + 1):
                return None
            if UNNAMED in whys and types.reading is None:
                raise SilentError(UNNAMED, f"{spelling(c_type)} has an unnamed bit-field beside its members")
            if NO_ELEMENT in whys and types.reading is None:
                raise SilentError(NO_ELEMENT, f"{spelling(c_type)} has an array without elements")
            if UNNAMED in whys or (NO_ELEMENT in whys and not is_one_value_to_gcc(types, c_type)):
                return None
            whys |= {ALIGNMENT} if align != size else set()
            # [aapcs64:homogeneous.float] [aapcs64:homogeneous.vector]
            return Homogeneous(len(offsets), size, deciding(whys, own))
    return None


def is_one_value_to_gcc(types: TypeTable, c_type: Type) -> bool:
    """Return whether gcc holds a composite as the one complex number or vector that it has, whatever of no bytes stands beside it.

    Source: GCC, stor-layout.cc, compute_record_mode, by which a union is an integer.
    """
    return types.reading is Reading.GCC and isinstance(sole_value(types, c_type), Complex | Vector)


def sole_value(types: TypeTable, c_type: Type) -> Type | None:
    """The scalar, complex number or vector that a struct, or an array of one, consists of; `None` where there are several."""
    match types.plain(c_type):
        case Record(union=True):
            return None
        case Record(members=members):
            sized = [one.type for one in members if one.width is None and types.extent(one.type).size]
            return sole_value(types, sized[0]) if len(sized) == 1 else None
        case Array(element=element, length=length):
            return sole_value(types, element) if length == 1 else None
        case plain:
            return plain


def deciding(whys: set[str], own: Class) -> str:
    """The clause without which a composite would not be homogeneous."""
    for clause in (ZERO_WIDTH, EMPTY_RECORD, HALF, ALIGNMENT):
        if clause in whys:
            return clause
    return VECTOR if own is Class.VECTOR else FLOAT


@implements("homogeneous.zero-width", "homogeneous.empty-record")
def parts(types: TypeTable, c_type: Type) -> Iterator[FundamentalMember]:
    """The fundamental types that compose a type, and what else stands between them."""
    # One element more than the limit is enough to know that there are too many.
    closes = types.reading is Reading.CLANG
    for leaf in leaves(types, c_type, elements=MOST + 1, closes_padding=closes):
        at = leaf.bit_offset // 8
        match leaf.type:
            case _ if is_bitless(types, leaf):
                yield FundamentalMember(Class.NOTHING, 0, at, ZERO_WIDTH)
            case _ if leaf.bit_field is not None and is_padding(leaf.bit_field):
                yield FundamentalMember(Class.UNNAMED, 0, at, UNNAMED)
            case _ if leaf.bit_field is not None:
                yield FundamentalMember(Class.OTHER, 0, at)
            case Array():
                yield FundamentalMember(Class.NOTHING, 0, at, NO_ELEMENT)
            case Record():
                yield FundamentalMember(Class.NOTHING, 0, at, EMPTY_RECORD)
            case Complex(kind):
                size = types.data.kind(kind).size
                yield from (member(types, Scalar(kind), offset) for offset in (at, at + size))
            case scalar:
                yield member(types, scalar, at)


def is_padding(item: Field) -> bool:
    """Return whether a bit-field has bits and no name."""
    return item.is_unnamed_bit_field and item.bit_width > 0


@implements("homogeneous.half")
def member(types: TypeTable, c_type: Type, at: int) -> FundamentalMember:
    """A scalar; binary formats of one size are one type, as are short vectors of one size."""
    size = types.extent(c_type).size
    match c_type:
        case Scalar(Kind.BF16) if types.policies.bf16_is_no_real:
            return FundamentalMember(Class.OTHER, size, at)
        case Scalar(Kind.BF16):
            return FundamentalMember(Class.FLOAT, size, at, HALF)
        case Scalar(kind) if kind in DECIMAL:
            return FundamentalMember(Class.DECIMAL, size, at)
        case Scalar(kind) if kind.is_floating:
            return FundamentalMember(Class.FLOAT, size, at)
        case Vector() if size not in SHORT_VECTORS and types.reading is None:
            raise SilentError(VECTOR_SIZE, f"a vector of {size} bytes")
        case Vector() if size in SHORT_VECTORS:
            return FundamentalMember(Class.VECTOR, size, at)
        case _:
            return FundamentalMember(Class.OTHER, size, at)
