"""The small scope, whole: every record of one and two members over some thirty member forms, in every role of a call.

Most faults of an ABI show on a record of two members, if only it is the right one. So these are enumerated and not drawn: as
an argument with all registers left, with one left of each kind and with none, as a result, and through `...`. How many
arguments leave so many registers is for the model to say. A question is as good as what it tells apart: those that the model
answers by other clauses or in places of other kinds come first, one for each such answer, then a second one, and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, zip_longest
from typing import TypeAlias

from abiprobe.oracles.lang import (
    Array,
    Atomic,
    BitInt,
    Complex,
    Kind,
    Member,
    Param,
    Pointer,
    Prototype,
    Record,
    Scalar,
    Type,
    Vector,
)
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.place import Assignment, Register

SORT = "small scope"
INT, FLOAT, DOUBLE, CHAR = map(Scalar, (Kind.INT, Kind.FLOAT, Kind.DOUBLE, Kind.CHAR))
LLONG = Scalar(Kind.LLONG)
MOST_REGISTERS = 16
"""No convention has more registers of a kind for arguments."""

Cites: TypeAlias = Callable[[Prototype], frozenset[str]]
"""The clauses by which a model answers a question, and the kinds of places; none where it has no answer."""

_NESTED = Record("N", (Member(FLOAT, "n"),))
_EITHER = Record("E", (Member(FLOAT, "e"), Member(INT, "g")), union=True)
_TIGHT = Record("K", (Member(CHAR, "k"), Member(INT, "m")), packed=True)

FORMS: tuple[Callable[[str], Member], ...] = (
    # Scalars by class and size.
    lambda name: Member(CHAR, name),
    lambda name: Member(INT, name),
    lambda name: Member(LLONG, name),
    lambda name: Member(FLOAT, name),
    lambda name: Member(DOUBLE, name),
    lambda name: Member(Scalar(Kind.LDOUBLE), name),
    lambda name: Member(Scalar(Kind.FLOAT16), name),
    lambda name: Member(Scalar(Kind.INT128), name),
    lambda name: Member(Pointer(), name),
    # Bit-fields: named, unnamed, of width zero, and as wide as their type.
    lambda name: Member(INT, name, width=3),
    lambda name: Member(LLONG, name, width=33),
    lambda _: Member(INT, "", width=7),
    lambda _: Member(INT, "", width=0),
    lambda name: Member(INT, name, width=32),
    # Arrays of none, one and some.
    lambda name: Member(Array(FLOAT, 0), name),
    lambda name: Member(Array(FLOAT, 1), name),
    lambda name: Member(Array(CHAR, 3), name),
    # Records: of one member, empty, packed, and a union.
    lambda name: Member(_NESTED, name),
    lambda name: Member(Record("V", ()), name),
    lambda name: Member(_TIGHT, name),
    lambda name: Member(_EITHER, name),
    # The types of C23, of complex numbers, of GNU C and of C11.
    lambda name: Member(BitInt(7), name),
    lambda name: Member(BitInt(33), name),
    lambda name: Member(BitInt(65), name),
    lambda name: Member(Complex(Kind.FLOAT), name),
    lambda name: Member(Vector(Kind.FLOAT, 8), name),
    lambda name: Member(Vector(Kind.FLOAT, 16), name),
    lambda name: Member(Atomic(INT), name),
    lambda name: Member(Atomic(FLOAT), name),
    # Aligned by more and by less than its type asks.
    lambda name: Member(INT, name, align=16),
    lambda name: Member(DOUBLE, name, packed=True),
)
FLEXIBLE = Member(Array(INT, None), "b")
"""Only the last member of a struct may be one, and not its only one."""


def records() -> Iterator[Record]:
    """Every struct and union of one and two members, and what changes with a flexible array or packed."""
    singles = [form("a") for form in FORMS]
    for first in singles:
        yield Record("S", (first,))
        yield Record("U", (first,), union=True)
    for number, first in enumerate(singles):
        for other, form in enumerate(FORMS):
            second = form("b")
            yield Record("S", (first, second))
            yield Record("P", (first, second), packed=True)
            if number < other:
                yield Record("U", (first, second), union=True)
        if first.name:
            yield Record("S", (first, FLEXIBLE))


def calls(model: AbiModel) -> Iterator[Prototype]:
    """Every record in each role of a call of a target."""
    states = tuple(filled(model))
    for record in records():
        for before in states:
            yield Prototype("f", None, (*before, Param("r", record)))
        yield Prototype("f", record, ())
        yield Prototype("f", None, (Param("n", INT),), variadic=True, unnamed=(record, INT))


def filled(model: AbiModel) -> Iterator[tuple[Param, ...]]:
    """The arguments before a record: none, and those that leave one register of each kind, and no register."""
    integers, reals = registers(model, LLONG), registers(model, DOUBLE)
    yield ()
    if integers or reals:
        yield tuple(fillers(max(0, integers - 1), max(0, reals - 1)))
        yield tuple(fillers(integers, reals))


def registers(model: AbiModel, c_type: Type) -> int:
    """How many arguments of a type are in registers."""
    answer = model.assign(Prototype("f", None, tuple(Param(f"p{i}", c_type) for i in range(MOST_REGISTERS))))
    if not isinstance(answer, Assignment):
        return 0
    return sum(all(isinstance(piece.place, Register) for piece in one.pieces) for one in answer.params)


def fillers(integers: int, reals: int) -> Iterator[Param]:
    """Arguments that fill so many registers of either kind."""
    yield from (Param(f"i{number}", LLONG) for number in range(integers))
    yield from (Param(f"d{number}", DOUBLE) for number in range(reals))


def ranked(questions: Iterator[Prototype], cites: Cites) -> list[Prototype]:
    """Questions in the order in which they tell clauses apart; those without an answer come last."""
    groups: dict[frozenset[str], list[Prototype]] = {}
    for question in questions:
        groups.setdefault(cites(question), []).append(question)
    silent = groups.pop(frozenset(), [])
    ordered = sorted(groups.items(), key=lambda item: (-len(item[0]), sorted(item[0])))
    rounds = zip_longest(*(spread(group) for _, group in ordered))
    return [one for one in chain(chain.from_iterable(rounds), silent) if one is not None]


def spread(group: list[Prototype]) -> Iterator[Prototype]:
    """A group in an order in which neighbours differ: those at large steps first, then what lies between."""
    step = 1 << max(0, len(group) - 1).bit_length()
    given: set[int] = set()
    while step:
        for at in range(0, len(group), step):
            if at not in given:
                given.add(at)
                yield group[at]
        step //= 2
