"""Parameter passing and return values (3.2.3 Parameter Passing, 3.2.4 Variable Argument Lists, 3.2.5 Return Values)."""

from __future__ import annotations

from msgspec import structs

from abiprobe.oracles.abis.powerpc.supplement32.arguments import FLOATING, GENERAL, Arguments
from abiprobe.oracles.abis.powerpc.supplement32.classes import Class, classify
from abiprobe.oracles.abis.powerpc.supplement32.data import DOUBLEWORD, QUADWORD, WORD
from abiprobe.oracles.abis.powerpc.supplement32.pieces import in_registers, on_stack
from abiprobe.oracles.abis.powerpc.supplement32.unwritten import (
    case_of,
    clause_of,
    in_vector,
    is_by_reference,
    is_unwritten,
    parts,
    shifted,
)
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import (
    DECIMAL,
    BitInt,
    Complex,
    FixedPoint,
    Kind,
    Prototype,
    Record,
    Scalar,
    Type,
    Vector,
)
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import (
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
RECORD = cite("pass.record")
COPY = cite("pass.copy")
UNNAMED_VECTOR = cite("pass.unnamed-vector")
CONDITION = cite("pass.condition")
RESULT_INTEGER = cite("result.integer")
RESULT_PAIR = cite("result.pair")
RESULT_COMPLEX = cite("result.complex")
RESULT_FLOAT = cite("result.float")
RESULT_EXTENDED = cite("result.extended")
RESULT_DECIMAL = cite("result.decimal")
RESULT_VECTOR = cite("result.vector")
RESULT_MEMORY = cite("result.memory")

CONDITION_BIT = "cr.6"
RESULTS = {
    Class.SINGLE_GP: RESULT_INTEGER,
    Class.DUAL_GP: RESULT_PAIR,
    Class.SINGLE_FP: RESULT_FLOAT,
    Class.DOUBLE_FP: RESULT_EXTENDED,
    Class.SINGLE_VR: RESULT_VECTOR,
}


@implements("pass.unnamed", "result.buffer")
def calls(types: TypeTable, prototype: Prototype) -> Assignment:
    """The places of a whole call, of named and unnamed arguments alike."""
    arguments = Arguments()
    result, hidden = assign_result(types, prototype.result)
    if hidden:
        # [ppc32:result.buffer]
        arguments.take(Class.SINGLE_GP)
    named = len(prototype.params)
    params = []
    for number, argument in enumerate(prototype.arguments):
        value = Travelling.of(types, argument.name, argument.type)
        # [ppc32:pass.unnamed]
        params.append(pass_argument(types, arguments, value, unnamed=number >= named))
    if prototype.variadic:
        hidden = (*hidden, condition(params))
    return Assignment(tuple(params), result, hidden, arguments.left.used)


@implements("pass.unnamed-vector")
def pass_argument(types: TypeTable, arguments: Arguments, value: Travelling, *, unnamed: bool) -> Passed:
    """One argument, in registers if enough are left."""
    if is_unwritten(types, value):
        return pass_unwritten(types, arguments, value, unnamed=unnamed)
    if unnamed and types.policies.va_arg_of_fixed_points and isinstance(value.type, FixedPoint):
        return take_fixed_point(types, arguments, value)
    case = classify(types, value)
    if isinstance(value.type, Record) or is_referred(types, value):
        return pass_record(types, arguments, value)
    if (
        unnamed
        and case is Class.SINGLE_VR
        and types.policies.va_arg_vectors_in_general
        and arguments.left.left("general")
    ):
        return take_from_general(arguments, value)
    if (
        unnamed
        and case is Class.DOUBLE_FP
        and types.policies.va_arg_halves_long_doubles
        and arguments.left.left("floating")
    ):
        return take_one_floating(arguments, value)
    # [ppc32:pass.unnamed-vector]
    if unnamed and case is Class.SINGLE_VR:
        slot, _ = arguments.push(case, value.size, value.size)
        return on_stack(types, value, case, slot, UNNAMED_VECTOR)
    return pass_case(types, arguments, value, case)


def pass_unwritten(types: TypeTable, arguments: Arguments, value: Travelling, *, unnamed: bool) -> Passed:
    """A value of a type that the text does not have, as a compiler passes it."""
    policies = types.policies
    if unnamed and is_taken_from_general(types, value):
        return take_as_integer(arguments, value)
    if is_by_reference(types, value):
        return pass_record(types, arguments, value)
    if isinstance(value.type, BitInt):
        left = unnamed and policies.va_arg_takes_left_end and value.size < WORD
        return at_left_end(arguments, value) if left else pass_bit_int(types, arguments, value)
    if types.reading is Reading.GCC:
        return pass_as_one(arguments, value, in_general=unnamed and policies.va_arg_doublewords_in_general)
    pieces = [
        shifted(piece, start)
        for start, part in parts(types, value)
        for piece in pass_part(types, arguments, part, unnamed=unnamed).pieces
    ]
    return value.passed(Passing.DIRECT, clause_of(value), *pieces)


def is_taken_from_general(types: TypeTable, value: Travelling) -> bool:
    """Return whether `va_arg` of clang takes a value from the general registers as if it were one integer of a word."""
    if types.reading is Reading.CLANG and isinstance(value.type, Vector):
        return types.policies.va_arg_vectors_in_general
    return isinstance(value.type, BitInt) and types.policies.va_arg_takes_values and value.size > DOUBLEWORD


def take_as_integer(arguments: Arguments, value: Travelling) -> Passed:
    """A value from the general register that is next, and those behind it, or from the stack as its type is aligned."""
    if arguments.left.left("general"):
        return take_from_general(arguments, value)
    arguments.give_up(Class.SINGLE_GP)
    slot = arguments.left.push(max(value.size, WORD), max(value.align, WORD))
    piece = Piece(0, value.size, slot, clause_of(value), None, value.size)
    return value.passed(Passing.DIRECT, clause_of(value), piece)


def pass_bit_int(types: TypeTable, arguments: Arguments, value: Travelling) -> Passed:
    """A `_BitInt` as the integer of its size."""
    case = Class.SINGLE_GP if value.size <= WORD else Class.DUAL_GP
    return pass_case(types, arguments, value, case)


def take_fixed_point(types: TypeTable, arguments: Arguments, value: Travelling) -> Passed:
    """A fixed-point number as `va_arg` takes what is no integer: from the left end of a word, or from the register that is next."""
    if value.size < WORD:
        return at_left_end(arguments, value)
    if value.size > WORD:
        return take_as_integer(arguments, value)
    return pass_case(types, arguments, value, Class.SINGLE_GP)


def at_left_end(arguments: Arguments, value: Travelling) -> Passed:
    """A narrow value at the left end of its word."""
    registers = arguments.take(Class.SINGLE_GP)
    place = registers[0] if registers else arguments.push(Class.SINGLE_GP, WORD, WORD)[0]
    clause = clause_of(value)
    piece = Piece(0, value.size, place, clause, Extension.ANY, WORD, clause)
    return value.passed(Passing.DIRECT, clause, piece)


def pass_as_one(arguments: Arguments, value: Travelling, *, in_general: bool) -> Passed:
    """A vector or complex integer of gcc's as an integer of its size; a vector of doublewords on the stack, unless it is `in_general`."""
    clause, case = clause_of(value), case_of(value)
    if case is None and in_general:
        case = Class.QUAD_GP
    registers = arguments.take(case) if case else ()
    unit = WORD if case else QUADWORD
    if registers and value.size >= WORD:
        pieces = [
            Piece(number * WORD, (number + 1) * WORD, register, clause, None, WORD)
            for number, register in enumerate(registers)
        ]
        return value.passed(Passing.DIRECT, clause, *pieces)
    aligned = Class.DUAL_GP if value.size == DOUBLEWORD else case or Class.SINGLE_VR
    place = registers[0] if registers else arguments.push(aligned, max(value.size, unit), unit)[0]
    before = value.right_aligned(value.size, WORD)
    rest = Extension.ANY if before else None
    width = max(value.size, WORD)
    piece = Piece(0, value.size, place, clause, rest, width, clause if rest else "", at=before)
    return value.passed(Passing.DIRECT, clause, piece)


def pass_part(types: TypeTable, arguments: Arguments, value: Travelling, *, unnamed: bool) -> Passed:
    """A part of a vector: an element as a value of its own, or a vector of up to a register, on the stack if it is unnamed."""
    if not isinstance(value.type, Vector):
        return pass_case(types, arguments, value, classify(types, value))
    registers = () if unnamed else arguments.take(Class.SINGLE_VR)
    place = registers[0] if registers else arguments.push(Class.SINGLE_VR, QUADWORD, QUADWORD)[0]
    clause = clause_of(value)
    return value.passed(Passing.DIRECT, clause, in_vector(value, place, clause))


def pass_case(types: TypeTable, arguments: Arguments, value: Travelling, case: Class) -> Passed:
    """A value in the registers of its case, or on the stack."""
    moved = arguments.skipped(case)
    if registers := arguments.take(case):
        return in_registers(types, value, case, registers, moved=bool(moved))
    of_two_words = types.policies.floats_in_doublewords and value.type == Scalar(Kind.FLOAT)
    if of_two_words:
        arguments.left.push(0, DOUBLEWORD)
    slot, clause = arguments.push(case, max(value.size, WORD), types.extent(value.type).align)
    if of_two_words:
        arguments.left.push(WORD, WORD)
    return on_stack(types, value, case, slot, clause)


def is_referred(types: TypeTable, value: Travelling) -> bool:
    """Return whether a compiler passes a value by reference that is no record."""
    return types.policies.complex_by_reference and isinstance(value.type, Complex)


def take_from_general(arguments: Arguments, value: Travelling) -> Passed:
    """A vector in as many general registers as there are for it, of which one is counted."""
    here = GENERAL[len(GENERAL) - arguments.left.left("general") :]
    arguments.take(Class.SINGLE_GP)
    pieces = [
        Piece(start, min(start + WORD, value.size), Register(name), UNNAMED_VECTOR, None, WORD)
        for start, name in zip(range(0, value.size, WORD), here, strict=False)
    ]
    return in_part(value, UNNAMED_VECTOR, pieces)


def take_one_floating(arguments: Arguments, value: Travelling) -> Passed:
    """The first half of a long double in a register; the other half is in that of the next real."""
    register = arguments.take(Class.SINGLE_FP)[0]
    return in_part(
        value, RESULT_EXTENDED, [Piece(0, DOUBLEWORD, register, RESULT_EXTENDED, None, DOUBLEWORD)]
    )


def in_part(value: Travelling, clause: str, pieces: list[Piece]) -> Passed:
    """A value whose first bytes alone have places."""
    end = pieces[-1].end
    part = structs.replace(value, mask=value.mask[:end] + bytes(value.size - end))
    return part.passed(Passing.DIRECT, clause, *pieces)


@implements("pass.record", "pass.copy")
def pass_record(types: TypeTable, arguments: Arguments, value: Travelling) -> Passed:
    """A pointer to a struct or union, or to a copy of it, passed as a pointer is."""
    # [ppc32:pass.record]
    registers = arguments.take(Class.SINGLE_GP)
    place, clause = (registers[0], RECORD) if registers else push_address(types, arguments, value)
    passed = value.passed(Passing.INDIRECT, RECORD, Piece(0, WORD, place, clause, None, WORD))
    # [ppc32:pass.copy]
    natural = types.shape(value.type).natural if isinstance(value.type, Record) else value.align
    return structs.replace(passed, memory_align=min(natural, QUADWORD), memory_clause=COPY)


def push_address(types: TypeTable, arguments: Arguments, value: Travelling) -> tuple[StackSlot, str]:
    """The next word of the stack for the address of a record, which a compiler may align as the record."""
    aligned = types.policies.va_arg_aligns_addresses and value.is_unnamed and value.align > WORD
    if aligned:
        arguments.left.push(0, value.align)
    return arguments.push(Class.SINGLE_GP, WORD, WORD)


@implements("pass.condition")
def condition(params: list[Passed]) -> Hidden:
    """CR bit 6, which is set if an argument is in a floating-point register and may be set otherwise."""
    floating = any(
        isinstance(piece.place, Register) and piece.place.name in FLOATING
        for passed in params
        for piece in passed.pieces
    )
    # [ppc32:pass.condition]
    return Hidden(
        "condition bit", (Piece(0, 1, Register(CONDITION_BIT), CONDITION, None, 1),), (int(floating), 1)
    )


@implements("result.memory")
def assign_result(types: TypeTable, result: Type | None) -> tuple[Passed | None, tuple[Hidden, ...]]:
    """The place of a result, or the argument with the address of memory for it."""
    if result is None:
        return None, ()
    value = Travelling.of(types, "", result)
    if is_unwritten(types, value):
        return result_unwritten(types, value)
    case = classify(types, value)
    # [ppc32:result.memory]
    if isinstance(value.type, Record) or is_referred(types, value):
        address = Piece(0, WORD, Register("r3"), RESULT_MEMORY, None, WORD)
        return value.passed(Passing.INDIRECT, RESULT_MEMORY), (Hidden("result pointer", (address,)),)
    passed = pass_argument(types, Arguments(), value, unnamed=False)
    return cited(passed, result_clause(value, case)), ()


def result_unwritten(types: TypeTable, value: Travelling) -> tuple[Passed, tuple[Hidden, ...]]:
    """A result of a type that the text does not have: in registers as an argument, if there are enough, or in memory."""
    if not is_by_reference(types, value):
        if isinstance(value.type, Vector) and types.reading is Reading.GCC:
            return pass_as_one(Arguments(), value, in_general=True), ()
        passed = pass_unwritten(types, Arguments(), value, unnamed=False)
        if all(isinstance(piece.place, Register) for piece in passed.pieces):
            return passed, ()
    address = Piece(0, WORD, Register("r3"), RESULT_MEMORY, None, WORD)
    return value.passed(Passing.INDIRECT, RESULT_MEMORY), (Hidden("result pointer", (address,)),)


@implements(
    "result.integer",
    "result.pair",
    "result.complex",
    "result.float",
    "result.extended",
    "result.decimal",
    "result.vector",
)
def result_clause(value: Travelling, case: Class) -> str:
    """The clause on a result, each of which is in the registers that a first argument would be in."""
    # [ppc32:result.complex]
    if isinstance(value.type, Complex):
        return RESULT_COMPLEX
    # [ppc32:result.decimal]
    if isinstance(value.type, Scalar) and value.type.kind in DECIMAL:
        return RESULT_DECIMAL
    # [ppc32:result.integer] [ppc32:result.pair] [ppc32:result.float] [ppc32:result.extended] [ppc32:result.vector]
    return RESULTS[case]


def cited(passed: Passed, clause: str) -> Passed:
    """A value in its places, all of which rest on one clause."""
    pieces = (
        structs.replace(piece, clause=clause, extension_clause=clause if piece.extension_clause else "")
        for piece in passed.pieces
    )
    return structs.replace(passed, clause=clause, pieces=tuple(pieces))
