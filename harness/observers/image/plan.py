"""The plan of a call before any compiler is asked.

Each prototype is asked with two sets of values (`generators.values`), its caller and its callee. Everything that the
text leaves undefined is filled with noise that differs from turn to turn.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from operator import and_

import msgspec

from abiprobe.generators.values import TURNS, fill
from abiprobe.harness.machines.render.arrange import LIVE, WIDENED, Arrangement, arrange, manner_of
from abiprobe.harness.machines.render.reads import RESULT, Form, Read
from abiprobe.harness.machines.render.slots import Slot
from abiprobe.harness.machines.runtime.script import AREA
from abiprobe.oracles.engine.expect import Expected, contents
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Prototype, Type, strip
from abiprobe.oracles.text.place import Assignment, ByteOrder, Passed, Passing, Unspecified
from abiprobe.results.verdicts.observations import Turn, View
from abiprobe.results.verdicts.record import Shown

OPS_PER_PROBE = 2 * len(TURNS)
BLOB_ALIGN = 64
LIVE_INDEX = 5
"""The values kept over a call are numbered from here, so that neighbours differ."""


class TooLargeError(Exception):
    """The values of a call do not fit the runtime's buffers."""


class CallPlan(msgspec.Struct, frozen=True):
    """The plan of one prototype, which no compiler affects: predicted places, buffers, values of each turn.

    Where the text is silent, `silence` says so, no value has a predicted place, and `readings` are the places that families
    give each part. So many objects are `destroyed` by the caller, and `destroyed_in_callee`, by the clause `destroyed_by`; in C none is.
    """

    probe: str
    prototype: Prototype
    assignment: Assignment
    slots: Arrangement
    turns: tuple[Turn, ...]
    silence: Unspecified | None = None
    readings: Mapping[str, tuple[Shown, ...]] = {}
    destroyed: int = 0
    destroyed_by: str = ""
    destroyed_in_callee: int = 0


def plan_call(
    types: TypeTable,
    probe: str,
    prototype: Prototype,
    assignment: Assignment,
    inner: Assignment | None = None,
) -> CallPlan:
    """Prepare a prototype whose places are known; raises `TooLargeError` when it does not fit the image.

    `inner` is how a dialect has the parameters arrive that the callee forwards in the opposite order: what is lost there is not seen.
    """
    slots = arrange(types, prototype, manner_of(probe))
    return plan_arranged(types, probe, prototype, assignment, slots, inner)


def plan_arranged(
    types: TypeTable,
    probe: str,
    prototype: Prototype,
    assignment: Assignment,
    slots: Arrangement,
    inner: Assignment | None = None,
) -> CallPlan:
    """Prepare a prototype whose values have their slots; `inner` as for `plan_call`."""
    blob = sum(round_up(passed.size, BLOB_ALIGN) for passed in (*assignment.params, *_results(assignment)))
    if max(slots.size, blob, assignment.stack_bytes * 2) > AREA // 2:
        raise TooLargeError(f"{max(slots.size, blob, assignment.stack_bytes)} bytes of values")
    turns = tuple(turn_of(types, prototype, assignment, slots, turn, inner) for turn in TURNS)
    return CallPlan(probe, prototype, assignment, slots, turns)


def _results(assignment: Assignment) -> tuple[Passed, ...]:
    return () if assignment.result is None else (assignment.result,)


def masks_of(assignment: Assignment, inner: Assignment | None) -> tuple[bytes, ...]:
    """The significant bits of each argument that a callee sees, those that arrive at an `inner` one, too, if there is one."""
    own = tuple(passed.mask for passed in assignment.params)
    if inner is None:
        return own
    pairs = zip(own, (passed.mask for passed in inner.params[::-1]), strict=True)
    return tuple(bytes(map(and_, *pair)) for pair in pairs)


