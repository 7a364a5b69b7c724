"""Values in floating-point argument registers (Scalars of fundamental types, Structures, Complex floating-points)."""

from __future__ import annotations

from abiprobe.oracles.abis.loongarch.general import UNUSED
from abiprobe.oracles.abis.loongarch.variant import Variant
from abiprobe.oracles.engine.cursor import Cursor
from abiprobe.oracles.engine.flatten import Bitless, Flat, FlatField, flatten
from abiprobe.oracles.engine.llvm_pairs import Taken, coerced, is_moved, makes_pairs, pass_coerced
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import BitInt, Complex, Enum, Record, Scalar, Type
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Extension, Passed, Passing, Piece

cite, implements = citing(__package__)
REAL = cite("scalar.real")
ONE = cite("struct.one-real")
TWO = cite("struct.two-reals")
MIXED = cite("struct.real-and-integer")
FLATTEN = cite("struct.flatten")
ZERO_SIZED = cite("struct.zero-sized")
UNNAMED = cite("struct.unnamed-bit-field")
BIT_FIELD = cite("struct.bit-field")
COMPLEX = cite("complex")


@implements("scalar.real", "complex")
def pass_in_floating(variant: Variant, types: TypeTable, cursor: Cursor, value: Travelling) -> Passed | None:
    """The places of a value in floating-point registers, `None` if they do not take it."""
    match value.type:
        case Scalar(kind) if kind.is_floating:
            # [lapcs:scalar.real]
            whole = FlatField(value.type, 0, value.size * 8, is_bit_field=False)
            return pass_reals(variant, cursor, value, (whole,), REAL)
        case Complex():
            # [lapcs:complex]
            return pass_reals(variant, cursor, value, halves(types, value.type, 0), COMPLEX)
        case Record(union=False):
            return pass_struct(variant, types, cursor, value)
        case _:
            return None


@implements("struct.flatten", "struct.zero-sized", "struct.unnamed-bit-field")
def pass_struct(variant: Variant, types: TypeTable, cursor: Cursor, value: Travelling) -> Passed | None:
    """A structure is judged by its members, flattened."""
    # [lapcs:struct.flatten] [lapcs:struct.zero-sized]
    flat = flatten(types, value.type, limit=2)
    answer = None if flat.union or flat.blocked else pass_members(variant, types, cursor, value, flat)
    # [lapcs:struct.unnamed-bit-field]
    if answer is not None and flat.unnamed:
        raise SilentError(
            UNNAMED, f"{value.name or 'the result'} has an unnamed bit-field beside its members"
        )
    return answer


@implements("struct.one-real", "struct.two-reals", "struct.real-and-integer", "struct.bit-field", "complex")
def pass_members(
    variant: Variant, types: TypeTable, cursor: Cursor, value: Travelling, flat: Flat
) -> Passed | None:
    """Choose the rule by the number and kind of the flattened members."""
    match flat.fields:
        case [FlatField(type=Complex() as inner, bit_offset=at)] if inner.kind.is_integer:
            return pass_integers(variant, cursor, value, halves(types, inner, at), deciding(flat, COMPLEX))
        case [FlatField(type=Complex() as inner, bit_offset=at)]:
            # [lapcs:complex]
            return pass_reals(variant, cursor, value, halves(types, inner, at), deciding(flat, COMPLEX))
        case [only] if is_real(only.type):
            # [lapcs:struct.one-real]
            return pass_reals(variant, cursor, value, (only,), deciding(flat, ONE))
        case [first, second] if is_real(first.type) and is_real(second.type):
            # [lapcs:struct.two-reals]
            return pass_reals(variant, cursor, value, (first, second), deciding(flat, TWO))
        case [first, second] if is_real(first.type) != is_real(second.type):
            # [lapcs:struct.real-and-integer]
            answer = pass_mixed(variant, types, cursor, value, (first, second), deciding(flat, MIXED))
            # [lapcs:struct.bit-field]
            open_to_text = first.is_bit_field or second.is_bit_field
            if answer is not None and open_to_text and types.reading is None:
                raise SilentError(BIT_FIELD, f"{value.name or 'the result'} has a bit-field beside a real")
            return answer
        case _:
            return None


