"""Records that the GCC manual leaves open, and that compiler families lay out differently."""

from __future__ import annotations

from abiprobe.oracles.engine.attributes import GNU, Extent, binds_to_pointer
from abiprobe.oracles.language.lang import Array, Complex, Kind, Member, Record, Type, Typedef

TYPEDEF_BASE = GNU.cite("bit-field-of-aligned-typedef")
ALIGNED_BIT_FIELD = GNU.cite("aligned-bit-field")
LOWERED_POINTER = GNU.cite("lowered-pointer")
MS_OPEN = GNU.cite("ms-struct-open")


@GNU.implements("ms-struct-open")
def contested(record: Record, extents: tuple[Extent, ...], *, microsoft: bool) -> str:
    """The clause that marks the first open question in a record, or an empty string."""
    for member, extent in zip(record.members, extents, strict=True):
        clause = contested_member(member, extent)
        if clause:
            return clause
    return MS_OPEN if microsoft else ""


@GNU.implements("bit-field-of-aligned-typedef", "aligned-bit-field", "lowered-pointer")
def contested_member(member: Member, extent: Extent) -> str:
    """The open question about one member."""
    if member.width is not None and extent.user:
        return TYPEDEF_BASE
    if member.width is not None and (member.align or member.alignas):
        return ALIGNED_BIT_FIELD
    if binds_to_pointer(member) and (member.packed or (member.align or extent.align) < extent.align):
        return LOWERED_POINTER
    return ""


def undecided(record: Record, extents: tuple[Extent, ...]) -> bool:
    """Return whether an `ms_struct` record has a member that records align to less than its size and that no rule covers.

    The manual aligns all data to its size. A complex number is data like an array of two (ISO C17 6.2.5p13), which
    the rule leaves out; and what a bit-field's unit is in a union is not said. Only i386 has such types.
    """
    return any(
        lowered_complex(member.type, extent) or (record.union and lowered_unit(member, extent))
        for member, extent in zip(record.members, extents, strict=True)
    )


def lowered_complex(c_type: Type, extent: Extent) -> bool:
    """A `double _Complex`, or an array of them, aligned less than a `double` is wide."""
    while isinstance(c_type, (Array, Typedef)):
        c_type = c_type.element if isinstance(c_type, Array) else c_type.base
    return c_type == Complex(Kind.DOUBLE) and extent.align < 8


def lowered_unit(member: Member, extent: Extent) -> bool:
    """A bit-field whose declared type is aligned less than it is wide."""
    return member.width is not None and not extent.user and extent.align < extent.size
