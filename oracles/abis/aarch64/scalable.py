"""Pure scalable types: rules B.1, C.7 and C.8 (AAPCS64 5.11, 6.8.2)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import msgspec

from abiprobe.oracles.abis.aarch64.general import pass_by_reference
from abiprobe.oracles.engine.cursor import Cursor
from abiprobe.oracles.engine.leaves import leaves
from abiprobe.oracles.engine.records import Field
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Array, Record, SvePredicate, SveVector, Type, Typedef
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Passed, Passing, Piece, Register

cite, implements = citing(__package__)
IN_REGISTERS = cite("c.7")
REFERENCE = cite("c.8")
UNNAMED = cite("pass.unnamed-scalable")
AGGREGATE = cite("type.pure-scalable")
BIT_FIELD = cite("type.pure-scalable-unnamed")

SIMD = tuple(f"v{number}" for number in range(8))
PREDICATES = tuple(f"p{number}" for number in range(4))
VECTOR, PREDICATE = "float", "predicate"
"""The files of registers that vectors and predicates take, as the cursor calls them."""


class ScalableComponent(msgspec.Struct, frozen=True):
    """A scalable vector or predicate of a value: its bytes, and the file of registers that it takes."""

    start: int
    size: int
    file: str


@implements("type.pure-scalable", "type.fixed")
def parts(types: TypeTable, c_type: Type, at: int = 0) -> tuple[ScalableComponent, ...] | None:
    """Return the components of a pure scalable type that lies at byte `at`, `None` for any other type; none for one without bytes."""
    size = types.extent(c_type).size
    match c_type:
        # [aapcs64:type.fixed]
        case SveVector(fields=fields):
            each = size // fields
            return tuple(ScalableComponent(at + each * index, each, VECTOR) for index in range(fields))
        case SvePredicate():
            return (ScalableComponent(at, size, PREDICATE),)
        case Typedef(base=base):
            return parts(types, base, at)
        # What has no bytes disappears.
        # [aapcs64:type.pure-scalable]
        case _ if not size:
            return ()
        case Array() | Record() if types.policies.plain_scalable_records:
            return None
        case Array(element=element, length=length) if length:
            one = parts(types, element, at)
            return one if not one else repeated(one, length, size // length)
        case Record(union=False):
            members = [item for item in types.shape(c_type).fields if not is_unnamed(item)]
            return joined([member(types, item, at) for item in members])
        case _:
            return None


def repeated(one: tuple[ScalableComponent, ...], length: int, stride: int) -> tuple[ScalableComponent, ...]:
    """The parts of an array whose first element has these; of more than there are registers no more than show that."""
    every = (
        msgspec.structs.replace(part, start=part.start + stride * index)
        for index in range(length)
        for part in one
    )
    return tuple(islice(every, len(SIMD) + len(PREDICATES) + 1))


def member(types: TypeTable, item: Field, at: int) -> tuple[ScalableComponent, ...] | None:
    """Return the scalable components of a member of a record at byte `at`; none for a bit-field of no width."""
    if item.is_bit_field:
        return None if item.bit_width else ()
    return parts(types, item.type, at + item.bit_offset // 8)


def is_unnamed(item: Field) -> bool:
    """Return whether this is an unnamed bit-field, for which the text does not say whether it is a member."""
    return item.is_unnamed_bit_field and bool(item.bit_width)


@implements("type.pure-scalable-unnamed")
def check_unnamed(types: TypeTable, value: Travelling) -> None:
    """Raises `SilentError` for an aggregate that is a pure scalable type unless an unnamed bit-field counts."""
    # [aapcs64:type.pure-scalable-unnamed]
    inside = leaves(types, value.type, elements=1)
    if any(leaf.bit_field is not None and is_unnamed(leaf.bit_field) for leaf in inside):
        raise SilentError(
            BIT_FIELD, f"{value.name or 'the result'} has an unnamed bit-field beside its members"
        )


def joined(found: Sequence[tuple[ScalableComponent, ...] | None]) -> tuple[ScalableComponent, ...] | None:
    """The parts of an aggregate whose members have these; `None` where one is no pure scalable type."""
    if any(one is None for one in found):
        return None
    return tuple(part for one in found if one is not None for part in one)


@implements("b.1", "c.7", "c.8", "pass.unnamed-scalable")
def pass_scalable(
    cursor: Cursor, value: Travelling, found: Sequence[ScalableComponent], natural: int, *, named: bool
) -> Passed:
    """A scalable vector, a tuple of them, a predicate, or an aggregate of such, which consists of the parts that were `found`."""
    # [aapcs64:b.1]
    # B.1: it is as it is.
    counts = {file: sum(part.file == file for part in found) for file in (VECTOR, PREDICATE)}
    # [aapcs64:pass.unnamed-scalable]
    if not named:
        return pass_by_reference(cursor, value, natural, UNNAMED)
    # [aapcs64:c.8]
    # C.8: what finds no registers leaves those that there are to what follows.
    if any(count > cursor.left(file) for file, count in counts.items()):
        return pass_by_reference(cursor, value, natural, REFERENCE)
    # [aapcs64:c.7]
    clause = AGGREGATE if isinstance(value.type, Record) else IN_REGISTERS
    pieces = (
        Piece(part.start, part.start + part.size, scalable(cursor.take(part.file)), clause, None, part.size)
        for part in found
    )
    return value.passed(Passing.DIRECT, clause, *pieces)


def scalable(register: Register) -> Register:
    """The scalable register that extends a SIMD and floating-point register; a predicate register as it is."""
    return Register(f"z{register.name[1:]}") if register.name.startswith("v") else register
