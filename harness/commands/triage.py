"""`abiprobe triage`: the root causes of what a run found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from abiprobe.harness.caching import remember
from abiprobe.harness.commands.console import answers, asides, print_json
from abiprobe.harness.commands.report import declaration
from abiprobe.harness.commands.run import workers
from abiprobe.harness.evidence import notes
from abiprobe.harness.maps import maps
from abiprobe.harness.recollect import Recollected, recollect
from abiprobe.harness.runs import TRIAGE, Triaged, read_run, read_triage
from abiprobe.harness.support import support
from abiprobe.harness.triage import findings, is_open
from abiprobe.oracles import registry  # noqa: F401 - loads every clause sheet, for looking clauses up
from abiprobe.results.blame import Asked
from abiprobe.results.cluster import Cluster, cluster
from abiprobe.results.deviations import Group, groups
from abiprobe.results.journal import SCHEMA, Run, verdict_digest
from abiprobe.results.known import Known
from abiprobe.results.pairs import Pairing, pairings, parted
from abiprobe.results.parts import Part, in_order, part_of
from abiprobe.results.report.maps import Map
from abiprobe.results.report.triage_text import Beside, print_clusters, print_open, print_pairs, print_rest
from abiprobe.results.summary import splits
from abiprobe.results.traits import described

SHORT = {
    Part.TEXT: "against the text",
    Part.MODEL: "in which nobody follows the model",
    Part.TOOL: "of tools that broke",
    Part.RARE: "seen on one probe",
    Part.FLAKY: "flaky",
}


def triage(folder: Path, form: str, jobs: object, top: int, known: Known, *, fresh: bool) -> int:
    """Print the causes of a run's deviations; 1 when one is new or a known one occurs no longer, else 0."""
    run = read_run(folder)
    clusters = triaged(folder, run, workers(jobs), fresh=fresh)
    memory = recollect(clusters, known, run)
    if form == "json":
        print_json(as_json(run, clusters, memory))
    else:
        print_triage(run, clusters, memory, top)
    return memory.status or int(bool(unexplained(run)))


def triaged(folder: Path, run: Run, jobs: int, *, fresh: bool = False) -> tuple[Cluster, ...]:
    """The clusters of a run: those kept beside its journal, or newly made and kept there."""
    digest = verdict_digest(run.batches)
    kept = None if fresh else read_triage(folder)
    if kept is not None and (kept.schema, kept.digest) == (SCHEMA, digest):
        # They may have been made by another version, whose model had an answer.
        return tuple(
            item for item in kept.clusters if not is_open(item.first.fingerprint.target, item.first.example)
        )
    waiting = groups(run.batches)
    aside = asides()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=aside, transient=True, disable=not aside.is_terminal) as bar:
        task = bar.add_task("groups of deviations", total=len(waiting))

        def advance(group: Group) -> None:
            bar.update(task, advance=1, description=f"{group.fingerprint.target} {group.fingerprint.clause}")

        clusters = cluster(findings(waiting, jobs, advance))
    if folder.is_dir():
        remember(folder / TRIAGE, msgspec.json.encode(Triaged(SCHEMA, digest, clusters)))
    return clusters


def print_triage(run: Run, clusters: Sequence[Cluster], memory: Recollected, top: int) -> None:
    """The clusters for people, new ones first; at most `top` (0: all) in full.

    What is known and was seen once is told in a line, too.
    """
    console = answers()
    ordered = in_order(clusters, memory.known)
    worth = [
        item for item in ordered if not top or item.id in waiting(memory) or part_of(item) is not Part.RARE
    ]
    shown = worth[:top] if top else worth
    rest = [item for item in ordered if item not in shown]
    held, apart = support(run, shown), parted(run.batches)

    def beside(item: Cluster) -> Beside:
        return Beside(
            known=memory.words.get(item.id, ""),
            evidence=evidence(item),
            support=held.get(item.id),
            maps=cluster_maps(item),
            parted=calls_apart(item, apart),
        )

    print_clusters(console, in_parts(shown), declaration, beside)
    print_rest(console, rest, lambda item: memory.words.get(item.id, ""))
    console.print()
    print_pairs(console, unexplained(run), declaration)
    print_open(console, splits(run.batches))
    for line in memory.lines():
        console.print(line, soft_wrap=True, markup=False)
    print_sum(run, ordered, memory)
    lost = unclaimed(run, clusters)
    if lost:
        console.print(
            f"{lost} probes deviate from what the model said then, and are open in the text for it now"
        )


