"""The classification algorithm: a class for each eightbyte of a value (AMD64 psABI 3.2.3)."""

from __future__ import annotations

from enum import Enum as PyEnum
from functools import lru_cache, reduce

import msgspec

from abiprobe.oracles.abis.x86.data import PACKED_TYPES
from abiprobe.oracles.engine.emptiness import has_flexible_array
from abiprobe.oracles.engine.leaves import Leaf, leaves
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.records import Field
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.types import REMEMBERED, TypeTable
from abiprobe.oracles.language.lang import (
    Array,
    Atomic,
    BitInt,
    Complex,
    Enum,
    Kind,
    Pointer,
    Record,
    Scalar,
    Type,
    Vector,
    components,
    spelling,
)
from abiprobe.oracles.text.clause import citing

cite, implements = citing(__package__)
INTEGER = cite("class.integer")
SSE = cite("class.sse")
SSEUP = cite("class.sseup")
X87 = cite("class.x87")
INT128 = cite("class.int128")
BIT_INT = cite("class.bit-int")
COMPLEX = cite("class.complex")
COMPLEX_X87 = cite("class.complex-x87")
LARGE = cite("class.large")
EACH_EIGHTBYTE = cite("class.each-eightbyte")
CLEANUP = cite("class.cleanup")
NESTED_CLEANUP = cite("class.nested-cleanup")
VECTOR_SIZE = cite("class.vector-size")
VECTOR_OF_ONE = cite("class.vector-of-one")
UNALIGNED_NO_ELEMENT = cite("class.unaligned-no-element")
UNNAMED = cite("class.unnamed-bit-field")
NO_ELEMENT = cite("class.no-element")
ZERO_WIDTH = cite("class.zero-width")

EIGHTBYTE = 8


class Class(PyEnum):
    """The register class of one eightbyte."""

    __hash__ = object.__hash__  # that of enumerations is written in Python

    NO_CLASS = "NO_CLASS"
    """padding, an empty struct or union"""
    INTEGER = "INTEGER"
    """fits a general purpose register"""
    SSE = "SSE"
    """fits a vector register"""
    SSEUP = "SSEUP"
    """travels in the upper bytes of a vector register"""
    X87 = "X87"
    """the mantissa of a long double"""
    X87UP = "X87UP"
    """the exponent of a long double"""
    COMPLEX_X87 = "COMPLEX_X87"
    """a complex long double"""
    MEMORY = "MEMORY"
    """travels in memory"""


class Classes(msgspec.Struct, frozen=True):
    """The classes of a value's eightbytes in order, and the clause that gave the value its kind of class."""

    eightbytes: tuple[Class, ...]
    clause: str


@lru_cache(maxsize=REMEMBERED)
@implements("class.integer", "class.sse", "class.sseup", "class.x87", "class.int128", "class.bit-int")
def classify(types: TypeTable, c_type: Type) -> Classes:
    """The class of every eightbyte of a type; a MEMORY value has MEMORY throughout."""
    count = size_in_eightbytes(types, c_type)
    match types.plain(c_type):
        case Scalar(Kind.LDOUBLE):
            return Classes((Class.X87, Class.X87UP), X87)
        case Scalar(Kind.FLOAT128 | Kind.DECIMAL128):
            return Classes((Class.SSE, Class.SSEUP), SSEUP)
        case Scalar(Kind.INT128 | Kind.UINT128):
            return Classes((Class.INTEGER, Class.INTEGER), INT128)
        case Scalar(kind) if kind.is_floating:
            return Classes((Class.SSE,), SSE)
        case Scalar() | Enum() | Pointer():
            return Classes((Class.INTEGER,), INTEGER)
        case BitInt():
            integers = (Class.INTEGER,) * count
            return Classes(integers, INTEGER) if count == 1 else Classes(clean_up(integers), BIT_INT)
        case Complex(Kind.LDOUBLE):
            return Classes((Class.COMPLEX_X87,) * count, COMPLEX_X87)
        case Complex(Kind.FLOAT128):
            return Classes((Class.MEMORY,) * count, COMPLEX)
        case Complex():
            return Classes((Class.SSE,) * count, COMPLEX)
        case Vector(kind=kind, size=size):
            return Classes(classify_vector(types, kind, size), SSE if size == EIGHTBYTE else SSEUP)
        case aggregate:
            return classify_aggregate(types, aggregate, count)


