"""What was measured of tours and flags, as rows of the tables under docs/data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from abiprobe.generators.tours import ModeTour
from abiprobe.harness.base.table_file import Row
from laboratory.flags import Kill
from laboratory.reasons import reason

LONGEST = 80
"""So many characters of a compiler's message are kept."""


def tour_rows(found: Sequence[tuple[str, tuple[ModeTour, ...]]]) -> Iterator[Row]:
    """The automata and tours of each target, a row for each sort of call."""
    for target, parts in found:
        for part in parts:
            yield {
                "target": target,
                "call": part.mode,
                "states": str(part.states or ""),
                "transitions": str(part.transitions or ""),
                "classes": str(part.classes or ""),
                "signatures": str(len(part.signatures) or ""),
            }


def flag_rows(kills: Sequence[Kill]) -> Iterator[Row]:
    """Compilers with a flag of which the model was not told."""
    for one in kills:
        refused = one.fate == "refused"
        known = reason("flags", f"{one.flag.target} {one.flag.family} {one.flag.text}")
        yield {
            "target": one.flag.target,
            "subject": one.subject,
            "flag": f"`{one.flag.text}`",
            "fate": one.fate,
            "seconds": "" if refused else f"{one.seconds:.1f}",
            "probes": "" if refused else str(one.probes),
            "clause blamed": one.clause or known or " ".join(one.detail.split())[:LONGEST],
        }
