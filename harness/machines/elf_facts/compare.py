"""Comparison of two files for linking, by the rules for their machine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from abiprobe.harness.machines.elf_facts.elf import RELOCATABLE, SHARED, ObjectFile
from abiprobe.harness.machines.elf_facts.facts import Finding
from abiprobe.harness.machines.elf_facts.values import Value, value_of, words_of
from abiprobe.oracles.linking import arm, tables
from abiprobe.oracles.linking.field import (
    UNSAID,
    Answer,
    AnyOf,
    Attribute,
    Common,
    Field,
    First,
    Flags,
    Merged,
    Place,
    Property,
    Rules,
    Same,
)


def judged(field: Field, one: ObjectFile, other: ObjectFile) -> Finding | None:
    """Return the finding of a field's rule for two files; `None` if they go together, or one says nothing."""
    if field.unless is not None and any(
        value_of(field.unless[0], each) == field.unless[1] for each in (one, other)
    ):
        return None
    values = value_of(field.place, one), value_of(field.place, other)
    if None in values:
        return None
    answer = answer_of(field, *values, both_relocatable=one.kind == other.kind == RELOCATABLE)
    if answer is Answer.LINKED:
        return None
    shown = tuple(words_of(field, value) for value in values)
    why = f"{field.name}: {shown[0]} and {shown[1]}" if shown[0] != shown[1] else f"{field.name}: {shown[0]}"
    return Finding(answer, why, field.clause)


def answer_of(field: Field, one: Value, other: Value, *, both_relocatable: bool) -> Answer:
    """Return the answer of a field's rule for two values."""
    match field.rule:
        case Same():
            return _same(field, field.rule, one, other)
        case Merged():
            return Answer.LINKED if has_meaning(field, one) and has_meaning(field, other) else Answer.UNKNOWN
        case Common():
            return Answer.DROPPED if both_relocatable and one != other else Answer.LINKED
    assert_never(field.rule)


def has_meaning(field: Field, value: Value) -> bool:
    """Return whether the text gives a meaning to a value."""
    return field.bits or not field.words or value in field.words


def _same(field: Field, rule: Same, one: Value, other: Value) -> Answer:
    both = {one, other}
    if both & rule.vague or not (has_meaning(field, one) and has_meaning(field, other)):
        return Answer.UNKNOWN
    if one == other or both & rule.free or both in rule.pairs:
        return Answer.LINKED
    if both in rule.never:
        return Answer.REFUSED
    return Answer.UNKNOWN if both & rule.open else rule.otherwise


def is_compared(field: Field, one: ObjectFile, other: ObjectFile) -> bool:
    """Return whether a field could have shown that two files do not go together."""
    if isinstance(field.rule, Merged):
        return False
    return not {None, UNSAID} & {value_of(field.place, each) for each in (one, other)}


def unsaid(rules: Rules, found: ObjectFile) -> Iterator[Finding]:
    """Yield the facts on which a file is silent and others are not; `unsaid` of a field that nothing depends on does not count."""
    silent = [
        field.name
        for field in rules.fields
        if isinstance(field.rule, Same) and not field.hidden and value_of(field.place, found) is None
    ]
    if silent:
        yield Finding(Answer.UNKNOWN, f"{found.path} does not say its {', '.join(silent)}")


def unruled(rules: Rules, found: ObjectFile) -> Iterator[Finding]:
    """Yield the values of a file that have no known rule: bits of the flags, tags, subsections and properties."""
    bits = found.flags & ~(flag_bits(rules) | rules.other_flags)
    if bits:
        yield Finding(
            Answer.UNKNOWN,
            f"{found.path}: no rule is known for bits {bits:#x} of e_flags",
            rules.flags_clause,
        )
    yield from unruled_tags(rules, found)
    kinds = {place.kind for place in places(rules) if isinstance(place, Property)}
    for kind in sorted(found.properties.keys() - kinds):
        yield Finding(
            Answer.UNKNOWN, f"{found.path}: no rule is known for property {kind:#x}", tables.OTHER_PROPERTY
        )


def unruled_tags(rules: Rules, found: ObjectFile) -> Iterator[Finding]:
    """The same of tags and subsections."""
    known = {(place.vendor, place.tag) for place in places(rules) if isinstance(place, Attribute)}
    texts = {each.vendor: each for each in rules.tags}
    for vendor, tag in sorted(found.attributes.values.keys() - known):
        if vendor in texts and tag % 128 not in texts[vendor].optional:
            why = f"{found.path}: no rule is known for tag {tag} of {vendor}, which is {found.attributes.values[vendor, tag]}"
            yield Finding(Answer.UNKNOWN, why, texts[vendor].clause)
    if found.attributes.scoped:
        yield Finding(
            Answer.UNKNOWN,
            f"{found.path}: attributes of single sections or symbols are not compared",
            arm.SCOPES,
        )
    if found.machine != arm.EM_ARM:  # [arm_object:private] says that nothing depends on others there.
        for vendor in sorted(found.attributes.vendors - texts.keys()):
            yield Finding(Answer.UNKNOWN, f"{found.path}: no rule is known for attributes of {vendor}")


def places(rules: Rules) -> Iterator[Place]:
    """Every place that some field has its value from."""
    for field in (*rules.fields, *tables.EVERY_MACHINE):
        yield from single(field.place)


def single(place: Place) -> Iterator[Place]:
    """The places in a place."""
    match place:
        case First() | AnyOf():
            for each in place.places:
                yield from single(each)
        case _:
            yield place


def flag_bits(rules: Rules) -> int:
    """The bits of `e_flags` that fields are read from."""
    bits = 0
    for place in places(rules):
        if isinstance(place, Flags):
            bits |= place.mask
    return bits


def inputs(one: ObjectFile, other: ObjectFile) -> Iterator[Finding]:
    """The files that are no input of a linker."""
    for found in (one, other):
        if found.kind not in {RELOCATABLE, SHARED}:
            yield Finding(Answer.REFUSED, f"{found.path} is no input of a linker: {found.kind}", tables.KIND)
