"""The map of a layout: size, alignment and members, as the model and as subjects have them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from abiprobe.harness.observers.difference_maps import differing
from abiprobe.harness.observers.objects.layouts import LayoutPlan
from abiprobe.results.journal.journal import BatchDone, Observed
from abiprobe.results.report.maps import UNDECIDED, Map, MapRow


def layout_maps(plan: LayoutPlan, subjects: tuple[str, ...], done: Sequence[BatchDone]) -> tuple[Map, ...]:
    """The map of one record, if one of `subjects` differs; `done` are their batches of it, with notes."""
    seen = [batch.observed[0] if batch.observed else None for batch in done]
    return differing((Map("layout", subjects, tuple(layout_rows(plan, seen))),))


def layout_rows(plan: LayoutPlan, seen: Sequence[Observed | None]) -> Iterator[MapRow]:
    """Size, alignment and the place of each member; where the text is silent, nothing is expected of them."""
    layouts = [one.layout if one is not None and one.layout else {} for one in seen]
    open_ = plan.silence is not None
    for what, value in (("sizeof", plan.predicted.size), ("_Alignof", plan.predicted.align)):
        key = "size" if what == "sizeof" else "align"
        yield MapRow(
            f"{what}, bytes",
            (UNDECIDED if open_ else str(value),),
            tuple((str(one.get(key, "?")),) for one in layouts),
        )
    for member in plan.predicted.members:
        expected = (UNDECIDED, UNDECIDED) if open_ else (str(member.bit_offset), f"+{member.bit_width}")
        yield MapRow(f"{member.path}, bits", expected, tuple(place_of(one, member.path) for one in layouts))


def place_of(layout: dict[str, Any], path: str) -> tuple[str, str]:
    """Offset and width of a member in bits, as a subject told them."""
    for member in layout.get("members", ()):
        if member["path"] == path:
            return str(member["bit_offset"]), f"+{member['bit_width']}"
    return "?", "?"
