"""Values in general-purpose argument registers and on the stack (Passing arguments)."""

from __future__ import annotations

from abiprobe.oracles.abis.loongarch.data import VECTOR_SIZE, VECTORS
from abiprobe.oracles.abis.loongarch.variant import Variant
from abiprobe.oracles.engine.cursor import Cursor
from abiprobe.oracles.engine.emptiness import has_flexible_array, is_empty
from abiprobe.oracles.engine.policies import Argument
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import BitInt, Enum, Kind, Pointer, Record, Scalar, Vector
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Extension, Passed, Passing, Piece, Place, Register

cite, implements = citing(__package__)
SCALAR = cite("scalar.one")
REAL = cite("scalar.real-in-general")
WIDER_REAL = cite("scalar.real-wider")
SCALAR_PAIR = cite("scalar.pair")
EXTENDED = cite("scalar.extension")
UNSIGNED_WORD = cite("scalar.unsigned-word")
RECORD = cite("struct.one")
PAIR = cite("struct.pair")
REFERENCE = cite("struct.reference")
EMPTY = cite("struct.empty")
QUAD = cite("pass.quad")
UNION = cite("union.one")
UNION_PAIR = cite("union.pair")
UNION_REFERENCE = cite("union.reference")
VECTOR = cite("vector.128")
WIDE_VECTOR = cite("vector.256")
VARIADIC_PAIR = cite("variadic.pair")
VARIADIC_REFERENCE = cite("variadic.reference")
UNUSED = cite("pass.unused")
UNSIGNED_WORDS = (Scalar(Kind.UINT), BitInt(32, signed=False))

QUAD_BYTES = 16
"""The bytes of a quad-precision real, or of a vector of 128 bits."""
STACK_ALIGN = 16


@implements("struct.empty")
def pass_in_general(
    variant: Variant, types: TypeTable, cursor: Cursor, value: Travelling, *, varying: bool
) -> Passed:
    """A value that no floating-point register takes, by its size."""
    named = Argument.of(named=not varying)
    if named in types.policies.unplaced_empties and is_empty(value.type):
        return value.passed(Passing.IGNORED, EMPTY)
    if not value.size:
        pass_over(variant, types, cursor, value, named)
        return value.passed(Passing.IGNORED, EMPTY)
    if isinstance(value.type, Vector) and is_told(variant, types, value):
        return pass_vector(variant, types, cursor, value, varying=varying)
    if not varying:
        refuse_quad(variant, types, value)
    if value.size > 2 * variant.grlen:
        clause = rule(value, VARIADIC_REFERENCE, REFERENCE, REFERENCE)
        return pass_by_reference(variant, cursor, value, clause)
    if value.size > variant.grlen:
        clause = rule(value, SCALAR_PAIR, PAIR, UNION_PAIR)
        return pass_in_pair(variant, cursor, value, clause, varying=varying)
    return pass_in_one(variant, types, cursor, value)


def is_told(variant: Variant, types: TypeTable, value: Travelling) -> bool:
    """Return whether the text says where a vector of this size is; compilers have others as composites of their size.

    Raises `SilentError` where no compiler's reading is asked for.
    """
    if value.size not in VECTORS and types.reading is None:
        raise SilentError(VECTOR_SIZE, f"a vector of {value.size} bytes")
    return value.size in VECTORS and (types.reading is None or not is_quad(variant, value))


def pass_over(variant: Variant, types: TypeTable, cursor: Cursor, value: Travelling, named: Argument) -> None:
    """Pass over what compilers take for a value of no bytes; by the text nothing."""
    flexible = has_flexible_array(value.type, in_elements=True)
    if flexible and named in types.policies.aligned_flexible:
        align_saved(variant, cursor, value)
        stack(variant, cursor, value)
    elif flexible and types.policies.flexible_words:
        word_place(variant, cursor)
    if named in types.policies.aligned_nothing:
        stack(variant, cursor, value)


def word_place(variant: Variant, cursor: Cursor) -> Place:
    """The next place of GRLEN bits."""
    return cursor.take("general") if cursor.left("general") else cursor.push(variant.grlen, variant.grlen)


def align_saved(variant: Variant, cursor: Cursor, value: Travelling) -> None:
    """Go on where a value is aligned among saved registers, which end where the stack begins."""
    align = min(value.align, STACK_ALIGN)
    while cursor.left("general") * variant.grlen % align:
        cursor.take("general")


def rule(value: Travelling, scalar: str, struct: str, union: str) -> str:
    """The clause for a value, by what it is: complex numbers are as structures."""
    if isinstance(value.type, Record):
        return union if value.type.union else struct
    return scalar if isinstance(value.type, (Scalar, Enum, Pointer)) else struct


