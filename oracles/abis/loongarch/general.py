"""Values in general-purpose argument registers and on the stack (Passing arguments)."""

from __future__ import annotations

from abiprobe.oracles.abis.loongarch.data import VECTOR_SIZE, VECTORS
from abiprobe.oracles.abis.loongarch.sheet import cite, implements
from abiprobe.oracles.abis.loongarch.variant import Variant
from abiprobe.oracles.engine.cursor import Cursor
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.lang import BitInt, Enum, Kind, Pointer, Record, Scalar, Vector
from abiprobe.oracles.place import Extension, Passed, Passing, Piece, Place, Register

SCALAR = cite("scalar.one")
REAL = cite("scalar.real-in-general")
SCALAR_PAIR = cite("scalar.pair")
EXTENDED = cite("scalar.extension")
UNSIGNED_WORD = cite("scalar.unsigned-word")
RECORD = cite("struct.one")
PAIR = cite("struct.pair")
REFERENCE = cite("struct.reference")
EMPTY = cite("struct.empty")
UNION = cite("union.one")
UNION_PAIR = cite("union.pair")
UNION_REFERENCE = cite("union.reference")
VECTOR = cite("vector.128")
WIDE_VECTOR = cite("vector.256")
VARIADIC_PAIR = cite("variadic.pair")
UNUSED = cite("pass.unused")
UNSIGNED_WORDS = (Scalar(Kind.UINT), BitInt(32, signed=False))

WORD = 8
STACK_ALIGN = 16


@implements("struct.empty")
def pass_in_general(
    variant: Variant, types: TypeTable, cursor: Cursor, value: Travelling, *, varying: bool
) -> Passed:
    """A value that no floating-point register takes, by its size."""
    if not value.size:
        return value.passed(Passing.IGNORED, EMPTY)
    if isinstance(value.type, Vector):
        return pass_vector(cursor, value, varying=varying)
    if value.size > 2 * WORD:
        return pass_by_reference(cursor, value, REFERENCE)
    if value.size > WORD:
        return pass_in_pair(cursor, value, rule(value, SCALAR_PAIR, PAIR, UNION_PAIR), varying=varying)
    return pass_in_one(variant, types, cursor, value)


def rule(value: Travelling, scalar: str, struct: str, union: str) -> str:
    """The clause for a value, by what it is: complex numbers are as structures."""
    if isinstance(value.type, Record):
        return union if value.type.union else struct
    return scalar if isinstance(value.type, (Scalar, Enum, Pointer)) else struct


@implements(
    "scalar.one", "scalar.real-in-general", "scalar.extension", "struct.one", "union.one", "pass.unused"
)
def pass_in_one(variant: Variant, types: TypeTable, cursor: Cursor, value: Travelling) -> Passed:
    """A value of at most GRLEN bits: a register, or the stack."""
    # [lapcs:scalar.one] [lapcs:struct.one] [lapcs:union.one]
    clause = rule(value, SCALAR, RECORD, UNION)
    if isinstance(value.type, Scalar) and value.type.kind.is_floating:
        # [lapcs:scalar.real-in-general]
        clause = REAL
    place: Place = cursor.take("general") if cursor.left("general") else stack(cursor, value)
    # [lapcs:pass.unused]
    extension, extending = (Extension.ANY if value.size < WORD else None), UNUSED
    whole = isinstance(value.type, BitInt) and types.data.bit_int_extended
    if extension and isinstance(place, Register) and (clause == SCALAR or whole):
        # [lapcs:scalar.extension]
        extension, extending = extended(variant, types, value)
    piece = Piece(0, value.size, place, clause, extension, WORD, extending)
    return value.passed(Passing.DIRECT, clause, piece)


@implements("scalar.extension", "scalar.unsigned-word")
def extended(variant: Variant, types: TypeTable, value: Travelling) -> tuple[Extension, str]:
    """What stands above an integer in a register, and why."""
    # [lapcs:scalar.unsigned-word]
    if types.is_signed(value.type):
        return Extension.SIGN, EXTENDED
    kind = types.enum_kind(value.type) if isinstance(value.type, Enum) else None
    is_unsigned_word = value.type in UNSIGNED_WORDS or kind is Kind.UINT
    is_word = is_unsigned_word and variant.words_are_signed
    # [lapcs:scalar.extension]
    return (Extension.SIGN, UNSIGNED_WORD) if is_word else (Extension.ZERO, EXTENDED)


@implements("scalar.pair", "struct.pair", "union.pair", "variadic.pair")
def pass_in_pair(cursor: Cursor, value: Travelling, clause: str, *, varying: bool) -> Passed:
    """A value of at most twice GRLEN bits: two registers, one and the stack, or the stack."""
    # [lapcs:variadic.pair]
    if varying and value.size == value.align == 2 * WORD and cursor.left("general") % 2:
        clause = VARIADIC_PAIR
        cursor.take("general")
    # [lapcs:scalar.pair] [lapcs:struct.pair] [lapcs:union.pair]
    above = Extension.ANY if value.size % WORD else None
    if not cursor.left("general"):
        piece = Piece(0, value.size, stack(cursor, value), clause, above, 2 * WORD, UNUSED)
        return value.passed(Passing.DIRECT, clause, piece)
    low = Piece(0, WORD, cursor.take("general"), clause, None, WORD)
    rest: Place = cursor.take("general") if cursor.left("general") else cursor.push(WORD, WORD)
    return value.passed(
        Passing.DIRECT, clause, low, Piece(WORD, value.size, rest, clause, above, WORD, UNUSED)
    )


@implements("struct.reference", "union.reference")
def pass_by_reference(cursor: Cursor, value: Travelling, clause: str) -> Passed:
    """A larger value is replaced by its address."""
    # [lapcs:struct.reference] [lapcs:union.reference]
    if isinstance(value.type, Record) and value.type.union:
        clause = UNION_REFERENCE
    place: Place = cursor.take("general") if cursor.left("general") else cursor.push(WORD, WORD)
    return value.passed(Passing.INDIRECT, clause, Piece(0, WORD, place, clause, None, WORD))


@implements("vector.128", "vector.256")
def pass_vector(cursor: Cursor, value: Travelling, *, varying: bool) -> Passed:
    """A vector of 128 bits as a pair; one of 256 by reference, or by value where no register is left for that."""
    if value.size not in VECTORS:
        raise SilentError(VECTOR_SIZE, f"a vector of {value.size} bytes")
    # [lapcs:vector.128]
    if value.size == 2 * WORD:
        return pass_in_pair(cursor, value, VECTOR, varying=varying)
    # [lapcs:vector.256]
    if cursor.left("general"):
        return pass_by_reference(cursor, value, WIDE_VECTOR)
    piece = Piece(0, value.size, stack(cursor, value), WIDE_VECTOR, None, value.size)
    return value.passed(Passing.DIRECT, WIDE_VECTOR, piece)


@implements("pass.stack")
def stack(cursor: Cursor, value: Travelling) -> Place:
    """The stack place of a value: aligned as its type, at least GRLEN, at most the stack alignment."""
    # [lapcs:pass.stack]
    return cursor.push(round_up(value.size, WORD), min(max(value.align, WORD), STACK_ALIGN))
