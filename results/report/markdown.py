"""A run as Markdown: the summary of a CI step, and the conformance card of each compiler and ABI."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from abiprobe.results.report.standing import Standing, Story, Told, says
from abiprobe.results.summary import COLUMNS

LIMIT = 900_000
"""Bytes of a summary; GitHub takes a mebibyte for a step."""
SHOWN = 30
"""Causes in full; the others are named."""


def markdown(story: Story) -> str:
    """The state of every target and subject, then the causes, new ones first."""
    text = "\n".join(summary_lines(story)) + "\n"
    data = text.encode()
    return text if len(data) <= LIMIT else data[:LIMIT].decode(errors="ignore") + "\n\n(cut short)\n"


def summary_lines(story: Story) -> Iterator[str]:
    """The lines of the summary."""
    new = [item for item in story.told if not item.known]
    yield f"## abiprobe: {len(new)} new causes, {len(story.told) - len(new)} known"
    yield ""
    yield f"| target | subject | | {' | '.join(COLUMNS)} |"
    yield f"|---|---|---|{'---:|' * len(COLUMNS)}"
    for row in story.rows:
        counts = " | ".join(str(row.counts[name]) for name in COLUMNS)
        yield f"| {row.target} | {cell(row.subject)} | -{row.level} | {counts} |"
    for item in story.told[:SHOWN]:
        yield from cause_lines(item)
    if story.told[SHOWN:]:
        yield ""
        yield f"{len(story.told) - SHOWN} more: " + ", ".join(item.cluster.id for item in story.told[SHOWN:])
    footer = story.run.footer
    if footer is not None:
        yield ""
        words = f"seed {story.run.header.plan.seed}, {footer.verdicts} verdicts in {footer.seconds:.0f} s"
        yield f"{words}, digest `{footer.digest}`, {footer.ended}"


def cause_lines(item: Told) -> Iterator[str]:
    """One cause."""
    yield ""
    yield f"### {item.cluster.id} {item.title}: {item.cluster.symptom.value}, {item.cluster.probes} probes"
    yield ""
    for clause in item.cluster.clauses[:1]:
        yield f"`{clause}` {says(clause)}"
        yield ""
    yield f"{', '.join(item.cluster.targets)}: {item.cluster.first.blame}"
    yield ""
    yield from ("```c", item.example, "```")
    if item.known:
        yield f"Known: {item.known}"


def card(story: Story) -> str:
    """For each compiler and ABI what it was asked about, what it conforms to, and where it departs, with links."""
    return "\n".join(card_lines(story)) + "\n"


def card_lines(story: Story) -> Iterator[str]:
    """The lines of all cards."""
    versions = {(one.target, one.subject): one.version for one in story.run.header.subjects}
    links = {item.cluster.id: item for item in story.told}
    for key, group in groupby(story.standings, key=lambda item: (item.target, item.subject)):
        items = list(group)
        bad = [item for item in items if item.deviates]
        yield f"## {key[1]} and {key[0]}"
        yield ""
        yield f"{versions.get(key, '')}".strip()
        yield ""
        yield f"* clauses covered: {len(items)}"
        yield f"* conforming: {len(items) - len(bad)}"
        yield f"* deviating: {len(bad)}"
        if bad:
            yield ""
            yield "| clause | probes that deviate | of | what is known |"
            yield "|---|---:|---:|---|"
        for item in bad:
            yield card_row(item, links)
        yield ""


def card_row(item: Standing, links: dict[str, Told]) -> str:
    """One clause that a compiler departs from."""
    known = []
    for name in item.clusters:
        told = links[name]
        words = f"{name} {told.title}" + (f": {told.known}" if told.known else "")
        known.append(f"[{cell(words)}]({told.link})" if told.link.startswith("http") else cell(words))
    return f"| `{item.clause}` | {item.deviates} | {item.deviates + item.agrees} | {'; '.join(known) or 'not triaged'} |"


def cell(text: str) -> str:
    """Text for a cell of a table."""
    return text.replace("|", "\\|").replace("\n", " ")
