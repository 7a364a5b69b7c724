"""Constructs: what of C a question uses that another language may have no way to write, by name.

Every compiler of C has all of them. The kinds of scalars are constructs under their C spellings; what not even every
compiler of C has is a feature (`abiprobe.oracles.language.features`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from abiprobe.oracles.language.features import features
from abiprobe.oracles.language.lang import (
    Array,
    Complex,
    Enum,
    Kind,
    Member,
    Pointer,
    Record,
    Scalar,
    Type,
    Typedef,
    Vector,
    components,
    strip,
)
from abiprobe.oracles.language.question import CXX_QUESTIONS, Question

CONSTRUCTS = frozenset(
    {
        *(kind.value for kind in Kind),
        "aligned member",
        "aligned record",
        "aligned within packed",
        "anonymous record",
        "array",
        "bit-field",
        "complex",
        "complex integer",
        "enum",
        "function pointer",
        "mixed attributes",
        "packed member",
        "packed record",
        "pointer",
        "record",
        "typedef",
        "union",
        "unnamed arguments",
    }
)
"""The names of all constructs."""


def needs(question: Question) -> frozenset[str]:
    """The features and the constructs of a question: what a subject must be able to say."""
    return features(question) | constructs(question)


def constructs(question: Question) -> frozenset[str]:
    """The constructs of a question."""
    if isinstance(question, CXX_QUESTIONS):
        return frozenset()
    if isinstance(question, Record):
        return _of(question)
    found = frozenset[str]().union(*map(_of, question.types))
    return found | {"unnamed arguments"} if question.variadic else found


@lru_cache(maxsize=1 << 12)
def _of(c_type: Type) -> frozenset[str]:
    return frozenset(_own(c_type)).union(*map(_of, components(c_type)))


def _own(c_type: Type) -> Iterator[str]:
    match c_type:
        case Scalar(kind) | Vector(kind):
            yield kind.value
        case Complex():
            yield "complex integer" if c_type.is_integer else "complex"
        case Enum():
            yield "enum"
        case Typedef():
            yield "typedef"
        case Pointer(function=function):
            yield "function pointer" if function else "pointer"
        case Array():
            yield "array"
        case Record():
            yield "union" if c_type.union else "record"
            yield from _attributes(c_type)
            for member in c_type.members:
                yield from _member(member)


def _member(member: Member) -> Iterator[str]:
    if member.width is not None:
        yield "bit-field"
    elif not member.name:
        yield "anonymous record"
    if member.packed:
        yield "packed member"
    if member.align is not None or member.alignas is not None:
        yield "aligned member"


def _attributes(record: Record) -> Iterator[str]:
    """Yield the attributes of a record, and whether several of them interact."""
    if record.packed:
        yield "packed record"
    if record.align is not None:
        yield "aligned record"
    inner = [strip(_element(member.type)) for member in record.members]
    tight = record.packed or record.pack is not None
    if tight and any(isinstance(one, Record) and has_aligned(one) for one in inner):
        yield "aligned within packed"
    asked = (
        record.packed,
        record.pack is not None,
        record.align is not None,
        any(member.packed for member in record.members),
        any(member.align is not None or member.alignas is not None for member in record.members),
    )
    if sum(asked) > 1:
        yield "mixed attributes"


def has_aligned(record: Record) -> bool:
    """Return whether a record, or one in it, is aligned by an attribute."""
    found = _of(record)
    return "aligned record" in found or "aligned member" in found


def _element(c_type: Type) -> Type:
    while isinstance(c_type, Array):
        c_type = c_type.element
    return c_type
