"""The alignment of the LLVM type that clang makes of a C type.

It is not the alignment of the C type: attributes that lower or raise that one do not reach the LLVM type, a record whose members
then lie on offsets that do not suit them becomes a packed one with alignment 1, and bit-fields become integers of their own.
clang declares the alignment of this type where it forgets the C one.
"""

from __future__ import annotations

from collections.abc import Iterator

from abiprobe.oracles.abis.ptx.clang_units import LlvmMember, access_units, discrete, int_align, integer, runs
from abiprobe.oracles.engine.records import Field
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import (
    Array,
    Atomic,
    BitInt,
    Complex,
    Kind,
    Record,
    Scalar,
    Type,
    Typedef,
    Vector,
)


def ir_align(types: TypeTable, c_type: Type) -> int | None:
    """The alignment in bytes of the LLVM type; `None` where only clang knows how it makes it."""
    match c_type:
        case Typedef(base=base) | Atomic(base=base):
            return ir_align(types, base)
        case Array(element, _):
            return ir_align(types, element)
        case Record():
            return union_align(types, c_type) if c_type.union else struct_align(types, c_type)
        case Complex(kind):
            return types.data.kind(kind).align
        case BitInt(width):
            return int_align(-(-width // 8)) if width <= 64 else None
        case Vector(kind, size):
            return size if kind is not Kind.LDOUBLE else None
        case _:
            return types.extent(c_type).size


def struct_align(types: TypeTable, record: Record) -> int | None:
    """A struct is packed if a part is not on its alignment, or the size is no multiple of the greatest."""
    parts, size = laid_out(types, record), types.shape(record).size
    if parts is None:
        return None
    align = max((part.align for part in parts), default=1)
    fits = all(part.offset % part.align == 0 for part in parts) and size % align == 0
    return align if fits else 1


def laid_out(types: TypeTable, record: Record) -> list[LlvmMember] | None:
    """The parts of a struct by their places, none of which reaches into the next one; `None` where only clang knows them."""
    parts = []
    for part in struct_parts(types, record):
        if part is None:
            return None
        parts.append(part)
    parts.sort(key=lambda part: (part.offset, part.size))
    size = types.shape(record).size
    return [clipped(part, parts[index + 1 :], size) for index, part in enumerate(parts)]


def struct_parts(types: TypeTable, record: Record) -> Iterator[LlvmMember | None]:
    """The parts that carry data, in order; bit-fields without another member between them are taken together."""
    shape = types.shape(record)
    bit_fields: list[Field] = []
    for own in shape.fields:
        if own.is_bit_field:
            bit_fields.append(own)
            continue
        # A member of size zero stands in nobody's way.
        if own.bit_width:
            yield from units_of(types, record, bit_fields, own.bit_offset // 8)
            bit_fields = []
        yield member_part(types, own)
    yield from units_of(types, record, bit_fields, shape.size)


def units_of(types: TypeTable, record: Record, bit_fields: list[Field], limit: int) -> Iterator[LlvmMember]:
    """The storage of neighbouring bit-fields."""
    if is_discrete(types, record):
        yield from discrete(bit_fields, [types.extent(field.type).size for field in bit_fields])
    elif types.policies.runs_of_bit_fields:
        yield from runs(bit_fields)
    else:
        yield from access_units(bit_fields, limit, types.shape(record))


def is_discrete(types: TypeTable, record: Record) -> bool:
    """Return whether bit-fields are stored in units of their declared types, as `ms_struct` has it."""
    return bool(types.options.ms_bitfields if record.ms_struct is None else record.ms_struct)


def member_part(types: TypeTable, field: Field) -> LlvmMember | None:
    """An ordinary member."""
    align = ir_align(types, field.type)
    if align is None:
        return None
    return LlvmMember(field.bit_offset // 8, field.bit_width // 8, align, type=field.type)


def clipped(part: LlvmMember, after: list[LlvmMember], size: int) -> LlvmMember:
    """A part that would reach into the next one is made of bytes."""
    end = min((other.offset for other in after), default=size)
    return (
        part
        if not part.size or part.offset + part.size <= end
        else LlvmMember(part.offset, end - part.offset, 1)
    )


def union_align(types: TypeTable, record: Record) -> int | None:
    """A union has the alignment of the member that stands for it; packed if the size is no multiple of that."""
    best, size = union_storage(types, record), types.shape(record).size
    if best is None:
        return None
    align = 1 if best.size > size else best.align
    return align if size % align == 0 else 1


def union_storage(types: TypeTable, record: Record) -> LlvmMember | None:
    """The member that stands for a union: of those that are aligned most the largest; `None` where only clang knows it."""
    best = LlvmMember(0, 0, 1)
    for field in types.shape(record).fields:
        part = bit_field_part(types, record, field) if field.is_bit_field else member_part(types, field)
        if part is None:
            return None
        if (part.align, part.size) > (best.align, best.size):
            best = part
    return best


def bit_field_part(types: TypeTable, record: Record, field: Field) -> LlvmMember:
    """A bit-field of a union as an integer of its own."""
    if not field.bit_width:
        return LlvmMember(0, 0, 1)
    own = types.extent(field.type).size if is_discrete(types, record) else -(-field.bit_width // 8)
    return integer(0, own)


def greatest(types: TypeTable, c_type: Type) -> int:
    """An alignment in bytes that the LLVM type surely does not exceed."""
    match c_type:
        case Typedef(base=base) | Atomic(base=base):
            return greatest(types, base)
        case Array(element, _):
            return greatest(types, element)
        case Record(members=members):
            # Access units are at most as wide as a register, or as the declared type.
            return max(
                (greatest(types, member.type) if member.width is None else 8 for member in members), default=1
            )
        case BitInt() | Scalar(Kind.INT128) | Scalar(Kind.UINT128):
            return 16
        case _:
            return types.extent(c_type).size
