"""Types of Arm's SVE: some of the prototypes of plain types have them in the place of reals, records and wide integers.

They are replaced and not drawn: no decision is made for it, so all other questions of a batch stay as they are.
"""

from __future__ import annotations

import zlib
from itertools import count

from msgspec.structs import replace

from abiprobe.generators.draw import SeededDraw
from abiprobe.generators.scalars import WORDS
from abiprobe.generators.scope import COMMON, Bounds
from abiprobe.oracles.language.features import features
from abiprobe.oracles.language.lang import (
    SVE_ELEMENTS,
    Array,
    Kind,
    Member,
    Prototype,
    Record,
    Scalar,
    SvePredicate,
    SveVector,
    Type,
)
from abiprobe.oracles.language.question import encode
from abiprobe.oracles.language.sve import MOST_FIELDS, SVE_BITS

FEATURE, FIXED = "SVE vector", "SVE vector of fixed length"
ELEMENTS = tuple(SVE_ELEMENTS)
EVERY = 24
"""One of so many prototypes of plain types has types of SVE, if it has more than integers and pointers."""
OFTEN = (1, 2, 4)
"""Of its other values one of so many has such a type, in one question or another."""
MOST_MEMBERS = 4
IMPURE = 12
"""One of so many records has a member that is no vector or predicate, and so many are unions."""


def with_sve(asked: Prototype, bounds: Bounds) -> Prototype:
    """`asked`, or the same with types of SVE where it is one of those that have them."""
    if FEATURE in bounds.exclude or not features(asked) <= COMMON:
        return asked
    seed, number = divmod(zlib.crc32(b"SVE" + encode(asked)), EVERY)
    if number:
        return asked
    return exchanged(asked, SeededDraw(seed), records=FIXED not in bounds.exclude)


def exchanged(asked: Prototype, draw: SeededDraw, *, records: bool) -> Prototype:
    """The same prototype with types of SVE, and `records` of such, in the place of some of its values."""
    often = draw.pick(OFTEN)
    tags = (f"V{number}" for number in count())

    def made(c_type: Type) -> Type:
        if c_type in WORDS or draw.below(often):
            return c_type
        return aggregate(draw, next(tags)) if records and draw.below(2) else sve_type(draw)

    return replace(
        asked,
        result=None if asked.result is None else made(asked.result),
        params=tuple(replace(one, type=made(one.type)) for one in asked.params),
        unnamed=tuple(map(made, asked.unnamed)),
    )


def sve_type(draw: SeededDraw) -> Type:
    """A vector, as often a predicate or a tuple."""
    kind = draw.pick(ELEMENTS)
    which = draw.below(4)
    if which == 1:
        return SvePredicate()
    return SveVector(kind, 2 + draw.below(MOST_FIELDS - 1) if which == 2 else 1)


def aggregate(draw: SeededDraw, tag: str) -> Type:
    """A vector or a predicate of a length that is said, or a record of some, which may have something else, too."""
    if not draw.below(4):
        return part(draw)
    types = [row(draw, part(draw)) for _ in range(1 + draw.below(MOST_MEMBERS))]
    if not draw.below(IMPURE):
        others: tuple[Type, ...] = (Scalar(Kind.INT), Record(f"{tag}E", ()), Array(Scalar(Kind.INT), 0))
        types.insert(draw.below(len(types) + 1), draw.pick(others))
    members = tuple(Member(c_type, name) for c_type, name in zip(types, "abcde", strict=False))
    return Record(tag, members, union=not draw.below(IMPURE))


def part(draw: SeededDraw) -> Type:
    """A vector, or as seldom as one in three a predicate."""
    return SvePredicate(SVE_BITS) if draw.below(3) == 2 else SveVector(draw.pick(ELEMENTS), bits=SVE_BITS)


def row(draw: SeededDraw, c_type: Type) -> Type:
    """The type itself, or seldom an array of a few."""
    return Array(c_type, 1 + draw.below(3)) if draw.below(4) == 3 else c_type
