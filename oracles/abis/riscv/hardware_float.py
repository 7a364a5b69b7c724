"""The Hardware Floating-Point Calling Convention: which values travel in floating-point registers."""

from __future__ import annotations

import msgspec

from abiprobe.oracles.abis.riscv.convention import Convention
from abiprobe.oracles.engine.cursor import Cursor
from abiprobe.oracles.engine.flatten import Bitless, Flat, FlatField, flatten
from abiprobe.oracles.engine.llvm_pairs import (
    Taken,
    coerced,
    is_moved,
    makes_pairs,
    pass_coerced,
    travelling_bits,
)
from abiprobe.oracles.engine.machine_modes import held_real
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import BitInt, Complex, Enum, Kind, Pointer, Record, Scalar, Type
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Extension, Passed, Passing, Piece

cite, implements = citing(__package__)
REAL = cite("fp.real")
NAN_BOX = cite("fp.nan-box")
ONE_REAL = cite("fp.one-real")
TWO_REALS = cite("fp.two-reals")
COMPLEX = cite("fp.complex")
REAL_AND_INTEGER = cite("fp.real-and-integer")
FLATTEN = cite("fp.flatten")
IGNORED = {
    Bitless.BIT_FIELD: cite("fp.flatten-zero-width"),
    Bitless.ARRAY: cite("fp.flatten-zero-length"),
    Bitless.RECORD: cite("fp.flatten-empty"),
}
UNNAMED = cite("fp.unnamed-bit-field")


def pass_in_float_registers(
    types: TypeTable, abi: Convention, cursor: Cursor, value: Travelling
) -> Passed | None:
    """The places of `value` if this convention takes it, `None` if it is left to the integer convention."""
    match value.type:
        case Scalar(kind) if kind.is_floating:
            whole = FlatField(value.type, 0, value.size * 8, is_bit_field=False)
            return pass_reals(abi, cursor, value, (whole,), REAL)
        case Complex():
            return pass_reals(abi, cursor, value, split_complex(types, value.type, 0), COMPLEX)
        case Record(union=False):
            return pass_struct(types, abi, cursor, value)
        case _:
            return None


@implements(
    "fp.flatten",
    "fp.flatten-zero-width",
    "fp.flatten-zero-length",
    "fp.flatten-empty",
    "fp.union",
    "fp.unnamed-bit-field",
)
def pass_struct(types: TypeTable, abi: Convention, cursor: Cursor, value: Travelling) -> Passed | None:
    """A struct is judged by its fields, flattened."""
    # [riscv:fp.flatten] [riscv:fp.flatten-zero-width] [riscv:fp.flatten-zero-length] [riscv:fp.flatten-empty]
    flat = flatten(types, value.type, limit=2)
    if is_kept(types, flat):
        return None
    # [riscv:fp.union]
    if flat.blocked:
        flat = held_whole(types, value, flat)
    answer = None if flat.union or flat.blocked else pass_fields(types, abi, cursor, value, flat)
    if answer is not None and flat.unnamed:
        raise SilentError(UNNAMED, f"{value.name or 'the result'} has an unnamed bit-field beside its fields")
    return answer


def held_whole(types: TypeTable, value: Travelling, flat: Flat) -> Flat:
    """A struct that gcc holds as a number passes as that where it cannot be flattened."""
    held = held_real(types, value.type) if types.reading is Reading.GCC else None
    return flat if held is None else Flat([FlatField(held, 0, 8 * value.size, is_bit_field=False)])


def is_kept(types: TypeTable, flat: Flat) -> bool:
    """Return whether a compiler keeps a struct from being flattened for what the text ignores or takes."""
    policies = types.policies
    if policies.passes_members:
        return True
    halves = {Scalar(Kind.FLOAT16), Scalar(Kind.BF16)}
    return (
        (policies.counts_empty_unions and flat.empty_union)
        or (policies.zero_width_before_second and flat.zero_width_first)
        or (policies.flattens_no_halves and any(one.type in halves for one in flat.fields))
    )


