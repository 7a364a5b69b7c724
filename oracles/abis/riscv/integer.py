"""The Integer Calling Convention: argument registers, pairs, references and the stack."""

from __future__ import annotations

import msgspec

from abiprobe.oracles.abis.riscv.convention import Convention
from abiprobe.oracles.engine.cursor import Cursor
from abiprobe.oracles.engine.emptiness import has_flexible_array, is_empty
from abiprobe.oracles.engine.policies import Argument
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import WIDEST, TypeTable
from abiprobe.oracles.language.lang import BitInt, Complex, Enum, Pointer, Scalar, Type, Vector
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Extension, Passed, Passing, Piece, Place

cite, implements = citing(__package__)
SCALAR = cite("int.scalar")
SCALAR_PAIR = cite("int.scalar-pair")
SCALAR_REFERENCE = cite("int.scalar-reference")
BIT_INT = cite("int.bit-int")
REAL = cite("int.real")
REAL_WIDENED = cite("int.float-widen")
EXTEND = cite("int.extend")
PADDING = cite("int.padding")
AGGREGATE = cite("int.aggregate")
AGGREGATE_PAIR = cite("int.aggregate-pair")
AGGREGATE_REFERENCE = cite("int.aggregate-reference")
VECTOR = cite("int.vector")
EMPTY = cite("int.empty")
VARIADIC = cite("int.variadic")
NAMELESS = cite("int.nameless")
COMPLEX = cite("int.complex")


@implements("int.empty", "int.nameless")
def pass_by_integer_convention(
    types: TypeTable, abi: Convention, cursor: Cursor, value: Travelling, *, named: bool = True
) -> Passed:
    """The places of a value that no floating-point register takes."""
    if value.size == 0:
        pass_over(types, abi, cursor, value, Argument.of(named=named))
        return value.passed(Passing.IGNORED, EMPTY)
    if types.reading is None and not types.carries(value.declared):
        raise SilentError(NAMELESS, f"{value.name or 'the result'} has a size but no named member")
    if Argument.of(named=named) in types.policies.unplaced_empties and is_empty(value.type):
        return value.passed(Passing.IGNORED, NAMELESS)
    if value.size > 2 * abi.xlen:
        return pass_by_reference(abi, cursor, value)
    aligned = wide_bit_int(types, value, named=named)
    moved = not named and align_pair(types, abi, cursor, aligned)
    fits = pass_in_one if value.size <= abi.xlen else pass_in_pair
    passed = fits(types, abi, cursor, aligned)
    return because_of(VARIADIC, passed) if moved else passed


def pass_over(types: TypeTable, abi: Convention, cursor: Cursor, value: Travelling, named: Argument) -> None:
    """Pass over what compilers take for a value of no bytes; by the text nothing."""
    flexible = has_flexible_array(value.type, in_elements=True)
    if flexible and named in types.policies.aligned_flexible:
        align_pair(types, abi, cursor, msgspec.structs.replace(value, align=min(value.align, 2 * abi.xlen)))
        stack(types, abi, cursor, value)
    elif flexible and types.policies.flexible_words:
        pointer_place(abi, cursor)
    if named in types.policies.aligned_nothing:
        stack(types, abi, cursor, value)


def wide_bit_int(types: TypeTable, value: Travelling, *, named: bool) -> Travelling:
    """A `_BitInt` is passed by the alignment that the text gives it, but compilers may take an unnamed one by another."""
    if not isinstance(value.type, BitInt) or value.type.width <= WIDEST:
        return value
    least = types.data.bit_int(value.type.width).align if types.policies.bit_int_chunk else 1
    other = 0 if named else types.policies.unnamed_bit_int_align
    return msgspec.structs.replace(value, align=other or max(value.align, least))


def because_of(clause: str, passed: Passed) -> Passed:
    """A value that another clause moved to where it is."""
    pieces = tuple(msgspec.structs.replace(piece, clause=clause) for piece in passed.pieces)
    return msgspec.structs.replace(passed, pieces=pieces, clause=clause)


@implements("int.scalar", "int.aggregate", "int.real")
def pass_in_one(types: TypeTable, abi: Convention, cursor: Cursor, value: Travelling) -> Passed:
    """A value of at most XLEN bits: one register, or the stack."""
    # [riscv:int.real]
    clause = rule(value.type, AGGREGATE, SCALAR)
    place = cursor.take("integer") if cursor.left("integer") else stack(types, abi, cursor, value)
    piece = Piece(0, value.size, place, clause, extension(types, abi, value), abi.xlen, widening(value.type))
    return value.passed(Passing.DIRECT, clause, piece)


