"""The declared types of bit-fields, by which some compilers align an argument."""

from __future__ import annotations

from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import BitInt, Member, Record


def declared_alignment(types: TypeTable, record: Record) -> int:
    """The alignment in bytes that a compiler gives an argument for the declared types of its bit-fields; 1 by the text."""
    return max(
        (
            types.extent(member.type).align
            for member in record.members
            if member.width is not None and is_heeded(types, record, member)
        ),
        default=1,
    )


def is_heeded(types: TypeTable, record: Record, member: Member) -> bool:
    """Return whether a compiler heeds the declared type of a bit-field."""
    packed = record.packed or member.packed
    of_bit_int = isinstance(types.plain(member.type), BitInt) and not packed
    return types.policies.declared_bit_fields or (types.policies.declared_bit_ints and of_bit_int)
