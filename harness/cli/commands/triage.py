"""`abiprobe triage`: the root causes of what a run found."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from abiprobe.harness.api.arguments import workers
from abiprobe.harness.base.progress import steps
from abiprobe.harness.cli.commands.console import answers, asides, print_json
from abiprobe.harness.machines.render.declaration import declaration
from abiprobe.harness.runs.availability import Availability, availability_of
from abiprobe.harness.runs.run_files import current_triage, keep_triage, read_first_causes, read_run
from abiprobe.harness.subjects.find import parse_subject
from abiprobe.harness.triage.cause_details import cluster_maps, compiler_remarks
from abiprobe.harness.triage.causes import ignore, reduce_new
from abiprobe.harness.triage.example_texts import example_text, other_languages
from abiprobe.harness.triage.group_reduction import UNREDUCED, reduce_groups, still_asked
from abiprobe.harness.triage.known_causes import KnownComparison, compare_with_known
from abiprobe.harness.triage.known_clusters import known_clusters
from abiprobe.harness.triage.trait_precision import trait_precision
from abiprobe.harness.triage.underlying_layouts import with_layouts
from abiprobe.oracles import registry  # noqa: F401 - loads every clause sheet, for looking clauses up
from abiprobe.results.causes.cluster import Cluster, Finding, Support, cluster
from abiprobe.results.causes.groups import Group, groups
from abiprobe.results.causes.traits import described
from abiprobe.results.causes.triage_sections import Section, reading_order, section_of
from abiprobe.results.coverage.pairs import Pairing, failed_calls
from abiprobe.results.journal.journal import Run
from abiprobe.results.known.deviations import Known, KnownCause, example_of
from abiprobe.results.known.matches import KnownMatches, match_known
from abiprobe.results.report.json_form import SCHEMA, blame_json
from abiprobe.results.report.summary import Summary
from abiprobe.results.report.triage_text import (
    CauseDetails,
    print_clusters,
    print_open,
    print_pairs,
    print_rest,
)
from abiprobe.results.verdicts.quantity import quantity

SHORT = {
    Section.TEXT: "deviating from the text",
    Section.MODEL: "in which no compiler follows the model",
    Section.OPEN: "in which compilers differ where the documents leave the choice open",
    Section.TOOL: "crashing, hanging or rejecting a program",
    Section.RARE: "seen on one probe",
    Section.FLAKY: "flaky",
}


def triage(folder: Path, form: str, jobs: object, top: int, known: Known, *, fresh: bool) -> int:
    """Print the causes of a run's deviations; 1 when one is new or a known one occurs no longer, else 0."""
    run = read_run(folder)
    near = availability_of(run)
    clusters, memory = compared(folder, run, known, workers(jobs), near, fresh=fresh)
    held, whole = trait_precision(run, memory.clusters), Summary(run.batches)
    if form == "json":
        print_json(as_json(run, memory, held, whole.unexplained))
    else:
        print_triage(run, clusters, memory, held, whole, top, near)
    return memory.status or int(bool(whole.unexplained))


def compared(
    folder: Path, run: Run, known: Known, jobs: int, near: Availability, *, fresh: bool = False
) -> tuple[tuple[Cluster, ...], KnownComparison]:
    """Return the clusters of a run and what is known of them; its deviations are matched once for both."""
    entries = known.in_force(datetime.now(UTC).date())
    found = match_known(run.batches, entries, run.versions)
    clusters = triaged(folder, run, entries, found, jobs, near, fresh=fresh)
    return clusters, compare_with_known(clusters, known, run, recorded=found)


