"""The triage of a run for people: one entry for each root cause, the most telling first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rich.console import Console
from rich.text import Text

from abiprobe.oracles.clause import find_clause
from abiprobe.oracles.question import Question
from abiprobe.results.blame import Blame
from abiprobe.results.cluster import Cluster, Support
from abiprobe.results.report.maps import Map, print_map
from abiprobe.results.summary import Split
from abiprobe.results.traits import described


def print_clusters(
    console: Console,
    clusters: Sequence[Cluster],
    show: Callable[[Question], str],
    maps: Mapping[str, Sequence[Map]],
    known: Mapping[str, str],
    evidence: Mapping[str, Sequence[str]],
    held: Mapping[str, Support],
) -> None:
    """Print clusters with their maps.

    `known` says of the known ones what is known, `evidence` what compilers noted, `held` how well the traits foretell.
    """
    for number, item in enumerate(clusters, 1):
        console.print()
        print_cluster(console, number, item, show)
        if item.id in held:
            console.print(Text(f"   {held[item.id]}"), soft_wrap=True)
        if item.id in known:
            console.print(Text(f"   known: {known[item.id]}", style="dim"), soft_wrap=True)
        for note in evidence.get(item.id, ()):
            console.print(Text(f"   noted by the compiler: {note}"), soft_wrap=True)
        for shown in maps.get(item.id, ()):
            console.print()
            print_map(console, shown)


def print_cluster(console: Console, number: int, item: Cluster, show: Callable[[Question], str]) -> None:
    """The cause, its clause, who is to blame, and the smallest example."""
    first = item.first
    head = Text.assemble(
        f"{number}. ",
        (item.id, "bold cyan"),
        "  ",
        (described(item.traits), "bold"),
        f": {item.symptom.value}, {item.probes} probe{'s' * (item.probes != 1)}",
    )
    console.print(head, soft_wrap=True)
    for line in clause_lines(item.clauses):
        console.print(Text(line, style="dim"), soft_wrap=True)
    if first.fingerprint.words:
        console.print(Text(f"   {first.fingerprint.words}", style="dim"), soft_wrap=True)
    for target, stands in by_target(item).items():
        console.print(Text(f"   {target}: {stands}"), soft_wrap=True)
    counts = ", ".join(f"{subject}: {count}" for subject, count in item.subjects.items())
    levels = " ".join(f"-{level}" for level in first.blame.levels)
    console.print(Text(f"   {counts}; {levels}; {first.confirmed}"), soft_wrap=True)
    text = show(first.example).replace("\n", "\n     ")
    console.print(Text(f"     {text}", style="green"), soft_wrap=True)


def by_target(item: Cluster) -> dict[str, Blame]:
    """Who stands where on each target, by its smallest example."""
    found: dict[str, Blame] = {}
    for finding in item.findings:
        found.setdefault(finding.fingerprint.target, finding.blame)
    return found


def clause_lines(clauses: Sequence[str]) -> list[str]:
    """The first clause in full, the others by name."""
    lines = []
    for clause_id in clauses[:1]:
        clause = find_clause(clause_id)
        lines.append(f"   {clause_id} ({clause.section}): {clause.says}")
    if clauses[1:]:
        lines.append(f"   also {', '.join(clauses[1:])}")
    return lines


def print_open(console: Console, found: Sequence[Split]) -> None:
    """The questions that the text leaves open and compilers answer differently, a line for each: nobody is to blame."""
    for item in found:
        readings = ", ".join(
            f"{subject} as {' or '.join(sorted(counts))}" for subject, counts in sorted(item.subjects.items())
        )
        line = f"open in the text, and read differently: {item.clause} {item.target}, {item.probes} probes: {readings}"
        console.print(Text(line), soft_wrap=True)
