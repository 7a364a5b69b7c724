"""Decimal floating types: some of the questions of plain types have them in the place of binary ones."""

from __future__ import annotations

import zlib
from collections.abc import Mapping

from abiprobe.generators.exchange import exchanged
from abiprobe.generators.scope import COMMON, Bounds
from abiprobe.oracles.language.features import features
from abiprobe.oracles.language.lang import Kind, Scalar, Type
from abiprobe.oracles.language.question import Question, encode

DECIMALS: Mapping[Type, Type] = {
    Scalar(Kind.FLOAT): Scalar(Kind.DECIMAL32),
    Scalar(Kind.DOUBLE): Scalar(Kind.DECIMAL64),
    Scalar(Kind.LDOUBLE): Scalar(Kind.DECIMAL128),
}
FEATURE = "_Decimal"
EVERY = 48
"""One of so many questions of plain types has decimal ones, if it has any real."""


def with_decimals(asked: Question, bounds: Bounds) -> Question:
    """`asked`, or the same with decimal types where it is one of those that have them."""
    if FEATURE in bounds.exclude or zlib.crc32(encode(asked)) % EVERY or not features(asked) <= COMMON:
        return asked
    return exchanged(asked, DECIMALS)
