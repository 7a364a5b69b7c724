"""Print the triage of a run: one entry for each root cause, the most significant first."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from itertools import groupby

import msgspec
from rich.console import Console
from rich.text import Text

from abiprobe.oracles.language.iso_c import edition_of
from abiprobe.oracles.language.question import Question
from abiprobe.oracles.text.clause import recorded_clause
from abiprobe.results.causes.blame import Blame
from abiprobe.results.causes.cluster import Cluster, Support
from abiprobe.results.causes.traits import described, traits
from abiprobe.results.causes.triage_sections import Section, novelty_of, section_of
from abiprobe.results.coverage.open_clauses import OpenClause
from abiprobe.results.coverage.pairs import Pairing
from abiprobe.results.known.looks import declared_so
from abiprobe.results.report.maps import Map, print_map
from abiprobe.results.report.open_text import undecided_lines
from abiprobe.results.verdicts.quantity import quantity


class CauseDetails(msgspec.Struct, frozen=True, kw_only=True):
    """Additional information printed with a cluster.

    `known` says what is known of it, `evidence` what compilers noted, `support` how well its traits foretell it; `failed`
    says on how many of its probes calls between which subjects fail.
    """

    known: str = ""
    evidence: tuple[str, ...] = ()
    support: Support | None = None
    maps: tuple[Map, ...] = ()
    failed: str = ""

    def lines(self) -> list[str]:
        """All but the maps, a line each."""
        lines = [str(self.support)] if self.support is not None else []
        lines += [self.failed] if self.failed else []
        lines += [self.known] if self.known else []
        return lines + [f"noted by the compiler: {note}" for note in self.evidence]


Show = Callable[[Question], str]


def heading(item: Cluster, known: Container[str]) -> str:
    """The heading under which a cause stands."""
    age, part = novelty_of(item, known), section_of(item)
    return part.value if part is Section.FLAKY else f"{age.value}: {part.value}"


def print_clusters(
    console: Console,
    clusters: Iterable[Cluster],
    known: Container[str],
    example: Callable[[Cluster], str],
    details: Callable[[Cluster], CauseDetails],
) -> None:
    """Print clusters in full, with their maps, in the order given; `known` are the identities that entries know."""
    before = ""
    for number, item in enumerate(clusters, 1):
        title = heading(item, known)
        if title != before:
            console.print(Text(f"\n{title}", style="bold underline"), soft_wrap=True)
            before = title
        console.print()
        print_cluster(console, number, item, example)
        about = details(item)
        if not about.known:
            console.print(Text(f"   {declared_so(item.first.example, item.traits)}"), soft_wrap=True)
        for line in about.lines():
            console.print(
                Text(f"   {line}", style="dim" if line.startswith("known (") else ""), soft_wrap=True
            )
        for shown in about.maps:
            console.print()
            print_map(console, shown)


def print_cluster(console: Console, number: int, item: Cluster, example: Callable[[Cluster], str]) -> None:
    """The cause, its clause, who is to blame, and the smallest example."""
    for line in (*cause_lines(number, item), *example_lines(item, example)):
        console.print(line, soft_wrap=True)


def cause_lines(number: int, item: Cluster) -> list[Text]:
    """The cause, its clause and who is to blame."""
    first = item.first
    edition = edition_of(first.example)
    language = "" if edition is None else f", {edition.words}"
    head = Text.assemble(
        f"{number}. ",
        (item.id, "bold cyan"),
        "  ",
        (described(item.traits), "bold"),
        f": {item.symptom.value}, {quantity(item.probes, 'probe')}{language}",
    )
    lines = [head, *(Text(line, style="dim") for line in clause_lines(item.clauses))]
    if first.fingerprint.words:
        lines.append(Text(f"   {first.fingerprint.words}", style="dim"))
    for target, stands in by_target(item).items():
        lines.append(Text(f"   {target}: {stands.describe(item.symptom)}"))
    counts = ", ".join(f"{subject}: {count}" for subject, count in item.subjects.items())
    levels = " ".join(f"-{level}" for level in first.blame.levels)
    return [*lines, Text(f"   {counts}; {levels}; {first.confirmed}")]


def example_lines(item: Cluster, example: Callable[[Cluster], str]) -> list[Text]:
    """The smallest example of a cause."""
    return [Text(f"     {line}", style="green") for line in example(item).splitlines()]


def by_target(item: Cluster) -> dict[str, Blame]:
    """Return the blame on each target, from its smallest example."""
    found: dict[str, Blame] = {}
    for finding in item.findings:
        found.setdefault(finding.fingerprint.target, finding.blame)
    return found


def clause_lines(clauses: Sequence[str]) -> list[str]:
    """The first clause in full, the others by name."""
    lines = []
    for clause_id in clauses[:1]:
        clause = recorded_clause(clause_id)
        lines.append(f"   {clause_id} ({clause.section}): {clause.says}")
    if clauses[1:]:
        lines.append(f"   also {', '.join(clauses[1:])}")
    return lines


def print_rest(
    console: Console, clusters: Iterable[Cluster], known: Container[str], words: Callable[[Cluster], str]
) -> None:
    """The causes that are not shown in full, a line each, in the order given."""
    for title, items in groupby(clusters, key=lambda item: heading(item, known)):
        console.print(Text(f"\n{title}, in short (in full: --top 0)", style="bold"), soft_wrap=True)
        for item in items:
            line = (
                f"   {item.id}  {described(item.traits)}: {item.symptom.value}, {quantity(item.probes, 'probe')},"
                f" {', '.join(item.subjects)}"
            )
            state = words(item) or novelty_of(item, known).value.lower()
            console.print(Text(f"{line}; {state}"), soft_wrap=True)


def print_pairs(console: Console, found: Sequence[Pairing], show: Show) -> None:
    """The calls that fail between two compilers of which neither departs from the text: what only a pair can show."""
    for item in found:
        for line in pair_lines(item, show):
            console.print(line, soft_wrap=True)


def pair_lines(item: Pairing, show: Show) -> list[Text]:
    """Return a line with the number of failed calls between two compilers, the smallest of them, and what declares such."""
    count = item.failed - item.explained
    calls = quantity(count, "call")
    line = f"{calls} between {item.caller} and {item.callee} -{item.level} on {item.target}"
    lines = [Text(f"{line} fail, though neither side deviates from the text")]
    if item.example is not None and item.example.question is not None:
        text = show(item.example.question)
        lines += [Text(f"     {one}", style="green") for one in text.splitlines()]
        lines.append(
            Text(f"   {declared_so(item.example.question, traits(item.example.question))}", style="dim")
        )
    return lines


def print_open(console: Console, found: Sequence[OpenClause]) -> None:
    """Print what subjects do where no text decides: a line for each clause on which they differ, and who agrees on the others."""
    for item in found:
        if item.differs:
            probes = f"no text decides {quantity(item.compared, 'probe')}, {item.in_words}"
            console.print(Text(f"{item.clause or 'no model'} {item.target}: {probes}"), soft_wrap=True)
    for line in undecided_lines(found, more="more" if any(item.differs for item in found) else ""):
        console.print(Text(line), soft_wrap=True)
