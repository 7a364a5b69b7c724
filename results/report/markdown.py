"""A run as Markdown: the summary of a CI step, and the conformance card of each compiler and ABI."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from abiprobe.results.coverage.counts import COLUMNS
from abiprobe.results.coverage.pair_matrix import MARKED, PairMatrix
from abiprobe.results.journal.printable import fenced, in_code, in_markdown
from abiprobe.results.known.exposure import met_by
from abiprobe.results.known.looks import declared_so
from abiprobe.results.known.matches import Recurrence
from abiprobe.results.report.complete_text import whole
from abiprobe.results.report.run_report import ClauseResult, ReportedCause, RunReport, clause_text
from abiprobe.results.verdicts.quantity import quantity

LIMIT = 900_000
"""Bytes of a summary; GitHub takes a mebibyte for a step."""
SHOWN = 30
"""Causes in full; the others are named."""


def markdown(story: RunReport) -> str:
    """The state of every target and subject, the new causes, and the known ones in a line each."""
    text = "\n".join(summary_lines(story)) + "\n"
    data = text.encode()
    return text if len(data) <= LIMIT else data[:LIMIT].decode(errors="ignore") + "\n\n(cut short)\n"


def summary_lines(story: RunReport) -> Iterator[str]:
    """The lines of the summary."""
    new = [item for item in story.causes if not item.known]
    yield f"## abiprobe: {len(new)} new causes, {len(story.known)} known deviations"
    yield ""
    yield f"| target | subject | | {' | '.join(COLUMNS)} |"
    yield f"|---|---|---|{'---:|' * len(COLUMNS)}"
    for row in story.rows:
        counts = " | ".join(str(row.counts[name]) for name in COLUMNS)
        yield f"| {in_markdown(row.target)} | {in_markdown(row.subject)} | -{in_markdown(row.level)} | {counts} |"
    for line in (*story.covered.lines, *whole(story.run)):
        yield ""
        yield in_markdown(line)
    for matrix in story.pairs:
        yield from pair_lines(matrix)
    for item in new[:SHOWN]:
        yield from cause_lines(item)
    if new[SHOWN:]:
        yield ""
        yield f"{len(new) - SHOWN} more: " + ", ".join(item.cluster.id for item in new[SHOWN:])
    if story.known:
        yield ""
        yield "Known deviations that were met:"
        yield ""
        yield from map(known_line, story.known)
    footer = story.run.footer
    if footer is not None:
        yield ""
        words = f"seed {story.run.header.plan.seed}, {footer.verdicts} verdicts in {footer.seconds:.0f} s"
        yield f"{words}, digest `{in_markdown(footer.digest)}`, {in_markdown(footer.ended)}"


def pair_lines(matrix: PairMatrix) -> Iterator[str]:
    """Yield the calls between the compilers of a target: a row for each caller, a column for each callee."""
    yield ""
    yield f"### Calls between compilers on {in_markdown(matrix.target)}"
    yield ""
    yield f"Calls that failed of those compared; {MARKED}."
    yield ""
    names = [in_markdown(matrix.display_name(name)) for name in matrix.subjects]
    yield f"| caller, callee | {' | '.join(names)} |"
    yield f"|---|{'---:|' * len(names)}"
    for caller, name in zip(matrix.subjects, names, strict=True):
        cells = (matrix.at(caller, callee) for callee in matrix.subjects)
        yield f"| {name} | {' | '.join(cell.text if cell else '' for cell in cells)} |"


def cause_lines(item: ReportedCause) -> Iterator[str]:
    """One cause."""
    yield ""
    yield f"### {item.cluster.id} {in_markdown(item.title)}: {item.cluster.symptom.value}, {quantity(item.cluster.probes, 'probe')}"
    yield ""
    for clause in item.cluster.clauses[:1]:
        yield f"{in_code(clause)} {clause_text(clause)}"
        yield ""
    blame = item.cluster.first.blame.describe(item.cluster.symptom)
    yield in_markdown(f"{', '.join(item.cluster.targets)}: {blame}")
    if not item.entries:
        yield ""
        yield in_markdown(declared_so(item.cluster.first.example, item.cluster.traits))
    yield ""
    yield fenced(item.example)


def known_line(item: Recurrence) -> str:
    """One known deviation."""
    entry = item.entry
    subjects = in_markdown(", ".join(item.subjects))
    probes = quantity(item.probes, "probe")
    about = ", ".join(filter(None, (probes, subjects, met_by(entry.name))))
    return f"* {linked(entry.name, entry.link)} ({entry.status.value}): {about}"


def linked(words: str, link: str) -> str:
    """Words with a link, if it is one of the web that ends where it should."""
    shown = in_markdown(words)
    return f"[{shown}]({link})" if re.fullmatch(r"https?://[^\s()<>\"\\]+", link) else shown


def card(story: RunReport) -> str:
    """Return for each compiler and ABI the number of tests, and the clauses that it conforms to and departs from, with links."""
    return "\n".join(card_lines(story)) + "\n"


def card_lines(story: RunReport) -> Iterator[str]:
    """The lines of all cards."""
    versions = {(one.target, one.subject): one.version for one in story.run.header.subjects}
    links = {item.cluster.id: item for item in story.causes}
    for key, group in groupby(story.clause_results, key=lambda item: (item.target, item.subject)):
        items = list(group)
        bad = [item for item in items if item.deviates]
        yield f"## {in_markdown(key[1])} and {in_markdown(key[0])}"
        yield ""
        yield in_markdown(versions.get(key, "")).strip()
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


def card_row(item: ClauseResult, links: dict[str, ReportedCause]) -> str:
    """One clause that a compiler departs from."""
    known = []
    for name in item.clusters:
        cause = links[name]
        words = f"{name} {cause.title}" + (f": {cause.known}" if cause.known else "")
        known.append(linked(words, cause.link))
    words = "; ".join(known) or in_markdown(item.known) or "new"
    return f"| {in_code(item.clause)} | {item.deviates} | {item.deviates + item.agrees} | {words} |"
