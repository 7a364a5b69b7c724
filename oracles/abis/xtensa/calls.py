"""Arguments and results of Xtensa, of named and unnamed arguments alike.

Sources of what the families do where nothing was read: GCC, xtensa.cc, xtensa_function_arg_1 and xtensa_return_in_memory; Clang,
CodeGen/Targets/Xtensa.cpp, and CC_Xtensa_Custom of LLVM's XtensaISelLowering.cpp.
"""

from __future__ import annotations

from collections.abc import Iterator

from abiprobe.oracles.abis.xtensa.data import OTHER, QUADWORD, WORD
from abiprobe.oracles.abis.xtensa.va_arg import ARGUMENTS, Named, stack_alignment, taken
from abiprobe.oracles.engine.cursor import Cursor
from abiprobe.oracles.engine.emptiness import is_empty
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

RESULTS = tuple(f"a{number}" for number in range(2, 6))


def calls(types: TypeTable, prototype: Prototype) -> Assignment:
    """The places of a whole call."""
    cursor = Cursor(words=ARGUMENTS)
    result, hidden = assign_result(types, cursor, prototype.result)
    if hidden and types.policies.uncounted_result_address:
        cursor.uncounted["words"] = 1
    values = [Travelling.of(types, argument.name, argument.type) for argument in prototype.arguments]
    before, behind = values[: len(prototype.params)], values[len(prototype.params) :]
    params = [pass_argument(types, cursor, value) for value in before]
    named = Named(before, len(ARGUMENTS) - cursor.left("words"), cursor.used, bool(hidden))
    unnamed = [pass_argument(types, cursor, value) for value in behind]
    params += taken(types, named, behind, unnamed)
    area_align = WORD if types.policies.stack_in_words else 1
    return Assignment(tuple(params), result, hidden, cursor.used, area_align=area_align)


@implements("pass.nothing")
def holds_nothing(types: TypeTable, value: Travelling) -> bool:
    """Return whether nothing travels of a value: it has no bytes, or to clang no member with a name.

    Raises `SilentError` for a record without bytes, and for a complex number, of which nothing was read.
    """
    if types.reading is None and isinstance(strip(value.declared), Complex):
        raise SilentError(OTHER, spelling(value.declared))
    # [xtensa:pass.nothing]
    if types.reading is None and not value.size:
        raise SilentError(NOTHING, spelling(value.declared))
    return not value.size or (types.reading is Reading.CLANG and is_empty(value.declared))


@implements("pass.overaligned", "pass.stack")
def pass_argument(types: TypeTable, cursor: Cursor, value: Travelling) -> Passed:
    """One argument, in registers or on the stack."""
    if holds_nothing(types, value):
        if not is_empty(value.declared) and types.reading is Reading.CLANG:
            take_word(cursor, value)
        return value.passed(Passing.IGNORED, NOTHING)
    # [xtensa:pass.overaligned]
    if types.reading is None and value.align > QUADWORD:
        raise SilentError(OVERALIGNED, f"{value.name} is aligned to {value.align} bytes")
    (rest, why), clause = above(types, value), fitting(cursor, value)
    if clause:
        return value.passed(Passing.DIRECT, clause, *in_words(cursor, value, rest, why, clause))
    # [xtensa:pass.stack]
    cursor.drain("words")
    cursor.uncounted["words"] = 0
    size = round_up(value.size, WORD)
    most = value.align if types.reading is Reading.CLANG else QUADWORD
    slot = cursor.push(size, stack_alignment(value, most))
    return value.passed(Passing.DIRECT, STACK, Piece(0, value.size, slot, STACK, rest, size, why))


def take_word(cursor: Cursor, value: Travelling) -> None:
    """Leave out the word of a record without bytes, but with a flexible array, that clang passes and does not count."""
    used = len(ARGUMENTS) - cursor.left("words")
    counted = round_up(used - cursor.uncounted["words"], max(value.align, WORD) // WORD)
    if cursor.left("words"):
        cursor.take("words")
        used += 1
    else:
        cursor.push(WORD, WORD)
    cursor.uncounted["words"] = used - counted


@implements("pass.registers", "pass.aligned", "pass.quad", "pass.whole")
def fitting(cursor: Cursor, value: Travelling) -> str:
    """The clause by which an argument is in registers, which are left out to align it; none where it is on the stack."""
    used = len(ARGUMENTS) - cursor.left("words")
    counted, words = used - cursor.uncounted["words"], -(-value.size // WORD)
    # [xtensa:pass.quad]
    if value.align >= QUADWORD:
        clause, start = QUAD, len(ARGUMENTS) if counted else 0
    # [xtensa:pass.aligned]
    elif value.align > WORD:
        clause, start = ALIGNED, round_up(counted, value.align // WORD)
    # [xtensa:pass.registers]
    else:
        clause, start = REGISTERS, counted
    # [xtensa:pass.whole]
    if start + words > len(ARGUMENTS):
        return ""
    if value.align > WORD and used % 2 and cursor.left("words"):
        cursor.take("words")
        used += 1
    cursor.uncounted["words"] = min(used + words, len(ARGUMENTS)) - start - words
    return clause


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


def in_words(
    cursor: Cursor, value: Travelling, rest: Extension | None, why: str, clause: str
) -> Iterator[Piece]:
    """A value in the next registers, as it is in memory, with the rest of the last one.

    Where these are fewer than who counts them takes them for, its last words are on the stack.
    """
    for start in range(0, value.size, WORD):
        end = min(start + WORD, value.size)
        last = rest if end - start < WORD else None
        place = cursor.take("words") if cursor.left("words") else cursor.push(WORD, WORD)
        yield Piece(start, end, place, clause, last, WORD, why if last else "")


@implements("result.registers", "result.narrow", "result.memory")
def assign_result(
    types: TypeTable, cursor: Cursor, result: Type | None
) -> tuple[Passed | None, tuple[Hidden, ...]]:
    """The place of a result, or the first argument for one in memory."""
    if result is None:
        return None, ()
    value = Travelling.of(types, "", result)
    nothing = holds_nothing(types, value)
    # [xtensa:result.memory]
    if is_in_memory(types, value):
        address = Piece(0, WORD, cursor.take("words"), RESULT_MEMORY, None, WORD)
        return value.passed(Passing.INDIRECT, RESULT_MEMORY), (Hidden(RESULT_POINTER, (address,)),)
    if nothing:
        return value.passed(Passing.IGNORED, NOTHING), ()
    # [xtensa:result.narrow]
    rest, why = above(types, value, RESULT_NARROW)
    if types.policies.zero_extended_bytes and rest is Extension.SIGN and value.size == 1:
        rest = Extension.ZERO
    # [xtensa:result.registers]
    pieces = in_words(Cursor(words=RESULTS), value, rest, why, RESULT)
    return value.passed(Passing.DIRECT, RESULT, *pieces), ()


def is_in_memory(types: TypeTable, value: Travelling) -> bool:
    """Return whether a result is in memory: what is larger than four words, and what clang has there."""
    aggregate = isinstance(value.type, Record) or isinstance(strip(value.declared), Complex)
    return (
        value.size > len(RESULTS) * WORD
        or (types.policies.word_aggregates_in_memory and aggregate and value.size <= WORD)
        or (types.policies.quad_aligned_in_memory and value.align >= QUADWORD)
    )
