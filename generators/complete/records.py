"""Every record of a few members over a set of forms, and the classes into which a model divides them.

The members of a union may stand in any order: where the model answers two orders alike, only one is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import islice, product

import msgspec

from abiprobe.generators.growth import larger
from abiprobe.generators.reduction.candidates import candidates
from abiprobe.generators.tours.driving import Driver, Mode, Prefix
from abiprobe.generators.tours.guessing import fillings
from abiprobe.generators.tours.menu import CHAR, DOUBLE, FLOAT, INT, LDOUBLE, LLONG, SHORT
from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.language.lang import Array, Member, Pointer, Prototype, Record
from abiprobe.oracles.language.question import Question
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.text.place import Layout

FORMS: tuple[Member, ...] = (
    Member(CHAR),
    Member(SHORT),
    Member(INT),
    Member(LLONG),
    Member(FLOAT),
    Member(DOUBLE),
    Member(LDOUBLE),
    Member(Pointer()),
    Member(Array(CHAR, 3)),
    Member(INT, width=5),
)
"""The forms of members: integers, reals, an address, bytes of an odd number, a bit-field."""
BYTES = range(1, 41)
REALS = range(2, 10)
"""Sizes beyond those of few members: bytes, and equal reals."""
TRIED = 30
"""So many neighbours of a record are looked at, larger ones and simpler ones."""
BEYOND = 2
"""So many of each that are of another class are kept."""


class RecordClass(msgspec.Struct, frozen=True):
    """Records that a model passes and returns alike, whatever was before: the first of them, their number and sizes in bytes."""

    example: Record
    structs: int
    unions: int
    least: int
    most: int


class RecordScope(msgspec.Struct, frozen=True):
    """The records that are asked: all of a few members, and behind them the `edges`, of which each is one step out of a class."""

    records: tuple[Record, ...]
    classes: tuple[RecordClass, ...]
    edges: int


def records(model: AbiModel, most: int) -> Iterator[Record]:
    """Yield every record that is asked and whose layout the model knows."""
    yield from (one for one in every(model, most) if layout(model, one) is not None)


def every(model: AbiModel, most: int) -> Iterator[Record]:
    """Yield every struct and union of up to so many members, and arrays of each size in a struct."""
    for length in range(1, most + 1):
        for forms in product(range(len(FORMS)), repeat=length):
            yield record(forms, union=False)
            one, ordered = record(forms, union=True), record(tuple(sorted(forms)), union=True)
            if one == ordered or answer(model, one) != answer(model, ordered):
                yield one
    for element, lengths in ((CHAR, BYTES), (FLOAT, REALS), (DOUBLE, REALS)):
        yield from (Record("Sized", (Member(Array(element, length), "a"),)) for length in lengths)


def record(forms: tuple[int, ...], *, union: bool) -> Record:
    """A record of these forms."""
    members = (
        msgspec.structs.replace(FORMS[form], name=name) for form, name in zip(forms, "abcdefgh", strict=False)
    )
    return Record("U" if union else "S", tuple(members), union=union)


def answer(model: AbiModel, union: Record) -> Hashable:
    """Return what a model says of a union, whatever the order of its members: its layout, and how it is passed and returned."""
    laid_out, call = layout(model, union), model.assign(alone(union))
    if laid_out is None:
        return None
    places = tuple(
        (one.passing, tuple((piece.start, piece.end, piece.place) for piece in one.pieces))
        for one in (*getattr(call, "params", ()), *filter(None, (getattr(call, "result", None),)))
    )
    bits = sorted((one.bit_offset, one.bit_width) for one in laid_out.members)
    return laid_out.size, laid_out.align, tuple(bits), places


def layout(model: AbiModel, one: Record) -> Layout | None:
    """Return the layout of a record; `None` where the target has no such type, or no text decides."""
    try:
        found = model.layout(one)
    except (AbsentError, SilentError):
        return None
    return found if isinstance(found, Layout) else None


def alone(one: Record) -> Prototype:
    """A call with a record as a first and a later argument, and as a result."""
    return Prefix(Mode(), one, (one, INT, one)).prototype()


def scope(model: AbiModel, most: int) -> RecordScope:
    """Return every record of up to so many members, the classes into which the model divides them, and the edges of these."""
    driver = Driver(model)
    before = fillings(driver, Mode())

    def passed(one: Record) -> Hashable:
        ways = tuple(driver.argument(prefix, one, unnamed=False) for prefix in before)
        return driver.result(Mode(), one), ways

    groups: dict[Hashable, list[Record]] = {}
    for one in records(model, most):
        groups.setdefault(passed(one), []).append(one)
    beyond = (
        other
        for key, group in groups.items()
        for one in {group[0], max(group, key=lambda one: size(model, one))}
        for step in (larger, candidates)
        for other in islice(neighbours(model, passed, key, step(one)), BEYOND)
    )
    whole = dict.fromkeys(one for group in groups.values() for one in group)
    edges = [one for one in dict.fromkeys(beyond) if one not in whole]
    found = tuple(of_class(model, group) for group in groups.values())
    return RecordScope((*whole, *edges), found, len(edges))


def neighbours(
    model: AbiModel, passed: Callable[[Record], Hashable], key: Hashable, around: Iterable[Question]
) -> Iterator[Record]:
    """Yield the records among the first of some questions that are not passed as those of a class."""
    for one in islice(around, TRIED):
        if isinstance(one, Record) and layout(model, one) is not None and passed(one) != key:
            yield one


def of_class(model: AbiModel, group: list[Record]) -> RecordClass:
    """Return a class of some records."""
    sizes = [size(model, one) for one in group]
    unions = sum(one.union for one in group)
    return RecordClass(group[0], len(group) - unions, unions, min(sizes), max(sizes))


def size(model: AbiModel, one: Record) -> int:
    """Return the size in bytes of a record that the model knows."""
    found = layout(model, one)
    assert found is not None, "what the model does not know is left out"
    return found.size
