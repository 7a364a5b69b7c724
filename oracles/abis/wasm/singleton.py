"""Records that are passed as the one scalar that they contain (Function arguments and return values, note 2)."""

from __future__ import annotations

from collections.abc import Iterator

from abiprobe.oracles.engine.leaves import Leaf, leaves
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Array, Complex, Record, Scalar, Type, Vector, spelling, strip
from abiprobe.oracles.text.clause import citing

cite, implements = citing(__package__)
VECTOR = cite("type.vector")
UNNAMED_BITS = cite("pass.unnamed-bits")
BIT_FIELD = cite("pass.singleton-bit-field")
PADDED = cite("pass.singleton-padded")
FLEXIBLE = cite("pass.flexible")
INDIRECT = cite("pass.indirect")
ALIGNED = cite("pass.aligned")


@implements("pass.singleton-bit-field", "pass.unnamed-bits", "pass.aligned", "pass.indirect")
def only_scalar(types: TypeTable, value: Travelling) -> tuple[Type | None, str]:
    """The type of the scalar that a record of some size is passed as, or `None` and why it is passed indirectly or, by clang, not at all."""
    found = list(scalars(types, value.type))
    if any(isinstance(leaf.type, Vector) for leaf in found):
        raise SilentError(VECTOR, f"{spelling(value.declared)} has a vector")
    if not found and types.reading is Reading.CLANG:
        inflexible(value)
        return None, UNNAMED_BITS
    if not found:
        # [wasm:pass.unnamed-bits]
        raise SilentError(UNNAMED_BITS, f"{spelling(value.declared)} has no member with a name")
    of_one = types.policies.unions_of_one_scalar and is_of_one(types, value, found)
    if (len(found) > 1 and not of_one) or isinstance(found[0].type, Complex):
        # [wasm:pass.indirect]
        return None, INDIRECT
    if found[0].bit_field is not None:
        # [wasm:pass.singleton-bit-field]
        raise SilentError(BIT_FIELD, f"the value of {spelling(value.declared)} is a bit-field")
    natural, whole = types.extent(found[0].type), types.extent(value.type)
    # To a compiler that aligns a scalar to less than its size, as no text does, a record of that size is the scalar.
    if whole.align > natural.align and whole.user and value.size > natural.size:
        # [wasm:pass.aligned]
        return None, ALIGNED
    inflexible(value)
    if value.size > natural.size and types.reading is Reading.CLANG:
        return None, PADDED
    undecided(value, natural.size)
    return found[0].type, ""


def is_of_one(types: TypeTable, value: Travelling, found: list[Leaf]) -> bool:
    """Return whether a compiler takes a union for one scalar: all are of its size, and reals or none of them."""
    sorts = {isinstance(leaf.type, Scalar) and leaf.type.kind.is_floating for leaf in found}
    sizes = {types.extent(leaf.type).size for leaf in found}
    plain = all(leaf.bit_field is None and not isinstance(leaf.type, Complex) for leaf in found)
    return plain and len(sorts) == 1 and sizes == {value.size}


@implements("pass.singleton-padded")
def undecided(value: Travelling, size: int) -> None:
    """Raise `SilentError` for a record of one scalar of `size` bytes that the note may mean or not."""
    # [wasm:pass.singleton-padded]
    if value.size > size:
        raise SilentError(PADDED, f"{spelling(value.declared)} is larger than its scalar")


def scalars(types: TypeTable, record: Type) -> Iterator[Leaf]:
    """The scalar values in a record, two of each array at most; padding and what has no bytes are none."""
    for leaf in leaves(types, record, elements=2):
        if leaf.bit_field is not None:
            if not leaf.bit_field.is_unnamed_bit_field and leaf.bit_field.bit_width:
                yield leaf
        elif not isinstance(leaf.type, (Record, Array)):
            yield leaf


@implements("pass.flexible")
def inflexible(value: Travelling) -> None:
    """Raise `SilentError` for a record that has a flexible array member."""
    # [wasm:pass.flexible]
    if has_flexible_array(value.type):
        raise SilentError(FLEXIBLE, f"{spelling(value.declared)} has a flexible array member")


def has_flexible_array(c_type: Type) -> bool:
    """Return whether a type contains a flexible array."""
    match strip(c_type):
        case Array(element, length):
            return length is None or has_flexible_array(element)
        case Record(members=members):
            return any(has_flexible_array(member.type) for member in members)
        case _:
            return False
