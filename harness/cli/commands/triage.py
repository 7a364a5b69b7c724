"""`abiprobe triage`: the root causes of what a run found."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from abiprobe.harness.api.arguments import duration, workers
from abiprobe.harness.cli.commands.console import answers, asides, print_json
from abiprobe.harness.machines.render.declaration import declaration
from abiprobe.harness.runs.availability import Availability, availability_of
from abiprobe.harness.runs.run_files import read_run
from abiprobe.harness.triage.cause_details import (
    cluster_maps,
    compiler_remarks,
    compilers_to_compare,
    example_text,
    other_languages,
)
from abiprobe.harness.triage.complete import triage_run
from abiprobe.harness.triage.group_reduction import UNREDUCED
from abiprobe.harness.triage.known_causes import KnownComparison
from abiprobe.harness.triage.trait_precision import trait_precision
from abiprobe.oracles import registry  # noqa: F401 - loads every clause sheet, for looking clauses up
from abiprobe.results.causes.cluster import Cluster, Support
from abiprobe.results.causes.traits import described
from abiprobe.results.causes.triage_sections import Section, reading_order, section_of
from abiprobe.results.coverage.pairs import Pairing, failed_calls
from abiprobe.results.journal.journal import Run
from abiprobe.results.journal.shell_words import shell_word
from abiprobe.results.known.deviations import Known, example_of
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


def triage(
    folder: Path, form: str, jobs: object, top: int, known: Known, *, fresh: bool, budget: str | None
) -> int:
    """Print the causes of a run's deviations; 1 when one is new or a known one occurs no longer, else 0."""
    cpu = math.inf if budget is None else duration(budget)
    run = read_run(folder)
    near = availability_of(run)
    print_missing(near)
    memory = triage_run(folder, run, known, workers(jobs), near, fresh=fresh, cpu=cpu)
    held, whole = trait_precision(run, memory.clusters), Summary(run.batches)
    if form == "json":
        print_json(as_json(run, memory, held, whole.unexplained))
    else:
        print_triage(run, memory, held, whole, top, near)
    left = [one for one in memory.clusters if one.id not in memory.known and one.first.confirmed == UNREDUCED]
    if budget is not None and left:
        words = f"the budget ended before {quantity(len(left), 'cause')} could be reduced"
        asides().print(f"{words}: abiprobe triage {shell_word(folder)} goes on", soft_wrap=True, markup=False)
    return memory.status or int(bool(whole.unexplained))


def print_missing(near: Availability) -> None:
    """Print on standard error which compilers of the run are unavailable, if any."""
    if near.missing:
        words = f"cannot be run again: {near.words()}; their recorded results are shown"
        asides().print(words, soft_wrap=True, markup=False, highlight=False)


def print_triage(
    run: Run,
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
        asked = compilers_to_compare(item, near)
        return CauseDetails(
            known=memory.words.get(item.id, "") or memory.partly.get(item.id, ""),
            evidence=compiler_remarks(item, asked),
            support=held.get(item.id),
            maps=cluster_maps(item, asked),
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
    if memory.unclaimed:
        console.print(
            f"{quantity(memory.unclaimed, 'probe')} deviated from the model of the run, and the current model has no answer for them"
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
                "former": list(item.former),
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
