"""Arguments and results of Xtensa, of named and unnamed arguments alike.

Sources of what the families do where nothing was read: GCC, xtensa.cc, xtensa_function_arg_1 and xtensa_return_in_memory; Clang,
DefaultABIInfo, and CC_Xtensa_Custom of LLVM's XtensaISelLowering.cpp.
"""

from __future__ import annotations

from collections.abc import Iterator

from abiprobe.oracles.abis.xtensa.data import OTHER, QUADWORD, WORD
from abiprobe.oracles.engine.cursor import Cursor
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
    Register,
)

cite, implements = citing(__package__)
REGISTERS = cite("pass.registers")
NARROW = cite("pass.narrow")
ALIGNED = cite("pass.aligned")
QUAD = cite("pass.quad")
OVERALIGNED = cite("pass.overaligned")
WHOLE = cite("pass.whole")
RECORD = cite("pass.record")
STACK = cite("pass.stack")
NOTHING = cite("pass.nothing")
RESULT = cite("result.registers")
RESULT_NARROW = cite("result.narrow")
RESULT_MEMORY = cite("result.memory")

ARGUMENTS = tuple(f"a{number}" for number in range(2, 8))
RESULTS = tuple(f"a{number}" for number in range(2, 6))


def calls(types: TypeTable, prototype: Prototype) -> Assignment:
    """The places of a whole call."""
    cursor = Cursor(words=ARGUMENTS)
    result, hidden = assign_result(types, cursor, prototype.result)
    params = tuple(
        pass_argument(types, cursor, Travelling.of(types, argument.name, argument.type))
        for argument in prototype.arguments
    )
    return Assignment(params, result, hidden, cursor.used)


@implements("pass.nothing")
def require_told(types: TypeTable, value: Travelling) -> None:
    """Raise `SilentError` for a complex number or a record without bytes, of which nothing was read."""
    if types.reading is None and isinstance(strip(value.declared), Complex):
        raise SilentError(OTHER, spelling(value.declared))
    # [xtensa:pass.nothing]
    if types.reading is None and not value.size:
        raise SilentError(NOTHING, spelling(value.declared))


@implements("pass.nothing", "pass.overaligned", "pass.stack")
def pass_argument(types: TypeTable, cursor: Cursor, value: Travelling) -> Passed:
    """One argument, in registers or on the stack."""
    require_told(types, value)
    # [xtensa:pass.nothing]
    if not value.size:
        return value.passed(Passing.IGNORED, NOTHING)
    # [xtensa:pass.overaligned]
    if types.reading is None and value.align > QUADWORD:
        raise SilentError(OVERALIGNED, f"{value.name} is aligned to {value.align} bytes")
    (rest, why), (registers, clause) = above(types, value), first_register(cursor, value)
    if registers is not None:
        return value.passed(Passing.DIRECT, clause, *in_words(value, registers, rest, why, clause))
    # [xtensa:pass.stack]
    cursor.drain("words")
    size = round_up(value.size, WORD)
    slot = cursor.push(size, min(max(value.align, WORD), QUADWORD))
    return value.passed(Passing.DIRECT, STACK, Piece(0, value.size, slot, STACK, rest, size, why))


@implements("pass.registers", "pass.aligned", "pass.quad", "pass.whole")
def first_register(cursor: Cursor, value: Travelling) -> tuple[list[Register] | None, str]:
    """The registers of an argument, and the clause that decides where they begin; none where they do not hold it."""
    taken, words = len(ARGUMENTS) - cursor.left("words"), -(-value.size // WORD)
    # [xtensa:pass.quad]
    if value.align >= QUADWORD:
        clause, start = QUAD, len(ARGUMENTS) if taken else 0
    # [xtensa:pass.aligned]
    elif value.align > WORD:
        clause, start = ALIGNED, round_up(taken, value.align // WORD)
    # [xtensa:pass.registers]
    else:
        clause, start = REGISTERS, taken
    # [xtensa:pass.whole]
    if start + words > len(ARGUMENTS):
        return None, WHOLE
    return [cursor.take("words") for _ in range(taken, start + words)][start - taken :], clause


@implements("pass.narrow", "pass.record")
def above(types: TypeTable, value: Travelling, narrow: str = NARROW) -> tuple[Extension | None, str]:
    """What is beside a value in its last word, and the clause that says so, which is `narrow` of an integer."""
    if value.size % WORD == 0:
        return None, ""
    # [xtensa:pass.record]
    if isinstance(value.type, Record) or value.size > WORD:
        return Extension.ANY, RECORD
    # [xtensa:pass.narrow]
    return Extension.SIGN if types.is_signed(value.type) else Extension.ZERO, narrow


def in_words(value: Travelling, registers: list[Register], rest: Extension | None, why: str, clause: str) -> Iterator[Piece]:
    """A value in registers, as it is in memory, with the rest of the last one."""
    for start, register in zip(range(0, value.size, WORD), registers, strict=False):
        end = min(start + WORD, value.size)
        last = rest if end - start < WORD else None
        yield Piece(start, end, register, clause, last, WORD, why if last else "")


@implements("result.registers", "result.narrow", "result.memory")
def assign_result(types: TypeTable, cursor: Cursor, result: Type | None) -> tuple[Passed | None, tuple[Hidden, ...]]:
    """The place of a result, or the first argument for one in memory."""
    if result is None:
        return None, ()
    value = Travelling.of(types, "", result)
    require_told(types, value)
    # [xtensa:result.memory]
    if value.size > len(RESULTS) * WORD:
        address = Piece(0, WORD, cursor.take("words"), RESULT_MEMORY, None, WORD)
        return value.passed(Passing.INDIRECT, RESULT_MEMORY), (Hidden(RESULT_POINTER, (address,)),)
    # [xtensa:pass.nothing]
    if not value.size:
        return value.passed(Passing.IGNORED, NOTHING), ()
    # [xtensa:result.narrow]
    rest, why = above(types, value, RESULT_NARROW)
    # [xtensa:result.registers]
    pieces = in_words(value, [Register(name) for name in RESULTS], rest, why, RESULT)
    return value.passed(Passing.DIRECT, RESULT, *pieces), ()
