"""Location descriptions of debug information in a state of the machine."""

from __future__ import annotations

import pytest

from abiprobe.oracles.text.place import ByteOrder
from abiprobe.oracles.unwinding import locations
from abiprobe.oracles.unwinding.locations import Frame, LocationOperation, clause, found
from abiprobe.oracles.unwinding.rules import UndefinedError, UnknownOperationError


class State:
    """A machine whose register n has the bytes n, n + 1 and so on, in which memory has the low byte of its address."""

    order: ByteOrder = "little"

    def __init__(self, first: int = 0) -> None:
        self.first = first

    def contents(self, number: int) -> bytes:
        return bytes(range(self.first + number, self.first + number + 8))

    def register(self, number: int) -> int:
        return int.from_bytes(self.contents(number), "little")

    def memory(self, address: int, size: int) -> bytes:
        if address < 0x1000:
            raise UndefinedError("there is no memory")
        return bytes(at & 0xFF for at in range(address, address + size))

    def word(self, address: int) -> int:
        return int.from_bytes(self.memory(address, 8), "little")

    def saved(self, _number: int, address: int) -> int:
        return self.word(address)


FRAME = Frame(State(), State(0x40), 0x2000, lambda: 0x3000, 64)
REG3, ENTRY3 = ("DW_OP_reg3", ()), ("DW_OP_entry_value", ((("DW_OP_reg3", ()),),))
PIECE4, VALUE = ("DW_OP_piece", (4,)), ("DW_OP_stack_value", ())
TYPED = ("DW_OP_entry_value", ((("DW_OP_regval_type", (3, 0x30)),),))
IMPLICIT = ("DW_OP_implicit_value", (b"\x01\x02\x03\x04",))


@pytest.mark.parametrize(
    ("operations", "size", "expected", "known"),
    [
        ([], 4, "00000000", "00000000"),
        ([REG3], 4, "03040506", "ffffffff"),
        ([("DW_OP_regx", (3,))], 2, "0304", "ffff"),
        ([("DW_OP_fbreg", (-8,))], 2, "f8f9", "ffff"),
        ([("DW_OP_call_frame_cfa", ()), ("DW_OP_plus_uconst", (4,))], 2, "0405", "ffff"),
        ([("DW_OP_constu", (0x4005,))], 2, "0506", "ffff"),
        ([REG3, PIECE4, PIECE4], 8, "0304050600000000", "ffffffff00000000"),
        ([REG3, PIECE4, ("DW_OP_fbreg", (0,)), PIECE4], 8, "0304050600010203", "ffffffffffffffff"),
        ([REG3, PIECE4], 2, "0304", "ffff"),
        ([ENTRY3, VALUE], 4, "43444546", "ffffffff"),
        ([TYPED, VALUE], 8, "434445464748494a", "ffffffffffffffff"),
        ([("DW_OP_lit5", ()), VALUE], 4, "05000000", "ffffffff"),
        ([("DW_OP_const1u", (0xF0,)), ("DW_OP_lit4", ()), ("DW_OP_shr", ()), VALUE], 1, "0f", "ff"),
        ([("DW_OP_const8s", (-32,)), ("DW_OP_lit4", ()), ("DW_OP_shra", ()), VALUE], 8, "feffffffffffffff", "ff" * 8),
        ([("DW_OP_lit16", ()), ("DW_OP_lit4", ()), ("DW_OP_shra", ()), VALUE], 2, "0100", "ffff"),
        ([("DW_OP_fbreg", (2,)), ("DW_OP_deref_size", (2,)), VALUE], 4, "02030000", "ffffffff"),
        ([REG3, ("DW_OP_GNU_uninit", ())], 4, "00000000", "00000000"),
        ([IMPLICIT], 4, "01020304", "ffffffff"),
    ],
)  # fmt: skip
def test_bytes_of_an_object(
    operations: list[LocationOperation], size: int, expected: str, known: str
) -> None:
    value, seen = found(operations, size, FRAME)
    assert (value.hex(), seen.hex()) == (expected, known)


@pytest.mark.parametrize(
    ("operations", "error"),
    [
        ([REG3], UndefinedError),
        ([TYPED, VALUE], UndefinedError),
        ([IMPLICIT], UndefinedError),
        ([("DW_OP_lit5", ())], UndefinedError),
        ([VALUE], UndefinedError),
        ([("DW_OP_GNU_parameter_ref", (1,)), VALUE], UnknownOperationError),
        ([("DW_OP_const_type", (0x30, b"\x01")), VALUE], UnknownOperationError),
    ],
)
def test_what_gives_no_bytes(operations: list[LocationOperation], error: type[Exception]) -> None:
    with pytest.raises(error):
        found(operations, 16, FRAME)


@pytest.mark.parametrize(
    ("operations", "expected"),
    [
        ([REG3], locations.REGISTER),
        ([REG3, PIECE4], locations.COMPOSITE),
        ([("DW_OP_fbreg", (0,))], locations.MEMORY),
        ([IMPLICIT], locations.IMPLICIT),
        ([ENTRY3, VALUE], locations.ENTRY_VALUE),
        ([], locations.LIST),
    ],
)
def test_the_clause_of_a_description(operations: list[LocationOperation], expected: str) -> None:
    assert clause(operations, listed=True) == expected


def test_the_one_location_in_memory_is_that_of_what_does_not_move() -> None:
    assert clause([("DW_OP_fbreg", (0,))], listed=False) == locations.SINGLE
