"""Arguments for floating-point and vector registers (2.2.3 Parameter Passing in Registers, and its selection algorithm)."""

from __future__ import annotations

from collections.abc import Iterable

from abiprobe.oracles.abis.powerpc.doublewords import DOUBLEWORD, QUADWORD, Doublewords
from abiprobe.oracles.abis.powerpc.elfv2.doublewords import ALIGNED, UNUSED
from abiprobe.oracles.abis.powerpc.elfv2.homogeneous import Base, Homogeneous
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Extension, Form, Passed, Passing, Piece, Register

cite, implements = citing(__package__)
EACH_MEMBER = cite("pass.homogeneous")
FLOAT = cite("pass.float")
VECTOR = cite("pass.vector")
DECIMAL = cite("pass.decimal")
PAIR = cite("pass.decimal-pair")
EXTENDED = cite("pass.extended")
SPLIT = cite("pass.extended-split")
NONE_LEFT = cite("pass.none-left")
REST = cite("pass.homogeneous-rest")
FULL = cite("pass.full-doubleword")

CLAUSES = {
    Base.VECTOR: VECTOR,
    Base.EXTENDED: EXTENDED,
    Base.DECIMAL32: DECIMAL,
    Base.DECIMAL64: DECIMAL,
    Base.DECIMAL128: PAIR,
}


@implements("pass.homogeneous", "pass.homogeneous-rest", "pass.full-doubleword")
def pass_homogeneous(
    types: TypeTable, arguments: Doublewords, value: Travelling, group: Homogeneous
) -> Passed:
    """A homogeneous aggregate: a register for each member, and what finds none in the list of doublewords."""
    moved = group.base is Base.VECTOR and arguments.align(QUADWORD)
    skip_to_pair(arguments, group.base)
    # [elfv2:pass.homogeneous]
    file = file_of(group.base)
    units = min(group.count * group.base.registers, arguments.registers.left(file))
    unit = group.base.size // group.base.registers
    member = EACH_MEMBER if group.is_plain else group.clause
    pieces = [in_register(arguments, group.base, number * unit, member) for number in range(units)]
    end = units * unit
    if end == value.size:
        arguments.skip(value.size)
        return value.passed(Passing.DIRECT, group.clause, *in_order(pieces))
    # [elfv2:pass.full-doubleword]
    # A doubleword of which a part is in a register is whole in the list.
    start = end - end % DOUBLEWORD
    arguments.skip(start)
    if start < end and types.policies.lists_rest_of_doubleword:
        stop = min(start + DOUBLEWORD, value.size)
        pieces += arguments.place_bytes(end, stop, FULL, Extension.ANY, UNUSED, end - start)
        start = end = stop
    # [elfv2:pass.homogeneous-rest]
    clause = FULL if start < end else ALIGNED if moved and not start else REST
    rest = arguments.place_bytes(start, value.size, clause, Extension.ANY, UNUSED)
    is_split = group.base is Base.EXTENDED and units % 2 == 1
    pieces += without_second_double(types, rest) if is_split else rest
    return value.passed(Passing.DIRECT, group.clause, *in_order(pieces))


def without_second_double(types: TypeTable, rest: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """The rest of what is split, whose first doubleword a compiler may lose where it is in a register."""
    lost = types.policies.loses_second_doubles and isinstance(rest[0].place, Register)
    return rest[1:] if lost else rest


def in_order(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    """Pieces by their first bytes."""
    return tuple(sorted(pieces, key=lambda piece: piece.start))


def pass_members(
    types: TypeTable, arguments: Doublewords, value: Travelling, group: Homogeneous
) -> tuple[Piece, ...]:
    """A real, a vector or the parts of a complex number, each as a parameter of its own."""
    size = group.base.size
    return tuple(
        piece
        for start in range(0, value.size, size)
        for piece in pass_member(types, arguments, group.base, start, group.base.size)
    )


@implements("pass.none-left", "pass.extended-split", "pass.skip")
def pass_member(
    types: TypeTable, arguments: Doublewords, base: Base, start: int, size: int
) -> tuple[Piece, ...]:
    """The member of `size` bytes at byte `start` of a value, as a parameter of its own."""
    moved = base is Base.VECTOR and arguments.align(QUADWORD)
    skip_to_pair(arguments, base)
    left = arguments.registers.left(file_of(base))
    # [elfv2:pass.none-left]
    if not left:
        clause = ALIGNED if moved else NONE_LEFT
        return arguments.place_bytes(start, start + size, clause, Extension.ANY, UNUSED)
    clause = CLAUSES.get(base, FLOAT)
    if base.registers <= left:
        unit = size // base.registers
        pieces = [
            in_register(arguments, base, start + number * unit, clause) for number in range(base.registers)
        ]
        # [elfv2:pass.skip]
        arguments.skip(size)
        return in_order(pieces)
    # [elfv2:pass.extended-split]
    first = in_register(arguments, base, start, SPLIT)
    arguments.skip(DOUBLEWORD)
    rest = arguments.place_bytes(start + DOUBLEWORD, start + size, SPLIT)
    return (first, *without_second_double(types, rest))


@implements("pass.decimal-pair")
def skip_to_pair(arguments: Doublewords, base: Base) -> None:
    """Leave out an odd floating-point register for a value that takes an even one and the next."""
    # f13 is the last one: an even register comes next where an even number of them is left.
    if base is Base.DECIMAL128 and arguments.registers.left("floating") % 2:
        arguments.registers.take("floating")


def file_of(base: Base) -> str:
    """The registers in which members of a base type travel."""
    return "vector" if base is Base.VECTOR else "floating"


@implements("pass.float", "pass.vector", "pass.extended", "pass.decimal", "pass.decimal-pair")
def in_register(arguments: Doublewords, base: Base, start: int, clause: str) -> Piece:
    """Return the piece that the next register of its kind holds, from byte `start` of a value on."""
    place = arguments.registers.take(file_of(base))
    # [elfv2:pass.vector]
    if base is Base.VECTOR:
        return Piece(start, start + QUADWORD, place, clause, None, QUADWORD)
    # [elfv2:pass.float]
    if base is Base.FLOAT:
        return Piece(start, start + base.size, place, clause, None, DOUBLEWORD, form=Form.DOUBLE)
    # [elfv2:pass.decimal]
    if base is Base.DECIMAL32:
        return Piece(start, start + base.size, place, clause, Extension.ANY, DOUBLEWORD, UNUSED)
    # [elfv2:pass.decimal-pair]
    # The first register of a pair is the even one, and the more significant half lies behind the other in memory.
    if base is Base.DECIMAL128:
        start ^= DOUBLEWORD
    # [elfv2:pass.extended]
    return Piece(start, start + DOUBLEWORD, place, clause, None, DOUBLEWORD)
