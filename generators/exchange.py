"""Questions with other types in the place of plain ones.

They are replaced and not drawn: no decision is made for it, so all other questions of a batch stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from abiprobe.oracles.language.lang import Array, Member, Record, Type
from abiprobe.oracles.language.question import CXX_QUESTIONS, Question


def exchanged(asked: Question, types: Mapping[Type, Type]) -> Question:
    """`asked` with other types in the place of those that `types` names; bit-fields stay."""
    if isinstance(asked, CXX_QUESTIONS):
        return asked
    if isinstance(asked, Record):
        return _record(asked, types)
    return replace(
        asked,
        result=None if asked.result is None else _type(asked.result, types),
        params=tuple(replace(one, type=_type(one.type, types)) for one in asked.params),
        unnamed=tuple(_type(one, types) for one in asked.unnamed),
    )


def _record(record: Record, types: Mapping[Type, Type]) -> Record:
    return replace(record, members=tuple(_member(one, types) for one in record.members))


def _member(member: Member, types: Mapping[Type, Type]) -> Member:
    return member if member.width is not None else replace(member, type=_type(member.type, types))


def _type(c_type: Type, types: Mapping[Type, Type]) -> Type:
    match c_type:
        case Array(element=element):
            return replace(c_type, element=_type(element, types))
        case Record():
            return _record(c_type, types)
        case _:
            return types.get(c_type, c_type)
