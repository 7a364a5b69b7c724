"""The models of a run against the golden vectors: a model that contradicts one is wrong, whatever compilers do.

Each model is compared once for each version of abiprobe, and what came of it is kept in the cache.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import msgspec

from abiprobe.harness.base.cache import entry, kept
from abiprobe.harness.input import read
from abiprobe.harness.input.freestanding_headers import CUDA
from abiprobe.harness.input.front_end import FrontEnd, front_end
from abiprobe.harness.runs.tours import version
from abiprobe.harness.subjects.options import layout_options
from abiprobe.oracles import golden
from abiprobe.oracles.golden import REGISTERS, Row
from abiprobe.oracles.golden.notation import answer
from abiprobe.oracles.golden.notation import kept as kept_registers
from abiprobe.oracles.language.lang import Prototype, Record
from abiprobe.oracles.model import AbiModel, Target
from abiprobe.oracles.registry import UnknownTargetError, find_target
from abiprobe.oracles.text.options import LayoutOptions

AS_IF = {"nvptx64-cuda": FrontEnd("x86_64-linux-gnu", CUDA)}
"""As what rows are read that name types which libclang takes for other machines only."""
UNDEFINED = ":any"
"""A row's mark of undefined bits, everywhere or nowhere: on x86 they are most of a vector register."""


class Contradiction(msgspec.Struct, frozen=True):
    """A golden vector that a model contradicts: what was worked out from the text, and what the model says."""

    target: str
    source: str
    text: str
    model: str

    def __str__(self) -> str:
        declared = " ".join(self.source.split())
        return f"the model of {self.target} contradicts the text: {declared} is {self.text}, not {self.model}"


_DECODER = msgspec.json.Decoder(tuple[Contradiction, ...])


def contradicted(targets: Iterable[Target]) -> tuple[Contradiction, ...]:
    """The golden vectors that the models of targets, or of others that share rules with them, contradict."""
    return tuple(one for target in asked_of(targets) for one in contradictions(target))


def asked_of(targets: Iterable[Target]) -> tuple[Target, ...]:
    """Return the targets whose golden vectors tell of the models of some targets."""
    return tuple(dict.fromkeys(one for target in targets for one in relatives(target)))


def relatives(target: Target) -> tuple[Target, ...]:
    """The targets, and their same dialect, that golden vectors tell of and whose models are made of the same modules."""
    (family,) = re.findall("^[a-z]+", target.name)
    names = (name for name in sorted(golden.targets()) if name.startswith(family))
    return tuple(one for one in map(known, names) if one is not None and one.dialect in {"", target.dialect})


def known(name: str) -> Target | None:
    """The target of a row; `None` for one that has no model."""
    try:
        return find_target(name)
    except UnknownTargetError:
        return None


@cache
def contradictions(target: Target) -> tuple[Contradiction, ...]:
    """The golden vectors of a target, or of one of its dialects, that its model contradicts."""
    return kept(entry_of(target), _DECODER, lambda: tuple(found_wrong(target)))


def entry_of(target: Target) -> Path:
    """Return the entry of the cache that keeps what a target's model contradicts."""
    return entry("golden", f"{target}-{version()}.json")


def found_wrong(target: Target) -> Iterator[Contradiction]:
    """Put the golden vectors of a target or dialect to its model."""
    for row in golden.rows():
        if row.target != target.spelling:
            continue
        if row.source == REGISTERS:
            if not keeps(target, row):
                said = "nothing" if target.registers is None else kept_registers(target.registers)
                yield Contradiction(target.spelling, row.source, row.answer, said)
            continue
        model, asked = target.dialects[target.dialect](options_of(row)), question(row)
        if not says(model, asked, row):
            yield Contradiction(target.spelling, row.source, row.answer, answer(model, asked).line)
        elif not cites(model, asked, row):
            cited = " ".join(sorted(answer(model, asked).clauses))
            yield Contradiction(
                target.spelling, row.source, f"by {' '.join(sorted(row.clauses))}", f"by {cited}"
            )


def options_of(row: Row) -> LayoutOptions:
    """Return the options of a row for the model."""
    return layout_options(row.options, "gcc")


@cache
def question(row: Row) -> Prototype | Record:
    """The first function of a row, with the parameters of a second one as unnamed arguments; or its last record."""
    target = find_target(row.target)
    as_if = AS_IF.get(target.name) or front_end(target)
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
    """Return whether a model answers as a row expects."""
    found = answer(model, asked, any_extension=UNDEFINED in row.answer or row.target.startswith("riscv"))
    line, *more = row.answer.split("; ")
    pairs = [word.split(" ", 1) for word in more]
    return found.line == line and all(found.more.get(name) == value for name, value in pairs)


def cites(model: AbiModel, asked: Prototype | Record, row: Row) -> bool:
    """Return whether a model rests its answer on the clauses of a row."""
    found = answer(model, asked).clauses
    return found == row.clauses if row.exact else row.clauses <= found


def keeps(target: Target, row: Row) -> bool:
    """Return whether functions of a target preserve what a row says."""
    return target.registers is not None and kept_registers(target.registers) == row.answer
