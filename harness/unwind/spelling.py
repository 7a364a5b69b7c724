"""Rules of call frame information, and what is wrong with them, as people read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from abiprobe.harness.unwind.wrong import Wrong
from abiprobe.oracles.unwinding.rules import (
    CfaRule,
    Expression,
    InRegister,
    Offset,
    Operation,
    RegisterOffset,
    Rule,
    SameValue,
    Undefined,
    ValueExpression,
    ValueOffset,
)


class Spelling:
    """The spelling of rules with the names of a machine's registers."""

    def __init__(self, names: Mapping[int, str]) -> None:
        """Begin with the registers by their numbers in DWARF."""
        self.names = names

    def register(self, number: int) -> str:
        """The name of a register."""
        return self.names.get(number, f"register {number}")

    def cfa(self, rule: CfaRule) -> str:
        """The rule of a CFA."""
        if isinstance(rule, RegisterOffset):
            return f"{self.register(rule.number)}{rule.bytes:+d}"
        return self.expression(rule.operations)

    def rule(self, rule: Rule) -> str:
        """The rule of a register."""
        match rule:
            case SameValue():
                return "same value"
            case Undefined():
                return "undefined"
            case Offset(offset):
                return f"*(CFA{offset:+d})"
            case ValueOffset(offset):
                return f"CFA{offset:+d}"
            case InRegister(number):
                return self.register(number)
            case Expression(operations):
                return f"*({self.expression(operations)})"
            case ValueExpression(operations):
                return self.expression(operations)
            case _ as unreachable:
                assert_never(unreachable)

    def expression(self, operations: Sequence[Operation]) -> str:
        """An expression; one that only adds to a register, and reads there, as such."""
        match operations:
            case [(name, (offset,))] if name.startswith("DW_OP_breg"):
                return f"{self.register(int(name[10:]))}{offset:+d}"
            case [(name, (offset,)), ("DW_OP_deref", _)] if name.startswith("DW_OP_breg"):
                return f"*({self.register(int(name[10:]))}{offset:+d})"
            case _:
                return ", ".join(" ".join((name, *map(str, operands))) for name, operands in operations)


def place(one: Wrong) -> str:
    """An instruction with the one that ran before it."""
    behind = f", after {one.behind}" if one.behind else ""
    return f"{one.function}+{one.at:#x} {one.instruction}{behind}"


def verdict(one: Wrong) -> str:
    """The value by the row, and the true one."""
    if one.expected is None:
        return f"no {one.what}"
    said = f"nothing, {one.why}" if one.found is None else f"{one.found:#x}"
    return f"{one.what} by {one.rule} is {said}; it is {one.expected:#x}"
