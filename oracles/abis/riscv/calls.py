"""The places of a whole call: parameters, hidden result pointer, result."""

from __future__ import annotations

import copy
from collections.abc import Callable

import msgspec

from abiprobe.oracles.abis.riscv.convention import Convention
from abiprobe.oracles.abis.riscv.hardware_float import (
    FLATTEN,
    is_integer,
    is_real,
    pass_in_float_registers,
)
from abiprobe.oracles.abis.riscv.integer import (
    pass_by_integer_convention,
    pass_by_reference,
    pointer_place,
)
from abiprobe.oracles.abis.riscv.vectors import REFERENCE, VARIADIC, VectorRegisters, in_vector_registers
from abiprobe.oracles.engine.cursor import Cursor
from abiprobe.oracles.engine.emptiness import has_flexible_array
from abiprobe.oracles.engine.in_turn import in_turn
from abiprobe.oracles.engine.records import Field, round_up
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Param, Prototype, Record, Scalable, ScalableMask
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Assignment, Extension, Hidden, Passed, Passing, Piece

cite, implements = citing(__package__)
RESULT_MEMORY = cite("int.result-memory")


def calls(abi: Convention) -> Callable[[TypeTable, Prototype], Assignment]:
    """The assigner of one named ABI."""

    def assign(types: TypeTable, prototype: Prototype) -> Assignment:
        cursor = Cursor(integer=abi.integers, float=abi.floats)
        vectors = VectorRegisters()
        result, hidden = assign_result(types, abi, cursor, prototype)

        def by_rules(argument: Param) -> Passed:
            value = Travelling.of(types, argument.name, argument.type)
            return pass_argument(types, abi, cursor, vectors, value)

        if types.data.vector_bits:
            passed = tuple(map(by_rules, prototype.arguments))
        else:
            passed = in_turn(types, cursor, prototype.arguments, by_rules, abi.name)
        return Assignment(passed, result, hidden, round_up(cursor.used, abi.xlen))

    return assign


def pass_argument(
    types: TypeTable, abi: Convention, cursor: Cursor, vectors: VectorRegisters, value: Travelling
) -> Passed:
    """An argument: a vector, a named one, or an unnamed one."""
    if isinstance(value.type, (Scalable, ScalableMask)):
        return pass_vector(types, abi, cursor, vectors, value, value.type)
    if types.policies.records_by_reference and isinstance(value.type, Record) and value.size:
        return pass_by_reference(abi, cursor, value)
    members = numbers_of(types, value) if types.policies.passes_members else None
    if members is not None:
        return pass_members(types, abi, cursor, vectors, value, members)
    if value.is_unnamed:
        return pass_unnamed(types, abi, cursor, value)
    return pass_named(types, abi, cursor, value)


def numbers_of(types: TypeTable, value: Travelling) -> tuple[Field, ...] | None:
    """The members of a struct that is passed as one or two numbers, one of them a real; `None` of another value.

    A result has no more than two registers.
    """
    if not isinstance(value.type, Record) or value.type.union:
        return None
    fields = types.shape(value.type).fields
    plain = [types.plain(one.type) for one in fields if not one.is_bit_field]
    is_number = len(plain) == len(fields) and all(is_real(one) or is_integer(types, one) for one in plain)
    if not is_number or len(fields) not in {1, 2} or not any(map(is_real, plain)):
        return None
    wide = sum(one.bit_width > 64 for one in fields)
    return None if wide and not value.name and len(fields) > 1 else fields


def pass_members(
    types: TypeTable,
    abi: Convention,
    cursor: Cursor,
    vectors: VectorRegisters,
    value: Travelling,
    members: tuple[Field, ...],
) -> Passed:
    """The members of a struct, passed as arguments of their own; nothing is known of what is above them."""
    pieces: list[Piece] = []
    for item in members:
        part = Travelling.of(types, value.name, item.type)
        alone = pass_argument(types, abi, cursor, vectors, part)
        pieces += (shifted(piece, item.bit_offset // 8) for piece in alone.pieces)
    return value.passed(Passing.DIRECT, FLATTEN, *pieces)


def shifted(piece: Piece, at: int) -> Piece:
    """A piece of a member at a byte of its record."""
    above = Extension.ANY if piece.extension in {Extension.SIGN, Extension.ZERO} else piece.extension
    return msgspec.structs.replace(piece, start=piece.start + at, end=piece.end + at, extension=above)


@implements("vector.reference", "vector.variadic")
def pass_vector(
    types: TypeTable,
    abi: Convention,
    cursor: Cursor,
    vectors: VectorRegisters,
    value: Travelling,
    c_type: Scalable | ScalableMask,
) -> Passed:
    """A scalable vector or mask: in vector registers while they last, else by reference."""
    each = types.data.vector_bits // 8
    unnamed = value.is_unnamed and not types.policies.names_vectors
    answer = None if unnamed else in_vector_registers(vectors, value, c_type, each)
    if answer is not None:
        cursor.phantoms += types.policies.counts_vectors_as_integers
        return answer
    if unnamed and types.policies.reads_vectors_themselves:
        return value.passed(Passing.DIRECT, VARIADIC, *words_ahead(abi, cursor, value))
    clause = VARIADIC if unnamed else REFERENCE
    place = pointer_place(abi, cursor)
    return value.passed(Passing.INDIRECT, clause, Piece(0, abi.xlen, place, clause, None, abi.xlen))


def words_ahead(abi: Convention, cursor: Cursor, value: Travelling) -> tuple[Piece, ...]:
    """The words that come next, as a value that takes none of them."""
    ahead = copy.deepcopy(cursor)
    return tuple(
        Piece(at, at + abi.xlen, pointer_place(abi, ahead), VARIADIC, None, abi.xlen)
        for at in range(0, value.size, abi.xlen)
    )


def pass_named(types: TypeTable, abi: Convention, cursor: Cursor, value: Travelling) -> Passed:
    """A named argument: in floating-point registers if they take it, else by the integer convention."""
    if not value.size and has_flexible_array(value.type):
        cursor.phantoms += types.policies.counts_flexible_nothing
    answer = pass_in_float_registers(types, abi, cursor, value) if abi.abi_flen else None
    return answer or pass_by_integer_convention(types, abi, cursor, value)


@implements("fp.named-only")
def pass_unnamed(types: TypeTable, abi: Convention, cursor: Cursor, value: Travelling) -> Passed:
    """An unnamed argument follows the integer convention."""
    return pass_by_integer_convention(types, abi, cursor, value, named=False)


@implements("int.result", "int.result-memory")
def assign_result(
    types: TypeTable, abi: Convention, cursor: Cursor, prototype: Prototype
) -> tuple[Passed | None, tuple[Hidden, ...]]:
    """A result travels as a first named argument would; by reference, its address is a hidden argument."""
    if prototype.result is None:
        return None, ()
    # [riscv:int.result]
    first = Cursor(integer=abi.integers[:2], float=abi.floats[:2])
    value = Travelling.of(types, "", prototype.result)
    answer = pass_argument(types, abi, first, VectorRegisters(), value)
    if answer.passing is not Passing.INDIRECT:
        return answer, ()
    pointer = Piece(0, abi.xlen, pointer_place(abi, cursor), RESULT_MEMORY, None, abi.xlen)
    return value.passed(Passing.INDIRECT, RESULT_MEMORY), (Hidden("result pointer", (pointer,)),)
