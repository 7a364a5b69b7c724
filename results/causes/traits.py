"""Traits of a question: what is unusual about its types, in words that name a cause.

Plain integers and reals of register size have none. The reducer can take every trait away, so those that a reduced
question still has are needed for its deviation: together they are the predicate that describes its cause.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

import msgspec

from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.language.cxx_calls import CxxPrototype, classes_in
from abiprobe.oracles.language.entities import Entity
from abiprobe.oracles.language.lang import (
    DECIMAL,
    Array,
    Atomic,
    BitInt,
    Complex,
    Enum,
    FixedPoint,
    Kind,
    Member,
    Pointer,
    Position,
    Prototype,
    Record,
    Scalable,
    ScalableMask,
    Scalar,
    SvePredicate,
    SveVector,
    Type,
    Typedef,
    Vector,
)
from abiprobe.oracles.language.question import Question
from abiprobe.oracles.language.tables import Tables
from abiprobe.oracles.language.within import Part, part_of
from abiprobe.results.causes.class_traits import class_traits

NARROW = frozenset({Kind.BOOL, Kind.CHAR, Kind.SCHAR, Kind.UCHAR, Kind.SHORT, Kind.USHORT})
CHARACTERS = frozenset({Kind.CHAR, Kind.SCHAR, Kind.UCHAR})
LONGEST_INTEGERS = frozenset({Kind.INT128, Kind.UINT128})
ONE_OF_THEM = 16
"""The size in bytes of the longest integers."""
SIZES = {
    **dict.fromkeys((Kind.DOUBLE, Kind.LONG, Kind.ULONG, Kind.LLONG, Kind.ULLONG), 8),
    **dict.fromkeys((Kind.LDOUBLE, Kind.INT128, Kind.UINT128), 16),
}
RARE = {
    Kind.INT128: "__int128",
    Kind.UINT128: "__int128",
    Kind.FLOAT16: "half-precision real",
    Kind.BF16: "half-precision real",
    Kind.FLOAT128: "quadruple-precision real",
    Kind.LDOUBLE: "long double",
    **dict.fromkeys(DECIMAL, "decimal real"),
}
REALS = frozenset({Kind.FLOAT, Kind.DOUBLE, *RARE}) - LONGEST_INTEGERS
MANY_TYPES = 1 << 12
"""Types whose traits are remembered: a filler of registers is asked about thousands of times, and a type in every role."""
LONGEST = 64
"""The width in bits of the largest `_BitInt` that has the size of a standard integer."""


def traits(question: Question, blamed: str = "") -> frozenset[str]:
    """The traits of a question.

    Of a prototype whose value `blamed` (a parameter, or `result`) is not as predicted, those of other values only if they
    are records: a scalar beside it may be there to fill registers.
    """
    if isinstance(question, Class):
        return class_traits(question)
    if isinstance(question, Tables):
        return class_traits(question.of)
    if isinstance(question, Entity):
        return frozenset({f"name of a {type(question).__name__.lower()}"})
    if isinstance(question, CxxPrototype):
        own = {"member function"} if question.this is not None else set()
        return frozenset(own).union(*map(class_traits, classes_in(question.types)))
    if isinstance(question, Record):
        return frozenset(_of(part_of(question)))
    found = _of_blamed(question, blamed) if blamed else frozenset()
    return found or frozenset(_of_all(question))


def _of_blamed(question: Prototype, blamed: str) -> frozenset[str]:
    """The traits of a value and of records beside it; none of a value that there is not."""
    named = {param.name: part_of(param.type) for param in question.params}
    if question.result is not None:
        named["result"] = part_of(question.result)
    if blamed not in named:
        return frozenset()
    records = {name: part for name, part in named.items() if part.is_record}
    return frozenset(one for part in (records | {blamed: named[blamed]}).values() for one in _of(part))


ALIGNED_ARGUMENT = "argument of an aligned typedef"
EMPTY_ARGUMENT = "argument without bytes"
EMPTY_RESULT = "result without bytes"
TARGET_ATTRIBUTE = "target attribute"
REAL_AND_BIT_FIELD_ARGUMENT = "argument of a real and a bit-field"
REAL_AND_BIT_FIELD_RESULT = "result of a real and a bit-field"
VECTOR_RESULT = "result with a vector"


def roles(question: Question) -> frozenset[str]:
    """Return the unusual features of a call as such: its convention, and those of arguments and result that their types inside a record would not be.

    Entries for known deviations may name these; the identity of a cause has no part of them.
    """
    if not isinstance(question, Prototype):
        return frozenset()
    own = set() if question.convention is None else {question.convention.value}
    if question.isa is not None:
        own.add(TARGET_ATTRIBUTE)
    given = frozenset[str]() if question.result is None else as_result(question.result)
    arguments = dict.fromkeys((*[one.type for one in question.params], *question.unnamed))
    return given.union(own, *map(as_argument, arguments))


@lru_cache(MANY_TYPES)
def as_argument(c_type: Type) -> frozenset[str]:
    """Return the unusual features of a type as an argument."""
    part = part_of(c_type)
    asked = (
        (ALIGNED_ARGUMENT, has_own_alignment),
        (EMPTY_ARGUMENT, is_empty_record),
        (REAL_AND_BIT_FIELD_ARGUMENT, has_real_and_bit_field),
    )
    return frozenset(name for name, has in asked if has(part))


@lru_cache(MANY_TYPES)
def as_result(c_type: Type) -> frozenset[str]:
    """Return the unusual features of a type as a result."""
    part = part_of(c_type)
    asked = ((EMPTY_RESULT, is_empty_record), (REAL_AND_BIT_FIELD_RESULT, has_real_and_bit_field))
    vector = {VECTOR_RESULT} if "vector" in of_type(c_type) else set()
    return frozenset(name for name, has in asked if has(part)) | vector


@lru_cache(MANY_TYPES)
def of_type(c_type: Type) -> frozenset[str]:
    """Return the traits of a type."""
    return frozenset(_of(part_of(c_type)))


def is_empty_record(part: Part) -> bool:
    """Return whether a type is a record without bytes."""
    return part.is_record and part.is_empty


def has_real_and_bit_field(part: Part) -> bool:
    """Return whether a type is a record with a named bit-field and a real, in itself or in its members."""
    leaves = tuple(_leaves(part)) if part.is_record else ()
    fields = any(member.width and member.name for member, _ in leaves)
    reals = (c_type for member, c_type in leaves if member.width is None)
    return fields and any(isinstance(one, Scalar) and one.kind in REALS for one in reals)


def _leaves(record: Part) -> Iterator[tuple[Member, Type]]:
    """The members of a record and of the records in it that are no records; an array is as its element."""
    for one in record.bare.inside:
        inner = innermost(one)
        if inner.is_record:
            yield from _leaves(inner)
        elif one.member is not None:
            yield one.member, inner.type


def innermost(part: Part) -> Part:
    """The element of an array of arrays, or the type itself, without names."""
    while isinstance(part.bare.type, Array):
        part = part.bare.inside[0]
    return part.bare


def has_own_alignment(part: Part) -> bool:
    """Return whether a type is a typedef name with an alignment, or a name of such a one."""
    while isinstance(part.type, Typedef):
        if part.type.align is not None:
            return True
        part = part.inside[0]
    return False


def _of_all(function: Prototype) -> Iterator[str]:
    for c_type in dict.fromkeys(function.types):
        yield from of_type(c_type)
    if function.variadic:
        yield "unnamed argument"


def _of(part: Part) -> Iterator[str]:
    c_type = part.type
    match c_type:
        case Scalar(kind):
            yield from _of_scalar(kind)
        case BitInt(width=width):
            yield "_BitInt" if width <= LONGEST else "_BitInt wider than 64 bits"
        case FixedPoint():
            yield "fixed-point number"
        case Complex():
            yield "complex integer" if c_type.is_integer else "complex number"
        case Enum(packed=packed):
            yield "packed enumeration" if packed else "enumeration"
            if packed and is_narrow(c_type):
                yield "integer narrower than int"
        case Vector(kind=kind, size=size):
            yield "vector"
            if kind in CHARACTERS:
                yield "vector of characters"
            if kind in LONGEST_INTEGERS and size > ONE_OF_THEM:
                yield "vector of several __int128"
            if SIZES.get(kind) == size:
                yield "vector of one element"
        case Atomic():
            yield "atomic type"
            yield from _of(part.inside[0])
        case Typedef(align=align):
            yield from _of(part.inside[0])
            if align is not None:
                yield "typedef with an alignment of its own"
        case Array():
            yield from _of_array(c_type.length, part)
        case Record():
            yield from _of_record(c_type, part)
        case Scalable(fields=fields):
            yield "tuple of scalable vectors" if fields > 1 else "scalable vector"
        case ScalableMask():
            yield "scalable vector"
        case SveVector(fields=fields):
            yield "tuple of SVE vectors" if fields > 1 else "SVE vector"
        case SvePredicate():
            yield "SVE predicate"
        case Pointer():
            pass


def _of_scalar(kind: Kind) -> Iterator[str]:
    if kind in NARROW:
        yield "integer narrower than int"
    elif kind in RARE:
        yield RARE[kind]


def is_narrow(enum: Enum) -> bool:
    """Return whether every value of an enumeration fits an integer narrower than `int`."""
    return all(-(1 << 15) <= item.value < 1 << 16 for item in enum.enumerators)


def _of_array(length: int | None, part: Part) -> Iterator[str]:
    if not length:
        yield "flexible array" if length is None else "zero-length array"
        yield from _of(innermost(part))
    elif part.is_empty:
        yield "array of empty elements"
        yield from {"flexible array", "zero-length array"} & set(_of(part.inside[0]))
    else:
        yield "array"
        yield from _of(part.inside[0])


def _of_record(record: Record, part: Part) -> Iterator[str]:
    yield "union" if record.union else "struct"
    if part.is_empty and not any(isinstance(one.bare.type, Array) for one in part.inside):
        yield "empty record"
    if record.packed:
        yield "packed record"
    if record.align is not None:
        yield "aligned record"
    if record.pack is not None:
        yield "#pragma pack"
    if record.ms_struct is not None:
        yield "ms_struct" if record.ms_struct else "gcc_struct"
    for one in part.inside:
        if one.member is not None:
            yield from _of_member(one.member, one)


def _of_member(member: Member, part: Part) -> Iterator[str]:
    inner = part.bare.type
    if member.width is not None:
        yield (
            "zero-width bit-field"
            if not member.width
            else "bit-field"
            if member.name
            else "unnamed bit-field"
        )
    elif isinstance(inner, Record) and inner.members:
        yield "record in a record"
    if member.packed:
        yield "packed member"
    if member.align is not None or member.alignas is not None:
        yield "aligned member"
    if member.position is Position.POINTER and isinstance(inner, Pointer):
        yield "attribute on a pointer"
    narrow_field = member.width is not None and isinstance(inner, Scalar)
    yield from () if narrow_field else _of(part)


PACKING = frozenset({"packed record", "packed member", "#pragma pack"})


def alike(found: Iterable[str]) -> frozenset[str]:
    """Traits as they name a cause: every way to pack is one."""
    plain = frozenset(found)
    return plain - PACKING | {"packed"} if plain & PACKING else plain


def needed(found: Iterable[str]) -> frozenset[str]:
    """Traits without those that every record has: a struct is what a union becomes when it does not matter."""
    plain = alike(found)
    return plain - {"struct"} or plain


class Features(msgspec.Struct, frozen=True):
    """The unusual features of a question: its traits as they name a cause, those that it needs, and with all of them its roles."""

    alike: frozenset[str]
    needed: frozenset[str]
    named: frozenset[str]


def features(question: Question, more: Iterable[str] = ()) -> Features:
    """The features of a question, whose traits are `more` than are seen now."""
    found = alike(traits(question).union(more))
    return Features(found, needed(found), found | roles(question))


def described(found: Iterable[str]) -> str:
    """Traits as a phrase: `struct with zero-width bit-field`."""
    names = set(found)
    whole = [name for name in ("union", "struct") if name in names]
    rest = sorted(names - {"union", "struct"})
    if not whole:
        return " and ".join(rest) or "any types"
    return f"{whole[0]} with {' and '.join(rest)}" if rest else f"a plain {whole[0]}"
