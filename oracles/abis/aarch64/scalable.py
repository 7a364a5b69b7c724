"""Pure scalable types: rules B.1, C.7 and C.8 (AAPCS64 5.11, 6.8.2)."""

from __future__ import annotations

from abiprobe.oracles.abis.aarch64.general import pass_by_reference
from abiprobe.oracles.abis.aarch64.sheet import cite, implements
from abiprobe.oracles.engine.cursor import Cursor
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.lang import SvePredicate, SveVector, Type
from abiprobe.oracles.place import Passed, Passing, Piece, Register

IN_REGISTERS = cite("c.7")
REFERENCE = cite("c.8")
UNNAMED = cite("pass.unnamed-scalable")

PREDICATES = tuple(f"p{number}" for number in range(4))


def is_pure_scalable(c_type: Type) -> bool:
    """Whether a type is a pure scalable type, as far as C has such types."""
    return isinstance(c_type, (SveVector, SvePredicate))


@implements("b.1", "c.7", "c.8", "pass.unnamed-scalable")
def pass_scalable(cursor: Cursor, value: Travelling, natural: int, *, named: bool) -> Passed:
    """A scalable vector, a tuple of them or a predicate."""
    # [aapcs64:b.1]
    # B.1: it is as it is.
    file, count = ("predicate", 1) if isinstance(value.type, SvePredicate) else ("float", fields(value.type))
    # [aapcs64:pass.unnamed-scalable]
    if not named:
        return pass_by_reference(cursor, value, natural, UNNAMED)
    # [aapcs64:c.8]
    # C.8: what finds no registers leaves those that there are to what follows.
    if count > cursor.left(file):
        return pass_by_reference(cursor, value, natural, REFERENCE)
    # [aapcs64:c.7]
    size = value.size // count
    pieces = (
        Piece(start, start + size, scalable(cursor.take(file)), IN_REGISTERS, None, size)
        for start in range(0, value.size, size)
    )
    return value.passed(Passing.DIRECT, IN_REGISTERS, *pieces)


def fields(c_type: Type) -> int:
    """How many scalable vectors a value consists of."""
    return c_type.fields if isinstance(c_type, SveVector) else 0


def scalable(register: Register) -> Register:
    """The scalable register that extends a SIMD and floating-point register; a predicate register as it is."""
    return Register(f"z{register.name[1:]}") if register.name.startswith("v") else register
