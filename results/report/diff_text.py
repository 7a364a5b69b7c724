"""The differences between two runs for people: as text and as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from abiprobe.oracles.language.question import Question
from abiprobe.results.history.causes import Cause
from abiprobe.results.history.diff import Diff
from abiprobe.results.known.matches import Recurrence
from abiprobe.results.report.json_form import SCHEMA
from abiprobe.results.verdicts.quantity import quantity

Show = Callable[[Question], str]


def lines(found: Diff, show: Show, *, markdown: bool = False) -> Iterator[str]:
    """The lines of the report; `show` writes a question as C."""
    for other in found.replaced:
        yield bullet(
            f"{other.name} for {other.target} is another: {other.before} -> {other.after}", markdown=markdown
        )
    for cause in found.causes:
        yield from cause_lines(cause, cause.news.value, show, markdown=markdown)
    for cause in found.first:
        yield from cause_lines(
            cause, "first seen, on probes that the old run never asked", show, markdown=markdown
        )
    for item in found.known:
        yield bullet(known_line(item), markdown=markdown)
    for line in found.covered.lines:
        yield bullet(line, markdown=markdown)
    for side in found.missing:
        yield bullet(f"coverage lost: {' '.join(side)} is not in the new run", markdown=markdown)
    for side_name, unseen in found.unseen.items():
        yield bullet(f"coverage lost: {side_name} was not asked about {', '.join(unseen)}", markdown=markdown)
    for pace in found.slower:
        words = (
            f"speed lost: {' '.join(pace.side)} took {pace.before} ms of CPU for a probe, now {pace.after}"
        )
        yield bullet(words, markdown=markdown)
    alone = sum(item.only_old + item.only_new for item in found.compared)
    causes = len(found.causes) + len(found.first)
    changes = "no change" if not causes and not found.known else f"{quantity(causes, 'new cause')} of change"
    yield f"{changes} in {quantity(found.probes, 'answer')} that both runs have; {alone} not compared, as one run alone has them"


def known_line(item: Recurrence) -> str:
    """A known deviation that is behind changes."""
    entry = item.entry
    many = quantity(item.probes, "probe")
    return f"known ({entry.status.value}): {entry.name}, {many}, {', '.join(item.subjects)}  {entry.link}"


def bullet(text: str, *, markdown: bool) -> str:
    """One remark."""
    return f"* {text}" if markdown else text


def cause_lines(cause: Cause, news: str, show: Show, *, markdown: bool) -> Iterator[str]:
    """One cause of change with its smallest example."""
    name = f"{cause.id} " if cause.id else ""
    clauses = f" [{', '.join(cause.clauses)}]" if cause.clauses else ""
    many = quantity(cause.probes, "probe")
    if len(cause.parts) > 1:
        many += f" ({', '.join(f'{count} {part.value}' for part, count in cause.parts)})"
    where = f"{', '.join(cause.targets)}: {', '.join(cause.subjects)}"
    if markdown:
        yield f"* **{news}** {name}{cause.what}{clauses}, {many} ({where})"
    else:
        yield f"{news}: {name}{cause.what}{clauses}, {many} ({where})"
    if cause.example is not None:
        code = show(cause.example).splitlines()
        yield from (
            ("", "  ```c", *(f"  {line}" for line in code), "  ```", "")
            if markdown
            else (f"    {line}" for line in code)
        )
    if cause.detail and cause.detail != cause.what:
        yield f"  {cause.probe}: {cause.detail}" if markdown else f"    {cause.probe}: {cause.detail}"


def diff_json(found: Diff, show: Show) -> dict[str, Any]:
    """The whole comparison as plain values."""
    return {
        "schema": SCHEMA,
        "status": found.status,
        "compared": found.probes,
        "causes": [cause_json(item, show) for item in found.causes],
        "known": [known_json(item) for item in found.known],
        "first": [cause_json(item, show) for item in found.first],
        "replaced": msgspec.to_builtins(found.replaced),
        "uncompared": msgspec.to_builtins(found.covered.uncompared),
        "missing": [list(side) for side in found.missing],
        "unseen": {name: list(clauses) for name, clauses in found.unseen.items()},
        "slower": msgspec.to_builtins(found.slower),
        "sides": [
            {
                "target": item.side[0],
                "was": item.was[1],
                "subject": item.side[1],
                "opt": item.side[2],
                "both": item.both,
                "only_old": item.only_old,
                "only_new": item.only_new,
                "changes": [
                    {"probe": one.probe, "news": one.news.value, "detail": one.detail} for one in item.changes
                ],
            }
            for item in found.compared
        ],
    }


def cause_json(item: Cause, show: Show) -> dict[str, Any]:
    """One cause as plain values; the example is C."""
    plain = msgspec.to_builtins(msgspec.structs.replace(item, example=None))
    return {**plain, "example": "" if item.example is None else show(item.example)}


def known_json(item: Recurrence) -> dict[str, Any]:
    """A known deviation that is behind changes, as plain values."""
    entry = item.entry
    return {
        "entry": entry.name,
        "status": entry.status.value,
        "link": entry.link,
        "probes": item.probes,
        "targets": list(item.targets),
        "subjects": item.subjects,
    }
