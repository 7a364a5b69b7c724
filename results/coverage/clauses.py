"""Coverage of clauses by a run, and the reasons why the others decided nothing."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from enum import Enum
from functools import cache
from importlib import resources

import msgspec

from abiprobe.oracles.text.clause import Sheet
from abiprobe.results.journal.journal import BatchDone
from abiprobe.results.verdicts.record import Judgement

EVERY = "*"
"""The stand-in for every other clause of a sheet, in the list of reasons."""
TABLE = "table"
"""A sheet's note of a clause that is cited for places, and not by a function alone."""


class Status(Enum):
    """The coverage of a clause."""

    DECIDED = "decided"
    """it decided at least one compared byte"""
    SILENT = "silent"
    """it leaves its questions open, and such questions were met"""
    EXCUSED = "excused"
    """its sheet says why no code follows it"""
    THROUGH = "not directly observable"
    """no byte of such a run shows it by itself, and it is known why"""
    MISSED = "not tested"
    """nothing that this run compared rests on it"""


class ClauseLine(msgspec.Struct, frozen=True):
    """One clause: its status, how many probes it decided by subject, and why none."""

    clause: str
    status: str
    probes: int
    subjects: dict[str, int]
    why: str = ""


class SheetCoverage(msgspec.Struct, frozen=True):
    """The clauses of one sheet."""

    sheet: str
    lines: tuple[ClauseLine, ...]

    def count(self, *statuses: Status) -> int:
        """Return the number of clauses that have one of these statuses."""
        wanted = {status.value for status in statuses}
        return sum(line.status in wanted for line in self.lines)


@cache
def reasons() -> dict[str, str]:
    """Map the clauses that can decide no byte of their own in any run to the reason."""
    text = resources.files("abiprobe.results.coverage").joinpath("reasons.toml").read_text("utf-8")
    return {
        f"{sheet}:{name}": why for sheet, names in tomllib.loads(text).items() for name, why in names.items()
    }


def coverage(batches: Iterable[BatchDone], sheets: Iterable[Sheet]) -> tuple[SheetCoverage, ...]:
    """Return the coverage of each sheet's clauses by the batches of a run."""
    decided: dict[str, dict[str, int]] = {}
    silent: set[str] = set()
    for batch in batches:
        for clause, probes in batch.compared:
            subjects = decided.setdefault(clause, {})
            subjects[batch.key.subject] = subjects.get(batch.key.subject, 0) + probes
        silent |= {one.clause for one in batch.verdicts if one.verdict is Judgement.UNSPECIFIED}
    return tuple(
        SheetCoverage(
            sheet.name,
            tuple(
                line(sheet, name, decided.get(clause.id, {}), silent)
                for name, clause in sheet.clauses.items()
            ),
        )
        for sheet in sheets
    )


def line(sheet: Sheet, name: str, subjects: dict[str, int], silent: set[str]) -> ClauseLine:
    """Return the coverage of one clause."""
    clause = sheet.clauses[name]
    if subjects:
        return ClauseLine(
            clause.id, Status.DECIDED.value, sum(subjects.values()), dict(sorted(subjects.items()))
        )
    if clause.id in silent:
        return ClauseLine(
            clause.id, Status.SILENT.value, 0, {}, "the text leaves it open, and probes of this run met that"
        )
    if clause.excuse:
        return ClauseLine(clause.id, Status.EXCUSED.value, 0, {}, clause.excuse)
    why = reasons().get(clause.id) or through(sheet, name) or reasons().get(f"{sheet.name}:{EVERY}", "")
    if why:
        return ClauseLine(clause.id, Status.THROUGH.value, 0, {}, why)
    return ClauseLine(clause.id, Status.MISSED.value, 0, {}, "no compared probe of this run rests on it")


def through(sheet: Sheet, name: str) -> str:
    """Return the reason why a clause that no place cites decides no byte by itself; empty for one that a place may cite."""
    found = sheet.implementers.get(name, [])
    if not found or TABLE in found:
        return ""
    return f"places cite the clauses that it leads to; it is followed by {', '.join(dict.fromkeys(found))}"
