"""Summarise a run as new causes and known deviations within a few seconds, as printed at the end of `run`.

Known deviations are matched without reduction. The rest is reduced until the time is up; unreduced deviations are
reported as observed. `abiprobe triage` continues from there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from abiprobe.harness.base.progress import counted
from abiprobe.harness.runs.golden import Contradiction, contradicted
from abiprobe.harness.runs.question_sorts import targets_of
from abiprobe.harness.runs.run_files import keep_first_causes, read_first_causes, triage_of
from abiprobe.harness.subjects.find import parse_subject
from abiprobe.harness.subjects.trust import distrust
from abiprobe.harness.triage.group_reduction import reduce_new
from abiprobe.harness.triage.known_clusters import known_clusters
from abiprobe.harness.triage.known_examples import (
    ExampleStatus,
    SubjectResult,
    questions,
    run_examples,
    run_on_subject,
)
from abiprobe.harness.triage.quirk_examples import gone_quirks
from abiprobe.harness.triage.underlying_layouts import layouts_kept, with_layouts
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import Question, probe
from abiprobe.oracles.model import Target
from abiprobe.oracles.quirks.quirk import Quirk
from abiprobe.oracles.registry import find_target
from abiprobe.results.causes.cluster import Cluster, cluster
from abiprobe.results.causes.triage_progress import SCHEMA, FirstCauses
from abiprobe.results.coverage.pairs import Pairing
from abiprobe.results.coverage.uncompared import coverage
from abiprobe.results.journal.journal import BatchDone, Run
from abiprobe.results.known.deviations import Entry, Known, KnownCause, expects, only_entries
from abiprobe.results.known.matches import KnownMatches, Recurrence, exit_status_of, match_known
from abiprobe.results.report.summary import Summary
from abiprobe.results.verdicts.record import Judgement

SECONDS = 5.0
"""The time that a run spends on the causes of what is new."""


class Causes(msgspec.Struct, frozen=True):
    """The causes of a run.

    `clusters` are all of them. `new` causes match no entry, `flaky` ones do not recur in every fresh run, `known` lists the entries that matched.
    `pairs` have calls that fail although neither side deviates. `gone` are entries whose example agrees now, and
    `contradictions` the golden vectors that the models of the run contradict. `status` is the exit status; `triaged` says
    that the causes come from a complete triage.
    """

    clusters: tuple[Cluster, ...]
    recognised: KnownMatches
    new: tuple[Cluster, ...]
    flaky: tuple[Cluster, ...]
    known: tuple[Recurrence, ...]
    pairs: tuple[Pairing, ...]
    gone: tuple[KnownCause, ...]
    status: int
    triaged: bool
    contradictions: tuple[Contradiction, ...] = ()


def causes_of(folder: Path, run: Run, known: Known) -> Causes:
    """Return the causes of a finished run from its triage, or those stored when it ended; runs no compiler."""
    entries = known.in_force(datetime.now(UTC).date())
    found = match_known(run.batches, entries, run.versions)
    first = read_first_causes(folder, run.digest)
    gone = tuple(entry for entry in entries if entry.name in first.gone)
    triaged = triage_of(folder, run)
    clusters = clusters_at_once(found, first) if triaged is None else triaged
    return as_causes(run, found, clusters, entries, gone, triaged=triaged is not None)


def clusters_at_once(found: KnownMatches, first: FirstCauses) -> tuple[Cluster, ...]:
    """Return the causes of a run, those of what is new as far as they were reduced when it ended."""
    findings, _ = reduce_new(found, first.examined, 1, 0.0)
    return (*cluster(layouts_kept(findings, first.clusters)), *known_clusters(found, findings))


def find_first_causes(folder: Path, run: Run, known: Known, *, jobs: int, seconds: float = SECONDS) -> Causes:
    """Reduce the new deviations of a run that has just ended for at most `seconds`, and store the result with it."""
    entries = known.in_force(datetime.now(UTC).date())
    found = match_known(run.batches, entries, run.versions)
    digest = run.digest
    findings, examined = reduce_new(found, read_first_causes(folder, digest).examined, jobs, seconds)
    clusters = cluster(with_layouts(findings))
    gone = gone_causes(run, found, entries) if seconds else ()
    beside = known_clusters(found, findings)
    names = tuple(entry.name for entry in gone)
    keep_first_causes(folder, FirstCauses(SCHEMA, digest, clusters, examined, names, beside))
    return as_causes(run, found, (*clusters, *beside), entries, gone, triaged=False)


def as_causes(
    run: Run,
    found: KnownMatches,
    clusters: Sequence[Cluster],
    entries: Sequence[KnownCause],
    gone: tuple[KnownCause, ...],
    *,
    triaged: bool,
) -> Causes:
    """Combine the clusters of a run with the known deviations that it matched."""
    whole = Summary(run.batches)
    wrong = contradicted(targets_of(run.header.plan))
    matched = found.matched(clusters, entries, run)
    recognised = found.of_clusters(matched)
    new = tuple(one.shown for one in matched if one.shown.first.steady and not one.known)
    return Causes(
        tuple(one.shown for one in matched),
        recognised,
        new,
        tuple(one.shown for one in matched if not one.shown.first.steady),
        recognised.recurrences(),
        whole.unexplained,
        gone,
        exit_status_of(
            {item.symptom for item in new},
            coverage(run.batches, whole.comparisons, run.header.named),
            more=bool(whole.unexplained or gone or wrong),
        ),
        triaged,
        wrong,
    )


def gone_causes(run: Run, found: KnownMatches, known: Sequence[KnownCause]) -> tuple[KnownCause, ...]:
    """Return the entries and quirks on whose example every compiler agrees now."""
    entries = gone_entries(run, found, only_entries(known))
    plan, has_quirks = run.header.plan, any(isinstance(one, Quirk) for one in known)
    if not has_quirks or not (plan.corpus or plan.tours):
        return entries
    return (*entries, *gone_quirks(run, {one.name for one in found.entries.values()}))


def gone_entries(run: Run, found: KnownMatches, entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Return the entries on whose example every compiler agrees now; a quick run does not look.

    A run with a corpus included the examples; otherwise those of entries that it did not meet are asked about, in a batch
    for each compiler, whose answers are remembered. One that agrees at the run's levels is checked at others, too.
    """
    plan = run.header.plan
    met = {entry.name for entry in found.entries.values()}
    rest = [entry for entry in entries if entry.name not in met]
    if plan.corpus:
        given = judgements_by_probe(run.batches)
        agreeing = [entry for entry in rest if example_agrees(entry, run, given)]
    else:
        agreeing = agreeing_examples(rest, run) if plan.tours else []
    results = run_examples(agreeing, run)
    return tuple(entry for entry in agreeing if results[entry.name].answer is ExampleStatus.AGREES)


