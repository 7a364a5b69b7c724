"""Small records that clang takes apart by `__vectorcall` on x86, where LLVM has their reals in vector registers.

The front end does not count these registers, so what it has given to others is one register further on, or on the stack.
"""

from __future__ import annotations

from collections.abc import Callable

from abiprobe.oracles.abis.x86.win32.data import WORD
from abiprobe.oracles.engine.policies import Policies
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Enum, Kind, Pointer, Record, Scalar, Type, strip
from abiprobe.oracles.text.place import Extension, Passed, Passing, Piece, Register, StackSlot

REALS = frozenset({Kind.FLOAT, Kind.DOUBLE})
LARGEST, XMM_BYTES = 16, 16


def scalars_apart(types: TypeTable, value: Travelling, policies: Policies) -> tuple[Type, ...]:
    """Return the scalars of a record that is taken apart, if one of them is a real; none of any other value."""
    record = value.type
    if not policies.vectorcall_divides_records or not isinstance(record, Record) or record.union:
        return ()
    if value.align > WORD and is_asked(types, record):
        return ()
    found = tuple(strip(member.type) for member in record.members if member.width is None)
    sizes = [types.extent(one).size for one in found]
    fits = len(found) == len(record.members) and sum(sizes) == value.size <= LARGEST
    plain = all(isinstance(one, (Enum, Pointer, Scalar)) for one in found)
    return found if fits and plain and set(sizes) <= {WORD, 2 * WORD} and any(map(is_real, found)) else ()


def is_asked(types: TypeTable, record: Record) -> bool:
    """Return whether an attribute asks for an alignment of the record, which is passed by reference then."""
    return types.extent(record).user


def is_real(c_type: Type) -> bool:
    """Return whether a scalar has a vector register."""
    return isinstance(c_type, Scalar) and c_type.kind in REALS


def pass_apart(
    types: TypeTable,
    value: Travelling,
    scalars: tuple[Type, ...],
    before: int,
    registers: int,
    push: Callable[[int, int], StackSlot],
    clause: str,
) -> Passed:
    """A record of which the reals are in vector registers behind those `before`, as far as there are any, and the rest on the stack."""
    pieces, start, number = [], 0, before
    for one in scalars:
        size = types.extent(one).size
        if is_real(one) and number < registers:
            above = (Extension.ANY, XMM_BYTES, clause)
            pieces.append(Piece(start, start + size, Register(f"xmm{number}"), clause, *above))
            number += 1
        else:
            pieces.append(Piece(start, start + size, push(size, WORD), clause, None, size))
        start += size
    return value.passed(Passing.DIRECT, clause, *pieces)
