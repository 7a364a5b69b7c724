"""The map of one deviation: what the model says of each place, and what two subjects did there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from abiprobe.generators.pool import PoolKind
from abiprobe.generators.simd import SORT as VECTORS
from abiprobe.harness.batch import Job
from abiprobe.harness.calls.plan import CallPlan
from abiprobe.harness.dispatch import runs_programs
from abiprobe.harness.layouts import LayoutPlan
from abiprobe.harness.prepare import predict
from abiprobe.harness.remembering import answer
from abiprobe.harness.told_maps import told_maps
from abiprobe.harness.vectors.batch import asks_vectors
from abiprobe.oracles.expect import Expected
from abiprobe.oracles.lang import Prototype
from abiprobe.oracles.place import Passing, Register, StackSlot
from abiprobe.oracles.question import Question, probe
from abiprobe.oracles.registry import find_model
from abiprobe.results.blame import Asked
from abiprobe.results.compare import spelled, str_place
from abiprobe.results.journal import Observed
from abiprobe.results.report.maps import Map, MapRow

CALLS = PoolKind.PROTOTYPES.value


def maps(target: str, question: Question, asked: Sequence[Asked]) -> tuple[Map, ...]:
    """What the model and each of `asked` say, for each side on which somebody differs."""
    if isinstance(question, Prototype) and (asks_vectors(target) or not runs_programs(target)):
        return told_maps(target, VECTORS if asks_vectors(target) else CALLS, question, asked)
    plan = predict(find_model(target), probe(question))
    if isinstance(plan, tuple):
        return ()
    seen = [observed(target, question, one) for one in asked]
    subjects = tuple(f"{subject} -{level}" for subject, level in asked)
    if isinstance(plan, LayoutPlan):
        made = [Map("layout", subjects, tuple(layout_rows(plan, seen)))]
    else:
        made = [
            Map("caller: on entry", subjects, tuple(caller_rows(plan, seen))),
            Map("callee: reads", subjects, tuple(callee_rows(plan, seen))),
            Map("result: left in", subjects, tuple(left_rows(plan, seen))),
            Map("result: read as", subjects, tuple(read_rows(plan, seen))),
        ]
    return tuple(one for one in made if any(differs(row) for row in one.rows))


def differs(row: MapRow) -> bool:
    """Whether a subject's words are not the model's."""
    return any(words != row.model for words in row.seen)


def observed(target: str, question: Question, asked: Asked) -> Observed | None:
    """What one subject showed of a question."""
    sort = "prototypes" if isinstance(question, Prototype) else "records"
    (done,) = answer(Job(target, 0, sort, (question,), (asked,), observe=True))
    return done.observed[0] if done.observed else None


def layout_rows(plan: LayoutPlan, seen: Sequence[Observed | None]) -> Iterator[MapRow]:
    """Size, alignment and the place of each member."""
    told = [one.layout if one is not None and one.layout else {} for one in seen]
    for what, value in (("sizeof", plan.predicted.size), ("_Alignof", plan.predicted.align)):
        key = "size" if what == "sizeof" else "align"
        yield MapRow(f"{what}, bytes", (str(value),), tuple((str(one.get(key, "?")),) for one in told))
    for member in plan.predicted.members:
        expected = (str(member.bit_offset), f"+{member.bit_width}")
        yield MapRow(f"{member.path}, bits", expected, tuple(place_of(one, member.path) for one in told))


def place_of(layout: dict[str, Any], path: str) -> tuple[str, str]:
    """Offset and width of a member in bits, as a subject told them."""
    for member in layout.get("members", ()):
        if member["path"] == path:
            return str(member["bit_offset"]), f"+{member['bit_width']}"
    return "?", "?"


def caller_rows(plan: CallPlan, seen: Sequence[Observed | None]) -> Iterator[MapRow]:
    """What each place holds that the caller fills."""
    sides = [one.caller if one is not None else None for one in seen]
    for index, passed in enumerate(plan.assignment.params):
        turn = plan.turns[0]
        if passed.passing is Passing.INDIRECT:
            where = f"{passed.name}: at {', '.join(str_place(piece.place) for piece in passed.pieces)}"
            yield masked(
                where, turn.values[index], passed.mask, [field(side, "memory", passed.name) for side in sides]
            )
        for place in turn.places[index]:
            yield placed(passed.name, place, [standing(side, place) for side in sides])


def callee_rows(plan: CallPlan, seen: Sequence[Observed | None]) -> Iterator[MapRow]:
    """What each parameter reads as."""
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
    """What the callee leaves of its result."""
    result, turn = plan.assignment.result, plan.turns[0]
    sides = [one.callee if one is not None else None for one in seen]
    if result is not None and result.passing is Passing.INDIRECT and turn.result is not None:
        yield masked("memory", turn.result, result.mask, [text(side, "memory") for side in sides])
    for place in turn.result_places:
        yield placed("result", place, [standing(side, place) for side in sides])


def read_rows(plan: CallPlan, seen: Sequence[Observed | None]) -> Iterator[MapRow]:
    """What the caller reads as the result."""
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


def standing(side: dict[str, Any] | None, place: Expected) -> bytes | None:
    """What stands in a register or stack slot of a side; the stack begins at the stack pointer."""
    if side is None:
        return None
    match place.place:
        case Register(name):
            return field(side, "registers", name)
        case StackSlot(offset):
            stack = text(side, "stack")
            return None if stack is None or offset < 0 else stack[offset : offset + place.width]


def placed(what: str, place: Expected, seen: Sequence[bytes | None]) -> MapRow:
    """The row of one place of a value."""
    return bits(f"{what} in {str_place(place.place)}", place.bits, place.care, place.width, seen)


def masked(what: str, value: bytes, mask: bytes, seen: Sequence[bytes | None]) -> MapRow:
    """The row of a value in memory, of which `mask` counts."""
    care = int.from_bytes(mask, "little")
    return bits(what, int.from_bytes(value, "little"), care, len(value), seen)


def bits(what: str, expected: int, care: int, width: int, seen: Sequence[bytes | None]) -> MapRow:
    """A row of bytes, lowest address first; what does not count is `..` everywhere."""
    model = tuple(spelled(expected & care, care, width).split())
    shown = tuple(
        ("nothing",)
        if data is None
        else tuple(spelled(int.from_bytes(data[:width], "little") & care, care, width).split())
        for data in seen
    )
    return MapRow(what, model, shown)
