"""Arguments and results of 32-bit SPARC."""

from __future__ import annotations

from msgspec import structs

from abiprobe.oracles.abis.sparc.v8.data import DOUBLEWORD, ENUM, QUADWORD, WORD
from abiprobe.oracles.abis.sparc.v8.parameter_array import ParameterArray, in_word, in_words
from abiprobe.oracles.abis.sparc.v8.unwritten import (
    in_reals,
    is_by_reference,
    is_in_memory,
    pieces_of,
    result_of,
    unwritten,
    words_of,
)
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Enum, Pointer, Prototype, Record, Scalar, Type
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import (
    BEHIND_THE_CALL,
    RESULT_POINTER,
    Assignment,
    Extension,
    Hidden,
    Passed,
    Passing,
    Piece,
    Register,
    StackSlot,
)

cite, implements = citing(__package__)
INTEGER = cite("pass.integer")
POINTER = cite("pass.pointer")
LONG_LONG = cite("pass.long-long")
REAL = cite("pass.float")
QUAD = cite("pass.quad")
REFERENCE = cite("struct.reference")
NOTHING = cite("struct.nothing")
RESULT_INTEGER = cite("result.integer")
RESULT_ADDRESS = cite("result.pointer")
RESULT_LONG_LONG = cite("result.long-long")
RESULT_REAL = cite("result.float")
RESULT_MEMORY = cite("result.memory")
POINTER_WORD = cite("result.pointer-word")
UNIMP = cite("result.unimp")

SLOT = 64
"""Bytes from the stack pointer to the word with the address for a result."""
BEHIND = "unimp"
"""The register of the runtime that tells whether an unimp instruction follows a call."""


def calls(types: TypeTable, prototype: Prototype) -> Assignment:
    """The places of a whole call, of named and unnamed arguments alike."""
    array = ParameterArray()
    result, hidden = assign_result(types, prototype.result)
    params = tuple(
        pass_argument(types, array, Travelling.of(types, argument.name, argument.type))
        for argument in prototype.arguments
    )
    return Assignment(params, result, hidden, array.area())


@implements("struct.reference", "pass.quad", "struct.nothing")
def pass_argument(types: TypeTable, array: ParameterArray, value: Travelling) -> Passed:
    """One argument by its type: a structure, union or quad by reference, anything else in its words."""
    if clause := unwritten(types, value):
        if is_by_reference(types, value):
            return pass_by_reference(types, array, value, clause)
        first = array.assign(words_of(types, value) * WORD)
        return value.passed(Passing.DIRECT, clause, *pieces_of(types, value, first, clause))
    # [sparc32:struct.nothing]
    if isinstance(value.type, Record) and not value.size and of_compiler(types) is Reading.CLANG:
        array.assign(WORD)
        return value.passed(Passing.IGNORED, NOTHING)
    # [sparc32:struct.reference]
    if isinstance(value.type, Record):
        return pass_by_reference(types, array, value, REFERENCE)
    # [sparc32:pass.quad]
    if value.size == QUADWORD and not (types.policies.va_arg_takes_quads and value.is_unnamed):
        return pass_by_reference(types, array, value, QUAD)
    clause = clause_of(value)
    return value.passed(Passing.DIRECT, clause, *in_own_words(types, value, array.assign(value.size), clause))


def of_compiler(types: TypeTable) -> Reading:
    """The family that is asked about a structure without bytes; raises `SilentError` if it is the text."""
    if types.reading is None:
        raise SilentError(NOTHING, "a structure has no bytes")
    return types.reading


@implements("pass.integer", "pass.pointer", "pass.long-long", "pass.float")
def clause_of(value: Travelling) -> str:
    """The clause that has a value in words."""
    match value.type:
        # [sparc32:pass.pointer]
        case Pointer():
            return POINTER
        # [sparc32:pass.float]
        case Scalar(kind) if kind.is_floating:
            return REAL
        # [sparc32:pass.long-long]
        case _ if value.size > WORD:
            return LONG_LONG
        # [sparc32:pass.integer]
        case _:
            return INTEGER


@implements("type.enum")
def in_own_words(types: TypeTable, value: Travelling, first: int, clause: str) -> tuple[Piece, ...]:
    """A value in words from number `first` on, one that is narrower than a word extended by its signedness."""
    if value.size > WORD:
        return tuple(in_words(first, value.size, clause))
    # [sparc32:type.enum]
    why = ENUM if isinstance(value.type, Enum) else clause
    above = Extension.SIGN if types.is_signed(value.type) else Extension.ZERO
    return (in_word(first, value.size, above, why),)


def pass_by_reference(types: TypeTable, array: ParameterArray, value: Travelling, clause: str) -> Passed:
    """The address of a copy, passed as a pointer is."""
    address = in_words(array.assign(WORD), WORD, clause)
    return in_memory(types, value.passed(Passing.INDIRECT, clause, *address), value, clause)


def in_memory(types: TypeTable, passed: Passed, value: Travelling, clause: str) -> Passed:
    """A value that is in memory which is aligned as its type is, as far as every stack can be."""
    natural = types.shape(value.type).natural if isinstance(value.type, Record) else value.align
    return structs.replace(passed, memory_align=min(natural, DOUBLEWORD), memory_clause=clause)


@implements("result.integer", "result.pointer", "result.long-long", "result.float", "result.memory")
def assign_result(types: TypeTable, result: Type | None) -> tuple[Passed | None, tuple[Hidden, ...]]:
    """The place of a result, or what the caller provides for one in memory."""
    if result is None:
        return None, ()
    value = Travelling.of(types, "", result)
    clause = unwritten(types, value)
    by_type = isinstance(value.type, Record) or value.size == QUADWORD
    # [sparc32:result.memory]
    if is_in_memory(types, value) if clause else by_type:
        passed = value.passed(Passing.INDIRECT, RESULT_MEMORY if value.size else NOTHING)
        return in_memory(types, passed, value, RESULT_MEMORY), memory_for_result(types, value)
    if clause:
        return value.passed(Passing.DIRECT, clause, *result_of(types, value, clause)), ()
    match value.type:
        # [sparc32:result.float]
        case Scalar(kind) if kind.is_floating:
            group = "d0" if value.size == DOUBLEWORD else ""
            return value.passed(Passing.DIRECT, RESULT_REAL, *in_reals(value.size, RESULT_REAL, group)), ()
        # [sparc32:result.pointer]
        case Pointer():
            clause = RESULT_ADDRESS
        # [sparc32:result.long-long]
        case _ if value.size > WORD:
            clause = RESULT_LONG_LONG
        # [sparc32:result.integer]
        case _:
            clause = RESULT_INTEGER
    pieces = (structs.replace(one, clause=clause) for one in in_own_words(types, value, 0, clause))
    return value.passed(Passing.DIRECT, clause, *pieces), ()


@implements("result.pointer-word", "result.unimp", "struct.nothing")
def memory_for_result(types: TypeTable, value: Travelling) -> tuple[Hidden, Hidden]:
    """The address of the memory for a result, and the instruction behind the call that says that there is some."""
    # [sparc32:result.pointer-word]
    address = Piece(0, WORD, StackSlot(SLOT), POINTER_WORD, None, WORD)
    # [sparc32:result.unimp] [sparc32:struct.nothing]
    there = (
        1 if value.size else int(of_compiler(types) is Reading.CLANG and types.policies.unimp_behind_nothing)
    )
    behind = Piece(0, 1, Register(BEHIND), UNIMP, None, 1)
    return Hidden(RESULT_POINTER, (address,)), Hidden(BEHIND_THE_CALL, (behind,), (there, there))
