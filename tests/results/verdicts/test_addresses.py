"""Which words of what is seen are addresses of ours, and which only look like one."""

from __future__ import annotations

import pytest

from abiprobe.oracles.text.place import ByteOrder
from abiprobe.results.verdicts.addresses import Addresses
from abiprobe.results.verdicts.values import LeadsTo

SP, CODE = 0x0300_0000, (0x1_0000, 0x5_0000)


def name(
    number: int, *, order: ByteOrder = "little", size: int = 4, values: tuple[bytes, ...] = ()
) -> LeadsTo | None:
    return Addresses(SP, CODE, size, order, values).leads_to(number.to_bytes(size, order))


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (SP - 16, LeadsTo.STACK),
        (SP + (1 << 20), LeadsTo.BUFFER),
        (CODE[0], LeadsTo.CODE),
        (CODE[1], None),
        (0, None),
        (0x1234_5678, None),
    ],
)
def test_an_address_is_named_by_what_it_leads_to(number: int, expected: LeadsTo | None) -> None:
    assert name(number) == expected


@pytest.mark.parametrize("order", ["little", "big"])
@pytest.mark.parametrize(
    ("word", "value"), [(b"\0\0\1\0", b"\0\0\1"), (b"\0\0\1\0", b"\0\1"), (b"\4\0\2\0", b"\4\2")]
)
def test_a_value_is_no_address(word: bytes, value: bytes, order: ByteOrder) -> None:
    """Neither as a whole nor with its elements widened, as some compilers pass a vector."""
    number, held = int.from_bytes(word, "little"), value if order == "little" else value[::-1]
    assert name(number, order=order) == LeadsTo.CODE
    assert name(number, order=order, values=(b"\x77" + held + b"\x66",)) is None


def test_an_address_with_other_bytes_than_the_value_remains_one() -> None:
    assert name(0x2_0304, values=(bytes([4, 2]), bytes([3, 4]))) == LeadsTo.CODE
