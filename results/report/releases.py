"""Which clauses each subject of some runs breaks, as a Markdown table: a row per clause, a column per subject."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from abiprobe.results.coverage.counts import subject_verdicts
from abiprobe.results.journal.journal import Run
from abiprobe.results.verdicts.record import Judgement


def releases_section(runs: Sequence[Run]) -> str:
    """The table of some runs, target by target; a cell counts the probes that deviate from the clause, and an empty one is none."""
    subjects = tuple(dict.fromkeys(name for run in runs for name in run.header.plan.subjects))
    lines = [
        "## Releases",
        "",
        "How many probes of the default questions deviate from each clause, by release; an empty cell is none, `-` a release that does",
        "not build for the target.",
        "",
        f"| target | clause | {' | '.join(subjects)} |",
        f"| --- | --- | {'---: | ' * len(subjects)}".rstrip(),
    ]
    for run in runs:
        for target in run.header.plan.targets:
            lines += rows(run, target, subjects)
    return "\n".join(lines)


def rows(run: Run, target: str, subjects: Sequence[str]) -> Iterable[str]:
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
    counts = (str(len(compared[name])) if name in compared else "-" for name in subjects)
    yield f"| {target} | probes compared | {' | '.join(counts)} |"
    for clause, by_subject in sorted(broken.items(), key=lambda item: (-len(item[1]), item[0])):
        cells = (
            str(len(by_subject[name])) if name in by_subject else "" if name in compared else "-"
            for name in subjects
        )
        yield f"| | `{clause}` | {' | '.join(cells)} |"
