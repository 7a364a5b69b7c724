"""Every question one small step larger than a given one: the inverse of a reduction.

Where the limits of an ABI are sizes, counts and widths, the next step over is a byte, a member, an argument, a bit.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from abiprobe.generators.reduction.lawful import lawful
from abiprobe.oracles.language.lang import (
    Array,
    Atomic,
    BitInt,
    Complex,
    FixedKind,
    FixedPoint,
    Kind,
    Member,
    Param,
    Prototype,
    Record,
    Scalar,
    Type,
    Typedef,
    Vector,
)
from abiprobe.oracles.language.promotion import promoted
from abiprobe.oracles.language.question import CXX_QUESTIONS, Question

WIDER = {
    Kind.BOOL: Kind.SCHAR,
    Kind.CHAR: Kind.SHORT,
    Kind.SCHAR: Kind.SHORT,
    Kind.UCHAR: Kind.USHORT,
    Kind.SHORT: Kind.INT,
    Kind.USHORT: Kind.UINT,
    Kind.INT: Kind.LLONG,
    Kind.UINT: Kind.ULLONG,
    Kind.LONG: Kind.INT128,
    Kind.ULONG: Kind.UINT128,
    Kind.LLONG: Kind.INT128,
    Kind.ULLONG: Kind.UINT128,
    Kind.FLOAT16: Kind.FLOAT,
    Kind.BF16: Kind.FLOAT,
    Kind.FLOAT: Kind.DOUBLE,
    Kind.DOUBLE: Kind.LDOUBLE,
}
LONGER = {
    FixedKind.SHORT_FRACT: FixedKind.FRACT,
    FixedKind.FRACT: FixedKind.LONG_FRACT,
    FixedKind.SHORT_ACCUM: FixedKind.ACCUM,
    FixedKind.ACCUM: FixedKind.LONG_ACCUM,
}
BYTE = Scalar(Kind.CHAR)
WORDS: tuple[Type, ...] = (Scalar(Kind.INT), Scalar(Kind.LLONG), Scalar(Kind.DOUBLE))
ALIGNED = 16
"""Bytes: more than any target aligns a scalar to by itself, but for the largest."""


def larger(question: Question) -> Iterator[Question]:
    """The lawful questions one step larger than `question`."""
    if isinstance(question, CXX_QUESTIONS):
        return
    grown = prototypes(question) if isinstance(question, Prototype) else types(question)
    for one in dict.fromkeys(grown):
        if isinstance(one, (Prototype, Record)) and lawful(one):
            yield one


def prototypes(asked: Prototype) -> Iterator[Prototype]:
    """A larger parameter or result, or an argument more."""
    for index, param in enumerate(asked.params):
        for grown in types(param.type):
            changed = replace(param, type=grown)
            yield replace(asked, params=(*asked.params[:index], changed, *asked.params[index + 1 :]))
    if asked.result is not None:
        yield from (replace(asked, result=grown) for grown in types(asked.result))
    for index, unnamed in enumerate(asked.unnamed):
        for grown in types(unnamed):
            rest = (*asked.unnamed[:index], promoted(grown), *asked.unnamed[index + 1 :])
            yield replace(asked, unnamed=rest)
    last = [asked.params[-1].type] if asked.params else []
    for word in dict.fromkeys([*last, *WORDS]):
        if asked.variadic:
            yield replace(asked, unnamed=(*asked.unnamed, promoted(word)))
        else:
            yield replace(asked, params=(*asked.params, Param(f"more{len(asked.params)}", word)))


def types(c_type: Type) -> Iterator[Type]:
    """A type one step larger."""
    match c_type:
        case Scalar(kind) if kind in WIDER:
            yield Scalar(WIDER[kind])
        case Complex(kind) if not WIDER.get(kind, Kind.INT128).is_int128:
            yield Complex(WIDER[kind])
        case FixedPoint(kind=fixed) if fixed in LONGER:
            yield replace(c_type, kind=LONGER[fixed])
        case BitInt(width=width):
            yield replace(c_type, width=width + 1)
        case Vector(kind, size):
            yield Vector(kind, size * 2)
        case Array(element=element, length=int(length)):
            yield Array(element, length + 1)
            yield from (Array(grown, length) for grown in types(element))
        case Typedef(align=int(align)):
            yield replace(c_type, name=f"{c_type.name}_{align * 2}", align=align * 2)
        case Atomic(base=base):
            yield from (Atomic(grown) for grown in types(base))
        case Record():
            yield from records(c_type)
        case _:
            return


def records(record: Record) -> Iterator[Record]:
    """A record with a larger member or a member more, or more aligned; its tag tells that it is another."""
    tag = f"{record.tag}x"
    names = {member.name for member in record.members}
    free = next(name for name in (f"more{index}" for index in range(len(names) + 1)) if name not in names)
    for index, member in enumerate(record.members):
        for grown in members(member):
            yield replace(
                record, tag=tag, members=(*record.members[:index], grown, *record.members[index + 1 :])
            )
    yield replace(record, tag=tag, members=(*record.members, Member(BYTE, free)))
    if record.members and record.members[-1].width is None:
        yield replace(record, tag=tag, members=(*record.members, replace(record.members[-1], name=free)))
    if record.align is None:
        yield replace(record, tag=tag, align=ALIGNED)


def members(member: Member) -> Iterator[Member]:
    """A member of a larger type, or a bit-field wider by a bit."""
    if member.width is not None:
        yield replace(member, width=member.width + 1)
        return
    for grown in types(member.type):
        yield replace(member, type=grown)