@implements(
    "scalar.one",
    "scalar.real-in-general",
    "scalar.real-wider",
    "scalar.extension",
    "struct.one",
    "union.one",
    "pass.unused",
)
def pass_in_one(variant: Variant, types: TypeTable, cursor: Cursor, value: Travelling) -> Passed:
    """A value of at most GRLEN bits: a register, or the stack."""
    # [lapcs:scalar.one] [lapcs:struct.one] [lapcs:union.one]
    clause = rule(value, SCALAR, RECORD, UNION)
    if isinstance(value.type, Scalar) and value.type.kind.is_floating:
        # [lapcs:scalar.real-in-general] [lapcs:scalar.real-wider]
        clause = WIDER_REAL if value.size > variant.frlen > 0 else REAL
    place: Place = cursor.take("general") if cursor.left("general") else stack(variant, cursor, value)
    # [lapcs:pass.unused]
    extension, extending = (Extension.ANY if value.size < variant.grlen else None), UNUSED
    whole = isinstance(value.type, BitInt) and types.data.bit_int_extended
    if extension and isinstance(place, Register) and (clause == SCALAR or whole):
        # [lapcs:scalar.extension]
        extension, extending = extended(variant, types, value)
    piece = Piece(0, value.size, place, clause, extension, variant.grlen, extending)
    return value.passed(Passing.DIRECT, clause, piece)


@implements("scalar.extension", "scalar.unsigned-word")
def extended(variant: Variant, types: TypeTable, value: Travelling) -> tuple[Extension, str]:
    """Return the extension above an integer in a register, and its clause."""
    # [lapcs:scalar.unsigned-word]
    if types.is_signed(value.type):
        return Extension.SIGN, EXTENDED
    kind = types.enum_kind(value.type) if isinstance(value.type, Enum) else None
    is_unsigned_word = value.type in UNSIGNED_WORDS or kind is Kind.UINT
    is_word = is_unsigned_word and (variant.words_are_signed or types.policies.signed_words)
    # [lapcs:scalar.extension]
    return (Extension.SIGN, UNSIGNED_WORD) if is_word else (Extension.ZERO, EXTENDED)


@implements("scalar.pair", "struct.pair", "union.pair", "variadic.pair")
def pass_in_pair(
    variant: Variant, cursor: Cursor, value: Travelling, clause: str, *, varying: bool
) -> Passed:
    """A value of at most twice GRLEN bits: two registers, one and the stack, or the stack."""
    word = variant.grlen
    # [lapcs:variadic.pair]
    if varying and value.size == value.align == 2 * word and cursor.left("general") % 2:
        clause = VARIADIC_PAIR
        cursor.take("general")
    # [lapcs:scalar.pair] [lapcs:struct.pair] [lapcs:union.pair]
    above = Extension.ANY if value.size % word else None
    if not cursor.left("general"):
        piece = Piece(0, value.size, stack(variant, cursor, value), clause, above, 2 * word, UNUSED)
        return value.passed(Passing.DIRECT, clause, piece)
    low = Piece(0, word, cursor.take("general"), clause, None, word)
    rest: Place = cursor.take("general") if cursor.left("general") else cursor.push(word, word)
    return value.passed(
        Passing.DIRECT, clause, low, Piece(word, value.size, rest, clause, above, word, UNUSED)
    )


@implements("struct.reference", "union.reference")
def pass_by_reference(variant: Variant, cursor: Cursor, value: Travelling, clause: str) -> Passed:
    """A larger value is replaced by its address."""
    word = variant.grlen
    # [lapcs:struct.reference] [lapcs:union.reference]
    if isinstance(value.type, Record) and value.type.union:
        clause = UNION_REFERENCE
    place = word_place(variant, cursor)
    return value.passed(Passing.INDIRECT, clause, Piece(0, word, place, clause, None, word))


@implements("vector.128", "vector.256", "variadic.reference")
def pass_vector(
    variant: Variant, types: TypeTable, cursor: Cursor, value: Travelling, *, varying: bool
) -> Passed:
    """A vector of 128 bits as a pair; one of 256 by reference, or by value where no register is left for that."""
    # [lapcs:variadic.reference]
    if varying and value.size > 2 * variant.grlen:
        return pass_by_reference(variant, cursor, value, VARIADIC_REFERENCE)
    refuse_quad(variant, types, value)
    # [lapcs:vector.128]
    if value.size == QUAD_BYTES:
        return pass_in_pair(variant, cursor, value, VECTOR, varying=varying)
    # [lapcs:vector.256]
    if cursor.left("general") or types.policies.vectors_by_reference_on_stack:
        return pass_by_reference(variant, cursor, value, WIDE_VECTOR)
    return pass_on_stack(variant, cursor, value, WIDE_VECTOR)


@implements("pass.quad")
def refuse_quad(variant: Variant, types: TypeTable, value: Travelling) -> None:
    """A named quad is on the stack in some way; compilers have it by reference."""
    # [lapcs:pass.quad]
    if is_quad(variant, value) and types.reading is None:
        raise SilentError(QUAD, f"{value.name or 'the result'} has {value.size} bytes")


def is_quad(variant: Variant, value: Travelling) -> bool:
    """Return whether this is a real or a vector of 16 bytes that no pair of registers holds."""
    return value.size == QUAD_BYTES > 2 * variant.grlen and isinstance(value.type, (Scalar, Vector))


def pass_on_stack(variant: Variant, cursor: Cursor, value: Travelling, clause: str) -> Passed:
    """A value that is on the stack as it is."""
    piece = Piece(0, value.size, stack(variant, cursor, value), clause, None, value.size)
    return value.passed(Passing.DIRECT, clause, piece)


@implements("pass.stack")
def stack(variant: Variant, cursor: Cursor, value: Travelling) -> Place:
    """The stack place of a value: aligned as its type, at least GRLEN, at most the stack alignment."""
    # [lapcs:pass.stack]
    word = variant.grlen
    return cursor.push(round_up(value.size, word), min(max(value.align, word), STACK_ALIGN))
