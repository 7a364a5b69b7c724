"""Arguments in core registers and on the stack: stages B and C of the base standard (6.5)."""

from __future__ import annotations

from abiprobe.oracles.abis.arm.data import DOUBLE_WORD, HALVES, QUAD, WORD
from abiprobe.oracles.engine.cursor import Cursor
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import BitInt, Complex, Record, Scalar, Type, Vector
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Extension, Passed, Passing, Piece

cite, implements = citing(__package__)
EXTENDED = cite("b.2")
HALF = cite("b.2-half")
PADDED = cite("b.4")
EVEN = cite("c.3")
REGISTER = cite("c.4")
SPLIT = cite("c.5")
SPLIT_VECTOR = cite("c.5-fundamental")
NONE_LEFT = cite("c.6")
ALIGNED = cite("c.7")
STACK = cite("c.8")


@implements("type.complex", "type.wide-bit-int")
def is_composite(c_type: Type) -> bool:
    """Return whether a type is a composite: a record, a complex number, or a `_BitInt` that is an array."""
    match c_type:
        # [aapcs32:type.complex]
        case Record() | Complex():
            return True
        # [aapcs32:type.wide-bit-int]
        case BitInt(width=width):
            return width > DOUBLE_WORD * 8
        case _:
            return False


@implements("b.2", "b.2-half", "b.4")
def beyond(types: TypeTable, value: Travelling) -> tuple[Extension | None, str]:
    """Return the extension above a value in its last word, and its clause."""
    if value.size % WORD == 0:
        return None, ""
    # [aapcs32:b.4]
    if is_composite(value.type):
        return Extension.ANY, PADDED
    # [aapcs32:b.2-half]
    if isinstance(value.type, Scalar) and value.type.kind in HALVES:
        return Extension.ANY, HALF
    # [aapcs32:b.2]
    return (Extension.SIGN if types.is_signed(value.type) else Extension.ZERO), EXTENDED


@implements("b.4", "b.5", "c.3", "c.4", "c.5", "c.6", "c.7", "c.8")
def pass_in_core(types: TypeTable, cursor: Cursor, value: Travelling, natural: int) -> Passed:
    """A value in core registers, on the stack, or split between them."""
    # [aapcs32:b.5]
    align = DOUBLE_WORD if natural >= DOUBLE_WORD else WORD
    # [aapcs32:c.3]
    moved = round_up_to_even(cursor, align)
    # [aapcs32:b.4]
    size = round_up(value.size, WORD)
    left = cursor.left("core") * WORD
    # [aapcs32:c.4]
    if size <= left:
        clause = EVEN if moved else REGISTER
        return value.passed(Passing.DIRECT, clause, *in_registers(types, cursor, value, size, clause))
    # [aapcs32:c.5]
    if left and not cursor.used:
        return split(types, cursor, value, left)
    # [aapcs32:c.6] [aapcs32:c.8]
    clause = NONE_LEFT if left else STACK
    cursor.drain("core")
    # [aapcs32:c.7]
    if cursor.used % align:
        clause = ALIGNED
    ending, why = beyond(types, value)
    piece = Piece(0, value.size, cursor.push(size, align), clause, ending, size, why)
    return value.passed(Passing.DIRECT, clause, piece)


def align_for(cursor: Cursor, align: int) -> None:
    """Go on where a value of this alignment would begin."""
    round_up_to_even(cursor, align)
    if not cursor.left("core"):
        cursor.push(0, align)


def round_up_to_even(cursor: Cursor, align: int) -> bool:
    """Round NCRN up to an even number for an alignment of 8; return whether that left a register unused."""
    odd = align == DOUBLE_WORD and cursor.left("core") % 2 == 1
    if odd:
        cursor.take("core")
    return odd


@implements("c.5-fundamental")
def split(types: TypeTable, cursor: Cursor, value: Travelling, left: int) -> Passed:
    """A composite whose beginning is in the `left` bytes of core registers, and the rest on the stack."""
    # [aapcs32:c.5-fundamental]
    if types.reading is None and isinstance(value.type, Vector) and value.size == QUAD:
        raise SilentError(SPLIT_VECTOR, f"{value.name or 'the result'} would be split")
    head = in_registers(types, cursor, value, left, SPLIT)
    ending, why = beyond(types, value)
    rest = round_up(value.size, WORD) - left
    tail = Piece(left, value.size, cursor.push(rest, WORD), SPLIT, ending, rest, why)
    return value.passed(Passing.DIRECT, SPLIT, *head, tail)


def in_registers(
    types: TypeTable, cursor: Cursor, value: Travelling, size: int, clause: str
) -> tuple[Piece, ...]:
    """The next core registers for the first `size` bytes of a value, a word in each, as LDM loads it."""
    pieces = []
    ending, why = beyond(types, value)
    for start in range(0, size, WORD):
        end = min(start + WORD, value.size)
        partial = end - start < WORD
        pieces.append(
            Piece(
                start,
                end,
                cursor.take("core"),
                clause,
                ending if partial else None,
                WORD,
                why if partial else "",
            )
        )
    return tuple(pieces)
