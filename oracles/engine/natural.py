"""The natural alignment of a type, that by which an argument is aligned."""

from __future__ import annotations

from abiprobe.oracles.engine.records import Field
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import BitInt, Record, Type


def natural_alignment_of(types: TypeTable, c_type: Type) -> int:
    """The alignment in bytes of a type without members, or the greatest of a record's members.

    A compiler may take that of the declared type of a bit-field for a member's, however that is packed.
    """
    if not isinstance(c_type, Record):
        return types.extent(c_type).align
    shape = types.shape(c_type)
    declared = (types.extent(item.type).align for item in shape.fields if counts_as_declared(types, item))
    return max(shape.natural, *declared, 1)


def counts_as_declared(types: TypeTable, item: Field) -> bool:
    """Return whether the declared type of a bit-field counts for the alignment of an argument."""
    every = types.policies.bit_fields_align_arguments
    wide = types.policies.bit_ints_align_arguments and isinstance(types.plain(item.type), BitInt)
    return bool(item.is_bit_field and item.bit_width and (every or wide))
