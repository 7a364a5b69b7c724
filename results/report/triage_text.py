"""The triage of a run for people: one entry for each root cause, the most telling first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec
from rich.console import Console
from rich.text import Text

from abiprobe.oracles.clause import find_clause
from abiprobe.oracles.question import Question
from abiprobe.results.blame import Blame
from abiprobe.results.cluster import Cluster, Support
from abiprobe.results.pairs import Pairing
from abiprobe.results.parts import Part, part_of
from abiprobe.results.report.maps import Map, print_map
from abiprobe.results.summary import Split
from abiprobe.results.traits import described


class Beside(msgspec.Struct, frozen=True, kw_only=True):
    """What is told of a cluster beside itself.

    `known` says what is known of it, `evidence` what compilers noted, `support` how well its traits foretell it; `parted`
    says on how many of its probes calls between which subjects fail.
    """

    known: str = ""
    evidence: tuple[str, ...] = ()
    support: Support | None = None
    maps: tuple[Map, ...] = ()
    parted: str = ""

    def lines(self) -> list[str]:
        """All but the maps, a line each."""
        lines = [str(self.support)] if self.support is not None else []
        lines += [self.parted] if self.parted else []
        lines += [f"known: {self.known}"] if self.known else []
        return lines + [f"noted by the compiler: {note}" for note in self.evidence]


Show = Callable[[Question], str]


def print_clusters(
    console: Console, clusters: Iterable[Cluster], show: Show, beside: Callable[[Cluster], Beside]
) -> None:
    """Print clusters in full, with their maps, each part under its heading."""
    part: Part | None = None
    for number, item in enumerate(clusters, 1):
        if part_of(item) is not part:
            part = part_of(item)
            console.print(Text(f"\n{part.value}", style="bold underline"), soft_wrap=True)
        console.print()
        print_cluster(console, number, item, show)
        about = beside(item)
        for line in about.lines():
            console.print(
                Text(f"   {line}", style="dim" if line.startswith("known: ") else ""), soft_wrap=True
            )
        for shown in about.maps:
            console.print()
            print_map(console, shown)


def print_cluster(console: Console, number: int, item: Cluster, show: Show) -> None:
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


def print_rest(console: Console, clusters: Sequence[Cluster], known: Callable[[Cluster], str]) -> None:
    """The causes that are not shown in full, a line each under the heading of their part."""
    for part in Part:
        mine = [item for item in clusters if part_of(item) is part]
        if mine:
            console.print(Text(f"\n{part.value}, in short (in full: --top 0)", style="bold"), soft_wrap=True)
        for item in mine:
            probes = f"{item.probes} probe{'s' * (item.probes != 1)}"
            line = f"   {item.id}  {described(item.traits)}: {item.symptom.value}, {probes}, {', '.join(item.subjects)}"
            console.print(Text(f"{line}; {known(item) or 'new'}"), soft_wrap=True)


def print_pairs(console: Console, found: Sequence[Pairing], show: Show) -> None:
    """The calls that fail between two compilers of which neither departs from the text: what only a pair can show."""
    for item in found:
        count = item.failed - item.explained
        line = (
            f"between {item.caller} and {item.callee} -{item.level} on {item.target}, {count} calls fail that"
        )
        console.print(Text(f"{line} neither departs from the text on"), soft_wrap=True)
        if item.example is not None and item.example.question is not None:
            text = show(item.example.question).replace("\n", "\n     ")
            console.print(Text(f"     {text}", style="green"), soft_wrap=True)


def print_open(console: Console, found: Sequence[Split]) -> None:
    """The questions that the text leaves open and compilers answer differently, a line for each: nobody is to blame."""
    for item in found:
        readings = ", ".join(
            f"{subject} as {' or '.join(sorted(counts))}" for subject, counts in sorted(item.subjects.items())
        )
        line = f"open in the text, and read differently: {item.clause} {item.target}, {item.probes} probes: {readings}"
        console.print(Text(line), soft_wrap=True)
