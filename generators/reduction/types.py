"""Replacements for a type: types that cost less, the simplest first."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from abiprobe.generators.reduction.cost import FIXED, KINDS, SIGNED, of_type
from abiprobe.oracles.language.lang import (
    Array,
    Atomic,
    BitInt,
    Complex,
    Enum,
    Enumerator,
    FixedPoint,
    Kind,
    Pointer,
    Scalable,
    Scalar,
    SveVector,
    Type,
    Typedef,
    Vector,
)

INT, LONG, FLOAT, DOUBLE = (Scalar(kind) for kind in (Kind.INT, Kind.LONG, Kind.FLOAT, Kind.DOUBLE))
PLAIN = (INT, LONG, FLOAT, DOUBLE)
"""Types that keep the state of the registers apart: one integer register, or one for reals."""
NARROW = (Scalar(Kind.CHAR), Scalar(Kind.SHORT))
ALIGNMENTS = (2, 4, 8, 16, 32, 64)
WIDTHS = (2, 8, 16, 24, 33, 65, 129)


def simpler(c_type: Type) -> Iterator[Type]:
    """Types to try instead of `c_type` at one place where it is used; each costs less."""
    seen = {c_type}
    for candidate in (*PLAIN, *_within(c_type)):
        if candidate not in seen and of_type(candidate) < of_type(c_type):
            seen.add(candidate)
            yield candidate


def _within(c_type: Type) -> Iterator[Type]:
    match c_type:
        case Scalar(kind):
            yield from (Scalar(other) for other in (*KINDS, SIGNED.get(kind, kind)))
        case FixedPoint(signed=signed):
            yield from (Scalar(other) for other in KINDS)
            yield from (FixedPoint(other) for other in FIXED)
            yield from (FixedPoint(other, signed) for other in FIXED)
            yield replace(c_type, saturating=False)
        case Complex(kind):
            yield from (Scalar(kind), Complex(Kind.FLOAT), Complex(Kind.DOUBLE))
            if kind.is_integer:
                yield from (Complex(other) for other in (Kind.INT, Kind.CHAR, SIGNED.get(kind, kind)))
        case Vector(kind=kind, size=size):
            yield Scalar(kind)
            yield from (
                Vector(other, smaller)
                for other in (Kind.INT, SIGNED.get(kind, kind), kind)
                for smaller in (8, 16, size)
            )
        case Scalable(kind=kind, eighths=eighths, fields=fields):
            yield from (
                Scalable(kind, eighths),
                Scalable(kind, 8, fields),
                Scalable(Kind.INT, max(eighths, 4), fields),
            )
        case SveVector(kind=kind):
            # Without a length it is a member of no record; then the compiler refuses the candidate.
            yield from (SveVector(Kind.INT), SveVector(kind))
            yield from (replace(c_type, kind=Kind.INT), replace(c_type, fields=1), replace(c_type, bits=None))
        case Pointer():
            yield Pointer()
        case Array(element=element, length=length):
            yield element
            yield from (Array(element, other) for other in (1, 2, 3, 4, (length or 0) // 2, 0))
            yield from (Array(inner, length) for inner in simpler(element))
        case Atomic(base=base):
            yield base
            yield from (Atomic(inner) for inner in simpler(base))
        case Typedef(base=base):
            yield base
        case _:
            yield from redefined(c_type)


def redefined(c_type: Type) -> Iterator[Type]:
    """Simpler definitions of an enumeration, a typedef or a `_BitInt`, to put in its place everywhere."""
    match c_type:
        case Typedef(base=base, align=align):
            yield replace(c_type, align=None)
            yield from (
                replace(c_type, align=other) for other in ALIGNMENTS if align is not None and other != align
            )
            yield from (replace(c_type, base=inner) for inner in simpler(base))
        case Enum(tag=tag, enumerators=enumerators, packed=packed):
            yield from NARROW
            small = (Enumerator(f"{tag}_A", 0),)
            yield Enum(tag, small)
            yield Enum(tag, small, packed)
            yield from (replace(c_type, enumerators=(one,)) for one in enumerators)
            yield replace(c_type, packed=False)
        case BitInt(width, signed):
            yield from NARROW
            yield from (BitInt(other) for other in WIDTHS if other < width)
            yield from (
                BitInt(other, signed)
                for other in (*WIDTHS, (width + 1) // 2, width - 1)
                if 2 <= other < width
            )
            yield BitInt(width)
        case _:
            pass
