"""What the texts say of questions in C (`oracles.golden`), as facts for trials of wrong models."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from abiprobe.harness.runs.golden import cites, keeps, options_of, question, says
from abiprobe.oracles.golden import REGISTERS, Row, rows
from abiprobe.oracles.model import AbiModel, Target
from laboratory.golden import Fact


def facts(*beginnings: str) -> tuple[Fact, ...]:
    """The rows about targets whose names begin so, as facts: those about bytes first, then those about clauses."""
    chosen = [row for row in rows() if row.target.startswith(beginnings)]
    registers = [row for row in chosen if row.source == REGISTERS]
    asked = [(row, question(row)) for row in chosen if row.source != REGISTERS]
    told = [fact(row, partial(says, asked=one, row=row)) for row, one in asked]
    cited = [fact(row, partial(cites, asked=one, row=row)) for row, one in asked if row.clauses]
    return (
        *(Fact(REGISTERS, row.target, partial(kept_by, row=row)) for row in registers),
        *told,
        *(replace(one, cites=True) for one in cited),
    )


def kept_by(target: Target, _model: AbiModel, row: Row) -> bool:
    """Return whether functions of a target keep what a row says."""
    return keeps(target, row)


def fact(row: Row, holds: Callable[[AbiModel], bool]) -> Fact:
    """A row as a fact."""
    return Fact(row.source, row.target, lambda _, model: holds(model), options_of(row))
