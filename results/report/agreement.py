"""A whole table in a line, where every compiler agrees with the documents on everything."""

from __future__ import annotations

from abiprobe.results.causes.blame import list_in_words
from abiprobe.results.report.standins import standins_used
from abiprobe.results.report.summary import Summary
from abiprobe.results.verdicts.quantity import quantity
from abiprobe.results.verdicts.record import Judgement

NAMED = 4
"""So many compilers or targets are named, more are counted."""


def agreement_line(found: Summary) -> str | None:
    """Return who agrees with the documents on every probe, at which levels and for which targets.

    `None` unless all compilers were asked everything at the same levels for all targets, every probe agrees and every call between
    two of them arrives, and no compiler stands in for another one.
    """
    rows = found.rows
    asked = {(row.target, row.subject, row.level) for row in rows}
    targets, subjects, levels = (sorted({one[column] for one in asked}) for column in range(3))
    whole = len(asked) == len(targets) * len(subjects) * len(levels)
    agree = all(row.counts["probes"] == row.counts[Judgement.AGREES.value] > 0 for row in rows)
    arrive = not any(item.failed for item in found.pairings)
    if not (asked and whole and agree and arrive) or any(standins_used(found.batches)):
        return None
    who = f"{some(subjects, 'compiler')} at {some([f'-{level}' for level in levels], 'level')} on {some(targets, 'target')}"
    calls = sum(item.probes for item in found.pairings)
    between = f"; {quantity(calls, 'call')} between them arrive{'s' * (calls == 1)}" if calls else ""
    alike = "as the documents say" if len(subjects) == 1 else "the same, and as the documents say"
    return f"{alike}: {who}{between}"


def some(names: list[str], kind: str) -> str:
    """Names in a list, or their number where there are many."""
    if len(names) > NAMED:
        return quantity(len(names), kind)
    return list_in_words(names)
