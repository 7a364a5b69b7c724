"""A question as the C declaration that asks it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from abiprobe.harness.machines.render import cxx, cxx_calls, name_units, simd
from abiprobe.harness.machines.render.c import call_of, definitions, prototype
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.language.cxx_calls import CxxPrototype
from abiprobe.oracles.language.entities import Entity
from abiprobe.oracles.language.lang import Prototype, SvePredicate, SveVector, Type, components
from abiprobe.oracles.language.question import Question
from abiprobe.oracles.language.sve import fixed_typedef
from abiprobe.oracles.language.tables import Tables


def declaration(question: Question) -> str:
    """The C of a record or a prototype, with the types it uses, and of a variadic function a call; the C++ of a class."""
    if isinstance(question, Class):
        return cxx.definitions(question)
    if isinstance(question, Tables):
        return cxx.definitions(question.of)
    if isinstance(question, CxxPrototype):
        return "\n".join(cxx_calls.declared(question))
    if isinstance(question, Entity):
        return name_units.declarations(question)
    if isinstance(question, Prototype) and question.simd:
        return simd.declaration(question)
    if isinstance(question, Prototype):
        used = (question.result, *(argument.type for argument in question.arguments))
        found = tuple(c_type for c_type in used if c_type is not None)
        body = "\n".join((*lengths(found), definitions(found)))
        return f"{body}\n{prototype(question)};\n{call_of(question)}".strip()
    return "\n".join((*lengths((question,)), definitions((question,))))


def lengths(types: Iterable[Type]) -> tuple[str, ...]:
    """The definitions of the names of SVE's types that have a length by an attribute."""
    found = dict.fromkeys(inner for c_type in types for inner in _fixed(c_type))
    return tuple(map(fixed_typedef, found))


def _fixed(c_type: Type) -> Iterator[SveVector | SvePredicate]:
    if isinstance(c_type, (SveVector, SvePredicate)) and c_type.bits is not None:
        yield c_type
    for inner in components(c_type):
        yield from _fixed(inner)
