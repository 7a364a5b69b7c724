"""Operations on their way to an image: a 32-bit length of what follows, then that, all little-endian."""

from __future__ import annotations

import struct

import msgspec

from abiprobe.harness.machines.runtime.machine import Machine
from abiprobe.harness.machines.runtime.script import (
    ANSWERS,
    AREA,
    CALL,
    ENTER,
    MESSAGE,
    NEVER,
    PAIR,
    STACK_BYTES,
    STACK_WINDOW,
    Call,
    Enter,
    Op,
    Pair,
    Record,
)

_OP_HEAD = struct.Struct("<12I")
_CALL_HEAD = struct.Struct("<13I")
_PEEK = struct.Struct("<2I")
_STORE = struct.Struct("<2I")
_COPY = struct.Struct("<3I")
_PATCH = struct.Struct("<2I")
_WORD = struct.Struct("<I")
_INDEX, _CALLEE = 8, 32
"""Where the number of an operation stands in its message, and that of the other function of a pair."""

END = _WORD.pack(4) + _WORD.pack(0)
"""The operation that ends a script; the image then exits with status 0."""


class Message(msgspec.Struct, frozen=True):
    """An operation as an image reads it: its number, the sort of record that answers it, and its bytes."""

    index: int
    answer: type[Record]
    data: bytes

    def numbered(self, index: int, callee: int | None = None) -> Message:
        """The same operation on function `index` of a unit, of a pair with function `callee` of the other one."""
        data = bytearray(self.data)
        _WORD.pack_into(data, _INDEX, index)
        if callee is not None:
            _WORD.pack_into(data, _CALLEE, callee)
        return Message(index, self.answer, bytes(data))


def message(op: Op, machine: Machine) -> Message:
    """`op` as an image of `machine` reads it. Raises what `encode_op` raises."""
    return Message(op.index, ANSWERS[type(op)], encode_op(op, machine))


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
            pops = 0 if op.pops == NEVER else op.pops
            special = op.stack_window <= STACK_WINDOW and max(pops, op.shadow) <= STACK_BYTES
        case Enter():
            special = (
                max(len(op.blob), op.blob_bytes) <= AREA and op.stack_offset + len(op.stack) <= STACK_BYTES
            )
        case Pair():
            special = True
    return special and max(len(op.inputs), op.out_bytes) <= AREA and op.sp_bias <= STACK_BYTES


def _common(op: Op) -> tuple[int, ...]:
    """What the head of every operation begins with, after its kind."""
    return op.index, op.sp_bias, op.out_poison, op.stack_poison, op.out_bytes, len(op.inputs)


def _encode_call(op: Call, machine: Machine) -> list[bytes]:
    head = _CALL_HEAD.pack(
        CALL,
        *_common(op),
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
        ENTER,
        *_common(op),
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
        PAIR,
        *_common(op),
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
