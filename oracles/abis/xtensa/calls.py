"""Arguments and results of Xtensa, of named and unnamed arguments alike.

Sources of what the families do where nothing was read: GCC, xtensa.cc, xtensa_function_arg_1 and xtensa_return_in_memory; Clang,
CodeGen/Targets/Xtensa.cpp, and CC_Xtensa_Custom of LLVM's XtensaISelLowering.cpp.
"""

from __future__ import annotations

from collections.abc import Iterator

from abiprobe.oracles.abis.xtensa.data import OTHER, QUADWORD, WORD
from abiprobe.oracles.abis.xtensa.va_arg import ARGUMENTS, Named, Unit, taken, units_of
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
NAMED = cite("pass.named")
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


@implements("pass.nothing", "pass.named", "pass.overaligned")
def require_told(types: TypeTable, value: Travelling) -> None:
    """Raise `SilentError` for values of which nothing was read, unless a compiler is asked."""
    if types.reading is not None:
        return
    if isinstance(strip(value.declared), Complex):
        raise SilentError(OTHER, spelling(value.declared))
    # [xtensa:pass.nothing]
    if not value.size:
        raise SilentError(NOTHING, spelling(value.declared))
    # [xtensa:pass.named]
    if value.name and value.align != types.extent(strip(value.declared)).align:
        raise SilentError(NAMED, f"{spelling(value.declared)} is aligned to {value.align} bytes by its name")
    # [xtensa:pass.overaligned]
    if value.name and value.align > QUADWORD:
        raise SilentError(OVERALIGNED, f"{value.name} is aligned to {value.align} bytes")


def is_lost(types: TypeTable, value: Travelling) -> bool:
    """Return whether nothing travels of a value: it has no bytes, or to clang no member with a name."""
    return not value.size or (types.reading is Reading.CLANG and is_empty(value.declared))


def pass_argument(types: TypeTable, cursor: Cursor, value: Travelling) -> Passed:
    """One argument, of which gcc passes the parts of a complex number as two."""
    require_told(types, value)
    if is_lost(types, value):
        pass_nothing(types, cursor, value)
        return value.passed(Passing.IGNORED, NOTHING)
    units = [place_unit(types, cursor, value, unit) for unit in units_of(types, value)]
    clause = OTHER if len(units) > 1 else units[0][0].clause
    return value.passed(Passing.DIRECT, clause, *(piece for unit in units for piece in unit))


@implements("pass.stack")
def place_unit(types: TypeTable, cursor: Cursor, value: Travelling, unit: Unit) -> list[Piece]:
    """A unit in registers or on the stack."""
    (rest, why), clause = above(types, value, unit.size), fitting(types, cursor, unit)
    if clause:
        return list(in_words(cursor, unit, rest, why, clause))
    # [xtensa:pass.stack]
    cursor.drain("words")
    cursor.uncounted["words"] = 0
    size = round_up(unit.size, WORD)
    slot = cursor.push(size, unit.alignment(types.reading))
    return [Piece(unit.start, unit.start + unit.size, slot, STACK, rest, size, why)]


