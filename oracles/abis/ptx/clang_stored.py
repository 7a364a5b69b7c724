"""The bytes of a value that its LLVM type stores: padding of that type is neither stored nor loaded.

Of a union that is the padding of the one member which stands for it, also where another member has a value there.
"""

from __future__ import annotations

from collections.abc import Iterator

from abiprobe.oracles.abis.ptx.clang_ir import laid_out, struct_align, union_storage
from abiprobe.oracles.abis.ptx.clang_units import LlvmMember
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Array, Atomic, Record, Type, Typedef


def stored(types: TypeTable, c_type: Type) -> bytes:
    """A mask of the bytes of a type that its LLVM type stores; all of them where only clang knows that type."""
    size = types.extent(c_type).size
    match c_type:
        case Typedef(base=base) | Atomic(base=base):
            return filled(stored(types, base), size)
        case Array(element, int() as length):
            return stored(types, element) * length
        case Record():
            parts = parts_of(types, c_type)
            return filled(b"", size) if parts is None else masked(types, parts, size)
        case _:
            return filled(b"", size)


def filled(mask: bytes, size: int) -> bytes:
    """A mask that goes on to `size` bytes, all of which are stored."""
    return mask.ljust(size, b"\xff")[:size]


def parts_of(types: TypeTable, record: Record) -> list[LlvmMember] | None:
    """The members of the LLVM type of a record, with those that are padding there; `None` where only clang knows them."""
    if record.union:
        one = union_storage(types, record)
        parts, align = (None if one is None else [one]), 1
    else:
        parts, align = laid_out(types, record), struct_align(types, record) or 1
    if parts is None:
        return None
    return [*parts, *padding(parts, types.extent(record).size, align)]


def padding(parts: list[LlvmMember], size: int, align: int) -> Iterator[LlvmMember]:
    """The arrays of bytes by which clang pads a record where the alignments of its parts do not do it."""
    end = 0
    for part in (*parts, LlvmMember(size, 0, align)):
        if end < part.offset != round_up(end, min(part.align, align)):
            yield LlvmMember(end, part.offset - end, 1)
        end = max(end, part.offset + part.size)


def masked(types: TypeTable, parts: list[LlvmMember], size: int) -> bytes:
    """The bytes of a record of `size` bytes that these parts store."""
    mask = bytearray(size)
    for part in parts:
        own = part.size - part.tail
        mask[part.offset : part.offset + own] = filled(
            b"" if part.type is None else stored(types, part.type), own
        )
    return bytes(mask[:size])
