"""Simpler calls of C++: a value less, a simpler one, or one of its classes simpler."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from abiprobe.generators.reduction.classes import of_class, simpler_classes, substituted
from abiprobe.oracles.language.classes import Class, CxxType, Reference, in_type
from abiprobe.oracles.language.cxx_calls import CxxPrototype, classes_in
from abiprobe.oracles.language.lang import Kind, Scalar

SIMPLEST = (Scalar(Kind.INT), Scalar(Kind.LLONG), Scalar(Kind.DOUBLE))
"""The types that values get instead of their own, the simplest first."""


def simpler_cxx_calls(asked: CxxPrototype) -> Iterator[CxxPrototype]:
    """Every call one step simpler that a program can make."""
    yield from filter(is_lawful, steps(asked))


def is_lawful(asked: CxxPrototype) -> bool:
    """Return whether a call is one of C++, as far as a step can have broken it."""
    listed = not asked.variadic or bool(asked.params and asked.unnamed)
    return listed and (not asked.virtual or (asked.this is not None and asked.this.own_virtual))


def steps(asked: CxxPrototype) -> Iterator[CxxPrototype]:
    """A call with one thing less."""
    if asked.this is not None:
        yield replace(asked, this=None, virtual=False)
    if asked.virtual:
        yield replace(asked, virtual=False)
    if asked.variadic:
        yield replace(asked, variadic=False, unnamed=())
    if asked.result is not None:
        yield from (replace(asked, result=simpler) for simpler in (None, *simpler_types(asked.result)))
    for index, param in enumerate(asked.params):
        before, after = asked.params[:index], asked.params[index + 1 :]
        yield replace(asked, params=before + after)
        for simpler in simpler_types(param.type):
            yield replace(asked, params=(*before, replace(param, type=simpler), *after))
    for index, c_type in enumerate(asked.unnamed):
        yield replace(asked, unnamed=asked.unnamed[:index] + asked.unnamed[index + 1 :])
        for simpler in simpler_types(c_type):
            yield replace(asked, unnamed=(*asked.unnamed[:index], simpler, *asked.unnamed[index + 1 :]))
    for one in classes_in(asked.types):
        for changed in simpler_classes(one):
            if changed.tag == one.tag:
                yield with_class(asked, one, changed)


def simpler_types(c_type: CxxType) -> Iterator[CxxType]:
    """Simpler types than the one of a value."""
    rank = SIMPLEST.index(c_type) if c_type in SIMPLEST else len(SIMPLEST)
    yield from SIMPLEST[:rank]
    if isinstance(c_type, Reference):
        yield c_type.to
    if isinstance(c_type, Class):
        yield from (base.type for base in c_type.bases)
        yield from (one.type for one in c_type.members if isinstance(one.type, Class))


def with_class(asked: CxxPrototype, old: Class, new: Class) -> CxxPrototype:
    """A call with one class for another, wherever that is."""

    def changed(c_type: CxxType) -> CxxType:
        if isinstance(c_type, Reference):
            return replace(c_type, to=changed(c_type.to))
        return in_type(c_type, lambda part: substituted(part, old, new))

    return replace(
        asked,
        result=None if asked.result is None else changed(asked.result),
        params=tuple(replace(param, type=changed(param.type)) for param in asked.params),
        unnamed=tuple(map(changed, asked.unnamed)),
        this=None if asked.this is None else substituted(asked.this, old, new),
    )


def of_cxx_call(asked: CxxPrototype) -> int:
    """Return the size of a call, with its classes."""
    values = (*(param.type for param in asked.params), *asked.unnamed)
    return (
        sum(10 + of_value(c_type) for c_type in values)
        + (0 if asked.result is None else 5 + of_value(asked.result))
        + 8 * asked.variadic
        + 6 * (asked.this is not None)
        + 6 * asked.virtual
        + sum(map(of_class, classes_in(asked.types)))
    )


def of_value(c_type: CxxType) -> int:
    """Return the size of the type of a value, its class left out."""
    if c_type in SIMPLEST:
        return SIMPLEST.index(c_type)
    return len(SIMPLEST) + 1 + 2 * isinstance(c_type, Reference)
