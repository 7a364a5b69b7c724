"""Operations on their way to an image: a 32-bit length of what follows, then that, in the machine's byte order."""

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
    WATCHED,
    WATCHES,
    Call,
    Enter,
    Op,
    Pair,
    Record,
)
from abiprobe.oracles.text.place import ByteOrder

WORD = 4
LOW = 0x4000_0000
"""Marks a patch that leaves alone what is above the address; the same in driver.c."""
_INDEX, _CALLEE = 8, 32
"""Where the number of an operation stands in its message, and that of the other function of a pair."""


def words(machine: Machine, *numbers: int) -> bytes:
    """Numbers of 32 bits as an image of `machine` reads them."""
    return struct.pack(f"{'<' if machine.order == 'little' else '>'}{len(numbers)}I", *numbers)


def end(machine: Machine) -> bytes:
    """The operation that ends a script; the image then exits with status 0."""
    return words(machine, WORD, 0)


class Message(msgspec.Struct, frozen=True):
    """An operation as an image reads it: its number, the sort of record that answers it, its bytes and their order."""

    index: int
    answer: type[Record]
    data: bytes
    order: ByteOrder

    def numbered(self, index: int, callee: int | None = None) -> Message:
        """The same operation on function `index` of a unit, of a pair with function `callee` of the other one."""
        data = bytearray(self.data)
        data[_INDEX : _INDEX + WORD] = index.to_bytes(WORD, self.order)
        if callee is not None:
            data[_CALLEE : _CALLEE + WORD] = callee.to_bytes(WORD, self.order)
        return Message(index, self.answer, bytes(data), self.order)


def message(op: Op, machine: Machine) -> Message:
    """`op` as an image of `machine` reads it. Raises what `encode_op` raises."""
    return Message(op.index, ANSWERS[type(op)], encode_op(op, machine), machine.order)


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
    return words(machine, len(body)) + body


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
    return (
        special and max(len(op.inputs), op.out_bytes) <= AREA and op.sp_bias <= STACK_BYTES and _can_watch(op)
    )


def _can_watch(op: Op) -> bool:
    return len(op.watches) <= WATCHES and all(
        one.offset <= STACK_BYTES and one.size <= WATCHED for one in op.watches
    )


def _common(op: Op) -> tuple[int, ...]:
    """Return the first words of every operation, after its kind."""
    return op.index, op.sp_bias, op.out_poison, op.stack_poison, op.out_bytes, len(op.inputs)


def _encode_call(op: Call, machine: Machine) -> list[bytes]:
    head = words(
        machine,
        CALL,
        *_common(op),
        op.stack_window,
        len(op.peeks),
        len(op.stores),
        len(op.copies),
        op.pops,
        op.shadow,
        op.recorded,
        machine.registers[machine.sp].offset if op.area is None else op.area,
        len(op.watches),
    )
    parts = [
        head,
        _checked(op.enter, machine),
        _checked(op.returns, machine),
        op.inputs,
        _watches(op, machine),
    ]
    parts += [words(machine, peek.where, peek.length) for peek in op.peeks]
    for store in op.stores:
        parts += [words(machine, store.where, len(store.data)), store.data]
    parts += [words(machine, copy.source, copy.target, copy.size) for copy in op.copies]
    return parts


def _encode_enter(op: Enter, machine: Machine) -> list[bytes]:
    head = words(
        machine,
        ENTER,
        *_common(op),
        op.stack_offset,
        len(op.stack),
        len(op.blob),
        op.blob_bytes,
        len(op.patches),
        len(op.watches),
        0,  # keeps the state block aligned
    )
    parts = [head, _checked(op.enter, machine), op.inputs, op.blob, op.stack]
    parts += [words(machine, patch.where, patch.offset | (LOW if patch.low else 0)) for patch in op.patches]
    return [*parts, _watches(op, machine)]


def _watches(op: Call | Enter, machine: Machine) -> bytes:
    return b"".join(words(machine, one.offset, one.size) for one in op.watches)


def _encode_pair(op: Pair, machine: Machine) -> list[bytes]:
    head = words(
        machine,
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
