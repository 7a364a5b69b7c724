"""The byte map of a call: what each register and each word of the stack holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import NamedTuple

import msgspec

from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Prototype, Type
from abiprobe.oracles.text.place import (
    Assignment,
    Extension,
    Files,
    Hidden,
    Passed,
    Passing,
    Piece,
    RegisterFile,
    StackSlot,
)
from abiprobe.results.report.call_steps import members, place, span
from abiprobe.results.report.pieces import Above, above, carriers

GENERAL = frozenset({RegisterFile.GENERAL, RegisterFile.SAVED})
"""Registers that are listed before others; those of one kind stay as the call takes them."""
LONGEST = 16
"""A value that takes more words of the stack than this has one row."""


class MapRow(NamedTuple):
    """One register or word of the stack: the bytes it holds, of which members, and what stands above them."""

    place: str
    holds: str
    members: str
    above: str


def entry_map(
    types: TypeTable, function: Prototype, assignment: Assignment, files: Files
) -> tuple[MapRow, ...]:
    """The arguments at callee entry: general purpose registers, the others, the stack by offset.

    `files` are those of the registers, as far as they are known.
    """
    general: list[MapRow] = []
    others: list[MapRow] = []
    stack: list[tuple[int, Piece, Passed | Hidden, Type | None]] = []
    for carrier, c_type in carriers(assignment, function):
        if carrier is assignment.result:
            continue
        for piece in carrier.pieces:
            if isinstance(piece.place, StackSlot):
                stack.append((piece.place.offset, piece, carrier, c_type))
            else:
                rows = general if files.get(piece.place.name, RegisterFile.GENERAL) in GENERAL else others
                rows.append(row(types, piece, carrier, c_type))
    return (*general, *others, *stack_rows(types, sorted(stack, key=itemgetter(0))))


def stack_rows(
    types: TypeTable, pieces: Iterable[tuple[int, Piece, Passed | Hidden, Type | None]]
) -> Iterator[MapRow]:
    """The words of the stack in order, with the padding between arguments."""
    word = types.data.pointer.size
    end: int | None = None
    for offset, piece, carrier, c_type in pieces:
        yield from padding(end, offset)
        end = offset + -(-max(piece.width, piece.end - piece.start) // word) * word
        for part in by_word(piece, word):
            yield row(types, part, carrier, c_type)


def padding(end: int | None, start: int) -> Iterator[MapRow]:
    """The stack bytes `[end, start)` between two arguments, if there are any."""
    if end is not None and start > end:
        yield MapRow(place(StackSlot(end)), f"{start - end} bytes of padding", "", "")


def return_map(types: TypeTable, function: Prototype, assignment: Assignment) -> tuple[MapRow, ...]:
    """The result at the return of the callee."""
    result = assignment.result
    if result is None:
        return ()
    return tuple(row(types, piece, result, function.result) for piece in result.pieces)


def by_word(piece: Piece, word: int) -> Iterator[Piece]:
    """The piece, on the stack word by word; `word` in bytes."""
    size = piece.end - piece.start
    if not isinstance(piece.place, StackSlot) or not word < size <= LONGEST * word:
        yield piece
        return
    for at in range(0, size, word):
        last = at + word >= size
        yield msgspec.structs.replace(
            piece,
            start=piece.start + at,
            end=piece.start + min(at + word, size),
            place=StackSlot(piece.place.offset + at),
            extension=piece.extension if last else None,
            width=max(piece.width - at, 0) if last else word,
        )


def row(types: TypeTable, piece: Piece, passed: Passed | Hidden, c_type: Type | None) -> MapRow:
    """Return the row of one place."""
    at, bits = place(piece.place), bits_above(above(piece, passed, c_type))
    if isinstance(passed, Hidden) or c_type is None:
        role = passed.role if isinstance(passed, Hidden) else passed.name
        return MapRow(at, f"{role} {span(piece.start, piece.end)}", "", bits)
    name = passed.name or "result"
    if passed.passing is Passing.INDIRECT:
        return MapRow(at, f"&{name} {span(piece.start, piece.end)}", "", bits)
    long = piece.end - piece.start > LONGEST * types.data.pointer.size
    named = "" if long else members(types, piece, c_type)
    return MapRow(
        f"{at} of {piece.group}" if piece.group else at, f"{name} {bytes_or_bits(piece)}", named, bits
    )


def bits_above(extended: Above | None) -> str:
    """Return the contents above the value in its place, in words."""
    if extended is None:
        return ""
    return f"{span(extended.first, extended.end)} {extension_word(extended.extension)}"


def bytes_or_bits(piece: Piece) -> str:
    """The bytes of the value that a place holds, or its bits if they are a bit-field on its own."""
    if piece.bit is None or piece.bits is None:
        return span(piece.start, piece.end)
    return f"bits {span(piece.bit, piece.bit + piece.bits)}"


def extension_word(extension: Extension) -> str:
    """The extension in the word that the map uses."""
    return "undefined" if extension is Extension.ANY else extension.value
