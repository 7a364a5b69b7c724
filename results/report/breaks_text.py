"""ABI breaks between two compilers, for people and as plain values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from rich.console import Console

from abiprobe.oracles.language.question import Question
from abiprobe.results.history.breaks import Break, Breaks, Broken
from abiprobe.results.report.json_form import SCHEMA

SHOWN = 8
"""Probes of one side that are shown, smallest questions first."""


def print_breaks(console: Console, found: Breaks, show: Callable[[Question], str]) -> None:
    """Print where two compilers differ; `show` writes a question as C."""
    for side in found.sides:
        probes = ordered(side, found)
        target, subject, level = side.side
        head = f"{target} -{level}: {side.was[1]} -> {subject}: {side.both} probes compared, {len(probes)} ABI breaks"
        if side.uncomparable:
            head += f", {side.uncomparable} not comparable (called differently)"
        console.print(head, soft_wrap=True, markup=False, highlight=False)
        for identity, items in list(probes.items())[:SHOWN]:
            text = show(found.questions[identity]).replace("\n", "\n    ")
            console.print(f"    {text}", soft_wrap=True, markup=False, highlight=False)
            for item in items:
                where = f"{item.side}: {item.what}" if item.what else item.side
                words = f"    {identity}: {where}: {item.before} -> {item.after}"
                console.print(words, soft_wrap=True, markup=False, highlight=False)
        if len(probes) > SHOWN:
            console.print(f"    and {len(probes) - SHOWN} more", highlight=False)


def ordered(side: Broken, found: Breaks) -> dict[str, list[Break]]:
    """The breaks of a side by probe, the smallest question first."""
    by_probe: dict[str, list[Break]] = {}
    for item in side.breaks:
        by_probe.setdefault(item.probe, []).append(item)
    return dict(sorted(by_probe.items(), key=lambda each: (len(str(found.questions[each[0]])), each[0])))


def breaks_json(found: Breaks, show: Callable[[Question], str]) -> dict[str, Any]:
    """All breaks as plain values."""
    return {
        "schema": SCHEMA,
        "status": found.status,
        "sides": [
            {
                "target": item.side[0],
                "was": item.was[1],
                "subject": item.side[1],
                "opt": item.side[2],
                "both": item.both,
                "uncomparable": item.uncomparable,
                "breaks": [msgspec.to_builtins(one) for one in item.breaks],
            }
            for item in found.sides
        ],
        "examples": {identity: show(question) for identity, question in found.questions.items()},
    }
