"""Plans of calls about which the text is silent: asked like others, with no place predicted for any value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

import msgspec

from abiprobe.generators.values import TURNS
from abiprobe.harness.machines.render.arrange import arrange
from abiprobe.harness.machines.runtime.script import AREA
from abiprobe.harness.observers.image.parts import RESULT, Part, bytes_of, parts_of
from abiprobe.harness.observers.image.pieces import in_pieces
from abiprobe.harness.observers.image.plan import BLOB_ALIGN, CallPlan, TooLargeError, turn_of
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.silence import AbsentError
from abiprobe.oracles.engine.supposed import compared_mask, supposed
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.lang import Prototype, Type, spelling
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.place import (
    RESULT_POINTER,
    Assignment,
    Form,
    Passed,
    Passing,
    Piece,
    Register,
    Unspecified,
)
from abiprobe.results.compare import str_place
from abiprobe.results.record import Shown

FITTING = AREA // 4
"""Bytes that the values of an open question may have together: there must be room for one at every address passed."""


def plan_open(
    model: AbiModel,
    probe: str,
    prototype: Prototype,
    silence: Unspecified,
    readings: Mapping[str, AbiModel],
) -> CallPlan:
    """A plan without predicted places; raises `AbsentError` for a type that the ABI lacks, and `TooLargeError`."""
    types = supposed(model.types, Reading.GCC)
    declared = model.declared(prototype)
    values = (prototype.result, *(one.type for one in prototype.arguments))
    size = sum(round_up(types.extent(one).size, BLOB_ALIGN) for one in values if one is not None)
    # Before anything is made that is as large as the values.
    if size > FITTING:
        raise TooLargeError(f"{size} bytes of values")
    params = tuple(placeless(model.types, types, one.name, one.type) for one in prototype.arguments)
    result = None if prototype.result is None else placeless(model.types, types, "", prototype.result)
    assignment = Assignment(params, result, (), 0)
    slots = arrange(types, declared)
    turns = tuple(turn_of(types, declared, assignment, slots, turn) for turn in TURNS)
    plan = CallPlan(probe, declared, assignment, slots, turns, silence)
    return msgspec.structs.replace(
        plan, readings=dict(read(parts_of(plan, types, model.types), prototype, readings))
    )


def placeless(written: TypeTable, types: TypeTable, name: str, c_type: Type) -> Passed:
    """A value of which nobody says how it travels."""
    extent = types.extent(c_type)
    mask = compared_mask(written, c_type).ljust(extent.size, b"\0")[: extent.size]
    return Passed(name, spelling(c_type), Passing.IGNORED, (), "", extent.size, extent.align, mask)


def read(
    parts: Sequence[Part], prototype: Prototype, readings: Mapping[str, AbiModel]
) -> Iterator[tuple[str, tuple[Shown, ...]]]:
    """Where each family that has an answer puts the parts of a call."""
    for name, model in readings.items():
        answer = None
        with suppress(AbsentError):
            answer = model.assign(prototype)
        if isinstance(answer, Assignment):
            yield name, tuple(placed(answer, parts))


def placed(answer: Assignment, parts: Sequence[Part]) -> Iterator[Shown]:
    """Where an answer puts the parts of a call, as far as a place can be named."""
    for part in parts:
        passed = answer.result if part.value == RESULT else answer.params[part.value]
        if passed is None or passed.size < part.end or not part.mask:
            continue
        place = address(answer, passed, part) if passed.passing is Passing.INDIRECT else direct(passed, part)
        if place:
            yield Shown(part.what, (place,))


def direct(passed: Passed, part: Part) -> str:
    """The place of a part that travels itself, whole or in pieces; empty where it is represented otherwise."""
    whole = in_one_piece(passed, part)
    if whole:
        return whole
    each = [(byte.start, in_one_piece(passed, byte)) for byte in bytes_of(part)]
    return in_pieces(each) if all(place for _, place in each) else ""


def in_one_piece(passed: Passed, part: Part) -> str:
    """The place of a part that is in one piece of a value; empty where none has all of it."""
    for piece in passed.pieces:
        if piece.start <= part.start and part.end <= piece.end:
            return within(piece, piece.at + part.start - piece.start)
    return ""


def within(piece: Piece, inside: int) -> str:
    """A byte of a piece as a place."""
    if piece.form is Form.EXTENDED:
        return str_place(piece.place)
    if piece.form is Form.DOUBLE:
        return f"{str_place(piece.place)} as double"
    if piece.lane or piece.bit is not None:
        return ""
    if isinstance(piece.place, Register):
        return f"{piece.place.name}[{inside}]" if inside else piece.place.name
    return f"stack+{piece.place.offset + inside}"


def address(answer: Assignment, passed: Passed, part: Part) -> str:
    """The place of the address of a value in memory."""
    pieces = passed.pieces
    if part.value == RESULT:
        pieces = tuple(piece for one in answer.hidden if one.role == RESULT_POINTER for piece in one.pieces)
    return f"memory at {str_place(pieces[0].place)}" if pieces else ""
