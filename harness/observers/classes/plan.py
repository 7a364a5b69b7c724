"""The model's answers about a class, as facts that a compiler is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias, assert_never

import msgspec

from abiprobe.harness.machines.render.class_units import AskedClass, behind
from abiprobe.harness.observers.classes.questions import asked_of, base_name
from abiprobe.oracles.abis.itanium import CxxModel
from abiprobe.oracles.language.classes import Class, DataMember, FixedEnum
from abiprobe.oracles.language.lang import BitInt, Enum, Kind, Scalar, Typedef, strip
from abiprobe.oracles.text.class_layout import ClassLayout
from abiprobe.oracles.text.place import MemberPlace, Unspecified, Unsupported
from abiprobe.results.verdicts.values import Alignment, BitRange, Offset, Size

BEHIND = {"Derived": "member behind it as a base", "Holder": "member behind it as an overlapping member"}
"""Words for the classes behind a class, by their tags."""


SIZE, ALIGNMENT = "sizeof", "alignof"
Numbered: TypeAlias = Size | Alignment | Offset | BitRange
"""A number of a layout, or two: where bits are, and how many."""


class Fact(msgspec.Struct, frozen=True):
    """One number of a layout: what it is of, and the clause that gives it."""

    what: str
    value: Numbered
    clause: str


class ClassPlan(msgspec.Struct, frozen=True):
    """A class with the facts that the model predicts; where the text is silent, `readings` has those of each family."""

    probe: str
    asked: AskedClass
    facts: tuple[Fact, ...]
    silence: Unspecified | None = None
    readings: Mapping[str, tuple[Fact, ...]] = {}


def plan_class(
    probe: str, asked: Class, model: CxxModel, readings: Mapping[str, CxxModel]
) -> ClassPlan | Unsupported:
    """Prepare a class to be asked; `Unsupported` where the target has no such type."""
    question = asked_of(asked)
    found = predicted(question, model)
    if isinstance(found, Unsupported):
        return found
    if not isinstance(found, Unspecified):
        return ClassPlan(probe, question, found)
    by_family = {name: predicted(question, one) for name, one in readings.items()}
    told = {name: facts for name, facts in by_family.items() if isinstance(facts, tuple)}
    return ClassPlan(probe, question, (), found, told)


def predicted(question: AskedClass, model: CxxModel) -> tuple[Fact, ...] | Unspecified | Unsupported:
    """The facts about a class; what is not decided of one is told as not decided of all."""
    layouts = []
    for one in (question.asked, *behind(question.asked)):
        found = model.layout(one)
        if not isinstance(found, ClassLayout):
            return found
        layouts.append(found)
    return tuple(facts(question, layouts[0], layouts[1:], model))


def facts(
    question: AskedClass, own: ClassLayout, followed: list[ClassLayout], model: CxxModel
) -> Iterator[Fact]:
    """The facts about a class in the order in which they follow from each other: parts as they are placed, then alignment and sizes.

    `followed` are the layouts of the classes behind it.
    """
    yield from base_facts(question, own, virtual=False)
    yield from member_facts(question, own, model)
    yield from base_facts(question, own, virtual=True)
    yield Fact(ALIGNMENT, Alignment(own.align), own.align_clause)
    for one, layout in zip(behind(question.asked), followed, strict=True):
        at = next(item.bit_offset for item in layout.members if item.path == "c") // 8
        clause = own.non_virtual_clause if one.tag == "Derived" else own.data_clause
        yield Fact(BEHIND[one.tag], Offset(at), clause)
    yield Fact(SIZE, Size(own.size), own.clause)


def base_facts(question: AskedClass, own: ClassLayout, *, virtual: bool) -> Iterator[Fact]:
    """The offsets of the bases that are asked for, those of virtual bases or the others."""
    by_name = {base_name(one.path, virtual=one.virtual): one for one in own.bases}
    for base in question.bases:
        if base.virtual is virtual:
            found = by_name[base.what]
            yield Fact(base.what, Offset(found.offset), found.clause)


def member_facts(question: AskedClass, own: ClassLayout, model: CxxModel) -> Iterator[Fact]:
    """The places of the members that are asked for."""
    by_offset = {item.name for item in question.offsets}
    bit_fields = {item.name: item for item in question.bit_fields}
    for place in own.members:
        if place.path in by_offset:
            yield Fact(place.path, Offset(place.bit_offset // 8), place.clause)
        elif place.path in bit_fields:
            yield Fact(place.path, written_bits(bit_fields[place.path], place, model), place.clause)


def written_bits(item: DataMember, place: MemberPlace, model: CxxModel) -> BitRange:
    """The bits that all ones in a bit-field set: those of its type, and of a `bool` the last one alone."""
    types = model.types
    base: object = Scalar(item.type.base) if isinstance(item.type, FixedEnum) else item.type
    if isinstance(base, Typedef):
        base = strip(base)
    assert isinstance(base, Scalar | Enum | BitInt), "a bit-field has an integer type"
    bits = base.width if isinstance(base, BitInt) else types.extent(base).size * 8
    width = min(place.bit_width, bits)
    if base != Scalar(Kind.BOOL):
        return BitRange(place.bit_offset, width)
    last = width - 1 if types.data.order == "big" else 0
    return BitRange(place.bit_offset + last, 1)


def numbered(what: str, told: int | tuple[int, int]) -> Numbered:
    """Return a compiler's answer about a class by its subject: bytes, or the position and number of bits."""
    match told:
        case (offset, width):
            return BitRange(offset, width)
        case int() if what == SIZE:
            return Size(told)
        case int() if what == ALIGNMENT:
            return Alignment(told)
        case int():
            return Offset(told)
        case _:
            assert_never(told)
