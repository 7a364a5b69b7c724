"""The records of the small scope."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, combinations, permutations, product

from msgspec.structs import replace

from abiprobe.generators.attributes import least_alignas
from abiprobe.generators.reduction.lawful import lawful
from abiprobe.generators.small_scope.forms import (
    COMMON,
    ENDS,
    FLEXIBLE,
    HOLLOW,
    PLAIN,
    RARE,
    TWO_WORDS,
    WIDE_FORMS,
    Form,
)
from abiprobe.oracles.language.lang import Array, Member, Record

ATTRIBUTES: tuple[Mapping[str, int], ...] = (
    {"align": 16},
    {"pack": 2},
    {"pack": 2, "align": 16},
    {"packed": True, "align": 32},
    {"ms_struct": True},
    {"ms_struct": True, "pack": 2},
)
"""Attributes of a record as a whole, beside `packed`."""


MEMBER_ATTRIBUTES: tuple[Mapping[str, int], ...] = (
    {"packed": True},
    {"packed": True, "align": 4},
    {"packed": True, "alignas": 16},
)
"""Attributes of a member, beside what its form asks for."""
OF_RECORD: tuple[Mapping[str, int], ...] = ({}, {"pack": 2}, {"ms_struct": True})
"""Attributes of the record of such a member, and of one with a flexible array."""


def records() -> Iterator[Record]:
    """Every record of the small scope once, those that are no C left out; unions with a flexible array are an extension."""
    yield from dict.fromkeys(chain(filter(lawful, every()), flexible_unions()))


def attributed() -> Iterator[Record]:
    """Yield records in which attributes change a member or the record, as layouts show; each once, without those of `records`."""
    others = set(records())
    yield from (one for one in dict.fromkeys(filter(lawful, with_attributes())) if one not in others)


def flexible_unions() -> Iterator[Record]:
    """A union of each common form and a flexible array."""
    for form in COMMON:
        yield Record("U", (form("a"), FLEXIBLE), union=True)


def with_attributes() -> Iterator[Record]:
    """A member with attributes of its own in a record with attributes, alone and behind a character.

    Each beside a packed one, and in a flexible array.
    """
    for form, of_member in product((*COMMON, *RARE), MEMBER_ATTRIBUTES):
        asked = replace(form("a"), **of_member)
        if asked.alignas and (asked.width is not None or asked.alignas < least_alignas(form("a"))):
            continue  # `_Alignas` is not for bit-fields, and lowers no alignment.
        for of_record in OF_RECORD:
            yield replace(Record("S", (asked,)), **of_record)
            yield replace(Record("S", (PLAIN[0]("b"), asked)), **of_record)
    tight = replace(PLAIN[1]("a"), packed=True)
    for form in (*COMMON, *RARE):
        yield Record("S", (tight, form("b")))
        yield Record("S", (form("b"), tight))
    for of_record, form in product(OF_RECORD, COMMON):
        if form("z").name and form("z").width is None:
            flexible = replace(form("z"), type=Array(form("z").type, None))
            yield replace(Record("S", (PLAIN[1]("a"), flexible)), **of_record)


def every() -> Iterator[Record]:
    """Records of one, two and three members."""
    for form in (*COMMON, *RARE):
        yield from alone(form)
    for number, (first, second) in enumerate(product(COMMON, repeat=2)):
        yield from together(first("a"), second("b"), both_ways=number // len(COMMON) < number % len(COMMON))
    for rare in RARE:
        yield from together(rare("a"), rare("b"), both_ways=False)
    for rare, plain in product(RARE, PLAIN):
        yield from together(rare("a"), plain("b"), both_ways=True)
        yield from together(plain("a"), rare("b"), both_ways=False)
    for first, second in permutations(WIDE_FORMS):
        yield from together(first("a"), second("b"), both_ways=False)
    for one, other in combinations(TWO_WORDS, 2):
        yield Record("U", (Member(one, "a"), Member(other, "b")), union=True)
    for first, hollow, last in product(ENDS, HOLLOW, ENDS):
        yield Record("S", (first("a"), hollow("b"), last("c")))
    for first, second in product(ENDS, repeat=2):
        yield Record("S", (first("a"), second("b"), FLEXIBLE))


def alone(form: Form) -> Iterator[Record]:
    """A struct and a union of one member, with what a flexible array and attributes change; nothing at all, too."""
    struct = Record("S", (form("a"),))
    yield struct
    yield replace(struct, tag="U", union=True)
    yield replace(struct, members=(*struct.members, FLEXIBLE))
    # An attribute counts for all members that have none of their own, so a character shows where it moves the other one.
    pair = Record("S", (PLAIN[0]("a"), form("b")))
    for asked in ATTRIBUTES:
        yield replace(struct, **asked)
        yield replace(pair, **asked)
    yield replace(Record("S", ()), align=16)


def together(first: Member, second: Member, *, both_ways: bool) -> Iterator[Record]:
    """A struct of two members, packed as well; a union only once where the order says nothing."""
    yield Record("S", (first, second))
    yield Record("P", (first, second), packed=True)
    if both_ways:
        yield Record("U", (first, second), union=True)
