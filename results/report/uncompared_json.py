"""Of which compilers and targets nothing was compared, as plain values."""

from __future__ import annotations

from typing import Any

from abiprobe.results.coverage.uncompared import Coverage, Uncompared


def uncompared_json(found: Coverage, target: str = "") -> list[dict[str, Any]]:
    """Return all of them; with a `target`, those that concern it."""
    return [
        as_json(item) for item in found.uncompared if not target or not item.targets or target in item.targets
    ]


def as_json(item: Uncompared) -> dict[str, Any]:
    """Return one of them as plain values; an empty name or list, and no probes, is about all there are."""
    return {
        "subject": item.subject,
        "targets": list(item.targets),
        "opt": list(item.levels),
        "part": item.part,
        "probes": item.probes,
        "why": item.why,
        "named": item.named,
    }
