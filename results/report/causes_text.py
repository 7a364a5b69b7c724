"""Print the causes of a run: new ones in full, known deviations in a line each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from rich.console import Console
from rich.text import Text

from abiprobe.oracles.question import Question
from abiprobe.results.cluster import Cluster
from abiprobe.results.differing import TOGETHER, OpenClause
from abiprobe.results.known import Entry
from abiprobe.results.known_matches import Recurrence
from abiprobe.results.pairs import Pairing
from abiprobe.results.report.triage_text import print_cluster, print_pairs
from abiprobe.results.traits import described

FULL = 5
"""New causes that a first screen shows in full."""
SHORT = 10
"""Further ones, a line each; `triage` shows all."""

Show = Callable[[Question], str]


def print_new(
    console: Console, new: Sequence[Cluster], show: Show, difference: Callable[[Cluster], str]
) -> None:
    """Print the new causes; `difference` says what was expected and observed in the example."""
    for number, item in enumerate(new[:FULL], 1):
        console.print()
        print_cluster(console, number, item, show)
        words = difference(item)
        if words:
            console.print(Text(f"   {words}"), soft_wrap=True)
    rest = new[FULL:]
    if rest:
        console.print()
    for item in rest[:SHORT]:
        console.print(Text(f"new: {summary_line(item)}"), soft_wrap=True)
    if rest[SHORT:]:
        console.print(f"... and {len(rest) - SHORT} more new causes", highlight=False)


def summary_line(item: Cluster) -> str:
    """A cause in a line."""
    what = described(item.traits) or item.first.fingerprint.words or item.first.fingerprint.clause
    where = f"{', '.join(item.targets)}: {', '.join(item.subjects)}"
    return f"{item.id} {what}: {item.symptom.value}, {quantity(item.probes, 'probe')} ({where})"


def print_known(console: Console, known: Sequence[Recurrence], gone: Iterable[Entry] = ()) -> None:
    """Print the known deviations that occurred, a line each, and those that are gone."""
    if known:
        console.print()
        console.print(Text(f"{quantity(len(known), 'known deviation')}:", style="bold"))
    for item in known:
        subjects = ", ".join(item.subjects)
        head = f"  {item.probes:>5}  {item.entry.name} ({item.entry.status.value}; {subjects})  "
        console.print(Text.assemble(head, (item.entry.link, "dim")), soft_wrap=True)
    for entry in gone:
        console.print(Text(f"no longer occurs: {entry.name}: remove the entry", style="bold"), soft_wrap=True)


def print_beside(
    console: Console,
    flaky: Sequence[Cluster],
    pairs: Sequence[Pairing],
    open_: Sequence[OpenClause],
    show: Show,
) -> None:
    """Print flaky causes, failed calls between two compilers, and how often all go together where no text decides."""
    for item in flaky:
        console.print(Text(f"flaky: {summary_line(item)}; {item.first.confirmed}"), soft_wrap=True)
    print_pairs(console, pairs, show)
    together = sum(item.compared - item.differs for item in open_)
    if together:
        words = f"no text decides {quantity(together, 'probe')}, on which all that were compared {TOGETHER}"
        console.print(words, highlight=False, soft_wrap=True)


def quantity(number: int, what: str) -> str:
    """A number with its noun."""
    return f"{number} {what}{'s' * (number != 1)}"
