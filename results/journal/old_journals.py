"""Verdicts of journals of schema 1, in which places, values and notes were English, in today's form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import msgspec

from abiprobe.oracles.text.place import Files
from abiprobe.results.journal.old_words import note, spot, value, where

OLD = 1
RegistersOf: TypeAlias = Callable[[str], Files]
"""The files of a target's registers."""


def unknown(_target: str) -> Files:
    """Return no files of registers: places in registers remain words."""
    return {}


def converted(batch: dict[str, Any], registers: RegistersOf) -> dict[str, Any]:
    """A batch of a journal of schema 1, as plain values, in today's form; one that has that form already stays as it is."""
    files = registers(batch["key"]["target"])
    return {**batch, "verdicts": [verdict(one, files) for one in batch["verdicts"]]}


def verdict(old: dict[str, Any], files: Files) -> dict[str, Any]:
    """One verdict."""
    found = dict(old)
    if "differences" in old:
        found["differences"] = [difference(one, files) for one in old["differences"]]
    if "shown" in old:
        found["shown"] = [shown(one, files) for one in old["shown"]]
    return found


def difference(old: dict[str, Any], files: Files) -> dict[str, Any]:
    """One difference."""
    if not isinstance(old["place"], str):
        return old
    made = {
        "place": where(old["place"], files),
        "expected": value(old["what"], old["expected"]),
        "seen": value(old["what"], old["seen"]),
        **({"note": note(old["note"], files)} if old.get("note") else {}),
    }
    return {**old, **{name: msgspec.to_builtins(one) for name, one in made.items()}}


def shown(old: dict[str, Any], files: Files) -> dict[str, Any]:
    """Convert the places that a subject shows, on a machine whose registers have these files."""

    def typed(one: Any) -> Any:
        return msgspec.to_builtins(spot(old["what"], one, files)) if isinstance(one, str) else one

    return {**old, **{name: [typed(one) for one in old[name]] for name in ("at", "taken") if name in old}}
