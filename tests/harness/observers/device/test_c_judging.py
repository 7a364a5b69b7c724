"""Which bytes count as the expected ones."""

from __future__ import annotations

import pytest

from abiprobe.harness.observers.device.judging import compare, same
from abiprobe.harness.observers.device.sass.decode import UndecodedError
from abiprobe.harness.observers.device.sass.symbols import EntryByte, Lost, Masked, Partial, Symbol, Unwritten
from abiprobe.oracles.text.place import Passed, Passing, Piece, Register
from abiprobe.results.verdicts.record import Difference

BYTE = EntryByte(4, 0)
PIECES = (Piece(0, 4, Register("R4"), "c"),)
PASSED = Passed("x", "int", Passing.DIRECT, PIECES, "c", 4, 4, b"\xff\xff\xff\x1f")
WORD = tuple(EntryByte(4, byte) for byte in range(4))


def found(*seen: Symbol) -> list[Difference]:
    return list(compare("caller", PASSED, WORD, seen))


@pytest.mark.parametrize(
    ("seen", "care", "expected"),
    [
        (BYTE, 0xFF, True),
        (EntryByte(5, 0), 0xFF, False),
        (Masked(BYTE, 0x3F), 0x1F, True),
        (Masked(BYTE, 0x0F), 0x1F, False),
        (Masked(BYTE, 1), 0xFF, True),
        (Partial(BYTE, 0x1F), 0x1F, True),
        (Partial(BYTE, 0x0F), 0x1F, False),
        (0, 0xFF, False),
        (None, 0xFF, False),
    ],
)
def test_the_bits_that_count_decide(seen: Symbol, care: int, expected: bool) -> None:  # noqa: FBT001
    assert same(BYTE, seen, care) is expected


def test_a_constant_in_place_of_a_byte_deviates() -> None:
    (one,) = found(*WORD[:3], 0)
    assert one.what == "x[3]"


@pytest.mark.parametrize("symbol", [Unwritten("entry", -8), Lost(0, 3)])
def test_a_byte_that_nobody_put_there_deviates(symbol: Symbol) -> None:
    (one,) = found(*WORD[:3], symbol)
    assert one.what == "x[3]"


def test_what_cannot_be_told_is_no_deviation() -> None:
    assert found(*WORD) == []
    with pytest.raises(UndecodedError):
        found(*WORD[:3], None)
    with pytest.raises(UndecodedError):
        found(*WORD[:3], Partial(WORD[3], 1))
