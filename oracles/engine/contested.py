"""What the GCC manual leaves open in a record, and the families read differently."""

from __future__ import annotations

from abiprobe.oracles.engine.attributes import GNU, Extent, binds_to_pointer
from abiprobe.oracles.lang import Member, Record

TYPEDEF_BASE = GNU.cite("bit-field-of-aligned-typedef")
ALIGNED_BIT_FIELD = GNU.cite("aligned-bit-field")
LOWERED_POINTER = GNU.cite("lowered-pointer")
MS_UNION = GNU.cite("ms-struct-open")


@GNU.implements("bit-field-of-aligned-typedef", "aligned-bit-field", "lowered-pointer", "ms-struct-open")
def contested(record: Record, extents: tuple[Extent, ...], *, microsoft: bool) -> str:
    """The clause that marks the first open question in a record, or an empty string."""
    for member, extent in zip(record.members, extents, strict=True):
        clause = contested_member(member, extent)
        if clause:
            return clause
    return MS_UNION if microsoft else ""


def contested_member(member: Member, extent: Extent) -> str:
    """The open question about one member."""
    if member.width is not None and extent.user:
        return TYPEDEF_BASE
    if member.width is not None and (member.align or member.alignas):
        return ALIGNED_BIT_FIELD
    if binds_to_pointer(member) and (member.packed or (member.align or extent.align) < extent.align):
        return LOWERED_POINTER
    return ""
