"""Reals in the x87 format, against values worked out by hand and the laws of the format."""

from __future__ import annotations

import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abiprobe.oracles.engine.extended import extended, is_finite

ROWS = [
    (0.0, 0x0000_0000000000000000),
    (-0.0, 0x8000_0000000000000000),
    (1.0, 0x3FFF_8000000000000000),
    (-2.5, 0xC000_A000000000000000),
    (0.1, 0x3FFB_CCCCCCCCCCCCD000),
    (5e-324, 0x3BCD_8000000000000000),  # a denormal double has a normal extended value
]


@pytest.mark.parametrize(("number", "bits"), ROWS)
def test_a_double(number: float, bits: int) -> None:
    assert extended(struct.pack("<d", number)) == bits


@given(st.floats())
def test_only_finite_reals_are_told_as_such(number: float) -> None:
    assert is_finite(struct.pack("<d", number)) == math.isfinite(number)


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_a_float_is_the_same_number_as_a_double(number: float) -> None:
    assert extended(struct.pack("<f", number)) == extended(struct.pack("<d", number))


@given(st.floats(allow_nan=False, allow_infinity=False).filter(bool))
def test_the_integer_bit_is_set(number: float) -> None:
    assert extended(struct.pack("<d", number)) >> 63 & 1
