"""Loads and stores: shared memory, where a probe's values are, and local memory, where the stack is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from abiprobe.harness.observers.device.sass.arithmetic import fill
from abiprobe.harness.observers.device.sass.decode import UNIFORM_FLAG, Instruction, UndecodedError
from abiprobe.harness.observers.device.sass.opcodes import Op
from abiprobe.harness.observers.device.sass.state import ENTRY, UNIFORM_ZERO, Misaligned, State
from abiprobe.harness.observers.device.sass.symbols import (
    UNKNOWN,
    ZERO,
    Loaded,
    Symbol,
    known,
    pointer,
    word_of,
)


def shared_address(state: State, own: Instruction, uniform: int) -> int:
    """The address in shared memory of an access; raises `UndecodedError` when it is not known."""
    base = known(state.read(own.a))
    extra: int | None = 0
    if own.field(UNIFORM_FLAG, 1) and uniform != UNIFORM_ZERO:
        extra = known(state.uniform.get(uniform, UNKNOWN))
    if base is None or extra is None:
        raise UndecodedError(f"an address in shared memory at {own.at:#x}")
    return (base + extra + own.offset) & 0xFFFFFFFF


def load_shared(state: State, own: Instruction) -> None:
    """Load from shared memory, which nobody here writes before."""
    start = shared_address(state, own, own.b & 63)
    look_at_shared(state, own, start, Loaded(start))
    into(state, own, lambda index: Loaded(start + index))


def store_shared(state: State, own: Instruction) -> None:
    """Store to shared memory: what is stored is what was asked for."""
    start = shared_address(state, own, own.c & 63)
    look_at_shared(state, own, start, source(state, own)[0])
    for index, symbol in enumerate(source(state, own)):
        state.shared[start + index] = symbol


def load_local(state: State, own: Instruction) -> None:
    """Load from the stack, or through another pointer to local memory, generic ones included."""
    where = local_pointer(state, own, own.b & 63)
    if where is None:
        into(state, own, lambda _: None)
        return
    base, start = where[0], where[1] + own.offset
    into(state, own, lambda index: state.local(base, start + index))
    look_at_alignment(state, own, base, start)


def store_local(state: State, own: Instruction) -> None:
    """Store to the stack, or through another pointer to local memory; raises `UndecodedError` for an unknown one."""
    where = local_pointer(state, own, own.c & 63)
    if where is None:
        raise UndecodedError(f"an address in local memory at {own.at:#x}")
    base, offset = where
    start = offset + own.offset
    for index, symbol in enumerate(source(state, own)):
        state.memory[base, start + index] = symbol
    look_at_alignment(state, own, base, start)


def look_at_shared(state: State, own: Instruction, start: int, first: Symbol) -> None:
    """Note an access of shared memory that is not at a multiple of its size."""
    size, _ = own.access
    if start % size:
        state.faults.append(Misaligned(own.op.value, start, size, first, shared=True))


def look_at_alignment(state: State, own: Instruction, base: str, start: int) -> None:
    """Note an access of the stack that is not at a multiple of its size; where a function begins, the stack is aligned for all."""
    size, _ = own.access
    if base == ENTRY and start % size:
        state.faults.append(Misaligned(own.op.value, start, size, state.local(base, start)))


def source(state: State, own: Instruction) -> Sequence[Symbol]:
    """The bytes that a store has in its registers."""
    size, _ = own.access
    if size <= 4:
        return state.read(own.data)[:size]
    return [symbol for number in range(own.data, own.data + size // 4) for symbol in state.read(number)]


def local_pointer(state: State, own: Instruction, uniform: int) -> tuple[str, int] | None:
    """Return the address in local memory of an access; a generic address is that after the local window."""
    generic = own.op in {Op.LD, Op.ST} and own.field(UNIFORM_FLAG, 1) and uniform != UNIFORM_ZERO
    if generic and state.uniform.get(uniform, UNKNOWN) != ZERO:
        return None
    return pointer(state.read(own.a))


def into(state: State, own: Instruction, byte: Callable[[int], Symbol]) -> None:
    """Write what an access loads to its target registers."""
    size, signed = own.access
    symbols = [byte(index) for index in range(size)]
    if size < 4:
        symbols += [fill(symbols[-1]) if signed else 0] * (4 - size)
    for index in range(0, len(symbols), 4):
        state.write(own.d + index // 4, word_of(symbols[index : index + 4]))
