"""Records on their way back from an image, in the same shape as the messages that asked for them."""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import cache

from abiprobe.harness.machines.runtime.machine import Machine
from abiprobe.harness.machines.runtime.script import (
    CALL,
    ENTER,
    PAIR,
    TRAPPED,
    Called,
    Entered,
    Paired,
    Peeked,
    Record,
    Trapped,
    Written,
)
from abiprobe.oracles.text.place import ByteOrder

_UNREADABLE = 0xFFFF_FFFF
_CALLED_HEAD, _ENTERED_HEAD, _PAIRED_HEAD, _PEEKED, _WORD, _WRITTEN = "8I3Q", "6I4Q", "4I3Q", "QI", "I", "2I"
_WORD_BYTES = 4


@cache
def _layout(form: str, order: ByteOrder) -> struct.Struct:
    return struct.Struct(("<" if order == "little" else ">") + form)


def decode_records(data: bytes, machine: Machine) -> list[Record | Trapped]:
    """The records in `data`; one that was cut off, because the program died writing it, is left out."""
    records: list[Record | Trapped] = []
    word = _layout(_WORD, machine.order)
    at = 0
    while at + _WORD_BYTES <= len(data):
        (length,) = word.unpack_from(data, at)
        if at + _WORD_BYTES + length > len(data):
            break
        (kind,) = word.unpack_from(data, at + _WORD_BYTES)
        cursor = _Cursor(data, at, machine.order)
        at += _WORD_BYTES + length
        try:
            record = _READERS[kind](cursor, machine)
        except (struct.error, KeyError):
            break
        if cursor.at != at:
            break
        records.append(record)
    return records


class _Cursor:
    """Reads a record from its start."""

    def __init__(self, data: bytes, at: int, order: ByteOrder) -> None:
        self._data, self.at, self._order = data, at, order

    def unpack(self, form: str) -> tuple[int, ...]:
        layout = _layout(form, self._order)
        self.at += layout.size
        return layout.unpack_from(self._data, self.at - layout.size)

    def take(self, length: int) -> bytes:
        self.at += length
        return self._data[self.at - length : self.at]


def _called(cursor: _Cursor, machine: Machine) -> Called:
    _, _, index, captures, peeks, stores, out_bytes, _, sp, *code = cursor.unpack(_CALLED_HEAD)
    captured, window = b"", b""
    peeked: tuple[Peeked, ...] = ()
    stored: tuple[bool, ...] = ()
    if captures:
        captured = cursor.take(machine.state_bytes)
        window = cursor.take(*cursor.unpack(_WORD))
        peeked = tuple(_peeked(cursor) for _ in range(peeks))
        stored = tuple(cursor.unpack(_WORD) == (1,) for _ in range(stores))
    left, out = cursor.take(machine.state_bytes), cursor.take(out_bytes)
    written = _written(cursor)
    return Called(index, sp, captures, captured, window, peeked, stored, left, out, _span(code), written)


def _written(cursor: _Cursor) -> tuple[Written, ...]:
    (count,) = cursor.unpack(_WORD)
    return tuple(Written(*cursor.unpack(_WRITTEN)) for _ in range(count))


def _span(code: list[int]) -> tuple[int, int]:
    start, end = code
    return start, end


def _peeked(cursor: _Cursor) -> Peeked:
    address, length = cursor.unpack(_PEEKED)
    return Peeked(address, None if length == _UNREADABLE else cursor.take(length))


def _entered(cursor: _Cursor, machine: Machine) -> Entered:
    _, _, index, out_bytes, blob_bytes, _, sp, *code, address = cursor.unpack(_ENTERED_HEAD)
    left, out = cursor.take(machine.state_bytes), cursor.take(out_bytes)
    blob = cursor.take(blob_bytes)
    return Entered(index, sp, address, left, out, blob, _span(code), _written(cursor))


def _paired(cursor: _Cursor, _machine: Machine) -> Paired:
    _, _, index, out_bytes, sp, *code = cursor.unpack(_PAIRED_HEAD)
    return Paired(index, cursor.take(out_bytes), sp, code=_span(code))


def _trapped(cursor: _Cursor, _machine: Machine) -> Trapped:
    length, _, index = cursor.unpack("3I")
    return Trapped(index, cursor.take(length - 2 * _WORD_BYTES).decode(errors="replace"))


_READERS: dict[int, Callable[[_Cursor, Machine], Record | Trapped]] = {
    CALL: _called,
    ENTER: _entered,
    PAIR: _paired,
    TRAPPED: _trapped,
}
