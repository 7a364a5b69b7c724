"""What the texts say of questions in C, worked out by hand: tables of answers, with the clauses that they rest on.

A row is a target (with dialects, of which an empty one is the text, and the options of a compiler), declarations in C, and the answer in the notation of
`notation`, behind which `; pops 4` and the like say more; or the word `registers`, and what a function keeps. Of the clauses each must be
cited, and behind `only` no other may be; a remark may follow.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache, partial
from typing import NamedTuple

import msgspec

from abiprobe.harness.input import read
from abiprobe.harness.input.freestanding_headers import CUDA
from abiprobe.harness.input.front_end import FrontEnd, front_end
from abiprobe.harness.subjects.options import layout_options
from abiprobe.oracles.lang import Prototype, Record
from abiprobe.oracles.model import AbiModel, Target
from abiprobe.oracles.options import LayoutOptions
from laboratory.golden import Fact, tables
from laboratory.golden.notation import answer, kept

TABLES = (
    ("aarch64", "calls.tsv"),
    ("aarch64", "layouts.tsv"),
    ("aarch64", "big_endian.tsv"),
    ("riscv", "calls.tsv"),
    ("riscv", "layouts.tsv"),
    ("riscv", "vectors.tsv"),
    ("x86", "sysv.tsv"),
    ("x86", "vectors.tsv"),
    ("x86", "layouts.tsv"),
    ("x86", "i386", "calls.tsv"),
    ("x86", "ms", "calls.tsv"),
    ("accelerators", "ipu.tsv"),
    ("accelerators", "dpu.tsv"),
    ("accelerators", "ipu-evidence.tsv"),
    ("accelerators", "dpu-evidence.tsv"),
    ("ptx", "calls.tsv"),
    ("accelerators", "layouts.tsv"),
    ("ptx", "layouts.tsv"),
)
TYPES = "TYPES"
"""The name of what stands before every declaration of a table."""
AS_IF = {"nvptx64-cuda": FrontEnd("x86_64-linux-gnu", CUDA)}
"""As what rows are read that name types which libclang takes for other machines only."""
REGISTERS = "registers"
"""Stands for declarations in a row about what a function keeps."""
UNDEFINED = ":any"
"""What a row says of undefined bits, everywhere or nowhere: on x86 they are most of a vector register."""


class Row(NamedTuple):
    """A row of a table, spelled out."""

    target: str
    options: tuple[str, ...]
    source: str
    answer: str
    clauses: frozenset[str]
    exact: bool

    @property
    def layout_options(self) -> LayoutOptions:
        """What the model is told of the options."""
        return layout_options(self.options, "gcc")


@cache
def rows() -> tuple[Row, ...]:
    """The rows of all tables."""
    return tuple(row for names in TABLES for row in spelled_out(tables.rows(*names)))


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
        targets, *options = first.split()
        clauses = rest[0].split() if rest else []
        exact = clauses[:1] == ["only"]
        declared = source if source == REGISTERS else f"{before}\n{source};".replace("\\n", "\n")
        base, _, dialects = targets.partition("@")
        for dialect in dialects.split(","):
            target = f"{base}@{dialect}".removesuffix("@")
            yield Row(target, tuple(options), declared, said, frozenset(clauses[exact:]), exact)


def question(row: Row) -> Prototype | Record:
    """The first function of a row, with the parameters of a second one as unnamed arguments; or its last record."""
    base = row.target.partition("@")[0]
    as_if = AS_IF.get(base) or front_end(base)
    found = read(row.source, filename="row.h", triple=as_if.triple, options=as_if.options)
    if not found.functions:
        record = found.records[-1]
        assert isinstance(record, Record)
        return record
    prototype, *more = found.functions
    if more:
        prototype = msgspec.structs.replace(prototype, unnamed=tuple(param.type for param in more[0].params))
    return prototype


def says(model: AbiModel, asked: Prototype | Record, row: Row) -> bool:
    """Whether a model answers what a row expects."""
    found = answer(model, asked, any_extension=UNDEFINED in row.answer or row.target.startswith("riscv"))
    line, *more = row.answer.split("; ")
    pairs = [word.split(" ", 1) for word in more]
    return found.line == line and all(found.more.get(name) == value for name, value in pairs)


def cites(model: AbiModel, asked: Prototype | Record, row: Row) -> bool:
    """Whether a model rests its answer on the clauses of a row."""
    found = answer(model, asked).clauses
    return found == row.clauses if row.exact else row.clauses <= found


def facts(*beginnings: str) -> tuple[Fact, ...]:
    """The rows about targets whose names begin so, as facts: those about bytes first, then those about clauses."""
    chosen = [row for row in rows() if row.target.startswith(beginnings)]
    registers = [row for row in chosen if row.source == REGISTERS]
    asked = [(row, question(row)) for row in chosen if row.source != REGISTERS]
    told = [fact(row, partial(says, asked=one, row=row)) for row, one in asked]
    cited = [fact(row, partial(cites, asked=one, row=row)) for row, one in asked if row.clauses]
    return (
        *(Fact(REGISTERS, row.target, partial(keeps, row=row)) for row in registers),
        *told,
        *(replace(one, cites=True) for one in cited),
    )


def keeps(target: Target, _model: AbiModel, row: Row) -> bool:
    """Whether functions of a target keep what a row says."""
    return target.registers is not None and kept(target.registers) == row.answer


def fact(row: Row, holds: Callable[[AbiModel], bool]) -> Fact:
    """A row as a fact."""
    return Fact(row.source, row.target, lambda _, model: holds(model), row.layout_options)