def pass_fields(
    types: TypeTable, abi: Convention, cursor: Cursor, value: Travelling, flat: Flat
) -> Passed | None:
    """Choose the rule by the number and kind of the flattened fields."""
    match flat.fields:
        case [FlatField(type=Complex() as inner, bit_offset=at)] if inner.kind.is_integer:
            return pass_integers(abi, cursor, value, split_complex(types, inner, at), deciding(flat, COMPLEX))
        case [FlatField(type=Complex() as inner, bit_offset=at)]:
            reals = split_complex(types, inner, at)
            return pass_reals(abi, cursor, value, reals, deciding(flat, COMPLEX))
        case [only] if is_real(only.type):
            return pass_reals(abi, cursor, value, (only,), deciding(flat, ONE_REAL))
        case [first, second] if is_real(first.type) and is_real(second.type):
            return pass_reals(abi, cursor, value, (first, second), deciding(flat, TWO_REALS))
        case [real, integer] if is_real(real.type) and is_integer(types, integer.type):
            return pass_real_and_integer(
                types, abi, cursor, value, (real, integer), deciding(flat, REAL_AND_INTEGER)
            )
        case [integer, real] if is_real(real.type) and is_integer(types, integer.type):
            return pass_real_and_integer(
                types, abi, cursor, value, (integer, real), deciding(flat, REAL_AND_INTEGER)
            )
        case _:
            return None


def deciding(flat: Flat, rule: str) -> str:
    """The clause without which `rule` would not have applied."""
    for bitless, clause in IGNORED.items():
        if bitless in flat.ignored:
            return clause
    return FLATTEN if flat.nested else rule


@implements("fp.real", "fp.one-real", "fp.two-reals", "fp.complex")
def pass_reals(
    abi: Convention, cursor: Cursor, value: Travelling, reals: tuple[FlatField, ...], clause: str
) -> Passed | None:
    """One or two reals take a floating-point register each, if none is too wide and enough are left."""
    # [riscv:fp.real] [riscv:fp.one-real] [riscv:fp.two-reals] [riscv:fp.complex]
    if any(real.bit_width > abi.abi_flen * 8 for real in reals) or cursor.left("float") < len(reals):
        return None
    pieces = (float_piece(abi, cursor, real, clause) for real in reals)
    return value.passed(Passing.DIRECT, clause, *pieces)


def pass_integers(
    abi: Convention, cursor: Cursor, value: Travelling, parts: tuple[FlatField, FlatField], clause: str
) -> Passed | None:
    """The parts of a complex integer, which no text has, in an integer register each, where clang takes them apart."""
    if parts[0].bit_width > min(abi.abi_flen, abi.xlen) * 8 or cursor.left("integer") - cursor.phantoms < len(
        parts
    ):
        return None
    pieces = (integer_piece(abi, cursor, part, clause) for part in parts)
    return value.passed(Passing.DIRECT, clause, *pieces)


@implements("fp.real-and-integer")
def pass_real_and_integer(
    types: TypeTable,
    abi: Convention,
    cursor: Cursor,
    value: Travelling,
    fields: tuple[FlatField, FlatField],
    clause: str,
) -> Passed | None:
    """A real and an integer take one register of each file, in either order."""
    in_pair = makes_pairs(types.policies)
    elements = coerced(types, abi.xlen, fields) if in_pair else None
    if in_pair and elements is None:
        return None
    if cursor.left("integer") <= cursor.phantoms:
        return None
    for item in fields:
        limit = abi.abi_flen if is_real(item.type) else abi.xlen
        if item.bit_width > limit * 8:
            return None
    if not (cursor.left("float") and cursor.left("integer")):
        return None
    if elements is not None and is_moved(value, fields, elements):
        first, second = (register_for(abi, cursor, item) for item in fields)
        return pass_coerced(value, fields, elements, (first, second), clause, types.policies)
    pieces = [
        float_piece(abi, cursor, item, clause)
        if is_real(item.type)
        else integer_piece(abi, cursor, item, clause)
        for item in fields
    ]
    if types.policies.reads_from_beginning and not value.name:
        pieces = [from_beginning(value, piece) for piece in pieces]
    if types.policies.reads_real_behind and not value.name:
        pieces = real_behind(abi, *pieces)
    if types.policies.extended_bit_ints:
        return value.passed(Passing.DIRECT, clause, *map(with_unused_bits, pieces, fields))
    passed = value.passed(Passing.DIRECT, clause, *pieces)
    return msgspec.structs.replace(passed, mask=travelling_bits(passed.mask, fields))