def turn_of(
    types: TypeTable,
    prototype: Prototype,
    assignment: Assignment,
    slots: Arrangement,
    turn: int,
    inner: Assignment | None = None,
) -> Turn:
    """The values of one turn, and what every predicted place holds with them; `inner` as for `plan_call`."""
    masks = masks_of(assignment, inner)
    arguments = prototype.arguments
    values = tuple(fill(types, argument.type, i + 1, turn) for i, argument in enumerate(arguments))
    places = tuple(
        contents(passed, value) if passed.passing is Passing.DIRECT else ()
        for passed, value in zip(assignment.params, values, strict=True)
    )
    views = tuple(
        _view(types, argument.type, slot, value, mask)
        for argument, slot, value, mask in zip(arguments, slots.params, values, masks, strict=True)
    )
    result, result_view = None, None
    result_places: tuple[Expected, ...] = ()
    if prototype.result is not None and assignment.result is not None and slots.result is not None:
        result = fill(types, prototype.result, 0, turn)
        result_view = _view(types, prototype.result, slots.result, result, assignment.result.mask)
        if assignment.result.passing is Passing.DIRECT:
            result_places = contents(assignment.result, result)
    live = tuple(fill(types, item.type, LIVE_INDEX + i, turn) for i, item in enumerate(LIVE) if slots.live)
    stored = _together(slots, views)
    result_mask = assignment.result.mask if assignment.result is not None else b""
    read = tuple(
        read_view(types, one, result or b"", result_mask)
        if one.value == RESULT
        else read_view(types, one, values[one.value], masks[one.value])
        for one in slots.reads
    )
    return Turn(values, places, views, result, result_places, result_view, live, stored, read)


def _together(slots: Arrangement, views: tuple[View, ...]) -> View:
    """All views of parameters as one, of the bytes that a callee stores them in."""
    bits = care = 0
    for slot, view in zip(slots.params, views, strict=True):
        bits |= view.bits << 8 * slot.offset
        care |= view.care << 8 * slot.offset
    return View(bits, care, slots.size, 0)


def _view(types: TypeTable, c_type: Type, slot: Slot, value: bytes, mask: bytes) -> View:
    """Return the value as C stores it: the value itself, or all of it widened to 8 bytes, of which nothing is known if it is lost."""
    if not slot.narrow:
        return View(int.from_bytes(value, "little"), int.from_bytes(mask, "little"), slot.size, 0)
    if not any(mask):
        return View(0, 0, WIDENED, 0)
    order = types.data.order
    bits = int.from_bytes(value, order) & int.from_bytes(mask, order)
    width = int.from_bytes(mask, order).bit_length()
    own, whole = (1 << width) - 1, (1 << 8 * WIDENED) - 1
    negative = bits >> (width - 1)
    if types.is_signed(strip(c_type)) and negative:
        bits |= whole & ~own
    care = own if types.is_sign_open(strip(c_type)) and negative else whole
    bits, own, care = (
        int.from_bytes(number.to_bytes(WIDENED, order), "little") for number in (bits, own, care)
    )
    return View(bits, care, WIDENED, own)


def read_view(types: TypeTable, read: Read, value: bytes, mask: bytes) -> View:
    """Return a part of a value as C stores it, converted as the plan says; of what does not arrive whole nothing is known."""
    order, size = types.data.order, read.slot.size
    low = read.at if order == "little" else 8 * len(value) - read.at - read.width
    whole, own = (1 << 8 * size) - 1, (1 << read.significant) - 1
    bits = int.from_bytes(value, order) >> low & own
    if int.from_bytes(mask, order) >> low & own != own:
        return View(_in_memory(bits, size, order), 0, size, 0)
    if read.form is Form.REAL:
        (number,) = struct.unpack(FORMATS[order, read.significant], bits.to_bytes(read.width // 8, order))
        bits = int.from_bytes(struct.pack(FORMATS[order, 8 * size], number), order)
        return View(_in_memory(bits, size, order), whole, size, 0)
    if read.form is Form.OWN:
        return View(_in_memory(bits, size, order), _in_memory(own, size, order), size, 0)
    negative = bits >> read.significant - 1
    if read.signed and negative:
        bits |= whole & ~own
    care = own if types.is_sign_open(strip(read.type)) and negative else whole
    return View(
        _in_memory(bits, size, order), _in_memory(care, size, order), size, _in_memory(own, size, order)
    )


FORMATS = {("little", 32): "<f", ("little", 64): "<d", ("big", 32): ">f", ("big", 64): ">d"}


def _in_memory(number: int, size: int, order: ByteOrder) -> int:
    """The bytes of a number of `size` bytes, as a number whose lowest byte is the first one."""
    return int.from_bytes(number.to_bytes(size, order), "little")
