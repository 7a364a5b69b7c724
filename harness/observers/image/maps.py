"""The maps of a call: what the model says of each place, and what subjects did there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from abiprobe.harness.observers.difference_maps import NOTHING, differing
from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.oracles.engine.expect import Expected
from abiprobe.oracles.text.place import Hidden, Passing, Register, StackSlot
from abiprobe.results.journal.journal import BatchDone, Observed
from abiprobe.results.report.maps import Map, MapRow
from abiprobe.results.verdicts.addresses import spelled
from abiprobe.results.verdicts.wording import place_text


def call_maps(plan: CallPlan, subjects: tuple[str, ...], done: Sequence[BatchDone]) -> tuple[Map, ...]:
    """A map for each side of a call on which one of `subjects` differs; `done` are their batches of it, with notes."""
    seen = [batch.observed[0] if batch.observed else None for batch in done]
    made = (
        Map("caller: on entry", subjects, tuple(caller_rows(plan, seen))),
        Map("callee: reads", subjects, tuple(callee_rows(plan, seen))),
        Map("result: left in", subjects, tuple(left_rows(plan, seen))),
        Map("result: read as", subjects, tuple(read_rows(plan, seen))),
    )
    return differing(made)


def caller_rows(plan: CallPlan, seen: Sequence[Observed | None]) -> Iterator[MapRow]:
    """Yield the content of each place that the caller fills."""
    sides = [one.caller if one is not None else None for one in seen]
    for index, passed in enumerate(plan.assignment.params):
        turn = plan.turns[0]
        if passed.passing is Passing.INDIRECT:
            where = f"{passed.name}: at {', '.join(place_text(piece.place) for piece in passed.pieces)}"
            yield masked(
                where, turn.values[index], passed.mask, [field(side, "memory", passed.name) for side in sides]
            )
        for place in turn.places[index]:
            yield placed(passed.name, place, [bytes_at(side, place) for side in sides])
    for hidden in plan.assignment.hidden:
        if hidden.bounds is not None:
            yield bounded(hidden, hidden.bounds, sides)


def callee_rows(plan: CallPlan, seen: Sequence[Observed | None]) -> Iterator[MapRow]:
    """Yield the value that each parameter reads as."""
    sides = [one.callee if one is not None else None for one in seen]
    for passed, view in zip(plan.assignment.params, plan.turns[0].views, strict=True):
        yield bits(
            passed.name,
            view.bits,
            view.care,
            view.size,
            [field(side, "params", passed.name) for side in sides],
        )


def left_rows(plan: CallPlan, seen: Sequence[Observed | None]) -> Iterator[MapRow]:
    """Yield the parts of its result that the callee leaves."""
    result, turn = plan.assignment.result, plan.turns[0]
    sides = [one.callee if one is not None else None for one in seen]
    if result is not None and result.passing is Passing.INDIRECT and turn.result is not None:
        yield masked("memory", turn.result, result.mask, [text(side, "memory") for side in sides])
    for place in turn.result_places:
        yield placed("result", place, [bytes_at(side, place) for side in sides])


def read_rows(plan: CallPlan, seen: Sequence[Observed | None]) -> Iterator[MapRow]:
    """Yield the values that the caller reads as the result."""
    view = plan.turns[0].result_view
    sides = [one.caller if one is not None else None for one in seen]
    if view is not None:
        yield bits("result", view.bits, view.care, view.size, [text(side, "result") for side in sides])


def text(side: dict[str, Any] | None, key: str) -> bytes | None:
    """Bytes that a side showed under a key."""
    return bytes.fromhex(side[key]) if side is not None and key in side else None


def field(side: dict[str, Any] | None, key: str, name: str) -> bytes | None:
    """Bytes that a side showed of one value."""
    return text(side.get(key, {}), name) if side is not None else None


def bytes_at(side: dict[str, Any] | None, place: Expected) -> bytes | None:
    """Return the bytes in a register or stack slot of a side; the stack begins at the stack pointer."""
    if side is None:
        return None
    match place.place:
        case Register(name):
            return field(side, "registers", name)
        case StackSlot(offset):
            stack = text(side, "stack")
            return None if stack is None or offset < 0 else stack[offset : offset + place.width]


def bounded(hidden: Hidden, bounds: tuple[int, int], sides: Sequence[dict[str, Any] | None]) -> MapRow:
    """The row of a hidden argument of one byte of which the text gives the least and the largest value."""
    place = hidden.pieces[0].place
    assert isinstance(place, Register)
    least, largest = bounds
    within = f"{least} to {largest}"
    seen = (field(side, "registers", place.name) for side in sides)
    words = (
        NOTHING if data is None else (within if least <= data[0] <= largest else str(data[0]),)
        for data in seen
    )
    return MapRow(f"{hidden.role} in {place.name}", (within,), tuple(words))


def placed(what: str, place: Expected, seen: Sequence[bytes | None]) -> MapRow:
    """The row of one place of a value."""
    return bits(f"{what} in {place_text(place.place)}", place.bits, place.care, place.width, seen)


def masked(what: str, value: bytes, mask: bytes, seen: Sequence[bytes | None]) -> MapRow:
    """The row of a value in memory, of which `mask` counts."""
    care = int.from_bytes(mask, "little")
    return bits(what, int.from_bytes(value, "little"), care, len(value), seen)


def bits(what: str, expected: int, care: int, width: int, seen: Sequence[bytes | None]) -> MapRow:
    """A row of bytes, lowest address first; what does not count is `..` everywhere."""
    model = tuple(spelled(expected & care, care, width).split())
    shown = tuple(
        NOTHING
        if data is None
        else tuple(spelled(int.from_bytes(data[:width], "little") & care, care, width).split())
        for data in seen
    )
    return MapRow(what, model, shown)
