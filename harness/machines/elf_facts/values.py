"""The values of fields: where they are recorded in a file, and their words."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import assert_never

from abiprobe.harness.machines.elf_facts.elf import RELOCATABLE, ObjectFile
from abiprobe.oracles.linking.field import (
    UNSAID,
    AbiFlags,
    AnyOf,
    Attribute,
    Class,
    Field,
    First,
    Flags,
    Ident,
    Place,
    Property,
    Same,
    Section,
)

Value = int | str | None


def value_of(place: Place, found: ObjectFile) -> Value:
    """Return the value in a place of a file; `None` if it has none."""
    match place:
        case Flags():
            return _flags(place, found)
        case Attribute():
            return _attribute(place, found)
        case Property():
            return found.properties.get(place.kind, 0) & place.mask
        case AbiFlags():
            return found.abi_flags.get(place.name, place.silent)
        case Section():
            return place.value if place.name in found.special else None
        case Ident():
            return found.ident[place.index]
        case Class():
            return place.meaning.get(found.elf_class)
        case First():
            told = (value_of(each, found) for each in place.places)
            return next((value for value in told if value is not None), None)
        case AnyOf():
            bits = (value_of(each, found) for each in place.places)
            return reduce(or_, (value for value in bits if isinstance(value, int)), 0)
    assert_never(place)


def _flags(place: Flags, found: ObjectFile) -> int | None:
    if place.shared and found.kind == RELOCATABLE:
        return None
    bits = found.flags & place.mask
    return place.meaning.get(bits) if place.meaning else bits


def _attribute(place: Attribute, found: ObjectFile) -> Value:
    absent = place.missing if place.vendor in found.attributes.vendors else place.silent
    value = found.attributes.values.get((place.vendor, place.tag), absent)
    if not isinstance(value, int):
        return value
    bits = value & place.mask
    return place.meaning.get(bits) if place.meaning else bits


def words_of(field: Field, value: Value) -> str:
    """A value in words; one without words as a number."""
    if value is None:
        return "not said"
    if isinstance(value, str):
        return value
    if not field.bits:
        return field.words.get(value, f"{value:#x}" if value > 9 and field.words else str(value))
    named = [name for bit, name in field.words.items() if value & bit]
    rest = value & ~sum(field.words)
    return ", ".join([*named, f"bits {rest:#x}"] if rest else named) or "none"


def is_told(field: Field, value: Value) -> bool:
    """Return whether a value is worth a line: it says something, or its absence would be misread."""
    if field.hidden or value in {None, "", UNSAID}:
        return False
    return bool(value) or (isinstance(field.rule, Same) and value not in field.rule.free)
