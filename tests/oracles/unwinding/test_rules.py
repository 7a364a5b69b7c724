"""What each rule of call frame information gives, by hand from DWARF 5, 6.4.1 and 2.5.1."""

from __future__ import annotations

import pytest

from abiprobe.oracles.text.clause import find_clause
from abiprobe.oracles.unwinding.registers import UNWINDING
from abiprobe.oracles.unwinding.rules import (
    CLAUSES,
    CfaRule,
    Expression,
    InRegister,
    Offset,
    Operation,
    RegisterOffset,
    Rule,
    SameValue,
    Undefined,
    UndefinedError,
    UnknownOperationError,
    ValueExpression,
    ValueOffset,
    canonical_frame,
    recovered,
)

BITS = 32
REGISTERS = {3: 0x33, 6: 0x1000, 7: 0xFFFF_FFF8}
MEMORY = {0xFF0: 0xAA, 0x1000: 0xBB, 0x1008: 0xCC, 0xBB: 0xDD}


class State:
    def register(self, number: int) -> int:
        return REGISTERS[number]

    def word(self, address: int) -> int:
        if address not in MEMORY:
            raise UndefinedError(f"no memory at {address:#x}")
        return MEMORY[address]

    def saved(self, number: int, address: int) -> int:
        assert number == 3
        return self.word(address)


def value(*operations: Operation) -> ValueExpression:
    return ValueExpression(operations)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (RegisterOffset(6, 16), 0x1010),
        (RegisterOffset(6, -16), 0xFF0),
        (RegisterOffset(7, 16), 8),
        (value(("DW_OP_breg6", (8,)), ("DW_OP_deref", ())), 0xCC),
    ],
)
def test_cfa(rule: CfaRule, expected: int) -> None:
    assert canonical_frame(rule, State(), BITS) == expected


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (SameValue(), 0x33),
        (Offset(-16), 0xAA),
        (ValueOffset(-16), 0xFF0),
        (InRegister(6), 0x1000),
        (Expression((("DW_OP_breg6", (8,)),)), 0xCC),
        (value(("DW_OP_breg6", (-8,))), 0xFF8),
        # The CFA is on the stack to begin with.
        (value(("DW_OP_lit8", ()), ("DW_OP_minus", ())), 0xFF8),
        (value(("DW_OP_plus_uconst", (4,))), 0x1004),
        (value(("DW_OP_bregx", (6, 1))), 0x1001),
        (value(("DW_OP_const1s", (-1,))), 0xFFFF_FFFF),
        (value(("DW_OP_const2u", (0xFF00,)), ("DW_OP_and", ())), 0x1000),
        (value(("DW_OP_lit3", ()), ("DW_OP_shl", ())), 0x8000),
        (value(("DW_OP_breg7", (0,)), ("DW_OP_plus", ())), 0xFF8),
    ],
)
def test_register(rule: Rule, expected: int) -> None:
    assert recovered(rule, 3, 0x1000, State(), BITS) == expected


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (Undefined(), "the rule is undefined"),
        (Offset(4), "no memory at 0x1004"),
        (Expression((("DW_OP_plus", ()),)), "DW_OP_plus finds too little on the stack"),
    ],
)
def test_nothing_comes_of_it(rule: Rule, words: str) -> None:
    with pytest.raises(UndefinedError, match=words):
        recovered(rule, 3, 0x1000, State(), BITS)


def test_an_empty_expression_gives_no_cfa() -> None:
    with pytest.raises(UndefinedError, match="leaves nothing"):
        canonical_frame(value(), State(), BITS)


def test_an_unknown_operation_is_named() -> None:
    with pytest.raises(UnknownOperationError, match="DW_OP_piece"):
        recovered(value(("DW_OP_piece", (4,))), 3, 0x1000, State(), BITS)


def test_every_rule_has_a_clause() -> None:
    rules = CLAUSES.rules.values()
    assert all(find_clause(clause).section.startswith("6.4.1") for clause in rules)
    assert len(set(rules)) == len(CLAUSES.rules) == 7


@pytest.mark.parametrize(
    ("machine", "register", "number"),
    [
        ("x86_64", "rdx", 1),
        ("x86_64", "rbx", 3),
        ("x86_64", "rsp", 7),
        ("x86_64", "r15", 15),
        ("i386", "esp", 4),
        ("i386", "edi", 7),
        ("aarch64", "x30", 30),
        ("aarch64", "sp", 31),
        ("aarch64", "v8", 72),
        ("arm", "sp", 13),
        ("arm", "lr", 14),
        ("arm", "d8", 264),
        ("riscv64", "ra", 1),
        ("riscv64", "t2", 7),
        ("riscv64", "s0", 8),
        ("riscv64", "a7", 17),
        ("riscv64", "s11", 27),
        ("riscv64", "t6", 31),
        ("riscv64", "fs1", 41),
        ("riscv64", "fs11", 59),
        ("riscv64", "ft11", 63),
        ("s390x", "r15", 15),
        ("s390x", "f6", 19),
        ("s390x", "f7", 23),
        ("s390x", "f8", 24),
        ("s390x", "f15", 31),
    ],
)
def test_numbers_of_registers(machine: str, register: str, number: int) -> None:
    assert UNWINDING[machine].numbers[register] == number


def test_older_numbers_of_arm() -> None:
    """AADWARF32 4.1: S0, S2 and so on, from 64 on, stood for D0, D1 and so on, which are 256 and more."""
    arm = UNWINDING["arm"]
    assert (arm.older[256], arm.older[264], arm.older[271]) == (64, 80, 94)
    assert (arm.parts["s16"], arm.parts["s17"], arm.parts["s31"]) == ("d8", "d8", "d15")
