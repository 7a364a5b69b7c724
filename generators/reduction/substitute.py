"""Replacing a definition wherever a question uses it, so that a tag never has two meanings."""

from __future__ import annotations

from msgspec.structs import replace

from abiprobe.oracles.language.lang import Array, Atomic, Record, Type, Typedef
from abiprobe.oracles.language.question import CXX_QUESTIONS, Question


def in_type(c_type: Type, old: Type, new: Type) -> Type:
    """`c_type` with `new` in the place of every `old`."""
    if c_type == old:
        return new
    match c_type:
        case Array(element=element):
            return replace(c_type, element=in_type(element, old, new))
        case Atomic(base=base) | Typedef(base=base):
            return replace(c_type, base=in_type(base, old, new))
        case Record(members=members):
            changed = tuple(replace(member, type=in_type(member.type, old, new)) for member in members)
            return replace(c_type, members=changed)
        case _:
            return c_type


def in_question(question: Question, old: Type, new: Type) -> Question | None:
    """`question` with `new` for `old`; `None` when it would no longer be about a record."""
    if isinstance(question, CXX_QUESTIONS):
        return None
    if isinstance(question, Record):
        changed = in_type(question, old, new)
        return changed if isinstance(changed, Record) else None
    return replace(
        question,
        result=None if question.result is None else in_type(question.result, old, new),
        params=tuple(replace(param, type=in_type(param.type, old, new)) for param in question.params),
        unnamed=tuple(in_type(c_type, old, new) for c_type in question.unnamed),
    )


def used_types(question: Question) -> tuple[Type, ...]:
    """The types that a question is directly about."""
    if isinstance(question, CXX_QUESTIONS):
        return ()
    if isinstance(question, Record):
        return (question,)
    result = () if question.result is None else (question.result,)
    return (*result, *(param.type for param in question.params), *question.unnamed)
