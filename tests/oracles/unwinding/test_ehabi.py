"""The rules that unwinding instructions of Arm amount to, by hand from EHABI32, table 4."""

from __future__ import annotations

import pytest

from abiprobe.oracles.text.clause import find_clause
from abiprobe.oracles.unwinding.ehabi import CLAUSES, row
from abiprobe.oracles.unwinding.rules import (
    Expression,
    InRegister,
    Operation,
    RegisterOffset,
    UndefinedError,
    ValueExpression,
)


def at(base: int, offset: int) -> Expression:
    return Expression(((f"DW_OP_breg{base}", (offset,)),))


@pytest.mark.parametrize(
    ("code", "cfa", "saved"),
    [
        ([0xB0, 0x3F], (13, 0), {}),
        ([0x00], (13, 4), {}),
        ([0x3F, 0x02], (13, 0x100 + 12), {}),
        ([0x41], (13, -8), {}),
        ([0xB2, 0x80, 0x01], (13, 0x204 + 0x200), {}),
        ([0xA1], (13, 8), {4: (13, 0), 5: (13, 4)}),
        ([0xA8, 0xB0, 0xB0], (13, 8), {4: (13, 0), 14: (13, 4), 15: (13, 4)}),
        ([0x80, 0x81], (13, 8), {4: (13, 0), 11: (13, 4)}),
        ([0x88, 0x01], (13, 8), {4: (13, 0), 15: (13, 4)}),
        ([0x9B, 0x41, 0x84, 0x80], (11, 0), {11: (11, -8), 14: (11, -4), 15: (11, -4)}),
        ([0xB1, 0x0A], (13, 8), {1: (13, 0), 3: (13, 4)}),
        ([0xB4], (13, 4), {}),
        ([0xB5], (13, 0), {}),
        ([0xD1], (13, 16), {264: (13, 0), 265: (13, 8)}),
        ([0xB9], (13, 20), {264: (13, 0), 265: (13, 8)}),
        ([0xC9, 0x81, 0xA0], (13, 20), {264: (13, 0), 265: (13, 8), 4: (13, 16)}),
        ([0xC8, 0x20], (13, 8), {274: (13, 0)}),
        ([0xB3, 0x80], (13, 12), {264: (13, 0)}),
    ],
)  # fmt: skip
def test_instructions(code: list[int], cfa: tuple[int, int], saved: dict[int, tuple[int, int]]) -> None:
    found = row(code)
    assert found.cfa == RegisterOffset(*cfa)
    expected = {number: at(*place) for number, place in saved.items()}
    assert found.registers == {15: InRegister(14), **expected}
    assert found.return_column == 15


def memory(base: int, offset: int, behind: int) -> tuple[Operation, ...]:
    return (
        (f"DW_OP_breg{base}", (offset,)),
        ("DW_OP_deref", ()),
        ("DW_OP_const4s", (behind,)),
        ("DW_OP_plus", ()),
    )


def test_a_popped_stack_pointer_counts_behind_the_whole_instruction() -> None:
    found = row([0x8A, 0x01])  # r4, sp, r15
    assert found.registers == {4: at(13, 0), 15: at(13, 8)}
    assert found.cfa == ValueExpression(memory(13, 4, 0))


def test_a_stack_pointer_from_a_popped_register_is_read_from_memory() -> None:
    found = row([0xA3, 0x97, 0xA8])  # r4 to r7; vsp = r7; r4, lr
    assert found.cfa == ValueExpression(memory(13, 12, 8))
    assert found.registers[4] == Expression(memory(13, 12, 0))


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ([0x80, 0x00], "refuses to unwind"),
        ([0x9D], "reserved"),
        ([0x9F], "reserved"),
        ([0xB1, 0x00], "spare"),
        ([0xB1, 0x10], "spare"),
        ([0xB6], "reserved, spare"),
        ([0xC0], "Wireless MMX"),
        ([0xCA], "spare"),
        ([0xE0], "spare"),
        ([0x84], "has no end"),
        ([0xB2, 0x80], "has no end"),
    ],
)
def test_what_gives_no_frame(code: list[int], why: str) -> None:
    with pytest.raises(UndefinedError, match=why):
        row(code)


def test_clauses_are_those_of_the_text() -> None:
    names = CLAUSES.cfa, CLAUSES.row, CLAUSES.return_address, CLAUSES.unsaved, *CLAUSES.rules.values()
    assert all("EHABI32" in find_clause(name).section for name in names)
