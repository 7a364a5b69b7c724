"""Calls on Apple platforms: AAPCS64 with a stack without slots, without even registers, and with callers that extend."""

from __future__ import annotations

from msgspec import structs

from abiprobe.oracles.abis.aarch64.calls import (
    NOTHING,
    OF_PADDING,
    assign_result,
    initial,
    is_real,
    natural_alignment,
)
from abiprobe.oracles.abis.aarch64.data import QUAD, VECTOR_SIZE
from abiprobe.oracles.abis.aarch64.general import (
    COMPOSITE,
    COMPOSITE_STACK,
    DOUBLE_WORD,
    PAIR,
    REGISTER,
    TOO_FEW,
    UNUSED,
    above,
    in_registers,
    is_composite,
    pass_by_reference,
    pass_on_stack,
    top,
)
from abiprobe.oracles.abis.aarch64.homogeneous import homogeneous
from abiprobe.oracles.abis.aarch64.int128_groups import is_int128_group, pass_int128_group
from abiprobe.oracles.abis.aarch64.other_vectors import is_other_vector
from abiprobe.oracles.abis.aarch64.simd import TOO_FEW as TOO_FEW_MEMBERS
from abiprobe.oracles.abis.aarch64.simd import pass_homogeneous, pass_in_vector_register
from abiprobe.oracles.engine.cursor import Cursor
from abiprobe.oracles.engine.emptiness import has_flexible_array
from abiprobe.oracles.engine.policies import Argument
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import BitInt, Prototype, Record, Type, Vector
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Assignment, Extension, Hidden, Passed, Passing, Piece

cite, implements = citing(__package__)
PACKED = cite("stack.packed")
ODD = cite("pass.odd-register")
EXTENDED = cite("pass.extended")
EMPTY = cite("pass.empty")
SLOTS = cite("variadic.slots")
ALIGNED = cite("variadic.aligned")
BIT_INT = cite("pass.bit-int")
RESULT_EXTENDED = cite("dialect.result-extended")

WORD = 4
"""The bytes up to which a caller extends a narrow integer."""


@implements("variadic.slots")
def calls(types: TypeTable, prototype: Prototype) -> Assignment:
    """The places of a whole call."""
    cursor = initial()
    named = len(prototype.params)
    # [darwin:variadic.slots]
    params = tuple(
        (pass_named if index < named else pass_unnamed)(
            types, cursor, Travelling.of(types, argument.name, argument.type)
        )
        for index, argument in enumerate(prototype.arguments)
    )
    result, hidden = result_of(types, prototype.result)
    if result is not None and prototype.result is not None and types.policies.extends_apple_results:
        result = extended_result(types, result, Travelling.of(types, "", prototype.result))
    return Assignment(params, result, hidden, cursor.used)


def result_of(types: TypeTable, result: Type | None) -> tuple[Passed | None, tuple[Hidden, ...]]:
    """A result, of which only AAPCS64 speaks; as a register can be odd, one of size zero leaves nothing open."""
    if result is not None:
        value = Travelling.of(types, "", result)
        check_bit_int(value)
        if not value.size:
            return pass_nothing(value), ()
    return assign_result(types, result)


@implements("dialect.result-extended")
def extended_result(types: TypeTable, result: Passed, value: Travelling) -> Passed:
    """A result that is extended as an argument would be."""
    if is_composite(value.type) or is_real(value.type) or isinstance(value.type, Vector) or not value.size:
        return result
    ending, width, clause = extension(types, value)
    if clause != EXTENDED:
        return result
    # [darwin:dialect.result-extended]
    pieces = tuple(
        structs.replace(piece, extension=ending, width=width, extension_clause=RESULT_EXTENDED)
        for piece in result.pieces
    )
    return structs.replace(result, pieces=pieces)


@implements("pass.empty")
def pass_nothing(value: Travelling) -> Passed:
    """A value of size zero: an empty record, or one of which AAPCS64 speaks."""
    return value.passed(Passing.IGNORED, EMPTY if is_empty(value.type) else NOTHING)


def pass_over(types: TypeTable, cursor: Cursor, value: Travelling) -> None:
    """Pass over what a compiler takes for an unnamed value of no bytes; by the text nothing."""
    if Argument.UNNAMED in types.policies.aligned_flexible and has_flexible_array(value.type):
        cursor.push(0, value.align)


def is_empty(c_type: Type) -> bool:
    """Return whether a type is a record that contains only empty records."""
    return isinstance(c_type, Record) and all(is_empty(member.type) for member in c_type.members)


def pass_named(types: TypeTable, cursor: Cursor, value: Travelling) -> Passed:
    """A named argument: stages B and C with what Apple changes of them."""
    natural = natural_alignment(types, value.type)
    if not value.size:
        return pass_nothing(value)
    check_bit_int(value)
    if not is_composite(value.type):
        in_simd = isinstance(value.type, Vector) or is_real(value.type)
        return pass_real(cursor, value, natural) if in_simd else pass_integral(types, cursor, value, natural)
    group = homogeneous(types, value.type, value.align)
    if group is not None:
        if is_int128_group(types, value, named=True):
            return pass_int128_group(types, cursor, value, from_even=False)
        if group.count <= cursor.left("float"):
            return pass_homogeneous(cursor, value, group, natural)
        clause = TOO_FEW_MEMBERS if cursor.left("float") else PACKED
        cursor.drain("float")
        return pass_packed(cursor, value, natural, clause)
    check_carrying(types, value)
    return (
        pass_by_reference(cursor, value, natural)
        if value.size > QUAD
        else pass_composite(cursor, value, adjusted(types, value, natural))
    )


