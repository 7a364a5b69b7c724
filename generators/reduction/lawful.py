"""Rejection of questions that no compiler accepts, before they cost a compilation: a batch with one is compiled many times."""

from __future__ import annotations

from abiprobe.generators.arrays import can_repeat
from abiprobe.oracles.language.lang import (
    Array,
    Atomic,
    BitInt,
    Enum,
    Kind,
    Member,
    Pointer,
    Position,
    Record,
    Scalar,
    Type,
    Typedef,
    Vector,
    components,
    strip,
)
from abiprobe.oracles.language.promotion import promoted
from abiprobe.oracles.language.question import CXX_QUESTIONS, Question

BITS = {
    Kind.BOOL: 1,
    **dict.fromkeys((Kind.CHAR, Kind.SCHAR, Kind.UCHAR), 8),
    **dict.fromkeys((Kind.SHORT, Kind.USHORT), 16),
    **dict.fromkeys((Kind.INT, Kind.UINT), 32),
    **dict.fromkeys((Kind.INT128, Kind.UINT128), 128),
}
LONGEST = 64


def lawful(question: Question, long: int = LONGEST) -> bool:
    """Return whether a question is valid C, as far as a reduction can have broken it; `long` has `long` bits."""
    if isinstance(question, CXX_QUESTIONS):
        return True
    if isinstance(question, Record):
        return _lawful(question, long)
    types = (question.result, *(param.type for param in question.params), *question.unnamed)
    if any(isinstance(c_type, Array) for c_type in types):
        return False
    if any(promoted(c_type) != c_type for c_type in question.unnamed):
        return False
    if question.variadic and not (question.params and question.unnamed):
        return False
    return all(_lawful(c_type, long) for c_type in types if c_type is not None)


def _lawful(c_type: Type, long: int) -> bool:
    match c_type:
        case Record(members=members):
            last = len(members) - 1
            if not all(_lawful_member(member, long) for member in members):
                return False
            flexible = [index for index, member in enumerate(members) if _is_flexible(member.type)]
            if any(index != last or c_type.union or not _named_before(members) for index in flexible):
                return False
            names = _names(c_type)
            if len(names) != len(set(names)):
                return False
        case Array(element=element, length=length):
            if _is_flexible(element) or not can_repeat(element):
                return False
            if isinstance(element, Vector) and not length:
                return False
        case Atomic(base=base):
            if isinstance(strip(base), Array) or (isinstance(base, Record) and not base.members):
                return False
        case Typedef(base=Array()):
            return False
        case _:
            pass
    return all(_lawful(inner, long) for inner in components(c_type))


def _lawful_member(member: Member, long: int) -> bool:
    if member.position is Position.POINTER and not isinstance(member.type, Pointer):
        return False
    if member.width is None:
        return bool(member.name) or isinstance(member.type, Record)
    if member.name and not member.width:
        return False
    match strip(member.type):
        case Scalar(kind):
            most = long if kind in (Kind.LONG, Kind.ULONG) else BITS.get(kind, LONGEST)
            return kind.is_integer and member.width <= most
        case BitInt(width=width):
            return member.width <= width
        case Enum():
            return member.width <= BITS[Kind.INT]
        case _:
            return False


def _is_flexible(c_type: Type) -> bool:
    return isinstance(c_type, Array) and c_type.length is None


def _named_before(members: tuple[Member, ...]) -> bool:
    return any(member.name for member in members[:-1])


def _names(record: Record) -> list[str]:
    found: list[str] = []
    for member in record.members:
        if not member.name and member.width is None and isinstance(member.type, Record):
            found += _names(member.type)
        elif member.name:
            found.append(member.name)
    return found
