"""The location of an object in debug information, and the bytes that are there in a state of the machine (DWARF 5, 2.6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeAlias

import msgspec

from abiprobe.oracles.text.clause import load_sheet
from abiprobe.oracles.text.place import ByteOrder
from abiprobe.oracles.unwinding.rules import (
    Operation,
    State,
    UndefinedError,
    UnknownOperationError,
    evaluated,
    perform,
)

cite = load_sheet(__package__, "locations.toml").cite
MEMORY, REGISTER, IMPLICIT = cite("memory"), cite("register"), cite("implicit")
COMPOSITE, SINGLE, LIST, ENTRY_VALUE = cite("composite"), cite("single"), cite("list"), cite("entry-value")
PROTOTYPED, CONVENTION, RETURN_TYPE = cite("prototyped"), cite("calling-convention"), cite("return-type")
PARAMETERS, BREAKPOINT = cite("parameters"), cite("breakpoint")
NORETURN, CALL_VALUE = cite("noreturn"), cite("call-value")
BYTE = 8
Nested: TypeAlias = tuple["LocationOperation", ...]
LocationOperation: TypeAlias = tuple[str, tuple["int | bytes | Nested", ...]]
"""An operation of a location expression: `DW_OP_entry_value` has an expression, `DW_OP_implicit_value` a block as operand."""


class Machine(State, Protocol):
    """A state of the machine at an instruction of a function."""

    @property
    def order(self) -> ByteOrder:
        """The byte order of numbers."""
        ...

    def contents(self, number: int) -> bytes:
        """The bytes of a register by its DWARF number, as storing it leaves them in memory."""
        ...

    def memory(self, address: int, size: int) -> bytes:
        """Some bytes at an address; raises `UndefinedError` where there is no memory."""
        ...


class Frame(msgspec.Struct, frozen=True):
    """A function's frame: its state now and at its entry, its CFA, the address of its frame base, and the width of an address in bits."""

    now: Machine
    entry: Machine
    cfa: int
    base: Callable[[], int]
    bits: int


class Part(msgspec.Struct, frozen=True):
    """A part of a location description, of so many bytes, or of all where there is but one."""

    operations: tuple[LocationOperation, ...]
    size: int | None


def found(operations: Sequence[LocationOperation], size: int, frame: Frame) -> tuple[bytes, bytes]:
    """The bytes of an object of `size` bytes by its location description, and a mask of those that are not optimised out.

    Raises `UndefinedError` for a description that gives no bytes, and `UnknownOperationError`.
    """
    values, known = b"", b""
    for part in parts(operations):
        wanted = size if part.size is None else part.size
        there = simple(part.operations, wanted, frame)
        values += bytes(wanted) if there is None else there
        known += bytes(wanted) if there is None else b"\xff" * wanted
    return values[:size].ljust(size, b"\0"), known[:size].ljust(size, b"\0")


def parts(operations: Sequence[LocationOperation]) -> Iterator[Part]:
    """The parts of a composite location description, or the one of a simple one (2.6.1.2)."""
    mine: list[LocationOperation] = []
    ended = False
    for one in operations:
        name, operands = one
        if name != "DW_OP_piece":
            mine.append(one)
            continue
        (size,) = operands
        assert isinstance(size, int), "pieces have sizes"
        yield Part(tuple(mine), size)
        mine, ended = [], True
    if mine or not ended:
        yield Part(tuple(mine), None)


def simple(operations: Sequence[LocationOperation], size: int, frame: Frame) -> bytes | None:
    """The bytes by a simple location description, `None` for an empty one (2.6.1.1.1)."""
    match operations:
        # By GNU's extension the object has no value yet.
        case [] | [*_, ("DW_OP_GNU_uninit", ())]:
            return None
        case [("DW_OP_regx", (int(number),))]:
            return of_register(number, size, frame)
        case [(name, ())] if name.startswith("DW_OP_reg"):
            return of_register(int(name[9:]), size, frame)
        case [("DW_OP_implicit_value", (bytes(block),))]:
            return enough(block, size)
        case [(entry, ([(name, (int(number), int()))],)), ("DW_OP_stack_value", ())] if entry.endswith(
            "entry_value"
        ) and name.endswith("regval_type"):
            return enough(frame.entry.contents(number), size)
        case [*first, ("DW_OP_stack_value", ())]:
            order = frame.now.order
            value = on_top(first, frame)
            stored = value.to_bytes(frame.bits // BYTE, order)
            return enough(stored if order == "little" else stored[-size:], size)
        case _:
            return frame.now.memory(on_top(operations, frame), size)


def of_register(number: int, size: int, frame: Frame) -> bytes:
    """The first bytes of a register (2.6.1.1.3)."""
    return enough(frame.now.contents(number), size)


def enough(there: bytes, size: int) -> bytes:
    """The first bytes of a place; raises `UndefinedError` for one that has fewer."""
    if len(there) < size:
        raise UndefinedError(f"a place of {len(there)} bytes is given for {size}")
    return there[:size]


def on_top(operations: Sequence[LocationOperation], frame: Frame) -> int:
    """The value that an expression leaves on top of the stack."""
    values: list[int] = []
    for name, operands in operations:
        match name, operands:
            case "DW_OP_fbreg", (int(offset),):
                values.append(frame.base() + offset & (1 << frame.bits) - 1)
            case "DW_OP_call_frame_cfa", ():
                values.append(frame.cfa)
            case "DW_OP_deref_size", (int(size),) if values:
                values.append(int.from_bytes(frame.now.memory(values.pop(), size), frame.now.order))
            case (("DW_OP_entry_value" | "DW_OP_GNU_entry_value"), (tuple(nested),)):
                values.append(at_entry(nested, frame))
            case _, _:
                perform(plain(name, operands), frame.now, values, frame.bits)
    if not values:
        raise UndefinedError("the expression leaves nothing on the stack")
    return values[-1]


def at_entry(nested: Sequence[LocationOperation], frame: Frame) -> int:
    """The value that an expression or a register had when the function was entered (2.5.1.7)."""
    match nested:
        case [("DW_OP_regx", (int(number),))]:
            return frame.entry.register(number)
        case [(name, ())] if name.startswith("DW_OP_reg"):
            return frame.entry.register(int(name[9:]))
        case _:
            return evaluated([plain(*one) for one in nested], frame.entry, (), frame.bits)


def plain(name: str, operands: Sequence[object]) -> Operation:
    """An operation that has numbers alone; raises `UnknownOperationError` for another one."""
    numbers = tuple(one for one in operands if isinstance(one, int))
    if len(numbers) != len(operands):
        raise UnknownOperationError(name)
    return name, numbers


def clause(operations: Sequence[LocationOperation], *, listed: bool) -> str:
    """The clause by which a description gives an object's place; that of an empty one is that of its list."""
    names = [name for name, _ in operations]
    if "DW_OP_piece" in names:
        return COMPOSITE
    if names and names[-1] in {"DW_OP_stack_value", "DW_OP_implicit_value"}:
        return ENTRY_VALUE if any(name.endswith("entry_value") for name in names) else IMPLICIT
    if len(names) == 1 and names[0].startswith("DW_OP_reg"):
        return REGISTER
    if not names:
        return LIST
    return MEMORY if listed else SINGLE
