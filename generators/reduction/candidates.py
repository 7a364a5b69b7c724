"""The candidates of a reduction: every question one step simpler than a given one, the simplest first.

A definition is changed wherever it is used. Each candidate costs less than the question it comes from, so a
reduction ends, and the order is fixed, so it always ends in the same place.
"""

from __future__ import annotations

from collections.abc import Iterator

from abiprobe.generators.reduction.classes import simpler_classes
from abiprobe.generators.reduction.cost import cost
from abiprobe.generators.reduction.cxx_calls import simpler_cxx_calls
from abiprobe.generators.reduction.entities import simpler_entities
from abiprobe.generators.reduction.lawful import LONGEST, lawful
from abiprobe.generators.reduction.prototypes import simpler_prototypes
from abiprobe.generators.reduction.records import simpler_records
from abiprobe.generators.reduction.substitute import in_question, used_types
from abiprobe.generators.reduction.types import redefined
from abiprobe.generators.tables import tables
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.language.cxx_calls import CxxPrototype
from abiprobe.oracles.language.entities import Entity
from abiprobe.oracles.language.lang import BitInt, Prototype, Record, components, declared
from abiprobe.oracles.language.question import Question
from abiprobe.oracles.language.tables import Tables


def candidates(question: Question, long: int = LONGEST) -> tuple[Question, ...]:
    """Every lawful question one step simpler than `question`, cheapest first, where `long` has so many bits."""
    limit = cost(question)
    found = {one: cost(one) for one in _steps(question)}
    cheaper = [one for one, its in found.items() if its < limit and lawful(one, long)]
    return tuple(sorted(cheaper, key=lambda one: found[one]))


def simpler_tables(asked: Tables) -> Iterator[Tables]:
    """Every question about a class one step simpler that has tables."""
    yield from filter(None, map(tables, simpler_classes(asked.of)))


def _steps(question: Question) -> Iterator[Question]:
    if isinstance(question, Prototype):
        yield from simpler_prototypes(question)
    elif isinstance(question, Class):
        yield from simpler_classes(question)
    elif isinstance(question, CxxPrototype):
        yield from simpler_cxx_calls(question)
    elif isinstance(question, Tables):
        yield from simpler_tables(question)
    elif isinstance(question, Entity):
        yield from simpler_entities(question)
    elif isinstance(question, Record):
        for member in question.members:
            inner = member.type
            while not isinstance(inner, Record) and components(inner):
                (inner,) = components(inner)
            if isinstance(inner, Record) and inner.tag:
                yield inner
    for definition in (*declared(used_types(question)), *_bit_ints(question)):
        simpler = simpler_records(definition) if isinstance(definition, Record) else redefined(definition)
        for changed in simpler:
            made = in_question(question, definition, changed)
            if made is not None:
                yield made


def _bit_ints(question: Question) -> tuple[BitInt, ...]:
    """The `_BitInt` types of a question, each once."""
    return tuple(dict.fromkeys(item for item in _every(question) if isinstance(item, BitInt)))


def _every(question: Question) -> Iterator[object]:
    waiting = list(used_types(question))
    while waiting:
        c_type = waiting.pop()
        yield c_type
        waiting += components(c_type)
