"""The cost of a question: a number that every accepted step of a reduction lowers, so that reductions end.

What a person has to look at costs: members, parameters, attributes, and every type that is rarer than `int`.
"""

from __future__ import annotations

from abiprobe.generators.reduction.classes import of_class
from abiprobe.generators.reduction.cxx_calls import of_cxx_call
from abiprobe.generators.reduction.entities import of_entity
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.language.cxx_calls import CxxPrototype
from abiprobe.oracles.language.entities import Entity
from abiprobe.oracles.language.lang import (
    UNSIGNED,
    Array,
    Atomic,
    BitInt,
    Complex,
    Enum,
    FixedKind,
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
from abiprobe.oracles.language.simd import pragma
from abiprobe.oracles.language.tables import Tables

KINDS = {
    Kind.INT: 10,
    Kind.LONG: 11,
    Kind.FLOAT: 12,
    Kind.DOUBLE: 13,
    Kind.LLONG: 14,
    Kind.SHORT: 16,
    Kind.CHAR: 17,
    Kind.SCHAR: 18,
    Kind.BOOL: 22,
    Kind.INT128: 24,
    Kind.LDOUBLE: 24,
    Kind.FLOAT16: 25,
    Kind.BF16: 26,
    Kind.FLOAT128: 27,
    Kind.DECIMAL32: 28,
    Kind.DECIMAL64: 28,
    Kind.DECIMAL128: 28,
}
FIXED = {
    FixedKind.ACCUM: 0,
    FixedKind.FRACT: 1,
    FixedKind.LONG_ACCUM: 2,
    FixedKind.SHORT_ACCUM: 3,
    FixedKind.LONG_FRACT: 4,
    FixedKind.SHORT_FRACT: 5,
}
SIGNED = {
    Kind.UINT: Kind.INT,
    Kind.ULONG: Kind.LONG,
    Kind.ULLONG: Kind.LLONG,
    Kind.USHORT: Kind.SHORT,
    Kind.UCHAR: Kind.CHAR,
    Kind.UINT128: Kind.INT128,
}
UNSIGNED_COSTS = 1


def of_kind(kind: Kind) -> int:
    """The cost of a type with a name of its own."""
    if kind in UNSIGNED and kind in SIGNED:
        return KINDS[SIGNED[kind]] + UNSIGNED_COSTS
    return KINDS[kind]


def of_number(value: int) -> int:
    """The cost of a length, width or alignment: about three times its number of digits in base two, and its ones."""
    return 3 * value.bit_length() + value.bit_count()


def of_type(c_type: Type | None) -> int:
    """The cost of a type, what it is made of included."""
    match c_type:
        case None:
            return 0
        case Scalar(kind):
            return of_kind(kind)
        case BitInt(width, signed):
            return 30 + of_number(width) + (not signed)
        case FixedPoint(kind=fixed, signed=signed, saturating=saturating):
            return 30 + FIXED[fixed] + (not signed) + 2 * saturating
        case Complex(kind):
            return 30 + of_kind(kind)
        case Enum(enumerators=enumerators, packed=packed):
            return (
                20
                + 5 * len(enumerators)
                + 10 * packed
                + sum(of_number(abs(item.value)) for item in enumerators)
            )
        case Pointer(pointee, function):
            return 15 + 2 * bool(pointee) + 3 * function
        case Array(element=element, length=length):
            return of_type(element) + (
                60 if length is None else 50 if length == 0 else 15 + of_number(length)
            )
        case Vector(kind=kind, size=size):
            return 30 + of_kind(kind) + of_number(size)
        case Scalable(kind=kind, eighths=eighths, fields=fields):
            return 60 + of_kind(kind) + of_number(eighths) + 10 * fields
        case ScalableMask(ratio=ratio):
            return 60 + of_number(ratio)
        case SveVector(kind=kind, fields=fields, bits=bits):
            return 60 + of_kind(kind) + 10 * fields + 5 * (bits is not None)
        case SvePredicate(bits=bits):
            return 60 + 5 * (bits is not None)
        case Atomic(base=base):
            return of_type(base) + 12
        case Typedef(base=base, align=align):
            return of_type(base) + 8 + (0 if align is None else 10 + of_number(align))
        case Record():
            return of_record(c_type)


def of_record(record: Record) -> int:
    """The cost of a struct or union."""
    attributes = (
        record.packed
        + (record.ms_struct is not None)
        + (record.pack is not None)
        + (record.align is not None)
    )
    numbers = sum(of_number(value) for value in (record.align, record.pack) if value is not None)
    members = sum(map(of_member, record.members))
    return 20 + 5 * record.union + 20 * attributes + numbers + members


def of_member(member: Member) -> int:
    """The cost of a member; an unnamed one or a bit-field costs more than a plain one of its type."""
    asked = [value for value in (member.align, member.alignas) if value is not None]
    cost = 5 + of_type(member.type) + 15 * (len(asked) + member.packed) + sum(map(of_number, asked))
    if member.width is not None:
        cost += 12 + of_number(member.width)
    if not member.name:
        cost += 4
    return cost + 3 * (member.position is not Position.AFTER)


def cost(question: Question) -> int:
    """Return the cost of a question."""
    if isinstance(question, Prototype):
        types = (*(param.type for param in question.params), *question.unnamed)
        attributes = 6 * sum(
            item is not None for item in (question.convention, question.regparm, question.isa)
        )
        places = sum(10 + of_type(item) for item in types)
        attributes += sum(len(pragma(simd)) for simd in question.simd)
        attributes += 8 * question.variadic
        return attributes + 5 * bool(question.result) + of_type(question.result) + places
    if isinstance(question, CxxPrototype):
        return of_cxx_call(question)
    if isinstance(question, Entity):
        return of_entity(question)
    if isinstance(question, Tables):
        return of_class(question.of)
    return of_class(question) if isinstance(question, Class) else of_record(question)
