"""Values: they name their own bytes, differ from turn to turn, and are values of their type."""

from __future__ import annotations

import math
import struct
from contextlib import suppress

import pytest

from abiprobe.generators.pool import draw_pool
from abiprobe.generators.values import TURNS, fill
from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.language.lang import Array, BitInt, Complex, Kind, Member, Record, Scalar, Type, Typedef
from abiprobe.oracles.registry import find_model

TARGETS = ("riscv64-lp64d", "x86_64-sysv")
VALUES = range(21)
BYTES = Array(Scalar(Kind.UCHAR), 64)


def filled(target: str, c_type: Type, index: int, turn: int) -> bytes:
    return fill(find_model(target).types, c_type, index, turn)


@pytest.mark.parametrize("target", TARGETS)
def test_a_value_has_the_size_of_its_type_and_is_always_the_same(target: str) -> None:
    types = find_model(target).types
    measured = 0
    for record in draw_pool(seed=2, cases=150).records:
        with suppress(SilentError, AbsentError):
            size = types.extent(record).size
            measured += 1
            for turn in TURNS:
                value = fill(types, record, 3, turn)
                assert len(value) == size
                assert value == fill(types, record, 3, turn)
    assert measured > 75


def test_in_the_first_turn_every_byte_names_itself() -> None:
    assert filled(TARGETS[0], Scalar(Kind.LONG), 2, 0).hex(" ") == "20 21 22 23 24 25 26 27"


def test_no_two_values_of_a_turn_begin_alike() -> None:
    for turn in TURNS:
        words = [filled(TARGETS[0], Scalar(Kind.LONG), index, turn) for index in VALUES if index < 16]
        assert len(set(words)) == len(words)


def test_the_turns_differ_in_every_byte() -> None:
    for index in VALUES:
        first, second = (filled(TARGETS[0], BYTES, index, turn) for turn in TURNS)
        assert [at for at, pair in enumerate(zip(first, second, strict=True)) if pair[0] == pair[1]] == []


NARROW = [Scalar(kind) for kind in (Kind.SCHAR, Kind.SHORT, Kind.INT, Kind.LONG)]


@pytest.mark.parametrize("c_type", NARROW, ids=lambda c_type: c_type.kind.value)
def test_an_integer_is_negative_in_one_turn_only(c_type: Scalar) -> None:
    # Where both are of one sign, the wrong extension goes unseen.
    signs = {index: {filled(TARGETS[0], c_type, index, turn)[-1] >> 7 for turn in TURNS} for index in VALUES}
    assert [index for index, seen in signs.items() if seen != {0, 1}] == []


FORMATS = {Kind.FLOAT16: "<e", Kind.FLOAT: "<f", Kind.DOUBLE: "<d"}


def floats(data: bytes, kind: Kind) -> list[float]:
    return [value for (value,) in struct.iter_unpack(FORMATS[kind], data)]


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("turn", TURNS)
def test_no_float_is_a_nan_or_infinite(kind: Kind, turn: int) -> None:
    types: list[Type] = [Scalar(kind), Array(Scalar(kind), 40)]
    if kind is not Kind.FLOAT16:
        types.append(Complex(kind))
    for c_type in types:
        for index in VALUES:
            values = floats(filled("riscv64-lp64d", c_type, index, turn), kind)
            assert all(map(math.isfinite, values))


@pytest.mark.parametrize("index", VALUES)
def test_the_parts_of_a_complex_integer_hold_any_bits(index: int) -> None:
    whole = filled("x86_64-sysv@gcc-reading", Complex(Kind.INT), index, 0)
    assert whole == filled("x86_64-sysv@gcc-reading", Array(Scalar(Kind.INT), 2), index, 0)


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("index", VALUES)
def test_an_x87_value_is_a_normal_number(index: int, turn: int) -> None:
    for c_type in (Scalar(Kind.LDOUBLE), Array(Scalar(Kind.LDOUBLE), 5), Complex(Kind.LDOUBLE)):
        data = filled("x86_64-sysv", c_type, index, turn)
        for at in range(0, len(data), 16):
            exponent = int.from_bytes(data[at + 8 : at + 10], "little") & 0x7FFF
            assert 0 < exponent < 0x7FFF
            assert data[at + 7] & 0x80


@pytest.mark.parametrize("turn", TURNS)
def test_a_quad_is_no_nan(turn: int) -> None:
    for index in VALUES:
        data = filled("riscv64-lp64d", Array(Scalar(Kind.LDOUBLE), 5), index, turn)
        tops = [int.from_bytes(data[at + 14 : at + 16], "little") & 0x7FFF for at in range(0, len(data), 16)]
        assert all(top < 0x7FFF for top in tops)


@pytest.mark.parametrize("target", TARGETS)
def test_a_bool_is_0_or_1_and_changes(target: str) -> None:
    holder = Record("S", (Member(Scalar(Kind.INT), "a"), Member(Array(Scalar(Kind.BOOL), 9), "b")))
    overlaid = Record("U", (Member(Scalar(Kind.BOOL), "a"), Member(Scalar(Kind.UCHAR), "b")), union=True)
    named = Typedef("t", Scalar(Kind.BOOL))
    for index in VALUES:
        first, second = (filled(target, holder, index, turn)[4:13] for turn in TURNS)
        assert set(first + second) <= {0, 1}
        assert all(a != b for a, b in zip(first, second, strict=True))
        assert filled(target, overlaid, index, 0)[0] in {0, 1}
        assert filled(target, named, index, 0)[0] in {0, 1}


@pytest.mark.parametrize("signed", [True, False])
@pytest.mark.parametrize("width", [2, 7, 8, 9, 31, 33, 37, 63, 64, 65, 100, 128])
def test_the_unused_bits_of_a_bit_precise_integer_follow_from_its_value(width: int, signed: bool) -> None:  # noqa: FBT001
    for index in VALUES:
        for turn in TURNS:
            data = filled("riscv64-lp64d", BitInt(width, signed), index, turn)
            value = int.from_bytes(data, "little", signed=signed)
            low = -(1 << (width - 1)) if signed else 0
            assert low <= value < low + (1 << width)
