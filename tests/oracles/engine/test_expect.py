"""Predicted contents of one place: the bits that count, and what they are."""

from __future__ import annotations

import pytest

from abiprobe.oracles.engine.expect import contents, expected
from abiprobe.oracles.text.place import (
    ByteOrder,
    Extension,
    Form,
    Passed,
    Passing,
    Piece,
    Register,
    StackSlot,
)

A0 = Register("a0")
SIGN, ZERO, NAN_BOX, ANY = Extension.SIGN, Extension.ZERO, Extension.NAN_BOX, Extension.ANY
ONES = 0xFFFF_FFFF_FFFF_FFFF

CONTENTS = [
    ("a whole register", Piece(0, 2, A0, "c", None, 2), "8180", "ffff", 0x8081, 0xFFFF),
    ("padding", Piece(0, 2, A0, "c", None, 2), "8180", "ff7f", 0x0081, 0x7FFF),
    ("a negative number", Piece(0, 1, A0, "c", SIGN, 8), "80", "ff", ONES - 0x7F, ONES),
    ("a positive number", Piece(0, 1, A0, "c", SIGN, 8), "7f", "ff", 0x7F, ONES),
    ("an unsigned number", Piece(0, 1, A0, "c", ZERO, 8), "80", "ff", 0x80, ONES),
    (
        "a boxed float",
        Piece(0, 4, A0, "c", NAN_BOX, 8),
        "04030201",
        "ffffffff",
        ONES << 32 & ONES | 0x01020304,
        ONES,
    ),
    ("undefined above", Piece(0, 1, A0, "c", ANY, 8), "80", "ff", 0x80, 0xFF),
    ("nothing above", Piece(0, 1, A0, "c", None, 8), "80", "ff", 0x80, 0xFF),
    ("part of a value", Piece(1, 3, A0, "c", None, 2), "01020304", "ffffffff", 0x0302, 0xFFFF),
    ("a bit-field alone", Piece(0, 1, A0, "c", ANY, 8, "c", 3, 4), "b8", "ff", 0b0111, 0b1111),
    ("a number at the end", Piece(0, 2, A0, "c", ANY, 8, at=6), "8081", "ffff", 0x8180 << 48, 0xFFFF << 48),
    (
        "a negative number there",
        Piece(0, 2, A0, "c", SIGN, 8, at=6),
        "8001",
        "ffff",
        ONES ^ 0xFE7F << 48,
        ONES,
    ),
    ("a positive number there", Piece(0, 2, A0, "c", SIGN, 8, at=6), "7f81", "ffff", 0x817F << 48, ONES),
    ("an unsigned number there", Piece(0, 2, A0, "c", ZERO, 8, at=6), "8001", "ffff", 0x0180 << 48, ONES),
    ("one over a byte", Piece(1, 3, A0, "c", ANY, 8, "c", 14, 5), "ff4005ff", "ffffffff", 0b10101, 0b11111),
]


@pytest.mark.parametrize(
    ("piece", "value", "mask", "bits", "care"),
    [row[1:] for row in CONTENTS],
    ids=[row[0] for row in CONTENTS],
)
def test_contents_of_a_place(piece: Piece, value: str, mask: str, bits: int, care: int) -> None:
    answer = expected(piece, bytes.fromhex(value), bytes.fromhex(mask))
    assert (answer.bits, answer.care) == (bits, care)
    assert (answer.place, answer.width, answer.start) == (piece.place, piece.width, piece.start)
    assert answer.value_bytes == piece.end - piece.start


@pytest.mark.parametrize(("order", "bits"), [("little", 0x3FF8_0000_0000_0000), ("big", 0xF83F)])
def test_a_float_is_a_double_in_the_byte_order_of_its_piece(order: ByteOrder, bits: int) -> None:
    piece = Piece(0, 4, Register("f1"), "c", None, 8, form=Form.DOUBLE, order=order)
    value = b"\x3f\xc0\0\0" if order == "big" else b"\0\0\xc0\x3f"
    answer = expected(piece, value, b"\xff" * 4)
    assert (answer.bits, answer.care, answer.width) == (bits, ONES, 8)


def test_a_place_is_as_wide_as_its_bytes_at_least() -> None:
    assert expected(Piece(0, 24, StackSlot(8), "c"), bytes(24), b"\xff" * 24).width == 24


def test_who_answers_for_the_value_and_for_what_stands_above() -> None:
    own = expected(Piece(0, 1, A0, "c", SIGN, 8, "d"), b"\0", b"\xff")
    assert (own.clause, own.extension_clause) == ("c", "d")
    shared = expected(Piece(0, 1, A0, "c", SIGN, 8), b"\0", b"\xff")
    assert (shared.clause, shared.extension_clause) == ("c", "c")


def test_contents_come_in_the_order_of_the_pieces() -> None:
    pieces = (Piece(0, 1, A0, "c", None, 1), Piece(1, 2, StackSlot(0), "c", None, 1))
    passed = Passed("x", "struct s", Passing.DIRECT, pieces, "c", 2, 1, b"\xff\xff")
    assert [(item.place, item.bits) for item in contents(passed, b"\x01\x02")] == [(A0, 1), (StackSlot(0), 2)]
