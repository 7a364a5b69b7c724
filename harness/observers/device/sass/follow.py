"""Following a function from its entry to its return, byte by byte, over symbols."""

from __future__ import annotations

from collections.abc import Iterator

from abiprobe.harness.observers.device.sass.compute import ADD_NOTHING, computed, constant_place, widened
from abiprobe.harness.observers.device.sass.decode import RZ, Instruction, UndecodedError, decode
from abiprobe.harness.observers.device.sass.memory import load_local, load_shared, store_local, store_shared
from abiprobe.harness.observers.device.sass.opcodes import UNIFORM, Op
from abiprobe.harness.observers.device.sass.state import (
    FIRST_ARGUMENT,
    LOST,
    RETURNED,
    Overwritten,
    State,
    entry,
)
from abiprobe.harness.observers.device.sass.symbols import UNKNOWN, ZERO, Loaded, constant, pointer
from abiprobe.oracles.abis.ptx.sass.places import is_preserved


def follow(code: bytes) -> State:
    """The state at the return of a function, with those at its calls.

    Raises `UndecodedError` for an unknown instruction, and for a branch that is not the end.
    """
    state = entry()
    for instruction in decode(code):
        if instruction.op is Op.RET and not instruction.guarded:
            state.faults += overwritten(state, instruction.a)
            return state
        step(state, instruction)
    raise UndecodedError("the function does not return")


def overwritten(state: State, target: int) -> Iterator[Overwritten]:
    """Yield the registers that a function preserves, and those with the address it returns to, in which an argument stands."""
    for number in (target, target + 1, *filter(is_preserved, range(RZ))):
        by = next((symbol for symbol in state.read(number) if isinstance(symbol, Loaded)), None)
        if by is not None:
            yield Overwritten(number, by)


def step(state: State, own: Instruction) -> None:
    """Carry out one instruction."""
    if own.guarded:
        guarded(state, own)
        return
    match own.op:
        case Op.LDS:
            load_shared(state, own)
        case Op.STS:
            store_shared(state, own)
        case Op.LDL | Op.LD:
            load_local(state, own)
        case Op.STL | Op.ST:
            store_local(state, own)
        case Op.ULDC:
            word = ZERO if constant_place(own) in ADD_NOTHING else UNKNOWN
            state.uniform |= {own.d: word, own.d + 1: word}
        case Op.UMOV:
            moved = own.opcode == 0xC82
            state.uniform[own.d & 63] = state.read_uniform(own.b) if moved else constant(own.immediate)
        case Op.R2UR:
            state.uniform[own.d & 63] = state.read(own.a)
        case Op.CS2R:
            word = ZERO if own.field(72, 8) == RZ else UNKNOWN
            state.write(own.d, word)
            if own.field(80, 1):
                state.write(own.d + 1, word)
        case Op.CALL:
            call(state)
        case Op.RET | Op.NOTHING | Op.OPAQUE_PREDICATE:
            pass
        case Op.OPAQUE:
            state.write(own.d, UNKNOWN)
        case Op.WIDE:
            low, high = widened(state, own)
            if own.opcode in UNIFORM:
                state.uniform |= {own.d & 63: low, own.d + 1 & 63: high}
            else:
                state.write(own.d, low)
                state.write(own.d + 1, high)
        case Op.BRA:
            raise UndecodedError(f"a branch at {own.at:#x}")
        case _ if own.opcode in UNIFORM:
            state.uniform[own.d & 63] = computed(state, own)
        case _:
            state.write(own.d, computed(state, own))


def guarded(state: State, own: Instruction) -> None:
    """An instruction that may not be carried out leaves its target unknown."""
    if own.opcode in UNIFORM or own.op in {Op.R2UR, Op.UMOV}:
        state.uniform |= {own.d & 63: UNKNOWN, own.d + 1 & 63: UNKNOWN}
        return
    if own.op in {Op.BRA, Op.RET, Op.CALL, Op.STS, Op.STL, Op.ST}:
        raise UndecodedError(f"{own.op.value} under a predicate at {own.at:#x}")
    width = max(1, own.access[0] // 4) if own.op in {Op.LDS, Op.LDL, Op.LD} else 2
    if own.op not in {Op.NOTHING, Op.OPAQUE_PREDICATE}:
        for number in range(own.d, own.d + width):
            state.write(number, UNKNOWN)


def call(state: State) -> None:
    """A call: what is there now is what the callee gets; what it preserves is there afterwards."""
    state.calls.append(state.copy())
    state.buffer = pointer(state.read(FIRST_ARGUMENT))
    if state.buffer is not None:
        base, offset = state.buffer
        state.memory = {
            place: symbol for place, symbol in state.memory.items() if place[0] != base or place[1] < offset
        }
    state.registers.update(RETURNED)
    state.registers.update(LOST)