@implements("pass.registers", "pass.aligned", "pass.quad", "pass.whole")
def fitting(types: TypeTable, cursor: Cursor, unit: Unit) -> str:
    """The clause by which an argument is in registers, which are left out to align it; none where it is on the stack."""
    used = len(ARGUMENTS) - cursor.left("words")
    counted, words = used - cursor.uncounted["words"], -(-unit.size // WORD)
    # [xtensa:pass.registers] [xtensa:pass.aligned]
    start = round_up(counted, min(unit.align, QUADWORD) // WORD)
    clause = ALIGNED if unit.align > WORD else REGISTERS
    # [xtensa:pass.quad]
    if unit.align >= QUADWORD:
        clause, start = QUAD, len(ARGUMENTS) if counted and types.reading is not Reading.GCC else start
    # [xtensa:pass.whole]
    if start + words > len(ARGUMENTS):
        return ""
    skipped = used % 2 * (unit.align > WORD) if cursor.uncounted["words"] else start - counted
    for _ in range(min(skipped, cursor.left("words"))):
        cursor.take("words")
        used += 1
    cursor.uncounted["words"] = min(used + words, len(ARGUMENTS)) - start - words
    return clause


def pass_nothing(types: TypeTable, cursor: Cursor, value: Travelling) -> None:
    """The places left out for a value of no bytes: gcc aligns, and clang has a word for one with a flexible array, uncounted."""
    used = len(ARGUMENTS) - cursor.left("words")
    align = max(value.align, WORD)
    if types.reading is Reading.GCC:
        for _ in range(min(round_up(used, min(align, QUADWORD) // WORD) - used, cursor.left("words"))):
            cursor.take("words")
        if cursor.used:
            cursor.push(0, min(align, QUADWORD))
        return
    if is_empty(value.declared):
        return
    counted = round_up(used - cursor.uncounted["words"], align // WORD)
    if align > QUADWORD or (align == QUADWORD and used > cursor.uncounted["words"]):
        cursor.drain("words")
        cursor.push(WORD, align)
        counted = len(ARGUMENTS)
    elif cursor.left("words"):
        cursor.take("words")
    else:
        cursor.push(WORD, WORD)
    cursor.uncounted["words"] = len(ARGUMENTS) - cursor.left("words") - counted


@implements("pass.narrow", "pass.record")
def above(
    types: TypeTable, value: Travelling, size: int, narrow: str = NARROW
) -> tuple[Extension | None, str]:
    """The rest beside `size` bytes of a value in their last word, and the clause that says so, which is `narrow` of an integer."""
    if size % WORD == 0:
        return None, ""
    # [xtensa:pass.record]
    if isinstance(value.type, Record) or value.size > WORD or size != value.size:
        return Extension.ANY, RECORD
    # [xtensa:pass.narrow]
    return Extension.SIGN if types.is_signed(value.type) else Extension.ZERO, narrow


def in_words(cursor: Cursor, unit: Unit, rest: Extension | None, why: str, clause: str) -> Iterator[Piece]:
    """A unit in the next registers, as it is in memory, with the rest of the last one.

    Where these are fewer than who counts them takes them for, its last words are on the stack.
    """
    for start in range(unit.start, unit.start + unit.size, WORD):
        end = min(start + WORD, unit.start + unit.size)
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
    require_told(types, value)
    # [xtensa:result.memory]
    if is_in_memory(types, value):
        address = Piece(0, WORD, cursor.take("words"), RESULT_MEMORY, None, WORD)
        return value.passed(Passing.INDIRECT, RESULT_MEMORY), (Hidden(RESULT_POINTER, (address,)),)
    if is_lost(types, value):
        return value.passed(Passing.IGNORED, NOTHING), ()
    # [xtensa:result.narrow]
    rest, why = above(types, value, value.size, RESULT_NARROW)
    if types.policies.zero_extended_bytes and rest is Extension.SIGN and value.size == 1:
        rest = Extension.ZERO
    # [xtensa:result.registers]
    pieces = in_words(Cursor(words=RESULTS), Unit(0, value.size, WORD), rest, why, RESULT)
    return value.passed(Passing.DIRECT, RESULT, *pieces), ()


def is_in_memory(types: TypeTable, value: Travelling) -> bool:
    """Return whether a result is in memory: what is larger than four words, and what clang has there."""
    aggregate = isinstance(value.type, Record) or isinstance(strip(value.declared), Complex)
    if is_lost(types, value) and value.size > WORD:
        return False
    return (
        value.size > len(RESULTS) * WORD
        or (types.policies.word_aggregates_in_memory and aggregate and value.size <= WORD)
        or (types.policies.quad_aligned_in_memory and value.align >= QUADWORD)
    )
