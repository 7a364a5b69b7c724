"""Targets without a model say so of everything, and what they suppose is enough to ask."""

from __future__ import annotations

import math
import pickle
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abiprobe.oracles.engine.doubles import as_double, as_single, moderate
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.supposed import supposed
from abiprobe.oracles.language.lang import (
    Array,
    Atomic,
    BitInt,
    Kind,
    Member,
    Param,
    Pointer,
    Prototype,
    Record,
    Scalar,
    Typedef,
    Vector,
)
from abiprobe.oracles.registry import TARGETS, find_model
from abiprobe.oracles.text.place import Unspecified

UNMODELLED = [name for name, target in TARGETS.items() if not target.modelled]
INT = Scalar(Kind.INT)
THREE = Record("R", (Member(Array(Scalar(Kind.CHAR), 3), "a"),))
PAIR = Record("S", (Member(Scalar(Kind.CHAR), "a"), Member(Pointer(Scalar(Kind.INT)), "b")))
CALL = Prototype("f", Scalar(Kind.DOUBLE), (Param("p", PAIR),))


def test_there_are_such_targets() -> None:
    assert UNMODELLED


@pytest.mark.parametrize("target", UNMODELLED)
def test_nothing_is_predicted(target: str) -> None:
    model = find_model(target)
    assert model.layout(PAIR) == Unspecified("no_model:layouts", "no model")
    assert model.assign(CALL) == Unspecified("no_model:calls", "no model")


@pytest.mark.parametrize("target", UNMODELLED)
@pytest.mark.parametrize(
    ("member", "clause"),
    [
        (Member(Typedef("T", INT, 32), "b", 1), "gnu:bit-field-of-aligned-typedef"),
        (Member(Atomic(THREE), "b"), "gnu:atomic-record"),
        (Member(Vector(Kind.INT, 64), "b"), "no_model:layouts"),
    ],
)
def test_where_the_manual_is_silent_that_is_cited(target: str, member: Member, clause: str) -> None:
    answer = find_model(target).layout(
        Record("S", (Member(INT, "a"), Member(Scalar(Kind.LLONG), "c"), member))
    )
    assert isinstance(answer, Unspecified)
    assert answer.clause == clause


@pytest.mark.parametrize("reading", Reading)
def test_a_bit_field_that_a_text_does_not_know_is_supposed_to_be_as_families_have_it(
    reading: Reading,
) -> None:
    wide = Record("R", (Member(Scalar(Kind.INT128), "a", 65),))
    model = find_model("powerpc64-elfv1")
    assert isinstance(model.layout(wide), Unspecified)
    assert supposed(model.types, reading).extent(wide).size == 16


def test_silence_is_handed_over_by_a_worker() -> None:
    silence = pickle.loads(pickle.dumps(SilentError("elfv1:bits.wide", "a has 65 bits")))
    assert (silence.clause, silence.why, str(silence)) == (
        "elfv1:bits.wide",
        "a has 65 bits",
        "elfv1:bits.wide: a has 65 bits",
    )


@pytest.mark.parametrize("target", UNMODELLED)
def test_sizes_are_supposed(target: str) -> None:
    types = supposed(find_model(target).types, Reading.GCC)
    pointer = types.extent(Pointer(Scalar(Kind.INT))).size
    assert pointer == types.extent(Scalar(Kind.LONG)).size
    assert types.extent(PAIR).size == 2 * pointer


@pytest.mark.parametrize("target", UNMODELLED)
@pytest.mark.parametrize(("width", "size"), [(2, 1), (24, 4), (33, 8), (64, 8), (65, 16), (128, 16)])
def test_a_bit_int_is_supposed_to_be_as_clang_has_it(target: str, width: int, size: int) -> None:
    assert supposed(find_model(target).types, Reading.CLANG).extent(BitInt(width)).size == size


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_a_float_is_read_back_from_the_double_of_its_value(value: float) -> None:
    (bits,) = struct.unpack("<I", struct.pack("<f", value))
    (wide,) = struct.unpack("<Q", struct.pack("<d", value))
    assert as_double(bits) == wide
    assert as_single(wide) == bits


@given(st.integers(0, (1 << 64) - 1))
def test_moderate_bits_are_a_float_but_for_precision(bits: int) -> None:
    (wide,) = struct.unpack("<d", moderate(bits).to_bytes(8, "little"))
    (single,) = struct.unpack("<f", as_single(moderate(bits)).to_bytes(4, "little"))
    assert math.isfinite(single)
    assert single == pytest.approx(wide, rel=2**-23)
    assert (moderate(bits) ^ bits) & ~(0x7FF << 52) == 0
