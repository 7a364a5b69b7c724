"""Pairs of features: few questions in which every two features of types that can meet do meet.

What breaks compilers is seldom one extension and often two together. A question has one value of each factor below; a
covering array has every pair of values of two factors in at least one question, as far as the pair is C at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, product
from typing import TypeAlias

from msgspec.structs import replace

from abiprobe.generators.draw import SeededDraw
from abiprobe.generators.reduction.lawful import lawful
from abiprobe.oracles.language.lang import (
    Array,
    Atomic,
    BitInt,
    Complex,
    Enum,
    Enumerator,
    Kind,
    Member,
    Param,
    Pointer,
    Prototype,
    Record,
    Scalar,
    Type,
    Typedef,
    Vector,
)
from abiprobe.oracles.language.promotion import promoted
from abiprobe.oracles.language.question import Question

SEED = 12
TRIES = 60
"""Questions tried for each that is taken."""

CHAR, INT, LLONG, FLOAT, DOUBLE = map(Scalar, (Kind.CHAR, Kind.INT, Kind.LLONG, Kind.FLOAT, Kind.DOUBLE))
ELEMENTS: Mapping[str, Type] = {
    "char": CHAR,
    "short": Scalar(Kind.SHORT),
    "int": INT,
    "long": Scalar(Kind.LONG),
    "long long": LLONG,
    "bool": Scalar(Kind.BOOL),
    "float": FLOAT,
    "double": DOUBLE,
    "long double": Scalar(Kind.LDOUBLE),
    "__int128": Scalar(Kind.INT128),
    "_Float16": Scalar(Kind.FLOAT16),
    "pointer": Pointer(),
    "enum": Enum("Some", (Enumerator("SOME_A", 0), Enumerator("SOME_B", 300))),
    "packed enum": Enum("Small", (Enumerator("SMALL_A", 0), Enumerator("SMALL_B", 300)), packed=True),
    "float complex": Complex(Kind.FLOAT),
    "double complex": Complex(Kind.DOUBLE),
    "_BitInt(37)": BitInt(37),
    "vector": Vector(Kind.INT, 16),
    "narrow vector": Vector(Kind.FLOAT, 8),
    "atomic": Atomic(INT),
    "aligned typedef": Typedef("int_16", INT, 16),
    "unaligned typedef": Typedef("llong_1", LLONG, 1),
}
INTEGERS = frozenset({"char", "short", "int", "long", "long long", "bool", "enum", "_BitInt(37)", "__int128"})
OF_RECORDS: Mapping[str, Mapping[str, int]] = {
    "packed": {"packed": True},
    "aligned": {"align": 16},
    "pack 2": {"pack": 2},
    "ms_struct": {"ms_struct": True},
}
OF_MEMBERS: Mapping[str, Mapping[str, int]] = {
    "member packed": {"packed": True},
    "member aligned": {"align": 32},
    "alignas": {"alignas": 32},
}
FACTORS: Mapping[str, tuple[str, ...]] = {
    "first": tuple(ELEMENTS),
    "second": ("none", *ELEMENTS),
    "field": ("no", "1", "7", "zero-width", "unnamed", "whole"),
    "record": ("struct", "union", "nested", "anonymous", "array of one", "array of three", "empty before"),
    "attribute": ("none", *OF_RECORDS, *OF_MEMBERS),
    "tail": ("none", "char", "zero-length", "flexible", "double"),
    "place": ("alone", "after words", "after reals", "last register", "unnamed", "result", "layout"),
}
"""The makings of a question: each factor and its values."""
WORDS: Mapping[str, tuple[Type, ...]] = {
    "after words": (INT, LLONG, INT),
    "after reals": (DOUBLE, FLOAT, DOUBLE, FLOAT, DOUBLE, DOUBLE, DOUBLE),
    "last register": (INT,) * 5,
}

Row: TypeAlias = Mapping[str, str]
Pair: TypeAlias = tuple[tuple[str, str], tuple[str, str]]


@cache
def covering() -> tuple[Question, ...]:
    """The questions of the covering array, always the same, each with its record; `missing` are the pairs that no question has."""
    asked = [one for row in rows()[0] if (one := question(row)) is not None]
    records = [record for row in rows()[0] if (record := made(row)) is not None]
    return tuple(dict.fromkeys((*asked, *records)))


def missing() -> frozenset[Pair]:
    """The pairs that are no C, in any question tried."""
    return rows()[1]


@cache
def rows() -> tuple[tuple[Row, ...], frozenset[Pair]]:
    """A covering array: each next row has the most pairs that are not covered yet; and the pairs that none has."""
    draw = SeededDraw(SEED)
    left = set(pairs())
    found: list[Row] = []
    hopeless: set[Pair] = set()
    while left:
        wanted = min(left)
        tried = [row for row in drawn(draw, wanted) if question(row) is not None]
        if not tried:
            left.discard(wanted)
            hopeless.add(wanted)
            continue
        best = max(tried, key=lambda row: len(left & pairs_of_row(row)))
        left -= pairs_of_row(best)
        found.append(best)
    return tuple(found), frozenset(hopeless)


def pairs() -> Iterator[Pair]:
    """Every two values of two factors."""
    for (one, values), (other, others) in combinations(sorted(FACTORS.items()), 2):
        for left, right in product(values, others):
            yield (one, left), (other, right)


def pairs_of_row(row: Row) -> frozenset[Pair]:
    """The pairs of one row."""
    return frozenset(combinations(sorted(row.items()), 2))


def drawn(draw: SeededDraw, wanted: Pair) -> Iterator[Row]:
    """Rows that contain one pair; the last is otherwise as plain as possible, so that a pair which C allows finds a row."""
    plain = {name: values[0] for name, values in FACTORS.items()}
    plain["first"] = "int"
    for _ in range(TRIES):
        yield {name: draw.pick(values) for name, values in FACTORS.items()} | dict(wanted)
    for place, second in product(("alone", "layout"), ("none", "int")):
        yield plain | {"place": place, "second": second} | dict(wanted)


def question(row: Row) -> Question | None:
    """The question of a row; `None` where its values are no C together."""
    record = made(row)
    if record is None or not lawful(record):
        return None
    asked = placed(record, row["place"])
    return asked if asked is not None and lawful(asked) else None


def made(row: Row) -> Record | None:
    """The record of a row."""
    first = member(row)
    if first is None:
        return None
    parts = [*first]
    if row["second"] != "none":
        parts.append(Member(ELEMENTS[row["second"]], "b"))
    parts += {
        "none": [],
        "char": [Member(CHAR, "t")],
        "double": [Member(DOUBLE, "t")],
        "zero-length": [Member(Array(INT, 0), "t")],
        "flexible": [Member(Array(INT, None), "t")],
    }[row["tail"]]
    return attributed(shaped(parts, row["record"]), row)


def member(row: Row) -> Sequence[Member] | None:
    """The first member, as a bit-field if it is one, with its own attributes."""
    c_type, field = ELEMENTS[row["first"]], row["field"]
    if field == "no":
        return (marked(Member(c_type, "a"), row),)
    if row["first"] not in INTEGERS or row["attribute"] == "alignas":
        return None
    narrow = row["first"] == "bool"
    match field:
        case "zero-width":
            return Member(c_type, "a", 1), Member(LLONG, "", 0), marked(Member(c_type, "c", 1), row)
        case "unnamed":
            return marked(Member(c_type, "", 1), row), Member(CHAR, "c")
        case "whole":
            width = {"char": 8, "short": 16, "int": 32, "long": 32, "long long": 64, "enum": 32}.get(
                row["first"]
            )
            return None if width is None else (marked(Member(c_type, "a", width), row),)
        case _ if narrow and field == "7":
            return None
        case _:
            return (marked(Member(c_type, "a", int(field)), row),)


def marked(member: Member, row: Row) -> Member:
    """A member with the attribute of its row, if that is one of members."""
    return replace(member, **OF_MEMBERS.get(row["attribute"], {}))


def shaped(parts: Sequence[Member], shape: str) -> Record:
    """The record of these members."""
    plain = Record("Pair", tuple(parts), union=shape == "union")
    match shape:
        case "nested":
            return Record("Outer", (Member(CHAR, "o"), Member(replace(plain, tag="Inner"), "in")))
        case "anonymous":
            return Record("Outer", (Member(CHAR, "o"), Member(replace(plain, tag=""), "")))
        case "array of one" | "array of three":
            length = 1 if shape == "array of one" else 3
            return Record("Outer", (Member(Array(replace(plain, tag="Inner"), length), "in"),))
        case "empty before":
            return Record("Outer", (Member(Record("Empty", ()), "e"), *parts))
        case _:
            return plain


def attributed(record: Record, row: Row) -> Record:
    """The record with the attribute of its row, if that is one of records."""
    return replace(record, **OF_RECORDS.get(row["attribute"], {}))


def placed(record: Record, place: str) -> Question | None:
    """The question that passes a record, returns it, or asks for its layout."""
    value = Param("v", record)
    match place:
        case "layout":
            return record
        case "result":
            return Prototype("f", record, (Param("x", INT),))
        case "unnamed":
            return Prototype("f", None, (Param("x", INT),), variadic=True, unnamed=(promoted(record), INT))
        case _:
            before = [Param(f"x{number}", c_type) for number, c_type in enumerate(WORDS.get(place, ()))]
            return Prototype("f", None, (*before, value, Param("z", INT)))
