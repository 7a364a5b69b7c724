"""Arguments for general-purpose registers: stage B for composites, and rules C.9 to C.17 (AAPCS64 6.8.2)."""

from __future__ import annotations

from msgspec import structs

from abiprobe.oracles.abis.aarch64.data import QUAD
from abiprobe.oracles.engine.cursor import Cursor
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.language.lang import BitInt, Complex, Record, Type
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Extension, Passed, Passing, Piece

cite, implements = citing(__package__)
REFERENCE = cite("b.4")
COPY = cite("pass.copy")
REGISTER = cite("c.9")
EVEN = cite("c.10")
PAIR = cite("c.11")
COMPOSITE = cite("c.12")
TOO_FEW = cite("c.13")
ALIGNED = cite("c.14")
COMPOSITE_STACK = cite("c.15")
WIDENED = cite("c.16")
STACK = cite("c.17")
UNUSED = cite("c.unused")

DOUBLE_WORD = 8


@implements("type.complex", "type.wide-bit-int")
def is_composite(c_type: Type) -> bool:
    """Return whether a type is a composite: a record, a complex number, or a `_BitInt` that is an array."""
    match c_type:
        # [aapcs64:type.complex]
        case Record() | Complex():
            return True
        # [aapcs64:type.wide-bit-int]
        case BitInt(width=width):
            return width > QUAD * 8
        case _:
            return False


@implements("c.unused")
def above(size: int, width: int) -> Extension | None:
    """Return the extension above `size` bytes in a place of `width` bytes."""
    return Extension.ANY if size < width else None


def top(value: Travelling, width: int) -> Extension | None:
    """Return the extension above an integral value, which may begin in its own bytes: the last ones of little-endian numbers."""
    ends_undefined = isinstance(value.type, BitInt) and value.order == "little"
    return Extension.ANY if ends_undefined else above(value.size, width)


@implements("c.9", "c.11")
def pass_integral(cursor: Cursor, value: Travelling, natural: int) -> Passed:
    """An integer or a pointer."""
    # [aapcs64:c.9]
    # C.9: one register for up to 8 bytes.
    if value.size <= DOUBLE_WORD:
        if not cursor.left("integer"):
            # C.16: no less than a double-word of the stack.
            return pass_on_stack(cursor, value, natural, STACK, top(value, DOUBLE_WORD))
        place = cursor.take("integer")
        piece = Piece(
            0,
            value.size,
            place,
            REGISTER,
            top(value, DOUBLE_WORD),
            DOUBLE_WORD,
            UNUSED,
            at=value.right_aligned(value.size, DOUBLE_WORD),
        )
        return value.passed(Passing.DIRECT, REGISTER, piece)
    # [aapcs64:c.11]
    # C.11: an even register and the next one for 16 bytes.
    moved = round_up_to_even(cursor, natural)
    if not cursor.left("integer"):
        return pass_on_stack(cursor, value, natural, STACK, top(value, QUAD))
    return in_registers(cursor, value, EVEN if moved else PAIR, top(value, QUAD))


@implements("b.5", "b.6", "c.12")
def pass_composite(cursor: Cursor, value: Travelling, natural: int) -> Passed:
    """A composite of at most 16 bytes that is no HFA or HVA."""
    # [aapcs64:b.6]
    # B.6: for the rules below it is aligned to 8 or to 16 bytes.
    align = QUAD if natural >= QUAD else DOUBLE_WORD
    moved = round_up_to_even(cursor, align)
    # [aapcs64:b.5] [aapcs64:c.12]
    # B.5: the size is rounded up to double-words. C.12: registers for all of it, or none.
    count = round_up(value.size, DOUBLE_WORD) // DOUBLE_WORD
    ending = above(value.size, count * DOUBLE_WORD)
    if count <= cursor.left("integer"):
        return in_registers(cursor, value, EVEN if moved else COMPOSITE, ending)
    return pass_on_stack(cursor, value, align, COMPOSITE_STACK, ending)


@implements("b.4", "pass.copy")
def pass_by_reference(cursor: Cursor, value: Travelling, natural: int, clause: str = REFERENCE) -> Passed:
    """A pointer to a copy, passed as a pointer is; `clause` says so."""
    place = cursor.take("integer") if cursor.left("integer") else cursor.push(DOUBLE_WORD, DOUBLE_WORD)
    piece = Piece(0, DOUBLE_WORD, place, clause, None, DOUBLE_WORD)
    passed = value.passed(Passing.INDIRECT, clause, piece)
    return structs.replace(passed, memory_align=natural, memory_clause=COPY)


@implements("c.10")
def round_up_to_even(cursor: Cursor, align: int) -> bool:
    """Round NGRN up to an even number for an alignment of 16; return whether that left a register unused."""
    odd = align == QUAD and cursor.left("integer") % 2 == 1
    if odd:
        cursor.take("integer")
    return odd


def in_registers(cursor: Cursor, value: Travelling, clause: str, ending: Extension | None) -> Passed:
    """Consecutive general-purpose registers, a double-word in each, as LDR loads it: what is unused comes last in memory."""
    pieces = []
    for start in range(0, value.size, DOUBLE_WORD):
        end = min(start + DOUBLE_WORD, value.size)
        last = ending if end == value.size else None
        pieces.append(Piece(start, end, cursor.take("integer"), clause, last, DOUBLE_WORD, UNUSED))
    return value.passed(Passing.DIRECT, clause, *pieces)


@implements("c.13", "c.14", "c.15", "c.16", "c.17")
def pass_on_stack(
    cursor: Cursor, value: Travelling, natural: int, clause: str, ending: Extension | None
) -> Passed:
    """A value that found no registers."""
    # [aapcs64:c.13]
    # C.13: no register is left to what follows.
    if cursor.left("integer"):
        cursor.drain("integer")
        clause = TOO_FEW
    # [aapcs64:c.14]
    # C.14: at a multiple of its natural alignment, and of 8.
    align = max(DOUBLE_WORD, natural)
    if cursor.used % align:
        clause = ALIGNED
    size = round_up(value.size, DOUBLE_WORD)
    # [aapcs64:c.15] [aapcs64:c.17]
    place = cursor.push(size, align)
    if is_composite(value.type):
        padding, before = UNUSED, 0
    else:
        # [aapcs64:c.16]
        padding, before = WIDENED, value.right_aligned(value.size, size)
    piece = Piece(0, value.size, place, clause, ending, size, padding, at=before)
    return value.passed(Passing.DIRECT, clause, piece)