def deciding(flat: Flat, rule: str) -> str:
    """The clause without which `rule` would not have applied."""
    if flat.ignored & set(Bitless):
        return ZERO_SIZED
    return FLATTEN if flat.nested else rule


def pass_reals(
    variant: Variant, cursor: Cursor, value: Travelling, reals: tuple[FlatField, ...], clause: str
) -> Passed | None:
    """One or two reals take a register each, if none is too wide and enough are left."""
    if any(real.bit_width > variant.frlen * 8 for real in reals) or cursor.left("floating") < len(reals):
        return None
    return value.passed(Passing.DIRECT, clause, *(piece(variant, cursor, real, clause) for real in reals))


def pass_integers(
    variant: Variant, cursor: Cursor, value: Travelling, parts: tuple[FlatField, FlatField], clause: str
) -> Passed | None:
    """The parts of a complex integer, which no text has, in a general register each, where clang takes them apart."""
    if parts[0].bit_width > min(variant.frlen, variant.grlen) * 8 or cursor.left("general") < len(parts):
        return None
    return value.passed(Passing.DIRECT, clause, *(piece(variant, cursor, part, clause) for part in parts))


def pass_mixed(
    variant: Variant,
    types: TypeTable,
    cursor: Cursor,
    value: Travelling,
    fields: tuple[FlatField, FlatField],
    clause: str,
) -> Passed | None:
    """A real and an integer take one register of each kind, in either order."""
    integer, real = sorted(fields, key=lambda item: is_real(item.type))
    if (
        not is_integer(integer.type)
        or integer.bit_width > variant.grlen * 8
        or real.bit_width > variant.frlen * 8
    ):
        return None
    if not (cursor.left("floating") and cursor.left("general")):
        return None
    if makes_pairs(types.policies):
        elements = coerced(types, variant.grlen, fields)
        if elements is None:
            return None
        if is_moved(value, fields, elements):
            one, two = (register_for(variant, cursor, item) for item in fields)
            return pass_coerced(value, fields, elements, (one, two), clause, types.policies)
    return value.passed(Passing.DIRECT, clause, *(piece(variant, cursor, item, clause) for item in fields))


def piece(variant: Variant, cursor: Cursor, item: FlatField, clause: str) -> Piece:
    """A member in the next register of its kind; what is above it is undefined."""
    start, end = item.bit_offset // 8, (item.bit_offset + item.bit_width + 7) // 8
    real = is_real(item.type)
    width = variant.frlen if real else variant.grlen
    place = cursor.take("floating" if real else "general")
    return Piece(start, end, place, clause, Extension.ANY if end - start < width else None, width, UNUSED)


def register_for(variant: Variant, cursor: Cursor, item: FlatField) -> Taken:
    """The next register for a member."""
    if is_real(item.type):
        return Taken(cursor.take("floating"), variant.frlen)
    return Taken(cursor.take("general"), variant.grlen)


def halves(types: TypeTable, c_type: Complex, at: int) -> tuple[FlatField, FlatField]:
    """The real and the imaginary part of a complex number at bit `at`."""
    part = Scalar(c_type.kind)
    width = types.extent(part).size * 8
    return FlatField(part, at, width, is_bit_field=False), FlatField(
        part, at + width, width, is_bit_field=False
    )


def is_real(c_type: Type) -> bool:
    """Return whether this is a real floating type."""
    return isinstance(c_type, Scalar) and c_type.kind.is_floating


def is_integer(c_type: Type) -> bool:
    """Return whether this is a member that the rules call an integer; "integral" covers pointers, "integer" is taken not to.

    The text has no `_BitInt`; the compilers take one for an integer.
    """
    return isinstance(c_type, (BitInt, Enum)) or (isinstance(c_type, Scalar) and c_type.kind.is_integer)
