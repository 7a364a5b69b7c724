"""Plans of calls about which the text is silent: asked like others, with no place predicted for any value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import assert_never

import msgspec
from msgspec.structs import replace

from abiprobe.generators.values import TURNS
from abiprobe.harness.machines.render.arrange import arrange
from abiprobe.harness.machines.runtime.script import AREA
from abiprobe.harness.observers.image.open_sides import has_sides
from abiprobe.harness.observers.image.operations import buffer_pointer
from abiprobe.harness.observers.image.parts import RESULT, ValuePart, bytes_of, parts_of
from abiprobe.harness.observers.image.pieces import Traced, in_pieces
from abiprobe.harness.observers.image.plan import BLOB_ALIGN, CallPlan, TooLargeError, turn_of
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.silence import AbsentError
from abiprobe.oracles.engine.supposed import compared_mask, supposed
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Prototype, Type, spelling
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.text.place import (
    RESULT_POINTER,
    Assignment,
    Files,
    Form,
    Located,
    Passed,
    Passing,
    Piece,
    StackSlot,
    Unspecified,
)
from abiprobe.results.verdicts.locations import AtAddress
from abiprobe.results.verdicts.record import Shown

FITTING = AREA // 4
"""Bytes that the values of an open question may have together: there must be room for one at every address passed."""


def plan_open(
    model: AbiModel,
    probe: str,
    prototype: Prototype,
    silence: Unspecified,
    readings: Mapping[str, AbiModel],
    files: Files,
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
    parts = parts_of(plan, types, model.types)
    if has_sides(readings):
        parts = (*parts, *(byte for part in parts for byte in bytes_of(part)))
    return msgspec.structs.replace(plan, readings=dict(read(parts, prototype, readings, files)))


def placeless(written: TypeTable, types: TypeTable, name: str, c_type: Type) -> Passed:
    """Return the passing of a value for which no text says how it travels."""
    extent = types.extent(c_type)
    mask = compared_mask(written, c_type).ljust(extent.size, b"\0")[: extent.size]
    return Passed(name, spelling(c_type), Passing.IGNORED, (), "", extent.size, extent.align, mask)


def read(
    parts: Sequence[ValuePart], prototype: Prototype, readings: Mapping[str, AbiModel], files: Files
) -> Iterator[tuple[str, tuple[Shown, ...]]]:
    """Yield the places of a call's parts by each family that has an answer."""
    for name, model in readings.items():
        answer = None
        with suppress(AbsentError):
            answer = model.assign(prototype)
        if isinstance(answer, Assignment):
            yield name, tuple(placed(answer, parts, files))


def placed(answer: Assignment, parts: Sequence[ValuePart], files: Files) -> Iterator[Shown]:
    """Yield the places of a call's parts by an answer, as far as a place can be named."""
    for part in parts:
        passed = answer.result if part.value == RESULT else answer.params[part.value]
        if passed is None or passed.size < part.end or not part.mask or is_lost(passed, part):
            continue
        indirect = passed.passing is Passing.INDIRECT
        places = address(answer, passed, part, files) if indirect else direct(passed, part, files)
        if places:
            yield Shown(part.what, in_buffer(answer, places, part, files))


def in_buffer(
    answer: Assignment, places: tuple[Traced, ...], part: ValuePart, files: Files
) -> tuple[Traced, ...]:
    """The places of a part, those on the stack behind the address of the buffer in which an answer has them."""
    pointer = next(iter(buffer_pointer(answer)), None)
    if pointer is None:
        return places
    leads = Located.of(pointer.place, files)
    return tuple(
        AtAddress(leads, one.place.offset if one.place.offset > part.start else 0)
        if isinstance(one, Located) and isinstance(one.place, StackSlot)
        else one
        for one in places
    )


def is_lost(passed: Passed, part: ValuePart) -> bool:
    """Return whether nothing of a part travels, by an answer."""
    return bool(passed.mask) and not any(passed.mask[part.start : part.end])


def direct(passed: Passed, part: ValuePart, files: Files) -> tuple[Traced, ...]:
    """The places of a part that travels itself, whole or in pieces; none where it is represented otherwise."""
    whole = in_one_piece(passed, part, files)
    if whole:
        return whole
    each = [(byte.start, in_one_piece(passed, byte, files)) for byte in bytes_of(part)]
    known = [(start, places[0]) for start, places in each if places]
    return (in_pieces(known),) if known and len(known) == len(each) else ()


def in_one_piece(passed: Passed, part: ValuePart, files: Files) -> tuple[Located, ...]:
    """The places of a part that is in one piece of a value, or in each of several; none where no piece has all of it."""
    whole = (one for one in passed.pieces if one.start <= part.start and part.end <= one.end)
    found = (within(piece, piece.at + part.start - piece.start, files) for piece in whole)
    return tuple(place for place in found if place is not None)


def within(piece: Piece, inside: int, files: Files) -> Located | None:
    """A byte of a piece as a place."""
    match piece.form:
        case Form.EXTENDED:
            return Located.of(piece.place, files)
        case Form.DOUBLE:
            return replace(Located.of(piece.place, files), as_double=True)
        case None:
            alone = piece.lane or piece.bit is not None
            return None if alone else Located.of(piece.place, files, inside)
        case _:
            assert_never(piece.form)


def address(answer: Assignment, passed: Passed, part: ValuePart, files: Files) -> tuple[AtAddress, ...]:
    """The place of the address of a value in memory, or of that of the share of it that a part is in, where it has several."""
    pieces = passed.pieces
    if part.value == RESULT:
        pieces = tuple(piece for one in answer.hidden if one.role == RESULT_POINTER for piece in one.pieces)
    if not pieces:
        return ()
    number, offset = divmod(part.start, -(-passed.size // len(pieces)))
    pointer = Located.of(pieces[number].place, files)
    return (AtAddress(pointer, offset, alone=not offset) if number else AtAddress(pointer),)