def agreeing_examples(entries: Sequence[Entry], run: Run) -> list[Entry]:
    """Return the entries whose examples agree with all compilers of a run that they name."""
    shown: dict[str, list[SubjectResult]] = {}
    every = run.header.subjects
    for info in counted(every, "examples of known deviations", len(every)):
        mine = [one for one in entries if expects(one, info.target, info.subject, info.version)]
        if mine and not distrust(parse_subject(info.subject)):
            found = run_on_subject(mine, find_target(info.target), info.subject, run.header.plan.levels)
            for name, result in found.items():
                shown.setdefault(name, []).append(result)
    return [
        entry
        for entry in entries
        if entry.name in shown
        and all(one.agrees and not one.otherwise for one in shown[entry.name])
        and not any(one.expected for one in shown[entry.name])
    ]


def deviating_examples(entry: Entry, target: Target) -> tuple[Question, ...]:
    """Return the declarations of an entry's example that can deviate: its functions, or else the last record."""
    every = questions(entry, target)
    return tuple(one for one in every if isinstance(one, Prototype)) or every[-1:]


def judgements_by_probe(batches: Iterable[BatchDone]) -> dict[tuple[str, str, str], set[Judgement]]:
    """Collect the judgements by target, subject and probe."""
    found: dict[tuple[str, str, str], set[Judgement]] = {}
    for batch in batches:
        for verdict in batch.verdicts:
            key = (batch.key.target, batch.key.subject, verdict.probe)
            found.setdefault(key, set()).add(verdict.verdict)
    return found


def example_agrees(entry: Entry, run: Run, given: Mapping[tuple[str, str, str], set[Judgement]]) -> bool:
    """Return whether all compilers of a run that an entry names were run on its example, and all agree."""
    named = [info for info in run.header.subjects if expects(entry, info.target, info.subject, info.version)]
    asked = [
        given.get((info.target, info.subject, probe(question).id), set())
        for info in named
        for question in deviating_examples(entry, find_target(info.target))
    ]
    return bool(asked) and all(
        Judgement.AGREES in found and Judgement.DEVIATES not in found for found in asked
    )
