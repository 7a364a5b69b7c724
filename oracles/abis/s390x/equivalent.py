"""Structures that are equivalent to their one member (1.2.3 Parameter Passing, double_or_float)."""

from __future__ import annotations

from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Kind, Record, Scalar, Type, Vector, spelling
from abiprobe.oracles.text.clause import citing

cite, implements = citing(__package__)
EQUIVALENT = cite("pass.equivalent")
UNNAMED = cite("pass.equivalent-unnamed")
PADDED = cite("pass.equivalent-padded")


REALS = frozenset({Kind.FLOAT16, Kind.FLOAT, Kind.DOUBLE, Kind.DECIMAL32, Kind.DECIMAL64})
LONGEST_REAL = 8
"""Bytes of a floating-point register."""
LONGEST_VECTOR = 16
"""Bytes of a vector register."""


def is_real(c_type: Type) -> bool:
    """Return whether this is a floating-point type that fits a floating-point register."""
    return isinstance(c_type, Scalar) and c_type.kind in REALS


def is_short_vector(types: TypeTable, c_type: Type) -> bool:
    """Return whether this is a vector that fits a vector register."""
    return isinstance(c_type, Vector) and types.extent(c_type).size <= LONGEST_VECTOR


def is_like(types: TypeTable, record: Record, value: Type) -> bool:
    """Return whether compilers pass a structure like its value: with no bit-field beside it, and padding no more than a real's register has."""
    size = types.extent(record).size
    fits = size <= LONGEST_REAL if is_real(value) else size == types.extent(value).size
    return len(record.members) == 1 and fits


@implements("pass.equivalent", "pass.equivalent-unnamed", "pass.equivalent-padded")
def core(types: TypeTable, c_type: Type) -> Type:
    """Return the type to which a structure of exactly one member is equivalent, through any depth; any other type itself.

    Raises `SilentError` where an unnamed bit-field or padding makes the difference.
    """
    plain = types.plain(c_type)
    if not isinstance(plain, Record) or plain.union:
        return plain
    members = [member for member in plain.members if member.width is None or member.name]
    if len(members) != 1 or members[0].width is not None:
        return plain
    if types.is_opaque(members[0].type):
        return plain
    # [lzsabi:pass.equivalent]
    found = core(types, members[0].type)
    if not (is_real(found) or is_short_vector(types, found)):
        return plain
    if types.reading is not None:
        return found if is_like(types, plain, found) else plain
    # [lzsabi:pass.equivalent-unnamed]
    if len(plain.members) > 1:
        raise SilentError(UNNAMED, f"{spelling(plain)} has an unnamed bit-field beside its member")
    # [lzsabi:pass.equivalent-padded]
    if types.extent(plain).size != types.extent(found).size:
        raise SilentError(PADDED, f"{spelling(plain)} is larger than its member")
    return found
