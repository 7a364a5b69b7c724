"""Which clauses each subject of some runs breaks: a row for each clause, a column for each subject."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from abiprobe.harness.base.table_file import Row
from abiprobe.results.coverage.counts import subject_verdicts
from abiprobe.results.journal.journal import Run
from abiprobe.results.verdicts.record import Judgement

COMPARED = "probes compared"
"""The row of a target that counts the probes on which each subject was compared."""
NOT_BUILT = "-"


def release_rows(runs: Sequence[Run]) -> Iterator[Row]:
    """The rows of some runs, target by target; a cell counts the probes that deviate from the clause, and an empty one is none."""
    subjects = tuple(dict.fromkeys(name for run in runs for name in run.header.plan.subjects))
    for run in runs:
        for target in run.header.plan.targets:
            yield from rows(run, target, subjects)


def rows(run: Run, target: str, subjects: Sequence[str]) -> Iterable[Row]:
    """The rows of one target: how many probes each subject was compared on, then the clauses that any of them breaks."""
    compared: dict[str, set[str]] = {}
    broken: dict[str, dict[str, set[str]]] = {}
    for batch in run.batches:
        if batch.key.target != target:
            continue
        seen = compared.setdefault(batch.key.subject, set())
        for verdict in subject_verdicts(batch):
            if verdict.verdict in {Judgement.AGREES, Judgement.DEVIATES}:
                seen.add(verdict.probe)
            if verdict.verdict is Judgement.DEVIATES:
                for clause in {one.clause for one in verdict.differences} or {verdict.clause}:
                    broken.setdefault(clause, {}).setdefault(batch.key.subject, set()).add(verdict.probe)
    counts = {name: str(len(compared[name])) if name in compared else NOT_BUILT for name in subjects}
    yield {"target": target, "clause": COMPARED, **counts}
    for clause, by_subject in sorted(broken.items(), key=lambda item: (-len(item[1]), item[0])):
        counts = {
            name: str(len(by_subject[name])) if name in by_subject else "" if name in compared else NOT_BUILT
            for name in subjects
        }
        yield {"target": target, "clause": f"`{clause}`", **counts}
