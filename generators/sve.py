"""Types of Arm's SVE: some of the prototypes of plain types have them in the place of reals, records and wide integers.

They are replaced and not drawn: no decision is made for it, so all other questions of a batch stay as they are.
"""

from __future__ import annotations

import zlib

from msgspec.structs import replace

from abiprobe.generators.draw import SeededDraw
from abiprobe.generators.scalars import WORDS
from abiprobe.generators.scope import COMMON, Bounds
from abiprobe.oracles.features import features
from abiprobe.oracles.lang import SVE_ELEMENTS, Prototype, SvePredicate, SveVector, Type
from abiprobe.oracles.question import encode
from abiprobe.oracles.sve import MOST_FIELDS

FEATURE = "SVE vector"
ELEMENTS = tuple(SVE_ELEMENTS)
EVERY = 24
"""One of so many prototypes of plain types has types of SVE, if it has more than integers and pointers."""
OFTEN = (1, 2, 4)
"""Of its other values one of so many has such a type, in one question or another."""


def with_sve(asked: Prototype, bounds: Bounds) -> Prototype:
    """`asked`, or the same with types of SVE where it is one of those that have them."""
    if FEATURE in bounds.exclude or not features(asked) <= COMMON:
        return asked
    seed, number = divmod(zlib.crc32(b"SVE" + encode(asked)), EVERY)
    return exchanged(asked, SeededDraw(seed)) if number == 0 else asked


def exchanged(asked: Prototype, draw: SeededDraw) -> Prototype:
    """The same prototype with types of SVE in the place of some of its values."""
    often = draw.pick(OFTEN)

    def made(c_type: Type) -> Type:
        return c_type if c_type in WORDS or draw.below(often) else sve_type(draw)

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
