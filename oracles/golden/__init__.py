"""Golden vectors: what the texts say of questions in C, worked out by hand and never by a model.

Tables with one row a line, its cells separated by tabs; lines that begin with `#` are remarks. A row is a target (with
dialects, of which an empty one is the text, and the options of a compiler), declarations in C, and the answer in the
notation of `oracles.golden.notation`, behind which `; pops 4` and the like say more; or the word `registers`, and what a function
keeps. Of the clauses each must be cited, and behind `only` no other may be; a remark may follow.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import resources
from typing import NamedTuple

TYPES = "TYPES"
"""The name of what stands before every declaration of a table."""
CLASSES = "cxxabi.tsv"
"""The table of C++ classes, which has a notation of its own."""
OPEN = "open"
"""The answer of a row that the text does not decide."""
REGISTERS = "registers"
"""Stands for declarations in a row about what a function keeps."""


class Row(NamedTuple):
    """A row of a table, spelled out."""

    target: str
    options: tuple[str, ...]
    source: str
    answer: str
    clauses: frozenset[str]
    exact: bool


class ClassRow(NamedTuple):
    """A row about the last class that a text of C++ declares: `facts` in the notation of the table, none where the text leaves it open."""

    target: str
    source: str
    facts: tuple[str, ...]
    why: str


@cache
def class_rows() -> tuple[ClassRow, ...]:
    """The rows of the table of C++ classes."""
    text = (resources.files(__name__) / CLASSES).read_text("utf-8")
    return tuple(
        ClassRow(target, source, () if answer == OPEN else tuple(answer.split("; ")), why)
        for target, source, answer, why in parsed(text)
    )


@cache
def rows() -> tuple[Row, ...]:
    """The rows of all tables."""
    return tuple(row for text in tables() for row in spelled_out(parsed(text)))


@cache
def targets() -> frozenset[str]:
    """The targets and dialects that a row is about, as `rows` tells them."""
    found = (cells for text in tables() for cells in parsed(text) if cells[1] != "=")
    return frozenset(name for first, *_ in found for name in targets_of(first.split()[0]))


@cache
def tables() -> tuple[str, ...]:
    """The texts of all tables of C, by name."""
    found = (
        one
        for one in resources.files(__name__).iterdir()
        if one.name.endswith(".tsv") and one.name != CLASSES
    )
    return tuple(one.read_text("utf-8") for one in sorted(found, key=lambda one: one.name))


def targets_of(written: str) -> Iterator[str]:
    """The targets of a row: one, or one for each of several dialects."""
    base, _, dialects = written.partition("@")
    return (f"{base}@{dialect}".removesuffix("@") for dialect in dialects.split(","))


def parsed(text: str) -> Iterator[tuple[str, ...]]:
    """The cells of every row of a text."""
    return (tuple(line.split("\t")) for line in text.splitlines() if line and not line.startswith("#"))


def spelled_out(table: Iterable[tuple[str, ...]]) -> Iterator[Row]:
    """The rows of one table, with its names put in."""
    given: dict[str, tuple[str, str]] = {}
    before = ""
    for first, written, wanted, *rest in table:
        if written == "=":
            before = wanted if first == TYPES else before
            given[first] = (wanted, rest[0] if rest else "")
            continue
        source, said = written, wanted
        for name, (c_text, places) in given.items():
            source = re.sub(rf"\b{name}\b", c_text, source)
            said = re.sub(rf"\b{name}\b", places, said)
        named, *options = first.split()
        clauses = rest[0].split() if rest else []
        exact = clauses[:1] == ["only"]
        declared = source if source == REGISTERS else f"{before}\n{source};".replace("\\n", "\n")
        for target in targets_of(named):
            yield Row(target, tuple(options), declared, said, frozenset(clauses[exact:]), exact)
