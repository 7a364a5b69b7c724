"""Fixed-point types: some of the questions of the plainest types have them in the place of integers."""

from __future__ import annotations

import zlib
from collections.abc import Mapping

from abiprobe.generators.draw import SeededDraw
from abiprobe.generators.exchange import exchanged
from abiprobe.generators.scope import Bounds
from abiprobe.oracles.language.constructs import constructs
from abiprobe.oracles.language.features import features
from abiprobe.oracles.language.lang import FixedKind, FixedPoint, Kind, Prototype, Record, Scalar, Type
from abiprobe.oracles.language.question import Question, encode

INTEGERS = (
    *(Kind.CHAR, Kind.SCHAR, Kind.UCHAR, Kind.SHORT, Kind.USHORT, Kind.INT, Kind.UINT),
    *(Kind.LONG, Kind.ULONG, Kind.LLONG, Kind.ULLONG),
)
FEATURE = "fixed point"
EVERY = 8
"""One of so many questions of the plainest types has fixed-point ones, if it has any integer."""
STAY = 4
"""One of so many kinds of integers stays what it is."""


def with_fixed_point(asked: Question, bounds: Bounds) -> Question:
    """`asked`, or the same with fixed-point types where it is one of those that have them.

    No text says where they travel, so what compilers disagree about elsewhere would be taken for a difference here: nothing
    else in these questions is rare, and no record is an unnamed argument.
    """
    if FEATURE in bounds.exclude or features(asked) or "bit-field" in constructs(asked):
        return asked
    if isinstance(asked, Prototype) and any(isinstance(one, Record) for one in asked.unnamed):
        return asked
    seed, number = divmod(zlib.crc32(encode(asked)), EVERY)
    return exchanged(asked, _types(SeededDraw(seed))) if number == 0 else asked


def _types(draw: SeededDraw) -> Mapping[Type, Type]:
    """Map each kind of integer to the fixed-point type that replaces it."""
    kinds = tuple(FixedKind)
    made = {
        Scalar(kind): FixedPoint(draw.pick(kinds), signed=draw.below(2) == 0, saturating=draw.below(4) == 3)
        for kind in INTEGERS
    }
    return {kind: fixed for kind, fixed in made.items() if draw.below(STAY)}
