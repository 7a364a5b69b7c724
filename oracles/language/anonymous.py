"""Questions without names: types and prototypes that differ in names alone are one question to every model."""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from abiprobe.oracles.language.lang import (
    Array,
    Atomic,
    Enum,
    Enumerator,
    Member,
    Pointer,
    Prototype,
    Record,
    Type,
    Typedef,
)

FUNCTION, TAG, TYPEDEF = "f", "T", "t"
REMEMBERED = 1 << 16


def nameless(question: Record | Prototype) -> Record | Prototype:
    """Return a question with other names for all that it declares and no types behind its pointers, none of which moves a byte."""
    if isinstance(question, Record):
        return nameless_record(question)
    params = tuple(
        replace(one, name=f"p{at}", type=nameless_type(one.type)) for at, one in enumerate(question.params)
    )
    result = None if question.result is None else nameless_type(question.result)
    unnamed = tuple(map(nameless_type, question.unnamed))
    return replace(question, name=FUNCTION, result=result, params=params, unnamed=unnamed, symbol="")


@lru_cache(REMEMBERED)
def nameless_type(c_type: Type) -> Type:
    """Return a type without names."""
    match c_type:
        case Pointer():
            return Pointer(function=c_type.function, reference=c_type.reference)
        case Enum():
            return nameless_enum(c_type)
        case Array():
            return replace(c_type, element=nameless_type(c_type.element))
        case Atomic():
            return replace(c_type, base=nameless_type(c_type.base))
        case Typedef():
            return replace(c_type, name=TYPEDEF, base=nameless_type(c_type.base))
        case Record():
            return nameless_record(c_type)
        case _:
            return c_type


def nameless_record(record: Record) -> Record:
    """Return a record without names; a member or a record that has none keeps none."""
    members = tuple(nameless_member(at, one) for at, one in enumerate(record.members))
    return replace(record, tag=record.tag and TAG, members=members)


def nameless_member(at: int, member: Member) -> Member:
    """Return the member at a position without its name."""
    return replace(member, name=member.name and f"m{at}", type=nameless_type(member.type))


def nameless_enum(enum: Enum) -> Enum:
    """Return an enumeration without names, and with its least and its greatest value alone, which decide its type."""
    values = {one.value for one in enum.enumerators}
    kept = sorted({min(values), max(values)}) if values else []
    return replace(
        enum,
        tag=enum.tag and TAG,
        enumerators=tuple(Enumerator(f"e{at}", value) for at, value in enumerate(kept)),
    )
