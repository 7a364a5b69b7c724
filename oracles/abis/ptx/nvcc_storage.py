"""Records that NVIDIA's front ends tear: stored and passed as an LLVM type whose members lie elsewhere than C says.

That type has a `long double` as 8 bytes where C counts 16, and knows no `aligned` that lowers the alignment of a member.
"""

from __future__ import annotations

from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Array, Atomic, Complex, Kind, Record, Scalar, Type, Typedef


def has_mismatched_storage(types: TypeTable, c_type: Type) -> bool:
    """Return whether a value's bytes lie elsewhere than `sizeof` and `offsetof` say."""
    match c_type:
        case Typedef(base=base) | Atomic(base=base):
            return has_mismatched_storage(types, base)
        case Array(element, _):
            return has_mismatched_storage(types, element)
        case Scalar(kind) | Complex(kind):
            return kind is Kind.LDOUBLE
        case Record(members=members):
            return is_misaligned(types, c_type) or any(
                has_mismatched_storage(types, member.type) for member in members
            )
        case _:
            return False


def is_misaligned(types: TypeTable, record: Record) -> bool:
    """Return whether a record that is not packed has members, or a size, that do not suit the alignment of its LLVM type."""
    if record.packed or record.pack is not None:
        return False
    shape = types.shape(record)
    ordinary = [field for field in shape.fields if not (field.is_bit_field or field.member.packed)]
    aligns = [stored_align(types, field.type) for field in ordinary]
    offsets = [field.bit_offset // 8 for field in ordinary]
    return any(offset % align for offset, align in zip(offsets, aligns, strict=True)) or bool(
        shape.size % max(aligns, default=1)
    )


def stored_align(types: TypeTable, c_type: Type) -> int:
    """The alignment in bytes of the LLVM type, of which attributes that lower one say nothing."""
    match c_type:
        case Typedef(base=base) | Atomic(base=base):
            return stored_align(types, base)
        case Array(element, _):
            return stored_align(types, element)
        case Record(members=members):
            if c_type.packed or c_type.pack is not None:
                return 1
            return max(
                (
                    stored_align(types, member.type)
                    for member in members
                    if member.width is None and not member.packed
                ),
                default=1,
            )
        case _:
            return types.extent(c_type).align
