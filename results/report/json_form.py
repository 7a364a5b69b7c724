"""Verdicts as commands print them as JSON: with the words that people read, and beside them the values behind these."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from abiprobe.results.causes.blame import Blame
from abiprobe.results.verdicts.record import Difference, Shown, Verdict
from abiprobe.results.verdicts.wording import note_text, spot_text, value_text, where_text

SCHEMA = 1
"""Of what commands print as JSON."""


def verdict_json(verdict: Verdict) -> dict[str, Any]:
    """One verdict as plain values; what is empty is left out."""
    value: dict[str, Any] = msgspec.to_builtins(verdict)
    if verdict.differences:
        value["differences"] = differences_json(verdict.differences)
    if verdict.shown:
        value["shown"] = [shown_json(one) for one in verdict.shown]
    return value


def differences_json(found: Iterable[Difference]) -> list[dict[str, Any]]:
    """Differences as plain values."""
    return [difference_json(one) for one in found]


def difference_json(item: Difference) -> dict[str, Any]:
    """One difference in words; `typed` has the values of its place, of what was expected and seen, and of its note."""
    typed: dict[str, Any] = msgspec.to_builtins(item)
    words = {
        "place": where_text(item.place),
        "expected": value_text(item.expected),
        "seen": value_text(item.seen),
        **({} if item.note is None else {"note": note_text(item.note)}),
    }
    return {**typed, **words, "typed": {name: typed[name] for name in words}}


def shown_json(item: Shown) -> dict[str, Any]:
    """Return the places that a subject shows in words; `typed` has their values."""
    typed: dict[str, Any] = msgspec.to_builtins(item)
    words = {
        "at": [spot_text(one) for one in item.at],
        **({"taken": [spot_text(one) for one in item.taken]} if item.taken else {}),
    }
    return {**typed, **words, "typed": {name: typed[name] for name in words}}


def blame_json(blame: Blame) -> dict[str, Any]:
    """Return the blame for a deviation as plain values; each group of subjects has its place in words and as a value."""
    value: dict[str, Any] = msgspec.to_builtins(blame)
    if blame.groups:
        value["groups"] = [{**msgspec.to_builtins(group), "place": group.place} for group in blame.groups]
    return value
