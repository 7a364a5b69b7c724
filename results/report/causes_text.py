"""Print the causes of a run: new ones first, known deviations in a line each; in full, or as much as fits on a screen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec
from rich.text import Text

from abiprobe.oracles.language.question import Question
from abiprobe.oracles.quirks.versions import family
from abiprobe.results.causes.cluster import Cluster
from abiprobe.results.causes.priority import is_unreleased
from abiprobe.results.causes.traits import described
from abiprobe.results.coverage.open_clauses import OpenClause
from abiprobe.results.coverage.pairs import Pairing
from abiprobe.results.known.deviations import KnownCause
from abiprobe.results.known.exposure import met_by_many
from abiprobe.results.known.looks import declared_so
from abiprobe.results.known.matches import Recurrence
from abiprobe.results.report.open_text import undecided_lines
from abiprobe.results.report.triage_text import cause_lines, example_lines, pair_lines
from abiprobe.results.verdicts.quantity import quantity

LEAST = 4
"""Lines that each part of a screen has at least, if it has as many."""
OPEN_LINES = 4
"""Lines on questions that no text decides and on which nobody differs."""

Show = Callable[[Question], str]


class Found(msgspec.Struct, frozen=True):
    """The findings of a run; `gone` are known deviations that no longer occur.

    `examples` print the example of a cause, and `differences` say what it shows. `contradictions` are golden vectors that the
    models of the run answer otherwise, in words.
    """

    new: Sequence[Cluster]
    flaky: Sequence[Cluster]
    known: Sequence[Recurrence]
    gone: Sequence[KnownCause]
    pairs: Sequence[Pairing]
    open: Sequence[OpenClause]
    differences: Callable[[Cluster], str]
    examples: Callable[[Cluster], str]
    contradictions: Sequence[str] = ()


def in_full(found: Found, show: Show) -> Iterator[Text]:
    """Yield every cause in full, and every known deviation in a line."""
    for number, item in enumerate(found.new, 1):
        yield from (*new_cause(found, number, item), *example_lines(item, found.examples), Text())
    others = [*map(Text, found.contradictions), *gone_lines(found.gone), *flaky_lines(found.flaky)]
    others += [line for item in found.pairs for line in pair_lines(item, show)]
    for part in (others, [*known_lines(found.known)]):
        yield from (*part, *([Text()] if part else []))
    yield from together_lines(found.open)


def on_a_screen(found: Found, show: Show, room: int, full: str) -> Iterator[Text]:
    """Yield as much as fits into `room` lines: the first new cause in full, all else in a line each.

    What does not fit is counted, beside the command `full`, which prints all of it. If the first cause alone does not
    fit, the end of its example is shown, which has the prototype.
    """
    head = [*new_cause(found, 1, found.new[0])] if found.new else []
    example = example_lines(found.new[0], found.examples) if found.new else []
    others = [
        *map(Text, found.contradictions),
        *new_lines(found.new[1:]),
        *gone_lines(found.gone),
        *flaky_lines(found.flaky),
        *(pair_lines(item, show)[0] for item in found.pairs),
    ]
    known = [*known_lines(found.known)]
    together = [*together_lines(found.open)]
    blank = [Text()]
    taken = sum(bool(part) for part in (example, others, known)) + len(head) + len(together)
    wanted = (len(example), len(others), len(known))
    for_example, for_others, for_known = shares(wanted, (LEAST, LEAST, LEAST), room - taken)
    if example:
        yield from (*head, *ending(example, for_example, full), *blank)
    if others:
        yield from (*beginning(others, for_others, full), *blank)
    if known:
        yield from (*beginning(known, for_known, full), *blank)
    yield from together


def new_lines(causes: Sequence[Cluster]) -> Iterator[Text]:
    """Yield a line for each new cause, and one for all of compilers without a release for years."""
    left = [item for item in causes if is_unreleased(item)]
    yield from (Text(f"new: {summary_line(item)}") for item in causes if item not in left)
    if left:
        names = ", ".join(sorted({family(subject) for item in left for subject in item.subjects}))
        yield Text(f"new: {quantity(len(left), 'cause')} of compilers without a release for years ({names})")


def shares(wanted: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Divide lines among parts: to each its least, and what is left to the first that wants more."""
    given = [min(*both) for both in zip(wanted, least, strict=True)]
    for number, wish in enumerate(wanted):
        given[number] += max(0, min(wish - given[number], room - sum(given)))
    return given


def beginning(lines: Sequence[Text], room: int, full: str) -> list[Text]:
    """As many of these lines as there is room for; the last says how many are missing."""
    if len(lines) <= room:
        return list(lines)
    return [*lines[: room - 1], Text(f"... and {len(lines) - room + 1} more: {full}", style="dim")]


def ending(lines: Sequence[Text], room: int, full: str) -> list[Text]:
    """The last of these lines, as many as there is room for; the first says how many are missing."""
    if len(lines) <= room:
        return list(lines)
    missing = len(lines) - room + 1
    return [Text(f"     ... after {quantity(missing, 'line')} more: {full}", style="dim"), *lines[missing:]]


def new_cause(found: Found, number: int, item: Cluster) -> Iterator[Text]:
    """Yield a new cause without its example, what declares such things, and what was expected and observed."""
    yield from cause_lines(number, item)
    yield Text(f"   {declared_so(item.first.example, item.traits)}", style="dim")
    words = found.differences(item)
    if words:
        yield Text(f"   {words}")


def summary_line(item: Cluster) -> str:
    """A cause in a line."""
    what = described(item.traits) or item.first.fingerprint.words or item.first.fingerprint.clause
    where = f"{', '.join(item.targets)}: {', '.join(item.subjects)}"
    return f"{item.id} {what}: {item.symptom.value}, {quantity(item.probes, 'probe')} ({where})"


def known_lines(known: Sequence[Recurrence]) -> Iterator[Text]:
    """Yield how many known deviations occurred, then each in a line."""
    if known:
        yield Text(f"{quantity(len(known), 'known deviation')}:", style="bold")
    for item in known:
        subjects = ", ".join(item.subjects)
        about = "; ".join(filter(None, (item.entry.status.value, subjects, met_by_many(item.entry.name))))
        head = f"  {item.probes:>5}  {item.entry.name} ({about})  "
        yield Text.assemble(head, (item.entry.link, "dim"))


def gone_lines(gone: Iterable[KnownCause]) -> Iterator[Text]:
    """Yield the known deviations that are gone."""
    for entry in gone:
        words = f"no longer occurs: {entry.name}: remove what is known of it, or suspect the model if the compiler is the same"
        yield Text(words, style="bold")


def flaky_lines(flaky: Iterable[Cluster]) -> Iterator[Text]:
    """Yield the causes that do not recur in each fresh run."""
    for item in flaky:
        yield Text(f"flaky: {summary_line(item)}; {item.first.confirmed}")


def together_lines(found: Sequence[OpenClause]) -> Iterator[Text]:
    """Yield the counts of agreeing subjects where no text decides, and the parts that were not compared there."""
    lines = list(undecided_lines(found))
    yield from map(Text, lines[:OPEN_LINES])
    if len(lines) > OPEN_LINES:
        yield Text(
            f"... and {quantity(len(lines) - OPEN_LINES, 'more line')} on what the documents leave open"
        )