def triaged(
    folder: Path,
    run: Run,
    entries: Sequence[KnownCause],
    found: KnownMatches,
    jobs: int,
    near: Availability,
    *,
    fresh: bool = False,
) -> tuple[Cluster, ...]:
    """Return the clusters of a run: those stored beside its journal, or new ones, which are stored there.

    Only what is new is reduced, and never to something that is known. What a compiler shows that is not here, or is not the
    one of the run, stands as the run saw it.
    """
    kept = None if fresh and not near.missing else current_triage(folder, run)
    print_missing(near)
    if kept is not None and set(kept.unasked) <= set(near.missing):
        clusters = tuple(filter(still_holds, kept.clusters))
        if near.missing or not has_forgotten(clusters, found, entries, run):
            return clusters
    findings = with_layouts(reduced(folder, run, found, jobs, near), frozenset(near.missing))
    clusters = (*cluster(findings), *known_clusters(found, findings))
    keep_triage(folder, run, clusters, near.missing)
    return clusters


def has_forgotten(
    clusters: Sequence[Cluster], found: KnownMatches, entries: Sequence[KnownCause], run: Run
) -> bool:
    """Return whether a cluster was known when it was stored, so nothing was reduced, and is not any more."""
    told = found.told_apart(clusters, entries, run.versions_by_subject)
    return any(not mine and item.first.confirmed == UNREDUCED for item, mine in told)


def still_holds(item: Cluster) -> bool:
    """Return whether today's model agrees with the one of the run on whether a cluster's example is decided.

    It may have been found by another version.
    """
    first = item.first
    return still_asked(first.fingerprint, first.example, map(parse_subject, first.blame.deviating))


def reduced(
    folder: Path, run: Run, found: KnownMatches, jobs: int, near: Availability
) -> tuple[Finding, ...]:
    """Reduce the groups of what is new, or may be, whose compilers are installed; shows progress on a terminal."""
    done = read_first_causes(folder, run.digest).examined
    here, absent = divided(found.left, near)
    doubtful, _ = divided(found.doubtful, near)
    with steps("groups of deviations", len(here) + len(doubtful)) as step:

        def advance(group: Group) -> None:
            step(f"{group.fingerprint.target} {group.fingerprint.clause}")

        askable = msgspec.structs.replace(found, left=here, doubtful=doubtful)
        findings, _ = reduce_new(askable, done, jobs, math.inf, advance)
    # A deadline of zero runs no compiler: earlier reductions are used, and the rest stays unreduced.
    return (*findings, *reduce_groups(absent, 1, ignore, done, deadline=0.0).findings)


def divided(groups: Sequence[Group], near: Availability) -> tuple[tuple[Group, ...], tuple[Group, ...]]:
    """Divide groups into those whose compilers are installed, restricted to these, and the others."""
    here = [(group, near.askable(group)) for group in groups]
    return (
        tuple(mine for _, mine in here if mine is not None),
        tuple(group for group, mine in here if mine is None),
    )


def print_missing(near: Availability) -> None:
    """Print on standard error which compilers of the run are unavailable, if any."""
    if near.missing:
        words = f"cannot be run again: {near.words()}; their recorded results are shown"
        asides().print(words, soft_wrap=True, markup=False, highlight=False)


def print_triage(
    run: Run,
    clusters: Sequence[Cluster],
    memory: KnownComparison,
    held: Mapping[str, Support],
    whole: Summary,
    top: int,
    near: Availability,
) -> None:
    """The clusters for people as `memory` tells them, new ones first; at most `top` (0: all) in full.

    What is known is told in a line, with its own example in full only where all are.
    """
    console = answers()
    ordered = reading_order(memory.clusters, memory.known)
    worth = [item for item in ordered if not top or item.id not in memory.known]
    shown = worth[:top] if top else worth
    rest = [item for item in ordered if item not in shown]
    apart = failed_calls(run.batches)

    def details(item: Cluster) -> CauseDetails:
        return CauseDetails(
            known=memory.words.get(item.id, "") or memory.partly.get(item.id, ""),
            evidence=compiler_remarks(item, near),
            support=held.get(item.id),
            maps=cluster_maps(item, near),
            failed=calls_apart(item, apart),
        )

    def example(item: Cluster) -> str:
        return example_of(memory.known.get(item.id, ())) or example_text(item)

    print_clusters(console, shown, memory.known, example, details)
    print_rest(console, rest, memory.known, lambda item: memory.words.get(item.id, ""))
    console.print()
    print_pairs(console, whole.unexplained, declaration)
    print_open(console, whole.open_clauses)
    for line in memory.lines():
        console.print(line, soft_wrap=True, markup=False)
    print_sum(run, ordered, memory)
    lost = unclaimed(run, clusters)
    if lost:
        console.print(
            f"{quantity(lost, 'probe')} deviated from the model of the run, and the current model has no answer for them"
        )