def with_unused_bits(piece: Piece, item: FlatField) -> Piece:
    """The piece of a `_BitInt` with all bits of its bytes, as one that is extended has them."""
    return msgspec.structs.replace(piece, bit=None, bits=None) if isinstance(item.type, BitInt) else piece


def register_for(abi: Convention, cursor: Cursor, item: FlatField) -> Taken:
    """The next register for a field."""
    real = is_real(item.type)
    return Taken(cursor.take("float"), abi.flen) if real else Taken(cursor.take("integer"), abi.xlen)


@implements("fp.nan-box")
def float_piece(abi: Convention, cursor: Cursor, real: FlatField, clause: str) -> Piece:
    """A real in the next floating-point register, NaN-boxed when it is narrower than FLEN."""
    start, end = real.bit_offset // 8, (real.bit_offset + real.bit_width) // 8
    boxed = Extension.NAN_BOX if end - start < abi.flen else None
    return Piece(start, end, cursor.take("float"), clause, boxed, abi.flen, NAN_BOX)


def integer_piece(abi: Convention, cursor: Cursor, integer: FlatField, clause: str) -> Piece:
    """An integer or bit-field of a struct in the next integer register; bits above it are unspecified."""
    start, end = integer.bit_offset // 8, -(-(integer.bit_offset + integer.bit_width) // 8)
    bit, bits = alone(integer)
    return Piece(start, end, cursor.take("integer"), clause, Extension.ANY, abi.xlen, clause, bit, bits)


def from_beginning(value: Travelling, piece: Piece) -> Piece:
    """A bit-field of more than 32 bits in the register that has its struct from the first byte on, if 64 bits from its own first byte on go beyond the end."""
    if (piece.bits or 0) <= 32 or piece.start + 8 <= value.size:
        return piece
    return msgspec.structs.replace(piece, at=piece.start, bit=None, bits=None)


def real_behind(abi: Convention, first: Piece, second: Piece) -> list[Piece]:
    """A bit-field of more than 32 bits, and in its register what is behind it in the first eight bytes of a struct."""
    if first.start or (first.bits or 0) <= 32 or second.end > abi.xlen:
        return [first, second]
    behind = Piece(second.start, second.end, first.place, second.clause, None, abi.xlen, at=second.start)
    return [first, behind]


def alone(integer: FlatField) -> tuple[int | None, int | None]:
    """First bit and number of bits of an integer whose width is not that of its storage, else nothing."""
    if integer.is_bit_field:
        return integer.bit_offset, integer.bit_width
    return (integer.bit_offset, integer.type.width) if isinstance(integer.type, BitInt) else (None, None)


def split_complex(types: TypeTable, c_type: Complex, at: int) -> tuple[FlatField, FlatField]:
    """A complex number at bit `at` as its real and imaginary part."""
    real = Scalar(c_type.kind)
    width = types.extent(real).size * 8
    return FlatField(real, at, width, is_bit_field=False), FlatField(
        real, at + width, width, is_bit_field=False
    )


def is_real(c_type: Type) -> bool:
    """Return whether this is a real floating type."""
    return isinstance(c_type, Scalar) and c_type.kind.is_floating


def is_integer(types: TypeTable, c_type: Type) -> bool:
    """Return whether this is an integer type in C's sense; a pointer is none."""
    if isinstance(c_type, Pointer):
        return types.policies.pointers_are_integers
    return isinstance(c_type, (BitInt, Enum)) or (isinstance(c_type, Scalar) and c_type.kind.is_integer)
