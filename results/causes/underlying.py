"""The record types in an example whose own layout may be what brings its deviation about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from abiprobe.oracles.language.lang import Array, Member, Prototype, Record, Type, strip
from abiprobe.oracles.language.question import CXX_QUESTIONS
from abiprobe.results.causes.cluster import FOLLOWING, Finding
from abiprobe.results.causes.fingerprint import Symptom

FROM_LAYOUTS = frozenset({Symptom.LAYOUT, *FOLLOWING[Symptom.LAYOUT]})
"""The symptoms that the layout of a type can bring about."""
WRAPPED = "S_"
"""The tag of a struct with just one member, which is laid out otherwise if that member's type is."""


def underlying_records(finding: Finding) -> tuple[tuple[Record, ...], ...]:
    """Return, for each value that a finding rests on, the records whose layouts decide its own, its own type first.

    A record rests on the types of its members, each in a struct of its own. A value of a call rests on the layouts of all
    that are passed before it, too, since they may take more or less room. A scalar has no layout that could bring anything
    about.
    """
    if finding.fingerprint.symptom not in FROM_LAYOUTS:
        return ()
    example = finding.example
    if isinstance(example, CXX_QUESTIONS):
        return ()
    if isinstance(example, Record):
        return (tuple(dict.fromkeys(_inside(example))),)
    types = (element_of(c_type) for c_type in _types_up_to(example, finding.value))
    return tuple(tuple(dict.fromkeys((one, *_inside(one)))) for one in types if isinstance(one, Record))


def _types_up_to(example: Prototype, value: str) -> Iterator[Type]:
    """The types of the result, whose address goes first, and of the arguments up to the value in which a deviation shows."""
    if example.result is not None:
        yield example.result
    if value == "result":
        return
    for argument in example.arguments:
        yield argument.type
        if argument.name == value:
            return


def element_of(c_type: Type) -> Type:
    """The type of the elements of an array, or the type itself; without typedef names and `_Atomic`."""
    plain = strip(c_type)
    while isinstance(plain, Array):
        plain = strip(plain.element)
    return plain


def _inside(record: Record) -> Iterator[Record]:
    """The records in a record, and a struct for each type of a member that is none."""
    for member in record.members:
        inner = element_of(member.type)
        if isinstance(inner, Record):
            yield inner
            yield from _inside(inner)
        else:
            yield Record(WRAPPED, (Member(inner, "a"),))


def every_record(findings: Iterable[Finding]) -> tuple[Record, ...]:
    """Return all records on which findings rest, each once."""
    return tuple(
        dict.fromkeys(
            record for finding in findings for records in underlying_records(finding) for record in records
        )
    )
