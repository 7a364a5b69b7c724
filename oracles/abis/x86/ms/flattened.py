"""Atomic structs and complex numbers as clang passes them on Windows: each member of the LLVM type by itself.

Such a value is none of those that the text names, to clang. LLVM divides it into scalars, each of which is
an argument, or has a result register, of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from abiprobe.oracles.engine.leaves import leaves
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import (
    Complex,
    Enum,
    Kind,
    Pointer,
    Record,
    Scalar,
    Type,
    is_atomic,
    spelling,
)
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Extension, Passed, Passing, Piece, Place, Register

OTHER = citing(__package__)[0]("pass.other")
RESULT_INTEGERS, RESULT_REALS = ("rax", "rdx", "rcx"), ("xmm0", "xmm1")
REALS = frozenset({Kind.FLOAT, Kind.DOUBLE})
WORD, XMM_BYTES = 8, 16


class Part(NamedTuple):
    """A scalar of a value: its first byte, its size in bytes, and whether it is a real."""

    start: int
    size: int
    is_real: bool


def parts(types: TypeTable, value: Travelling) -> tuple[Part, ...]:
    """Return the parts of a value that is passed so; none of any other. Raises `SilentError` where only LLVM knows them."""
    flattens = types.policies.flattens_atomics and is_atomic(value.declared) and value.size
    if not flattens or not isinstance(value.type, (Record, Complex)):
        return ()
    found = tuple(scalars(types, value.type))
    end, most = 0, 1
    for part in found:
        if round_up(end, part.size) != part.start:
            raise SilentError(OTHER, f"{spelling(value.declared)} has padding that LLVM names")
        end, most = part.start + part.size, max(most, part.size)
    if round_up(end, most) != value.size:
        raise SilentError(OTHER, f"{spelling(value.declared)} has padding behind its members")
    return found


def scalars(types: TypeTable, c_type: Type) -> Iterator[Part]:
    """The scalars of a struct or complex number; raises `SilentError` for any that are not integers, addresses or plain reals."""
    for leaf in leaves(types, c_type):
        start, own = leaf.bit_offset // 8, leaf.type
        each = [Scalar(own.kind)] * 2 if isinstance(own, Complex) else [own]
        size = types.extent(own).size // len(each)
        for number, scalar in enumerate(each):
            is_real = isinstance(scalar, Scalar) and scalar.kind in REALS
            plain = isinstance(scalar, (Enum, Pointer)) or (
                isinstance(scalar, Scalar) and scalar.kind.is_integer
            )
            if leaf.bit_field is not None or size > WORD or not (is_real or plain):
                raise SilentError(OTHER, f"{spelling(c_type)} has more than integers, addresses and reals")
            yield Part(start + number * size, size, is_real)


def in_parts(value: Travelling, found: Sequence[Part], places: Sequence[Place]) -> Passed:
    """A value of which each part is in a place of its own."""
    pieces = (
        Piece(
            part.start,
            part.start + part.size,
            place,
            OTHER,
            Extension.ANY if part.size < WORD or is_xmm(place) else None,
            XMM_BYTES if is_xmm(place) else WORD,
            OTHER,
        )
        for part, place in zip(found, places, strict=True)
    )
    return value.passed(Passing.DIRECT, OTHER, *pieces)


def is_xmm(place: Place) -> bool:
    """Return whether a place is a vector register."""
    return isinstance(place, Register) and place.name.startswith("xmm")


def returned_in_parts(value: Travelling, found: Sequence[Part]) -> Passed:
    """A result of which each part has the next register of its kind; raises `SilentError` where none is left."""
    integers, reals = iter(RESULT_INTEGERS), iter(RESULT_REALS)
    names = [next(reals if part.is_real else integers, "") for part in found]
    if not all(names):
        raise SilentError(
            OTHER, f"{spelling(value.declared)} has more parts than there are registers for a result"
        )
    return in_parts(value, found, [Register(name) for name in names])
