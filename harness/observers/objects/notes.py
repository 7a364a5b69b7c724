"""Layouts by witnesses, in the words of a report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from abiprobe.oracles.language.question import ProbeKind
from abiprobe.results.journal.journal import Observed
from abiprobe.results.verdicts.witnesses import WitnessObservation


def note_layout(probe: str, shown: Mapping[ProbeKind, WitnessObservation]) -> Observed:
    """Size and alignment in bytes, bit offset and width of each member that was asked for, by each witness."""
    layout, debug_info, values = (
        _layout(shown[kind]) if kind in shown else None
        for kind in (ProbeKind.LAYOUT, ProbeKind.DEBUG_INFO, ProbeKind.VALUES)
    )
    return Observed(probe, layout=layout, debug_info=debug_info, values=values)


def _layout(shown: WitnessObservation) -> dict[str, Any]:
    members = [
        {"path": path, "bit_offset": at, "bit_width": width} for path, (at, width) in shown.places.items()
    ]
    align = {} if shown.align is None else {"align": shown.align}
    return {"size": shown.size, **align, "members": members}
