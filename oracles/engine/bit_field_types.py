"""The declared types of bit-fields, by which some compilers align an argument."""

from __future__ import annotations

from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import BitInt, Record, Type


def declared_alignment(types: TypeTable, record: Record) -> int:
    """The alignment in bytes that a compiler gives an argument for the declared types of its bit-fields; 1 by the text."""
    return max(
        (
            types.extent(member.type).align
            for member in record.members
            if member.width is not None and is_heeded(types, types.plain(member.type))
        ),
        default=1,
    )


def is_heeded(types: TypeTable, c_type: Type) -> bool:
    """Return whether a compiler heeds the declared type of a bit-field."""
    of_bit_int = types.policies.declared_bit_ints and isinstance(c_type, BitInt)
    return types.policies.declared_bit_fields or of_bit_int
