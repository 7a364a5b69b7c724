"""Readings of machine code at a call, byte by byte: the symbol of each parameter byte and of each result byte.

Offsets and slots are as in `probes`. A byte of which nothing can be told is `None`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from abiprobe.harness.observers.device.assembler.probes import OUT, RESULT
from abiprobe.harness.observers.device.sass.decode import UndecodedError
from abiprobe.harness.observers.device.sass.state import STACK_POINTER, State
from abiprobe.harness.observers.device.sass.symbols import (
    EntryByte,
    InBuffer,
    Loaded,
    Lost,
    Returned,
    Sign,
    Stack,
    Symbol,
    Unwritten,
    pointer,
)
from abiprobe.oracles.abis.ptx.sass.places import FILES, FIRST, FunctionPlaces, Placed, Run
from abiprobe.oracles.text.place import Located, Passed, Passing, Register, StackSlot
from abiprobe.results.verdicts.locations import ByteIn, Named
from abiprobe.results.verdicts.values import ByteOf, Number, Words
from abiprobe.results.verdicts.wording import byte_text

Bytes: TypeAlias = tuple[Symbol, ...]
HIDDEN = f"R{FIRST}"


def carried(passed: Passed, size: int) -> int:
    """Return the number of a value's bytes that travel: nvcc's long double has 16, and is declared as 8."""
    if passed.passing is Passing.INDIRECT:
        return size
    return min(size, max((piece.end for piece in passed.pieces), default=0))


def place_at_entry(placed: Placed, byte: int) -> Symbol:
    """The symbol of a parameter's byte where the model puts it."""
    if isinstance(placed.spot, Run):
        return EntryByte(placed.spot.first + byte // 4, byte % 4)
    return Stack(placed.spot.offset + byte)


def place_at_return(places: FunctionPlaces, byte: int) -> Symbol:
    """The symbol of a result's byte as the caller finds it."""
    return InBuffer(byte) if places.hidden else Returned(FIRST + byte // 4, byte % 4)


def stored(state: State, slot: int, size: int) -> Bytes:
    """Return the bytes that a function stored of a value of this slot."""
    return tuple(state.shared.get(slot + OUT + byte) for byte in range(size))


def left(state: State, size: int, *, hidden: bool) -> Bytes:
    """Return the bytes that a callee left as its result: in registers, or at the address that came in R4."""
    if hidden:
        return tuple(state.memory.get((HIDDEN, byte), Unwritten(HIDDEN, byte)) for byte in range(size))
    return tuple(state.read(FIRST + byte // 4)[byte % 4] for byte in range(size))


def passed(state: State, placed: Placed, size: int) -> Bytes:
    """Return the bytes that a caller has where the model looks for a parameter, at its only call.

    Raises `UndecodedError` when there is not one call, or the stack pointer is lost.
    """
    own = only_call(state)
    if isinstance(placed.spot, StackSlot):
        where = pointer(own.read(STACK_POINTER))
        if where is None:
            raise UndecodedError("the stack pointer at the call")
        base, offset = where
        start = offset + placed.spot.offset
        return tuple(own.local(base, start + byte) for byte in range(size))
    first = placed.spot.first
    return tuple(own.read(first + byte // 4)[byte % 4] for byte in range(size))


def only_call(state: State) -> State:
    """The state at the call that a function makes; raises `UndecodedError` unless there is one."""
    if len(state.calls) != 1:
        raise UndecodedError(f"{len(state.calls)} calls")
    return state.calls[0]


def taken(state: State, size: int) -> Bytes:
    """Return the bytes that a caller stored of the result."""
    return stored(state, RESULT, size)


def loaded(slot: int, size: int) -> Bytes:
    """The bytes that a probe loads from a slot."""
    return tuple(Loaded(slot + byte) for byte in range(size))


def spelled(symbol: Symbol) -> str:
    """A symbol in words: `R6 byte 2`, `stack+8`."""
    place = located(symbol)
    if place is not None:
        return byte_text(place)
    match symbol:
        case InBuffer(offset):
            return f"result+{offset}"
        case Loaded(address):
            return f"value {address:#x}"
        case Lost(number, _):
            return f"what the call left in R{number}"
        case Unwritten():
            return "memory that nobody wrote"
        case Sign(of):
            return f"the sign of {spelled(of)}"
        case None:
            return "unknown"
        case _:
            return str(symbol)


def value(symbol: Symbol) -> ByteOf | Number | Words:
    """A symbol as a value of a difference."""
    if isinstance(symbol, int):
        return Number(symbol)
    place = located(symbol)
    return Words(spelled(symbol)) if place is None else ByteOf(place)


def where(symbol: Symbol) -> ByteIn | Named:
    """A symbol as a place of a difference."""
    place = located(symbol)
    return Named(spelled(symbol)) if place is None else ByteIn(place)


def located(symbol: Symbol) -> Located | None:
    """The place of a byte; `None` for one that is in no register and not on the stack."""
    match symbol:
        case EntryByte(number, byte) | Returned(number, byte):
            return Located.of(Register(f"R{number}"), FILES, byte)
        case Stack(offset):
            return Located(StackSlot(offset))
        case _:
            return None


def first_difference(
    expected: Sequence[Symbol], seen: Sequence[Symbol], care: bytes | None = None
) -> int | None:
    """The first byte that is elsewhere, `None` when all that count are where they should be."""
    for index, (wanted, found) in enumerate(zip(expected, seen, strict=True)):
        if wanted != found and (care is None or care[index]):
            return index
    return None


def at_call(state: State, place: tuple[Register | StackSlot, int]) -> Symbol:
    """The byte of a place at a call; raises `UndecodedError` when the stack pointer is lost."""
    where, index = place
    if isinstance(where, Register):
        number = int(where.name[1:])
        return state.read(number)[index]
    own = pointer(state.read(STACK_POINTER))
    if own is None:
        raise UndecodedError("the stack pointer at the call")
    base, offset = own
    return state.local(base, offset + where.offset + index)
