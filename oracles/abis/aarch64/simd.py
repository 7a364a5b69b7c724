"""Arguments for SIMD and floating-point registers: rules C.1 to C.6 (AAPCS64 6.8.2)."""

from __future__ import annotations

from abiprobe.oracles.abis.aarch64.data import QUAD, VECTOR_SIZE
from abiprobe.oracles.abis.aarch64.general import DOUBLE_WORD, UNUSED, above
from abiprobe.oracles.abis.aarch64.homogeneous import Homogeneous
from abiprobe.oracles.abis.aarch64.other_vectors import is_other_vector
from abiprobe.oracles.engine.cursor import Cursor
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Passed, Passing, Piece

cite, implements = citing(__package__)
REGISTER = cite("c.1")
EACH_MEMBER = cite("c.2")
TOO_FEW = cite("c.3")
ALIGNED = cite("c.4")
WIDENED = cite("c.5")
STACK = cite("c.6")


@implements("c.1")
def pass_in_vector_register(cursor: Cursor, value: Travelling, natural: int) -> Passed:
    """A floating-point number or a short vector."""
    if is_other_vector(value):
        raise SilentError(VECTOR_SIZE, f"a vector of {value.size} bytes")
    if not cursor.left("float"):
        # C.5: no less than a double-word of the stack.
        return pass_on_stack(cursor, value, natural, STACK, WIDENED)
    piece = in_register(cursor, value, 0, value.size, REGISTER)
    return value.passed(Passing.DIRECT, REGISTER, piece)


def in_register(cursor: Cursor, value: Travelling, start: int, size: int, clause: str) -> Piece:
    """The `size` bytes of a value from `start` on, in the least significant bits of the next register."""
    return Piece(
        start,
        start + size,
        cursor.take("float"),
        clause,
        above(size, QUAD),
        QUAD,
        UNUSED,
        at=value.right_aligned(size, QUAD),
    )


@implements("c.2", "c.3")
def pass_homogeneous(cursor: Cursor, value: Travelling, group: Homogeneous, natural: int) -> Passed:
    """An HFA or HVA."""
    # [aapcs64:c.2]
    # C.2: a register for each member, if there are enough.
    if group.count <= cursor.left("float"):
        clause = EACH_MEMBER if group.is_plain else group.clause
        pieces = (
            in_register(cursor, value, start, group.size, clause)
            for start in range(0, value.size, group.size)
        )
        return value.passed(Passing.DIRECT, group.clause, *pieces)
    # [aapcs64:c.3]
    # C.3: otherwise no register is left to what follows.
    clause = TOO_FEW if cursor.left("float") else STACK
    cursor.drain("float")
    return pass_on_stack(cursor, value, natural, clause, UNUSED)


def pass_members(cursor: Cursor, value: Travelling, group: Homogeneous) -> Passed:
    """Each member by itself, as an argument of its own."""
    pieces = []
    for start in range(0, value.size, group.size):
        if cursor.left("float"):
            pieces.append(in_register(cursor, value, start, group.size, EACH_MEMBER))
        else:
            place = cursor.push(DOUBLE_WORD, DOUBLE_WORD)
            ending = above(group.size, DOUBLE_WORD)
            pieces.append(Piece(start, start + group.size, place, STACK, ending, DOUBLE_WORD, WIDENED))
    return value.passed(Passing.DIRECT, group.clause, *pieces)


@implements("c.4", "c.5", "c.6")
def pass_on_stack(cursor: Cursor, value: Travelling, natural: int, clause: str, padding: str) -> Passed:
    """A value that found no registers, in whole double-words; `padding` says what is above it in the last."""
    # [aapcs64:c.4]
    # C.4: at a multiple of 8, or of 16 if its natural alignment is at least 16.
    align = QUAD if natural >= QUAD else DOUBLE_WORD
    if cursor.used % align:
        clause = ALIGNED
    # [aapcs64:c.5]
    # C.3 and C.5: its size is a multiple of 8 bytes. A narrow real is in the least significant ones.
    # [aapcs64:c.6]
    size = round_up(value.size, DOUBLE_WORD)
    before = value.right_aligned(value.size, size) if padding == WIDENED else 0
    piece = Piece(
        0, value.size, cursor.push(size, align), clause, above(value.size, size), size, padding, at=before
    )
    return value.passed(Passing.DIRECT, clause, piece)
