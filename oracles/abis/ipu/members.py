"""The kinds of aggregates in the calling convention of the IPU: a single member, or something in memory."""

from __future__ import annotations

from abiprobe.oracles.engine.records import Field
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Array, Record, Type, Vector, strip
from abiprobe.oracles.text.clause import citing

cite, implements = citing(__package__)
BIT_FIELD = cite("pass.single-bit-field")


@implements("pass.single-member", "pass.single-bit-field")
def single_member(types: TypeTable, c_type: Type, name: str, at: int = 0) -> tuple[Type, int] | None:
    """The scalar or vector that a struct holds alone, and its offset in bytes; `None` if there is no such thing.

    A member that is itself an aggregate of a single member is that member. Raises `SilentError` for a bit-field.
    """
    inner = strip(c_type)
    match inner:
        case Record(union=False):
            members = named(types, inner)
            if len(members) != 1:
                return None
            # [ipu:pass.single-member]
            (member,) = members
            if member.is_bit_field:
                raise SilentError(BIT_FIELD, f"{name} has a single member, which is a bit-field")
            return single_member(types, member.type, name, at + member.bit_offset // 8)
        case Array(element=element, length=1):
            return single_member(types, element, name, at)
        case Record() | Array():
            return None
        case _:
            return c_type, at


def named(types: TypeTable, record: Record) -> list[Field]:
    """The members of a record; an unnamed bit-field is none."""
    return [item for item in types.shape(record).fields if not item.is_unnamed_bit_field]


def is_vector(c_type: Type) -> bool:
    """Return whether a type is a vector."""
    return isinstance(strip(c_type), Vector)