def waiting(memory: Recollected) -> set[str]:
    """The causes that nobody expected."""
    return {item.id for item in memory.new}


def in_parts(clusters: Sequence[Cluster]) -> list[Cluster]:
    """What is shown, part by part."""
    parts = list(Part)
    return sorted(clusters, key=lambda item: parts.index(part_of(item)))


def print_sum(run: Run, clusters: Sequence[Cluster], memory: Recollected) -> None:
    """How many causes there are, by part."""
    counts = Counter(part_of(item) for item in clusters)
    parts = "; ".join(f"{counts[part]} {SHORT[part]}" for part in Part if counts[part])
    probes = sum(item.probes for item in clusters)
    answers().print(
        f"seed {run.header.plan.seed}: {probes} deviating probes, {len(clusters)} causes ({parts or 'none'}), "
        f"{len(memory.new)} of them new",
        soft_wrap=True,
    )


def unclaimed(run: Run, clusters: Sequence[Cluster]) -> int:
    """How many deviating probes belong to no cause: today's model has no answer to them."""
    claimed = {
        (finding.fingerprint.target, one)
        for item in clusters
        for finding in item.findings
        for one in finding.probes
    }
    shown = {(group.fingerprint.target, one.probe) for group in groups(run.batches) for one in group.members}
    return len(shown - claimed)


def calls_apart(item: Cluster, apart: Mapping[tuple[str, str], frozenset[str]]) -> str:
    """On how many probes of a cluster calls between two compilers fail, in words."""
    probes = {(found.fingerprint.target, one) for found in item.findings for one in found.probes}
    failing = [apart[key] for key in probes if key in apart]
    between = ", ".join(sorted({subject for subjects in failing for subject in subjects}))
    return f"calls between {between} fail on {len(failing)} of them" if failing else ""


def unexplained(run: Run) -> list[Pairing]:
    """The pairs with calls that fail though neither of the two departs from the text."""
    return [item for item in pairings(run.batches) if item.failed > item.explained]


def pair(item: Cluster) -> tuple[Asked, ...]:
    """Whom to show beside the model: one to blame, and one who stands against it."""
    blame, level = item.first.blame, item.first.level
    others = (*blame.agreeing, *blame.deviating[1:], *blame.otherwise)
    return tuple((subject, level) for subject in (blame.deviating[:1] + others[:1]))


def cluster_maps(item: Cluster) -> tuple[Map, ...]:
    """The map of a cluster's smallest example; none where a tool broke, and nothing was observed."""
    if item.first.fingerprint.words:
        return ()
    return maps(item.first.fingerprint.target, item.first.example, pair(item))


def evidence(item: Cluster) -> tuple[str, ...]:
    """What the compilers note about the example."""
    found = (notes(item.first.fingerprint.target, item.first.example, asked) for asked in pair(item))
    return tuple(note for remarks in found for note in remarks)


def as_json(run: Run, clusters: Sequence[Cluster], memory: Recollected) -> dict[str, Any]:
    """The triage as plain values."""
    held = support(run, clusters)
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
                "blame": msgspec.to_builtins(item.first.blame),
                "example": declaration(item.first.example),
                "confirmed": item.first.confirmed,
                "known": memory.words.get(item.id, ""),
                "part": part_of(item).name.lower(),
            }
            for item in clusters
        ],
        "pairs": [pair_as_json(item) for item in unexplained(run)],
        "gone": [entry.name for entry in memory.gone],
        "unused": [entry.name for entry in memory.unused],
    }


def pair_as_json(item: Pairing) -> dict[str, Any]:
    """What only a pair shows, as plain values."""
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