def size_in_eightbytes(types: TypeTable, c_type: Type) -> int:
    """Return the number of eightbytes that hold a value; the last one may be held in part."""
    return -(-types.extent(c_type).size // EIGHTBYTE)


@implements("class.sseup", "class.vector-size", "class.vector-of-one")
def classify_vector(types: TypeTable, kind: Kind, size: int) -> tuple[Class, ...]:
    """`__m64` is SSE, larger ones are SSE and SSEUP; the text has no answer for other sizes, nor for one double."""
    is_said = size in PACKED_TYPES and size <= types.options.vectors
    if types.reading is not None and (not is_said or (kind is Kind.DOUBLE and size == EIGHTBYTE)):
        return vector_by_families(types, kind, size)
    if kind is Kind.DOUBLE and size == EIGHTBYTE:
        raise SilentError(VECTOR_OF_ONE, "a vector of one double")
    if not is_said:
        widest = types.options.vectors
        raise SilentError(
            VECTOR_SIZE, f"a vector of {size} bytes on a processor with {widest}-byte vector registers"
        )
    # [x86_64:class.sseup]
    return (Class.SSE, *(Class.SSEUP,) * (size // EIGHTBYTE - 1))


def vector_by_families(types: TypeTable, kind: Kind, size: int) -> tuple[Class, ...]:
    """A vector that the text leaves open: INTEGER where it is smaller than `__m64`, else in memory, for gcc and clang.

    One of a single real is in memory for gcc.
    """
    single = types.reading is Reading.GCC and kind.is_floating and size == types.data.kind(kind).size
    own = Class.INTEGER if size < EIGHTBYTE and not single else Class.MEMORY
    return (own,) * -(-size // EIGHTBYTE)


class Counting(msgspec.Struct, frozen=True):
    """The unnamed bit-fields that count as fields.

    Unnamed bit-fields of non-zero width, zero-width ones.
    """

    padding: bool = False
    zero_width: bool = False


@implements(
    "class.large",
    "class.each-eightbyte",
    "class.complex",
    "class.complex-x87",
    "class.unnamed-bit-field",
    "class.unaligned-no-element",
)
def classify_aggregate(types: TypeTable, aggregate: Type, count: int) -> Classes:
    """Merge the classes of all fields, eightbyte by eightbyte, and clean up."""
    if count > 8 or has_unaligned_field(types, aggregate):
        return Classes((Class.MEMORY,), LARGE)
    if is_in_memory(types, aggregate):
        return Classes((Class.MEMORY,), NO_ELEMENT)
    empty = has_empty_array(aggregate)
    if empty and has_unaligned_field(types, aggregate, empty=True):
        raise SilentError(
            UNALIGNED_NO_ELEMENT, f"an unaligned array without elements in {spelling(aggregate)}"
        )
    # [x86_64:class.complex] [x86_64:class.complex-x87]
    merged = merged_classes(types, aggregate, Counting())
    if Class.MEMORY not in merged:
        refuse_memory_within(types, aggregate)
    unnamed = has_unnamed_bit_field(aggregate)
    if unnamed and merged != (counted := merged_classes(types, aggregate, Counting(padding=True))):
        if types.reading is None:
            raise SilentError(
                UNNAMED, f"the classes of {spelling(aggregate)} depend on its unnamed bit-fields"
            )
        return Classes(merged if types.policies.skips_unnamed_bit_fields else counted, UNNAMED)
    if unnamed and merged != merged_classes(types, aggregate, Counting(zero_width=True)):
        return Classes(merged, ZERO_WIDTH)
    if empty:
        return Classes(merged, NO_ELEMENT)
    return Classes(merged, CLEANUP if Class.MEMORY in merged else EACH_EIGHTBYTE)


def is_in_memory(types: TypeTable, aggregate: Type) -> bool:
    """Return whether a compiler has a value in memory for its flexible array."""
    if types.policies.opaque_flexible_arrays and has_flexible_array(aggregate, in_elements=True):
        return True
    return types.policies.memory_unions and has_flexible_union(aggregate)


def has_flexible_union(c_type: Type) -> bool:
    """Return whether a type is, or contains, a union with a flexible array."""
    match c_type:
        case Record(union=True) if has_flexible_array(c_type):
            return True
        case Array(length=length) if not length:
            return False
        case _:
            return any(map(has_flexible_union, components(c_type)))


def merged_classes(types: TypeTable, aggregate: Type, counting: Counting) -> tuple[Class, ...]:
    """The classes of the eightbytes of an aggregate."""
    merged = [Class.NO_CLASS] * size_in_eightbytes(types, aggregate)
    merge_fields(types, aggregate, merged, counting)
    return clean_up(tuple(merged))


@implements("class.nested-cleanup")
def refuse_memory_within(types: TypeTable, c_type: Type) -> None:
    """Refuse a value in registers in which a record, cleaned up by itself, would be MEMORY; raises `SilentError`."""
    if isinstance(c_type, Array) and not c_type.length:
        return
    for inner in components(c_type):
        if isinstance(inner, Record) and Class.MEMORY in merged_classes(types, inner, Counting()):
            raise SilentError(NESTED_CLEANUP, f"{spelling(inner)} would be MEMORY by itself")
        refuse_memory_within(types, inner)


@implements("class.no-element")
def merge_fields(types: TypeTable, aggregate: Type, into: list[Class], counting: Counting) -> None:
    """Merge the classes of all fields of an aggregate into its eightbytes."""
    for leaf in leaves(types, aggregate):
        if leaf.bit_field is not None:
            if not leaf.bit_field.is_unnamed_bit_field or counts(leaf.bit_field, counting):
                merge_span(into, leaf.bit_offset, leaf.bit_field.bit_width or 1, Class.INTEGER)
            continue
        match leaf.type:
            case Record() | Array():
                continue
            case Atomic():
                # Only where a compiler does not look into it.
                merge_span(into, leaf.bit_offset, types.extent(leaf.type).size * 8, Class.MEMORY)
            case Complex(kind) if kind is not Kind.LDOUBLE:
                width = types.data.kind(kind).size * 8
                for part in (leaf.bit_offset, leaf.bit_offset + width):
                    merge_scalar(types, Scalar(kind), part, into)
            case scalar:
                merge_scalar(types, scalar, leaf.bit_offset, into)


def merge_scalar(types: TypeTable, scalar: Type, at: int, into: list[Class]) -> None:
    """Merge the classes of what starts at bit `at` of an aggregate."""
    for slot, own in enumerate(classify(types, scalar).eightbytes, at // 64):
        into[slot] = merge(into[slot], own)


@implements("class.zero-width")
def counts(item: Field, counting: Counting) -> bool:
    """Return whether an unnamed bit-field counts as a field."""
    return counting.padding if item.bit_width else counting.zero_width


def merge_span(into: list[Class], at: int, width: int, own: Class) -> None:
    """Merge `own` into every eightbyte that the bits `[at, at + width)` touch."""
    for slot in range(at // 64, min((at + width - 1) // 64 + 1, len(into))):
        into[slot] = merge(into[slot], own)


@implements("class.merge")
def merge(one: Class, other: Class) -> Class:
    """The class of an eightbyte that holds fields of two classes."""
    if one is other:
        return one
    both = {one, other}
    if Class.NO_CLASS in both:
        return other if one is Class.NO_CLASS else one
    if Class.MEMORY in both:
        return Class.MEMORY
    if Class.INTEGER in both:
        return Class.INTEGER
    if both & {Class.X87, Class.X87UP, Class.COMPLEX_X87}:
        return Class.MEMORY
    return Class.SSE


@implements("class.cleanup")
def clean_up(classes: tuple[Class, ...]) -> tuple[Class, ...]:
    """The post merger clean up."""
    memory = (Class.MEMORY,) * len(classes)
    if Class.MEMORY in classes:
        return memory
    if any(
        own is Class.X87UP and (not i or classes[i - 1] is not Class.X87) for i, own in enumerate(classes)
    ):
        return memory
    if len(classes) > 2 and (
        classes[0] is not Class.SSE or any(own is not Class.SSEUP for own in classes[1:])
    ):
        return memory
    return reduce(_append_up, classes, ())


def _append_up(done: tuple[Class, ...], own: Class) -> tuple[Class, ...]:
    """An SSEUP that follows neither SSE nor SSEUP is an SSE."""
    follows = bool(done) and done[-1] in {Class.SSE, Class.SSEUP}
    return (*done, Class.SSE if own is Class.SSEUP and not follows else own)


def has_unnamed_bit_field(c_type: Type) -> bool:
    """Return whether a type contains an unnamed bit-field."""
    if isinstance(c_type, Record) and any(
        not member.name and member.width is not None for member in c_type.members
    ):
        return True
    return any(has_unnamed_bit_field(inner) for inner in components(c_type))


def has_empty_array(c_type: Type) -> bool:
    """Return whether a type contains an array without elements, such as a flexible one."""
    if isinstance(c_type, Array) and not c_type.length:
        return True
    return any(has_empty_array(inner) for inner in components(c_type))


def has_unaligned_field(types: TypeTable, c_type: Type, at: int = 0, *, empty: bool = False) -> bool:
    """Return whether a field at bit `at` of the value lies off the natural alignment of its type; bit-fields never do.

    An array without elements is none, save if `empty` asks where an element of it would lie.
    """
    return any(is_unaligned(types, leaf, empty=empty) for leaf in leaves(types, c_type, at, elements=8))


def is_unaligned(types: TypeTable, leaf: Leaf, *, empty: bool) -> bool:
    """Return whether a leaf lies off its natural alignment; with `empty`, an element of an array that has none."""
    match leaf.type:
        case _ if leaf.bit_field is not None:
            return False
        case Array(element=element):
            return empty and has_unaligned_field(types, element, leaf.bit_offset, empty=empty)
        case Record():
            return False
        case scalar:
            return leaf.bit_offset % (types.extent(scalar).align * 8) != 0
