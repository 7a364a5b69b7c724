"""Long values are shown by the bytes that differ; short ones, and what is no row of bytes, whole."""

from __future__ import annotations

import pytest
from laboratory import said

from abiprobe.results.verdicts.differing_bytes import differing_part
from abiprobe.results.verdicts.values import Address, Bytes, LeadsTo, Value, Words
from abiprobe.results.verdicts.wording import value_text

LONG = [f"{number:02x}" for number in range(40)]


def changed(*places: int) -> str:
    return " ".join("ff" if index in places else byte for index, byte in enumerate(LONG))


ROWS = [
    ((), ("", " ".join(LONG), " ".join(LONG))),
    ((7,), ("byte 7 of 40", "07", "ff")),
    ((7, 9), ("bytes 7 to 9 of 40", "07 08 09", "ff 08 ff")),
    ((0, 39), ("bytes 0 to 39 of 40", " ".join(LONG[:16]) + " ...", " ".join(["ff", *LONG[1:16]]) + " ...")),
]


@pytest.mark.parametrize(("places", "right"), ROWS)
def test_the_part_of_a_long_value_that_differs(places: tuple[int, ...], right: tuple[str, str, str]) -> None:
    assert differing_part(Bytes(" ".join(LONG)), Bytes(changed(*places))) == right


@pytest.mark.parametrize(
    ("expected", "seen"),
    [
        (Bytes("40 41 42"), Bytes("40 41 43")),
        (Bytes(" ".join(LONG)), Bytes(" ".join(LONG[:30]))),
        (Words("a " * 60), Words("b " * 60)),
        (Bytes(" ".join(LONG)), Address(LeadsTo.NOTHING)),
    ],
)
def test_what_is_shown_whole(expected: Value, seen: Value) -> None:
    assert differing_part(expected, seen) == ("", value_text(expected), value_text(seen))


def test_a_difference_names_the_bytes() -> None:
    one = said.difference(
        "caller", "a1", "memory at a3", " ".join(LONG), changed(12), "riscv:int.aggregate-reference"
    )
    assert str(one) == "caller: a1 in memory at a3, byte 12 of 40: expected 0c, saw ff"
