"""The data of a run that JUnit, SARIF, Markdown and HTML reports render: results by clause, and causes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from abiprobe.oracles.text.clause import recorded_clause
from abiprobe.results.causes.cluster import Cluster
from abiprobe.results.causes.traits import described
from abiprobe.results.coverage.counts import CountRow, rows
from abiprobe.results.coverage.differing import comparisons
from abiprobe.results.coverage.pair_matrix import PairMatrix, pair_matrices
from abiprobe.results.coverage.pairs import pairings
from abiprobe.results.coverage.uncompared import Coverage, coverage
from abiprobe.results.journal.journal import BatchDone, Run
from abiprobe.results.known.deviations import KnownCause
from abiprobe.results.known.matches import KnownMatches, Recurrence
from abiprobe.results.report.maps import Map


class ClauseResult(msgspec.Struct, frozen=True):
    """Probes of one subject that agree with and deviate from one clause; `known` is the reason if all is known."""

    target: str
    subject: str
    clause: str
    agrees: int
    deviates: int
    clusters: tuple[str, ...]
    known: str


class ReportedCause(msgspec.Struct, frozen=True):
    """A cause with the texts and maps that reports show.

    `example` is C; `known` and `link` are the reason and the upstream report of the known deviations that cover it, `entries`.
    """

    cluster: Cluster
    title: str
    example: str
    known: str
    link: str
    maps: tuple[Map, ...]
    entries: tuple[KnownCause, ...] = ()


class RunReport(msgspec.Struct, frozen=True):
    """The data of one run that reports render.

    `known` are the known deviations that occurred, `pairs` the calls between its compilers, target by target. `covered` says
    of whom nothing was compared.
    """

    run: Run
    rows: tuple[CountRow, ...]
    clause_results: tuple[ClauseResult, ...]
    causes: tuple[ReportedCause, ...]
    known: tuple[Recurrence, ...] = ()
    pairs: tuple[PairMatrix, ...] = ()
    covered: Coverage = Coverage(anything=True, uncompared=())


def run_report(run: Run, causes: Sequence[ReportedCause], found: KnownMatches) -> RunReport:
    """Combine a run with its causes, new ones first."""
    ordered = sorted(causes, key=lambda item: bool(item.known))
    every = clause_results(run.batches, causes, found)
    pairs = pair_matrices(pairings(run.batches), run.header.subjects)
    compared = comparisons(run.batches)
    covered = coverage(run.batches, compared, run.header.named)
    return RunReport(
        run, rows(run.batches, compared), tuple(every), tuple(ordered), found.recurrences(), pairs, covered
    )


def clause_results(
    batches: Iterable[BatchDone], causes: Sequence[ReportedCause], found: KnownMatches
) -> list[ClauseResult]:
    """Return the result of every clause tested on a subject, over all levels and batches."""
    counts: dict[tuple[str, str, str], tuple[int, int]] = {}
    for batch in batches:
        for clause, (good, bad) in batch.clauses.items():
            key = (batch.key.target, batch.key.subject, clause)
            before = counts.get(key, (0, 0))
            counts[key] = (before[0] + good, before[1] + bad)
    behind = clusters_by_clause(causes)
    return [
        ClauseResult(*key, good, bad, behind.get(key, ()) if bad else (), found.excuse(*key) if bad else "")
        for key, (good, bad) in sorted(counts.items())
    ]


def clusters_by_clause(causes: Sequence[ReportedCause]) -> Mapping[tuple[str, str, str], tuple[str, ...]]:
    """The clusters behind each clause that a subject breaks."""
    found: dict[tuple[str, str, str], dict[str, None]] = {}
    for item in causes:
        for finding in item.cluster.findings:
            for subject in finding.subjects:
                key = (finding.fingerprint.target, subject, finding.fingerprint.clause)
                found.setdefault(key, {})[item.cluster.id] = None
    return {key: tuple(names) for key, names in found.items()}


def title(cluster: Cluster) -> str:
    """A cause in a few words."""
    return described(cluster.traits) or cluster.first.fingerprint.words or cluster.symptom.value


def clause_text(clause: str) -> str:
    """Return the section and text of a clause; empty for no clause."""
    if not clause:
        return ""
    found = recorded_clause(clause)
    return f"{found.section}: {found.says}"
