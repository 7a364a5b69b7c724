"""The storage that clang gives to neighbouring bit-fields in the LLVM type of a record.

All offsets and sizes are in bytes unless they say bits. A `LlvmMember` is one member of the LLVM struct.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from abiprobe.oracles.engine.records import Field, Shape
from abiprobe.oracles.language.lang import Type

INT_ALIGNS = (1, 2, 4, 8, 16)
REGISTER = 8
"""The widest access unit in bytes that clang makes by merging."""


@dataclass(frozen=True)
class LlvmMember:
    """A member of an LLVM struct: its offset, size in memory and alignment, in bytes.

    `tail` are the last bytes of its size, which an integer does not store. `type` is that of a member of C's, if it is one.
    """

    offset: int
    size: int
    align: int
    tail: int = 0
    type: Type | None = None


def int_align(size: int) -> int:
    """The alignment of an LLVM integer of `size` bytes: that of the next larger one that the data layout names."""
    return next((align for align in INT_ALIGNS if size <= align), INT_ALIGNS[-1])


def int_size(size: int) -> int:
    """Return the bytes that an LLVM integer of `size` bytes takes in memory."""
    align = int_align(size)
    return -(-size // align) * align


def integer(offset: int, size: int) -> LlvmMember:
    """An integer of `size` bytes at an offset."""
    return LlvmMember(offset, int_size(size), int_align(size), int_size(size) - size)


def discrete(fields: Sequence[Field], sizes: Sequence[int]) -> Iterator[LlvmMember]:
    """ms_struct: an integer of the declared type for each storage unit; `sizes` are those of the types in bytes."""
    tail = 0
    for own, size in zip(fields, sizes, strict=True):
        if not own.bit_width:
            tail = 0
        elif own.bit_offset >= tail:
            tail = own.bit_offset + size * 8
            yield integer(own.bit_offset // 8, size)


def runs(fields: Sequence[Field]) -> Iterator[LlvmMember]:
    """Clang 18 and before: one integer for each run of bit-fields without a gap."""
    run: list[Field] = []
    for own in fields:
        if run and (not own.bit_width or end_bit(run[-1]) != own.bit_offset):
            yield one_run(run)
            run = []
        if own.bit_width:
            run.append(own)
    if run:
        yield one_run(run)


def one_run(run: Sequence[Field]) -> LlvmMember:
    """A run as one integer."""
    return integer(run[0].bit_offset // 8, -(-(end_bit(run[-1]) - run[0].bit_offset) // 8))


def end_bit(own: Field) -> int:
    """The bit behind a bit-field."""
    return own.bit_offset + own.bit_width


@dataclass
class Span:
    """Bit-fields that are being gathered into one access unit, and the best unit so far.

    `best` is the index behind the last field of that, `best_end` the byte behind it, `clipped` that it is no integer.
    """

    first: int
    begin: int
    bits: int = 0
    best: int = field(default=-1)
    best_end: int = 0
    clipped: bool = True


def access_units(fields: Sequence[Field], limit: int, shape: Shape) -> Iterator[LlvmMember]:
    """Clang 19 and later: bit-fields are merged while that makes an aligned integer; `limit` is where the next member is."""
    at = 0
    span: Span | None = None
    while at < len(fields) or span is not None:
        if span is None:
            span = Span(at, fields[at].bit_offset // 8)
        elif at == len(fields) or fields[at].bit_offset % 8 == 0:
            barrier = at == len(fields) or not fields[at].bit_width
            following = next((own.bit_offset // 8 for own in fields[at:] if own.bit_width), limit)
            if closes(span, at, following, shape.align, barrier=barrier):
                yield from unit(span)
                at, span = span.best, None
                continue
        if at == len(fields):
            break
        span.bits += fields[at].bit_width
        at += 1


def closes(span: Span, at: int, following: int, align: int, *, barrier: bool) -> bool:
    """Return whether the best unit of a span is final; if not, the span goes on at the byte `following`."""
    size = -(-span.bits // 8)
    first = span.best < 0
    if first:
        span.best, span.best_end = at, span.begin + size
        if not size:
            return True
    elif size > REGISTER:
        return True
    if int_align(size) > align or span.begin % int_align(size):
        if first and int_size(size) == size:
            span.clipped = False
        return True
    if span.begin + int_size(size) <= following:
        span.best, span.best_end, span.clipped = at, span.begin + int_size(size), False
    if barrier:
        return True
    span.bits = (following - span.begin) * 8
    return False


def unit(span: Span) -> Iterator[LlvmMember]:
    """The best unit of a span: an integer, or bytes where an integer would reach into what follows."""
    size = span.best_end - span.begin
    if size:
        yield LlvmMember(span.begin, size, 1) if span.clipped else integer(span.begin, size)
