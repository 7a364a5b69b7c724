"""Text about the questions that no text decides and on which nobody differs: those compared, and those that were not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from abiprobe.oracles.text.clause import literal_reading, recorded_source
from abiprobe.results.causes.blame import list_in_words
from abiprobe.results.coverage.differing import ALONE, PARTLY, TOGETHER, Comparison, in_words
from abiprobe.results.coverage.open_clauses import OpenClause, Undecided
from abiprobe.results.verdicts.quantity import quantity
from abiprobe.results.verdicts.wording import NOT_FOUND

NAMED = 3
"""Clauses, parts and subjects without a part that are named; the others are counted."""
VERDICTS = (TOGETHER, PARTLY, ALONE)


def undecided_lines(
    found: Sequence[OpenClause], verdicts: Sequence[str] = VERDICTS, *, more: str = ""
) -> Iterator[str]:
    """Yield for each verdict and group of subjects the number of probes by clause, with an example.

    `more` is a word before "probe" if others were told already.
    """
    for verdict in verdicts:
        alike: dict[tuple[str, ...], list[tuple[str, Undecided]]] = {}
        for clause in found:
            for item in clause.by_verdict.get(verdict, ()):
                alike.setdefault(item.subjects, []).append((clause.clause or "no model", item))
        for subjects, items in sorted(alike.items(), key=lambda kv: (-count_of(kv[1]), kv[0])):
            yield undecided_line(verdict, subjects, items, more)
    yield from remarks([clause.clause for clause in found if clause.clause])


def remarks(clauses: Sequence[str]) -> Iterator[str]:
    """Yield what clauses say read literally, and by what their documents are superseded."""
    for clause in clauses:
        if literal := literal_reading(clause):
            yield f"{clause} read literally: {literal}"
    sources = {source.title: source for source in map(recorded_source, clauses)}
    for title, source in sources.items():
        if source.superseded:
            yield f"{title}, {source.edition}, is superseded by {source.superseded}"


def count_of(items: Sequence[tuple[str, Undecided]]) -> int:
    """Return the number of probes."""
    return sum(item.probes for _, item in items)


def undecided_line(
    verdict: str, subjects: tuple[str, ...], items: Sequence[tuple[str, Undecided]], more: str
) -> str:
    """Return the number of probes on which these subjects do not differ, in words."""
    count = count_of(items)
    probes = quantity(count, f"{more} probe".strip())
    example = min((item for _, item in items), key=lambda item: len(str(item.question))).example
    return (
        f"{probes} left open by the documents: {what_is_said(verdict, subjects, example)} ({clauses(items)})"
    )


def clauses(items: Sequence[tuple[str, Undecided]]) -> str:
    """Return the number of probes by clause, the most frequent first."""
    counts: dict[str, int] = {}
    for clause, item in items:
        counts[clause] = counts.get(clause, 0) + item.probes
    ordered = [
        f"{clause} {count}" for clause, count in sorted(counts.items(), key=lambda kv: (-kv[1], kv[0]))
    ]
    return shortened(ordered, "clause")


def shortened(items: Sequence[str], what: str) -> str:
    """The first of these, and how many others there are."""
    left = len(items) - NAMED
    return ", ".join((*items[:NAMED], *((f"{quantity(left, f'more {what}')}",) if left > 0 else ())))


def what_is_said(verdict: str, subjects: tuple[str, ...], example: Comparison) -> str:
    """Describe the result of comparing some subjects."""
    who = list_in_words(subjects)
    if verdict == TOGETHER:
        return f"{who} {TOGETHER}"
    if verdict == PARTLY:
        return f"{who} {PARTLY}; {gaps(example)}"
    if not subjects:
        return f"nothing was found; {gaps(example)}"
    if len(subjects) == 1:
        return f"{who} alone shows anything, so nothing was compared; for example {example.probe}: {places(example)}"
    return f"nothing that {who} show was compared; {gaps(example)}"


def gaps(example: Comparison) -> str:
    """Name the subjects that do not show parts of a question."""
    found = example.gaps
    return f"{ALONE}, for example, {shortened([str(gap) for gap in found], 'subject')} (of {example.probe})"


def places(example: Comparison) -> str:
    """List the places of a question's parts, as the subjects that show them have them."""
    shown = [f"{part.what} {part.groups[0].place}" for part in example.parts if part.groups]
    return shortened(shown, "part")


def all_places(example: Comparison) -> str:
    """Name the subjects that show a question, and list the places of all parts."""
    shown = [f"{part.what} {part.groups[0].place if part.groups else NOT_FOUND}" for part in example.parts]
    return f"{in_words(example.showing)}: {', '.join(shown)}"
