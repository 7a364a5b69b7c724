"""Candidates for VFP registers: reals, containerized vectors, and homogeneous aggregates of them (5.3.5, 7.1.2)."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from abiprobe.oracles.abis.arm.data import CONTAINERIZED, DOUBLE_WORD, HALVES, VECTOR_SIZE, WORD
from abiprobe.oracles.engine.leaves import Leaf, has_padded_part, is_bitless, leaves
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Array, Complex, Record, Scalar, Type, Vector, spelling
from abiprobe.oracles.text.clause import citing

cite, implements = citing(__package__)
FLOAT = cite("homogeneous.float")
VECTOR = cite("homogeneous.vector")
ZERO_WIDTH = cite("homogeneous.zero-width")
EMPTY_RECORD = cite("homogeneous.empty-record")
NO_ELEMENT = cite("homogeneous.no-element")
ALIGNMENT = cite("homogeneous.alignment")
UNNAMED = cite("homogeneous.unnamed")
REGISTER = cite("vfp.c1")

MOST = 4
"""How many elements a homogeneous aggregate has at most."""


class Candidate(msgspec.Struct, frozen=True):
    """A candidate for VFP registers: elements of `size` bytes, and the clause that makes it one."""

    count: int
    size: int
    clause: str

    @property
    def place_clause(self) -> str:
        """The clause on its registers: what makes it a candidate, where that is not the plain rule of reals and vectors."""
        return REGISTER if self.clause in {FLOAT, VECTOR} else self.clause


class Element(msgspec.Struct, frozen=True):
    """A fundamental type at a byte offset of a composite; `base` is empty for one that no candidate has."""

    base: str
    size: int
    offset: int


def candidate(types: TypeTable, value: Travelling) -> Candidate | None:
    """A value as a candidate for VFP registers, or `None` if it is none."""
    match value.type:
        case Scalar(kind) if kind.is_floating:
            return Candidate(1, value.size, REGISTER)
        case Vector() if value.size in CONTAINERIZED:
            return Candidate(1, value.size, REGISTER)
        case Record() | Complex():
            return homogeneous(types, value)
        case _:
            return None


@implements(
    "homogeneous.float",
    "homogeneous.vector",
    "homogeneous.zero-width",
    "homogeneous.empty-record",
    "homogeneous.no-element",
    "homogeneous.alignment",
    "homogeneous.unnamed",
)
def homogeneous(types: TypeTable, value: Travelling) -> Candidate | None:
    """A composite of up to four elements of one type, or `None` if it is none.

    Raises `SilentError` where an unnamed bit-field or an array without elements would make the difference.
    """
    found: dict[tuple[str, int], set[int]] = {}
    beside: set[str] = set()
    # One element more than the limit is enough to know that there are too many.
    closes = types.reading is Reading.CLANG
    for leaf in leaves(types, value.type, elements=MOST + 1, closes_padding=closes):
        clause = bitless(types, leaf)
        if clause:
            beside.add(clause)
            continue
        for element in elements(types, leaf):
            found.setdefault((element.base, element.size), set()).add(element.offset)
    if len(found) != 1:
        return None
    ((base, size), offsets) = next(iter(found.items()))
    if not base or len(offsets) > MOST or len(offsets) * size != value.size:
        return None
    if types.policies.padded_part_is_a_member and has_padded_part(types, value.type, MOST + 1):
        return None
    # [aapcs32:homogeneous.unnamed] [aapcs32:homogeneous.no-element]
    for clause in (UNNAMED, NO_ELEMENT):
        if clause in beside and types.reading is not None:
            return None
        if clause in beside:
            raise SilentError(clause, f"{spelling(value.type)} has something beside its elements")
    # [aapcs32:homogeneous.zero-width] [aapcs32:homogeneous.empty-record]
    for clause in (ZERO_WIDTH, EMPTY_RECORD):
        if clause in beside:
            return Candidate(len(offsets), size, clause)
    # [aapcs32:homogeneous.alignment]
    if value.align != min(size, DOUBLE_WORD):
        return Candidate(len(offsets), size, ALIGNMENT)
    # [aapcs32:homogeneous.float] [aapcs32:homogeneous.vector]
    return Candidate(len(offsets), size, base)


def bitless(types: TypeTable, leaf: Leaf) -> str:
    """The clause on a leaf that is no fundamental type; empty for one that is."""
    if leaf.bit_field is not None:
        if not leaf.bit_field.bit_width:
            return ZERO_WIDTH if is_bitless(types, leaf) else ""
        return UNNAMED if leaf.bit_field.is_unnamed_bit_field else ""
    if isinstance(leaf.type, Array):
        return NO_ELEMENT
    return EMPTY_RECORD if isinstance(leaf.type, Record) else ""


def elements(types: TypeTable, leaf: Leaf) -> Iterator[Element]:
    """The fundamental types of a leaf, two for a complex number."""
    at = leaf.bit_offset // 8
    match leaf.type:
        case Complex(kind):
            size = types.data.kind(kind).size
            yield from (Element(base_of(types, Scalar(kind), size), size, start) for start in (at, at + size))
        case plain:
            size = types.extent(plain).size
            yield Element("" if leaf.bit_field is not None else base_of(types, plain, size), size, at)


def base_of(types: TypeTable, c_type: Type, size: int) -> str:
    """The clause on homogeneous aggregates of a type, empty for a type that they do not have."""
    match c_type:
        case Scalar(kind) if kind in HALVES and types.policies.halves_are_homogeneous:
            return FLOAT
        case Scalar(kind) if kind.is_floating and kind not in HALVES and size in {WORD, DOUBLE_WORD}:
            return FLOAT
        case Vector() if size not in CONTAINERIZED and types.reading is not None:
            return ""
        case Vector() if size not in CONTAINERIZED:
            raise SilentError(VECTOR_SIZE, f"a vector of {size} bytes")
        case Vector():
            return VECTOR
        case _:
            return ""
