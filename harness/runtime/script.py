"""The script that a probe image reads, and the records that it writes.

Both streams are messages: a 32-bit length of what follows, then that. Everything is little-endian. driver.c is the
other end of this wire.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, TypeAlias

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from abiprobe.harness.runtime.machine import Machine

AREA = 65536
"""Bytes in each of `abi_in`, `abi_out` and the blob."""

MESSAGE = 524288
"""Bytes in the longest operation and in the longest record."""

STACK_BYTES = 32768
"""Bytes that an `Enter` may place on the stack."""

STACK_WINDOW = 65536
"""Bytes of stack that a `Call` may have recorded."""

_CALL, _ENTER, _PAIR = 1, 2, 3
_UNREADABLE = 0xFFFF_FFFF
_OP_HEAD = struct.Struct("<12I")
_CALL_HEAD = struct.Struct("<13I")
_CALLED_HEAD = struct.Struct("<8IQ")
_ENTERED_HEAD = struct.Struct("<6I2Q")
_PAIRED_HEAD = struct.Struct("<4I")
_PEEK = struct.Struct("<2I")
_STORE = struct.Struct("<2I")
_COPY = struct.Struct("<3I")
_PATCH = struct.Struct("<2I")
_PEEKED = struct.Struct("<QI")
_WORD = struct.Struct("<I")

END = _WORD.pack(4) + _WORD.pack(0)
"""The operation that ends a script; the image then exits with status 0."""


class Peek(msgspec.Struct, frozen=True):
    """Read `length` bytes at the address found at `where` (see `Machine.where`) when the call is captured."""

    where: int
    length: int


class Store(msgspec.Struct, frozen=True):
    """Write `data` at the address found at `where` when the call is captured: a result in memory.

    Done only where all of it lies on the stack, in `abi_in` or in `abi_out`.
    """

    where: int
    data: bytes


class Copy(msgspec.Struct, frozen=True):
    """Return with `size` bytes, captured at `source`, at offset `target` of the registers.

    For what a call preserves, and for a register that must hand back an address the host cannot know.
    """

    source: int
    target: int
    size: int


class Patch(msgspec.Struct, frozen=True):
    """Put the address of byte `offset` of the blob at `where`, in the registers or on the stack."""

    where: int
    offset: int


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """Run the unit's function `index`, which calls `abi_target`; look at what it passes, and return to it.

    The function is entered with the registers of `enter`, `inputs` in `abi_in`, `out_bytes` of `abi_out` filled
    with `out_poison`, the stack around it with `stack_poison`, and the stack pointer `sp_bias` bytes (a multiple
    of the stack's alignment) under a multiple of 64. `abi_target` returns with all of `returns` in the registers,
    save the stack pointer, the return address, and what `copies` replace, and takes `pops` bytes of arguments off
    the stack. It writes over the `shadow` bytes above its return address, which are its own. `stack_window` bytes are
    recorded from the captured stack pointer up.
    """

    index: int
    enter: bytes
    returns: bytes
    inputs: bytes = b""
    out_bytes: int = 0
    out_poison: int = 0xA5
    stack_poison: int = 0x5A
    sp_bias: int = 0
    stack_window: int = 0
    peeks: tuple[Peek, ...] = ()
    stores: tuple[Store, ...] = ()
    copies: tuple[Copy, ...] = ()
    pops: int = 0
    shadow: int = 0


class Enter(msgspec.Struct, frozen=True, kw_only=True):
    """Call the unit's function `index` as its callee, and look at what it leaves.

    `stack` is placed `stack_offset` bytes above the stack pointer at entry; `blob` fills the start of the blob,
    whose first `blob_bytes` are recorded afterwards. The other members are those of `Call`.
    """

    index: int
    enter: bytes
    inputs: bytes = b""
    out_bytes: int = 0
    out_poison: int = 0xA5
    stack_poison: int = 0x5A
    sp_bias: int = 0
    stack: bytes = b""
    stack_offset: int = 0
    blob: bytes = b""
    blob_bytes: int = 0
    patches: tuple[Patch, ...] = ()


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """Run the unit's function `index`, whose `abi_target` is function `callee` of the other unit of the image.

    The other members are those of `Call`.
    """

    index: int
    callee: int
    enter: bytes
    inputs: bytes = b""
    out_bytes: int = 0
    out_poison: int = 0xA5
    stack_poison: int = 0x5A
    sp_bias: int = 0


class Peeked(msgspec.Struct, frozen=True):
    """The address found for a peek, and the bytes there; `None` where they lie outside the image."""

    address: int
    data: bytes | None


class Called(msgspec.Struct, frozen=True):
    """What a `Call` did.

    `captures` counts the calls of `abi_target`; `captured`, `window`, `peeks` and `stored` (whether each store
    could be done) describe the first, and are empty when there was none. `sp` is the stack pointer before the
    function was called, `left` the state block after it returned, `out` the start of `abi_out`.
    """

    index: int
    sp: int
    captures: int
    captured: bytes
    window: bytes
    peeks: tuple[Peeked, ...]
    stored: tuple[bool, ...]
    left: bytes
    out: bytes


class Entered(msgspec.Struct, frozen=True):
    """What an `Enter` left: `sp` before the call, the state block, `abi_out` and the blob after it.

    `blob_address` is where the blob lies in the image.
    """

    index: int
    sp: int
    blob_address: int
    left: bytes
    out: bytes
    blob: bytes


class Paired(msgspec.Struct, frozen=True):
    """What a `Pair` left: `abi_out`, where the callee put what it was passed and the caller what it got back."""

    index: int
    out: bytes


Op: TypeAlias = Call | Enter | Pair
Record: TypeAlias = Called | Entered | Paired
ANSWERS: dict[type[Op], type[Record]] = {Call: Called, Enter: Entered, Pair: Paired}
"""The record that each operation writes."""


def preserve(kept: Iterable[tuple[str, int]], machine: Machine) -> tuple[Copy, ...]:
    """Copies that make a call preserve registers, each by its name and size in bytes (0: all of it), neighbours joined.

    Raises `KeyError` for an unknown name.
    """
    copies: list[Copy] = []
    for (offset, width), size in sorted((machine.registers[name], size) for name, size in kept):
        last = copies[-1] if copies else None
        if last is not None and last.target + last.size == offset:
            copies[-1] = Copy(last.source, last.target, last.size + (size or width))
        else:
            copies.append(Copy(offset, offset, size or width))
    return tuple(copies)


def encode_op(op: Op, machine: Machine) -> bytes:
    """`op` as a message for an image of `machine`.

    Raises `ValueError` when a state block is not the machine's, or more is asked than the image has room for.
    """
    match op:
        case Call():
            parts = _encode_call(op, machine)
        case Enter():
            parts = _encode_enter(op, machine)
        case Pair():
            parts = _encode_pair(op, machine)
    body = b"".join(parts)
    if len(body) > MESSAGE or not _fits(op):
        raise ValueError(f"operation {op.index} does not fit into the image's buffers")
    return _WORD.pack(len(body)) + body


def _fits(op: Op) -> bool:
    match op:
        case Call():
            special = op.stack_window <= STACK_WINDOW and max(op.pops, op.shadow) <= STACK_BYTES
        case Enter():
            special = (
                max(len(op.blob), op.blob_bytes) <= AREA and op.stack_offset + len(op.stack) <= STACK_BYTES
            )
        case Pair():
            special = True
    return special and max(len(op.inputs), op.out_bytes) <= AREA and op.sp_bias <= STACK_BYTES


def _encode_call(op: Call, machine: Machine) -> list[bytes]:
    head = _CALL_HEAD.pack(
        _CALL,
        op.index,
        op.sp_bias,
        op.out_poison,
        op.stack_poison,
        op.out_bytes,
        len(op.inputs),
        op.stack_window,
        len(op.peeks),
        len(op.stores),
        len(op.copies),
        op.pops,
        op.shadow,
    )
    parts = [head, _checked(op.enter, machine), _checked(op.returns, machine), op.inputs]
    parts += [_PEEK.pack(peek.where, peek.length) for peek in op.peeks]
    for store in op.stores:
        parts += [_STORE.pack(store.where, len(store.data)), store.data]
    parts += [_COPY.pack(copy.source, copy.target, copy.size) for copy in op.copies]
    return parts


def _encode_enter(op: Enter, machine: Machine) -> list[bytes]:
    head = _OP_HEAD.pack(
        _ENTER,
        op.index,
        op.sp_bias,
        op.out_poison,
        op.stack_poison,
        op.out_bytes,
        len(op.inputs),
        op.stack_offset,
        len(op.stack),
        len(op.blob),
        op.blob_bytes,
        len(op.patches),
    )
    parts = [head, _checked(op.enter, machine), op.inputs, op.blob, op.stack]
    parts += [_PATCH.pack(patch.where, patch.offset) for patch in op.patches]
    return parts


def _encode_pair(op: Pair, machine: Machine) -> list[bytes]:
    head = _OP_HEAD.pack(
        _PAIR,
        op.index,
        op.sp_bias,
        op.out_poison,
        op.stack_poison,
        op.out_bytes,
        len(op.inputs),
        op.callee,
        *(0,) * 4,
    )
    return [head, _checked(op.enter, machine), op.inputs]


def _checked(block: bytes, machine: Machine) -> bytes:
    if len(block) != machine.state_bytes:
        raise ValueError(
            f"a state block of {len(block)} bytes for {machine.name}, whose have {machine.state_bytes}"
        )
    return block


def decode_records(data: bytes, machine: Machine) -> list[Record]:
    """The records in `data`; one that was cut off, because the program died writing it, is left out."""
    records: list[Record] = []
    at = 0
    while at + _WORD.size <= len(data):
        (length,) = _WORD.unpack_from(data, at)
        if at + _WORD.size + length > len(data):
            break
        (kind,) = _WORD.unpack_from(data, at + 4)
        cursor = _Cursor(data, at)
        at += _WORD.size + length
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

    def __init__(self, data: bytes, at: int) -> None:
        self._data, self.at = data, at

    def unpack(self, layout: struct.Struct) -> tuple[int, ...]:
        self.at += layout.size
        return layout.unpack_from(self._data, self.at - layout.size)

    def take(self, length: int) -> bytes:
        self.at += length
        return self._data[self.at - length : self.at]


def _called(cursor: _Cursor, machine: Machine) -> Called:
    _, _, index, captures, peeks, stores, out_bytes, _, sp = cursor.unpack(_CALLED_HEAD)
    captured, window = b"", b""
    peeked: tuple[Peeked, ...] = ()
    stored: tuple[bool, ...] = ()
    if captures:
        captured = cursor.take(machine.state_bytes)
        window = cursor.take(*cursor.unpack(_WORD))
        peeked = tuple(_peeked(cursor) for _ in range(peeks))
        stored = tuple(cursor.unpack(_WORD) == (1,) for _ in range(stores))
    left = cursor.take(machine.state_bytes)
    return Called(index, sp, captures, captured, window, peeked, stored, left, cursor.take(out_bytes))


def _peeked(cursor: _Cursor) -> Peeked:
    address, length = cursor.unpack(_PEEKED)
    return Peeked(address, None if length == _UNREADABLE else cursor.take(length))


def _entered(cursor: _Cursor, machine: Machine) -> Entered:
    _, _, index, out_bytes, blob_bytes, _, sp, address = cursor.unpack(_ENTERED_HEAD)
    left, out = cursor.take(machine.state_bytes), cursor.take(out_bytes)
    return Entered(index, sp, address, left, out, cursor.take(blob_bytes))


def _paired(cursor: _Cursor, _machine: Machine) -> Paired:
    _, _, index, out_bytes = cursor.unpack(_PAIRED_HEAD)
    return Paired(index, cursor.take(out_bytes))


_READERS: dict[int, Callable[[_Cursor, Machine], Record]] = {_CALL: _called, _ENTER: _entered, _PAIR: _paired}