def print_sum(run: Run, clusters: Sequence[Cluster], memory: KnownComparison) -> None:
    """Print the number of causes by section."""
    counts = Counter(section_of(item) for item in clusters)
    parts = "; ".join(f"{counts[part]} {SHORT[part]}" for part in Section if counts[part])
    deviating = sum(item.probes for item in clusters)
    many = quantity(len(clusters), "cause")
    answers().print(
        f"seed {run.header.plan.seed}: {quantity(deviating, 'probe')} deviating, {many} ({parts or 'none'}), "
        f"{len(memory.new)} of them new",
        soft_wrap=True,
    )


def unclaimed(run: Run, clusters: Sequence[Cluster]) -> int:
    """Count deviating probes without a cause, which today's model leaves unspecified."""
    claimed = {
        (finding.fingerprint.target, one)
        for item in clusters
        for finding in item.findings
        for one in finding.probes
    }
    shown = {(group.fingerprint.target, one.probe) for group in groups(run.batches) for one in group.members}
    return len(shown - claimed)


def calls_apart(item: Cluster, apart: Mapping[tuple[str, str], frozenset[str]]) -> str:
    """Return the number of probes of a cluster on which calls between two compilers fail, in words."""
    shown = {(found.fingerprint.target, one) for found in item.findings for one in found.probes}
    failing = [apart[key] for key in shown if key in apart]
    between = ", ".join(sorted({subject for subjects in failing for subject in subjects}))
    return f"calls between {between} fail on {len(failing)} of them" if failing else ""


def as_json(
    run: Run, memory: KnownComparison, held: Mapping[str, Support], pairs: Sequence[Pairing]
) -> dict[str, Any]:
    """The triage as plain values."""
    return {
        "schema": SCHEMA,
        "seed": run.header.plan.seed,
        "clusters": [
            {
                "id": item.id,
                "cause": described(item.traits),
                "traits": list(item.traits),
                "symptom": item.symptom.value,
                "targets": list(item.targets),
                "clauses": list(item.clauses),
                "probes": item.probes,
                "support": msgspec.to_builtins(held.get(item.id)),
                "subjects": item.subjects,
                "versions": versions(run, item),
                "blame": blame_json(item.first.blame),
                "example": declaration(item.first.example),
                "in_languages": other_languages(item),
                "confirmed": item.first.confirmed,
                "known": memory.words.get(item.id, ""),
                "part": section_of(item).name.lower(),
            }
            for item in memory.clusters
        ],
        "pairs": [pair_as_json(item) for item in pairs],
        "gone": [entry.name for entry in memory.gone],
        "contradictions": [msgspec.to_builtins(one) for one in memory.contradictions],
        "unused": [entry.name for entry in memory.unused],
    }


def pair_as_json(item: Pairing) -> dict[str, Any]:
    """Return a finding that only a pair shows, as plain values."""
    question = item.example.question if item.example is not None else None
    return {
        "target": item.target,
        "level": item.level,
        "caller": item.caller,
        "callee": item.callee,
        "calls": item.failed - item.explained,
        "example": declaration(question) if question is not None else "",
    }


def versions(run: Run, item: Cluster) -> dict[str, str]:
    """The version lines of the subjects that deviate."""
    return {info.subject: info.version for info in run.header.subjects if info.subject in item.subjects}
