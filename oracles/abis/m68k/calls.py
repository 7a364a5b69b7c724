"""The places of a call (Calling Convention).

Sources of what the families do where the text is silent: GCC, m68k.cc, m68k_function_value and m68k_return_in_memory, and calls.cc;
Clang, DefaultABIInfo, and M68kCallingConv.td of LLVM.
"""

from __future__ import annotations

from abiprobe.oracles.abis.m68k.data import OTHER, WORD
from abiprobe.oracles.abis.m68k.results import ADDRESS, MEMORY, assign_result
from abiprobe.oracles.abis.m68k.vectors import elements, is_divided
from abiprobe.oracles.engine.cursor import Cursor
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Complex, Prototype, Record, Type, spelling, strip
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import (
    RESULT_POINTER,
    Assignment,
    Extension,
    Hidden,
    Passed,
    Passing,
    Piece,
)

cite, implements = citing(__package__)
STACK = cite("pass.stack")
NARROW = cite("pass.narrow")
AGGREGATE = cite("pass.aggregate")
EMPTY = cite("pass.empty")
FIRST_ARGUMENT = 4
"""Bytes from the stack pointer at entry: the return address lies below the arguments."""


def calls(types: TypeTable, prototype: Prototype) -> Assignment:
    """The places of a whole call."""
    stack = Cursor(FIRST_ARGUMENT)
    result, hidden = result_and_address(types, stack, prototype.result)
    pops = stack.used
    params = tuple(
        pass_argument(types, stack, Travelling.of(types, argument.name, argument.type))
        for argument in prototype.arguments
    )
    return Assignment(params, result, hidden, stack.used, pops)


@implements("result.memory")
def result_and_address(
    types: TypeTable, stack: Cursor, result: Type | None
) -> tuple[Passed | None, tuple[Hidden, ...]]:
    """The places of a result, and that of the address of one in memory."""
    if result is None:
        return None, ()
    value = Travelling.of(types, "", result)
    require_told(types, value)
    found = assign_result(types, value)
    if found.passing is not Passing.INDIRECT:
        return found, ()
    place = stack.push(WORD, WORD) if types.policies.result_address_on_stack else ADDRESS
    return found, (Hidden(RESULT_POINTER, (Piece(0, WORD, place, MEMORY, None, WORD),)),)


@implements("pass.empty")
def require_told(types: TypeTable, value: Travelling) -> None:
    """Raise `SilentError` for a complex number or a record without bytes, of which the text says nothing."""
    if types.reading is None and isinstance(strip(value.declared), Complex):
        raise SilentError(OTHER, spelling(value.declared))
    # [m68k:pass.empty]
    if types.reading is None and not value.size:
        raise SilentError(EMPTY, spelling(value.declared))


@implements("pass.stack", "pass.narrow", "pass.aggregate", "pass.empty")
def pass_argument(types: TypeTable, stack: Cursor, value: Travelling) -> Passed:
    """An argument in words of the stack."""
    require_told(types, value)
    # [m68k:pass.empty]
    if not value.size:
        if types.reading is Reading.CLANG:
            stack.push(WORD, max(WORD, value.align))
        return value.passed(Passing.IGNORED, EMPTY)
    # [m68k:pass.aggregate]
    clause = AGGREGATE if isinstance(value.type, Record) else STACK
    if value.is_unnamed and types.policies.va_arg_of_references and is_aggregate(value):
        address = Piece(0, WORD, stack.push(WORD, WORD), clause, None, WORD)
        return value.passed(Passing.INDIRECT, clause, address)
    if is_divided(types, value):
        return value.passed(
            Passing.DIRECT, OTHER, *elements(types, value, lambda size: stack.push(size, WORD))
        )
    # [m68k:pass.narrow]
    before = before_value(types, value)
    size = round_up(value.size, WORD)
    rest = Extension.ANY if size > value.size else None
    place = stack.push(size, alignment(types, value))
    piece = Piece(0, value.size, place, clause, rest, size, clause if rest else "", at=before)
    return value.passed(Passing.DIRECT, clause, piece)


def is_aggregate(value: Travelling) -> bool:
    """Return whether a value is an aggregate to clang, as a complex number is, too."""
    return isinstance(value.type, Record) or isinstance(strip(value.declared), Complex)


def alignment(types: TypeTable, value: Travelling) -> int:
    """The alignment of an argument in bytes: that of a word, but clang's of an aggregate."""
    own = isinstance(value.type, Record) and types.policies.aligned_records_on_stack
    own |= types.reading is Reading.CLANG and isinstance(strip(value.declared), Complex)
    # Whatever a typedef name asks for.
    return max(WORD, types.extent(strip(value.declared)).align) if own else WORD


def before_value(types: TypeTable, value: Travelling) -> int:
    """The bytes of its word before a value: by the text none before an aggregate, and of others it does not say."""
    if value.size >= WORD:
        return 0
    if types.reading is None and not isinstance(value.type, Record):
        raise SilentError(NARROW, f"{spelling(value.declared)} has {value.size} bytes")
    at_end = types.policies.narrow_records_at_end or not isinstance(value.type, Record)
    return value.right_aligned(value.size, WORD) if at_end else 0