@implements("int.scalar-pair", "int.aggregate-pair")
def pass_in_pair(types: TypeTable, abi: Convention, cursor: Cursor, value: Travelling) -> Passed:
    """A value of at most 2 XLEN bits: two registers, one and the stack, or the stack."""
    clause = rule(value.type, AGGREGATE_PAIR, SCALAR_PAIR)
    above = extension(types, abi, value)
    if not cursor.left("integer"):
        width = -(-value.size // abi.xlen) * abi.xlen
        piece = Piece(
            0, value.size, stack(types, abi, cursor, value), clause, above, width, widening(value.type)
        )
        return value.passed(Passing.DIRECT, clause, piece)
    low = Piece(0, abi.xlen, cursor.take("integer"), clause, None, abi.xlen)
    rest: Place = cursor.take("integer") if cursor.left("integer") else cursor.push(abi.xlen, abi.xlen)
    high = Piece(abi.xlen, value.size, rest, clause, above, abi.xlen, widening(value.type))
    return value.passed(Passing.DIRECT, clause, low, high)


@implements("int.scalar-reference", "int.aggregate-reference")
def pass_by_reference(abi: Convention, cursor: Cursor, value: Travelling) -> Passed:
    """A value of more than 2 XLEN bits is replaced by its address."""
    clause = rule(value.type, AGGREGATE_REFERENCE, SCALAR_REFERENCE)
    place = pointer_place(abi, cursor)
    return value.passed(Passing.INDIRECT, clause, Piece(0, abi.xlen, place, clause, None, abi.xlen))


def pointer_place(abi: Convention, cursor: Cursor) -> Place:
    """The place of an address: a scalar of XLEN bits."""
    return cursor.take("integer") if cursor.left("integer") else cursor.push(abi.xlen, abi.xlen)


@implements("int.stack", "int.stack-alignment")
def stack(types: TypeTable, abi: Convention, cursor: Cursor, value: Travelling) -> Place:
    """The stack place of a value: aligned as its type, at least XLEN, at most the stack alignment."""
    # [riscv:int.stack] [riscv:int.stack-alignment]
    align = min(max(value.align, abi.xlen), abi.stack_align)
    if types.policies.two_words_on_stack and value.align == 2 * abi.xlen:
        align = value.align
    return cursor.push(-(-value.size // abi.xlen) * abi.xlen, align)


@implements("int.variadic")
def align_pair(types: TypeTable, abi: Convention, cursor: Cursor, value: Travelling) -> bool:
    """An unnamed argument aligned to 2 XLEN bits starts at an even register; after the stack, only the stack.

    The answer is whether that leaves a register unused.
    """
    left = cursor.left("integer")
    if cursor.used:
        cursor.drain("integer")
    aligned = value.align == 2 * abi.xlen and value.kind not in types.policies.unaligned_pairs
    if aligned and cursor.left("integer") % 2:
        cursor.take("integer")
    return cursor.left("integer") < left


@implements("int.extend", "int.bit-int", "int.float-widen", "int.padding")
def extension(types: TypeTable, abi: Convention, value: Travelling) -> Extension | None:
    """Return the extension above a value in the register or slots that it does not fill."""
    if value.size % abi.xlen == 0 and not isinstance(value.type, BitInt):
        return None
    match value.type:
        # [riscv:int.extend]
        case Scalar(kind) if kind.is_integer:
            return by_sign(types, value.type, value.size * 8)
        case Enum():
            return by_sign(types, value.type, value.size * 8)
        # [riscv:int.bit-int]
        case BitInt(width=width):
            return by_sign(types, value.type, width)
        # [riscv:int.float-widen] [riscv:int.padding]
        case _:
            return Extension.ANY


def widening(c_type: Type) -> str:
    """The clause that says what stands above a value of this type."""
    match c_type:
        case BitInt():
            return BIT_INT
        case Scalar(kind) if kind.is_floating:
            return REAL_WIDENED
        case Scalar() | Enum():
            return EXTEND
        case _:
            return PADDING


def by_sign(types: TypeTable, c_type: Type, width: int) -> Extension:
    """Integers are widened by their sign to 32 bits, and sign-extended from there."""
    return Extension.SIGN if types.is_signed(c_type) or width == 32 else Extension.ZERO


@implements("int.vector", "int.complex", "int.real")
def rule(c_type: Type, aggregate: str, scalar: str) -> str:
    """The clause for a type: aggregates and what travels like them, or scalars."""
    match c_type:
        case Scalar(kind) if kind.is_floating:
            return REAL if scalar is SCALAR else scalar
        case BitInt():
            return BIT_INT
        case Scalar() | Enum() | Pointer():
            return scalar
        case Vector():
            return VECTOR
        case Complex():
            return COMPLEX
        case _:
            return aggregate