def adjusted(types: TypeTable, value: Travelling, natural: int) -> int:
    """The alignment of a composite on the stack: the natural one, or that of the whole record to a compiler."""
    if types.policies.adjusted_alignment and isinstance(value.type, Record):
        return max(natural, types.shape(value.type).align)
    return natural


def check_carrying(types: TypeTable, value: Travelling) -> None:
    """Raises `SilentError` for a record that has a size and no named member."""
    if not types.carries(value.declared):
        raise SilentError(OF_PADDING, f"{value.name or 'the result'} has a size but no named member")


def pass_real(cursor: Cursor, value: Travelling, natural: int) -> Passed:
    """A floating-point number or a short vector."""
    check_vector(value)
    if cursor.left("float"):
        return pass_in_vector_register(cursor, value, natural)
    return pass_packed(cursor, value, natural, PACKED)


def check_vector(value: Travelling) -> None:
    """Raises `SilentError` for a vector that is no short one."""
    if is_other_vector(value):
        raise SilentError(VECTOR_SIZE, f"a vector of {value.size} bytes")


@implements("pass.odd-register")
def pass_integral(types: TypeTable, cursor: Cursor, value: Travelling, natural: int) -> Passed:
    """An integer or a pointer."""
    if value.size <= DOUBLE_WORD and cursor.left("integer"):
        ending, width, clause = extension(types, value)
        piece = Piece(0, value.size, cursor.take("integer"), REGISTER, ending, width, clause)
        return value.passed(Passing.DIRECT, REGISTER, piece)
    if value.size > DOUBLE_WORD and cursor.left("integer") > 1:
        # [darwin:pass.odd-register]
        return in_registers(cursor, value, ODD if is_odd(cursor) else PAIR, top(value, QUAD))
    clause = TOO_FEW if cursor.left("integer") else PACKED
    cursor.drain("integer")
    return pass_packed(cursor, value, natural, clause)


@implements("pass.bit-int")
def check_bit_int(value: Travelling) -> None:
    """Raises `SilentError` for a `_BitInt` of fewer than 32 bits."""
    if isinstance(value.type, BitInt) and value.type.width < WORD * 8:
        raise SilentError(BIT_INT, f"{value.name or 'the result'} has {value.type.width} bits")


@implements("pass.extended")
def extension(types: TypeTable, value: Travelling) -> tuple[Extension | None, int, str]:
    """Return the extension of an integer in a register, the byte up to which it reaches, and its clause."""
    # [darwin:pass.extended]
    if value.size < WORD:
        return Extension.SIGN if types.is_signed(value.type) else Extension.ZERO, WORD, EXTENDED
    return top(value, DOUBLE_WORD), DOUBLE_WORD, UNUSED


def is_odd(cursor: Cursor) -> bool:
    """Return whether the number of the next general-purpose register is odd."""
    return cursor.left("integer") % 2 == 1


@implements("pass.odd-register")
def pass_composite(cursor: Cursor, value: Travelling, natural: int) -> Passed:
    """A composite of at most 16 bytes that is no HFA or HVA: stage B rounds its size and alignment up."""
    count = round_up(value.size, DOUBLE_WORD) // DOUBLE_WORD
    ending = above(value.size, count * DOUBLE_WORD)
    wide = natural >= QUAD
    if count <= cursor.left("integer"):
        # [darwin:pass.odd-register]
        return in_registers(cursor, value, ODD if wide and is_odd(cursor) else COMPOSITE, ending)
    return pass_on_stack(cursor, value, QUAD if wide else DOUBLE_WORD, COMPOSITE_STACK, ending)


@implements("stack.packed")
def pass_packed(cursor: Cursor, value: Travelling, natural: int, clause: str) -> Passed:
    """A value on the stack, in as many bytes as it has."""
    # [darwin:stack.packed]
    place = cursor.push(value.size, natural)
    piece = Piece(0, value.size, place, clause, top(value, value.size), value.size, UNUSED)
    return value.passed(Passing.DIRECT, clause, piece)


@implements("variadic.slots", "variadic.aligned")
def pass_unnamed(types: TypeTable, cursor: Cursor, value: Travelling) -> Passed:
    """An unnamed argument, in slots of the stack after stage B."""
    if not value.size:
        pass_over(types, cursor, value)
        return pass_nothing(value)
    check_vector(value)
    check_bit_int(value)
    natural = natural_alignment(types, value.type)
    own = adjusted(types, value, natural)
    if is_composite(value.type) and homogeneous(types, value.type, value.align) is None:
        check_carrying(types, value)
        if value.size > QUAD:
            cursor.drain("integer")
            return pass_by_reference(cursor, value, natural)
    # [darwin:variadic.aligned]
    if natural >= QUAD and round_up(cursor.used, DOUBLE_WORD) % QUAD:
        raise SilentError(ALIGNED, f"{value.name} is aligned to {natural}")
    # [darwin:variadic.slots]
    size = round_up(value.size, DOUBLE_WORD)
    align = DOUBLE_WORD if own == natural else max(own, DOUBLE_WORD)
    piece = Piece(0, value.size, cursor.push(size, align), SLOTS, top(value, size), size, UNUSED)
    return value.passed(Passing.DIRECT, SLOTS, piece)
