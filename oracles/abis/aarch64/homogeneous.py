"""Homogeneous aggregates: composites of up to four members of one floating-point or vector type (AAPCS64 5.10.5)."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

import msgspec

from abiprobe.oracles.abis.aarch64.data import SHORT_VECTORS, VECTOR_SIZE
from abiprobe.oracles.abis.aarch64.sheet import cite, implements
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.lang import Array, Complex, Kind, Record, Scalar, Type, Vector, spelling

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
    VECTOR = "short vector"
    OTHER = "other"
    UNNAMED = "unnamed bit-field"
    """has a width, but is no member to C"""
    NOTHING = "nothing"
    """has no bits: a zero-width bit-field, or a member of size zero"""


class Leaf(msgspec.Struct, frozen=True):
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
        """Whether nothing but the types of its members decides."""
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
    for leaf in leaves(types, c_type, 0):
        whys.add(leaf.why)
        if leaf.of in {Class.UNNAMED, Class.NOTHING}:
            continue
        found.setdefault((leaf.of, leaf.size), set()).add(leaf.offset)
        if leaf.of is Class.OTHER or len(found) > 1 or len(found[leaf.of, leaf.size]) > MOST:
            return None
    for (own, size), offsets in found.items():
        if len(offsets) * size == types.extent(c_type).size:
            if UNNAMED in whys:
                raise SilentError(UNNAMED, f"{spelling(c_type)} has an unnamed bit-field beside its members")
            if NO_ELEMENT in whys:
                raise SilentError(NO_ELEMENT, f"{spelling(c_type)} has an array without elements")
            whys |= {ALIGNMENT} if align != size else set()
            return Homogeneous(len(offsets), size, deciding(whys, own))
    return None


def deciding(whys: set[str], own: Class) -> str:
    """The clause without which a composite would not be homogeneous."""
    for clause in (ZERO_WIDTH, EMPTY_RECORD, HALF, ALIGNMENT):
        if clause in whys:
            return clause
    return FLOAT if own is Class.FLOAT else VECTOR


@implements("homogeneous.zero-width", "homogeneous.empty-record")
def leaves(types: TypeTable, c_type: Type, at: int) -> Iterator[Leaf]:
    """The fundamental types that compose the type at byte offset `at`, and what else stands between them."""
    match types.plain(c_type):
        case Array(length=length) if not length:
            yield Leaf(Class.NOTHING, 0, at, NO_ELEMENT)
        case Record(members=()):
            yield Leaf(Class.NOTHING, 0, at, EMPTY_RECORD)
        case Record() as record:
            for item in types.shape(record).fields:
                offset = at + item.bit_offset // 8
                if not item.is_bit_field:
                    yield from leaves(types, item.type, offset)
                elif item.bit_width:
                    own = Class.UNNAMED if item.is_unnamed_bit_field else Class.OTHER
                    yield Leaf(own, 0, offset, UNNAMED if own is Class.UNNAMED else "")
                else:
                    yield Leaf(Class.NOTHING, 0, offset, ZERO_WIDTH)
        case Array(element, length):
            stride = types.extent(element).size
            # One element more than the limit is enough to know that there are too many.
            for index in range(min(length or 0, MOST + 1)):
                yield from leaves(types, element, at + index * stride)
        case Complex(kind):
            size = types.data.kind(kind).size
            yield from (member(types, Scalar(kind), offset) for offset in (at, at + size))
        case scalar:
            yield member(types, scalar, at)


@implements("homogeneous.half")
def member(types: TypeTable, c_type: Type, at: int) -> Leaf:
    """A scalar; formats of one size are one type, as are short vectors of one size."""
    size = types.extent(c_type).size
    match c_type:
        case Scalar(Kind.BF16):
            return Leaf(Class.FLOAT, size, at, HALF)
        case Scalar(kind) if kind.is_floating:
            return Leaf(Class.FLOAT, size, at)
        case Vector() if size not in SHORT_VECTORS:
            raise SilentError(VECTOR_SIZE, f"a vector of {size} bytes")
        case Vector():
            return Leaf(Class.VECTOR, size, at)
        case _:
            return Leaf(Class.OTHER, size, at)
