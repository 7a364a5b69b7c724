"""The memory of the unnamed arguments of a call, as compiler families have it: no text decides.

A caller puts each argument behind the one before it. clang and nvcc do so with a record part by part, as its LLVM type has them,
and `va_arg` takes the record from where all of it would be aligned.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import msgspec

from abiprobe.oracles.abis.ptx.calls import implements, variadic_parameter
from abiprobe.oracles.abis.ptx.clang_stored import parts_of
from abiprobe.oracles.abis.ptx.families import Family
from abiprobe.oracles.abis.ptx.lowering import IR_UNKNOWN
from abiprobe.oracles.abis.ptx.parameter import Parameter
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Array, Complex, Prototype, Record, Type, spelling, strip

Leaf: TypeAlias = tuple[int, int, int]
"""A part of a value that is put by itself: its offset in the value, its size and its alignment in bytes."""
Pieces: TypeAlias = tuple[tuple[int, int], ...]
"""The parts of an argument: the byte of it with which each begins, and the offset where byte 0 would be if all lay as that part."""


class UnnamedMemory(msgspec.Struct, frozen=True):
    """The memory of unnamed arguments: the parameter behind the named ones, and what the address in it leads to, if it is one.

    Of each argument `put` says where a caller has its parts, `taken` the byte at which `va_arg` looks for it.
    """

    parameter: Parameter
    space: str
    put: tuple[Pieces, ...]
    taken: tuple[int, ...]


@implements("dialect.variadic")
def unnamed_memory(types: TypeTable, family: Family, prototype: Prototype) -> UnnamedMemory:
    """Return the memory of the unnamed arguments; raises `SilentError` where nothing is known of it, or of a record in it."""
    parameter = variadic_parameter(family)
    space = ("local" if types.policies.local_unnamed else "generic") if parameter.length is None else ""
    put, taken, end, read = [], [], 0, 0
    for c_type in prototype.unnamed:
        leaves = list(parts(types, c_type))
        pieces, end = put_behind(leaves, end)
        put.append(pieces)
        extent = types.extent(c_type)
        read = round_up(read, extent.align)
        taken.append(read)
        read += extent.size
    return UnnamedMemory(parameter, space, tuple(put), tuple(taken))


def put_behind(leaves: Sequence[Leaf], end: int) -> tuple[Pieces, int]:
    """The parts of an argument that a caller puts one behind the other from a byte on, and the byte behind them."""
    pieces: list[tuple[int, int]] = []
    for offset, size, align in leaves:
        end = round_up(end, align)
        if not pieces or pieces[-1][1] != end - offset:
            pieces.append((offset, end - offset))
        end += size
    return tuple(pieces), end


def parts(types: TypeTable, c_type: Type) -> Iterator[Leaf]:
    """The parts of an argument, with what its LLVM type has as padding: of a record its members, else all of it."""
    own = strip(c_type)
    extent = types.extent(own)
    if isinstance(own, Record) and types.policies.splits_unnamed:
        yield from leaves(types, own)
    elif extent.size:
        yield 0, extent.size, extent.align


def leaves(types: TypeTable, c_type: Type) -> Iterator[Leaf]:
    """The scalars of an LLVM type, and the bytes of its padding; raises `SilentError` where only clang knows it."""
    own = strip(c_type)
    size = types.extent(own).size
    match own:
        case Array(element, int() as length):
            step = types.extent(element).size
            for index in range(length if step else 0):
                yield from moved(leaves(types, element), index * step)
        case Complex(kind):
            half = types.data.kind(kind)
            yield 0, half.size, half.align
            yield size // 2, half.size, half.align
        case Record():
            members = parts_of(types, own)
            if members is None:
                raise SilentError(IR_UNKNOWN, f"{spelling(own)} has members whose storage only clang knows")
            for one in sorted(members, key=lambda one: (one.offset, one.size)):
                if one.type is not None:
                    yield from moved(leaves(types, one.type), one.offset)
                elif one.size:
                    yield one.offset, one.size, one.align
        case _:
            if size:
                yield 0, size, size


def moved(found: Iterator[Leaf], by: int) -> Iterator[Leaf]:
    """The same parts so many bytes further on."""
    return ((offset + by, size, align) for offset, size, align in found)
