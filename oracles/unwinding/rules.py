"""The rules of call frame information, and what they say of a state of the machine (DWARF 5, 6.4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeAlias, assert_never

import msgspec

from abiprobe.oracles.text.clause import load_sheet

cite = load_sheet(__package__, "dwarf.toml").cite
ACTIVATION = cite("activation")
Operation: TypeAlias = tuple[str, tuple[int, ...]]
"""An operation of an expression, by its name in DWARF, and its operands."""


class UndefinedError(Exception):
    """A rule gives no value; the message says why."""


class UnknownOperationError(Exception):
    """An expression has an operation that no call frame information is known to have; the message is its name."""


class State(Protocol):
    """A state of the machine at an instruction."""

    def register(self, number: int) -> int:
        """The contents of a register by its DWARF number."""
        ...

    def word(self, address: int) -> int:
        """The address-sized word at an address; raises `UndefinedError` where there is no memory."""
        ...

    def saved(self, number: int, address: int) -> int:
        """The contents of a register that is saved at an address; raises `UndefinedError` where there is no memory."""
        ...


class SameValue(msgspec.Struct, frozen=True):
    """The register has the value that it has in the previous frame."""


class Undefined(msgspec.Struct, frozen=True):
    """The value cannot be recovered."""


class Offset(msgspec.Struct, frozen=True):
    """The value is saved so many bytes from the CFA."""

    bytes: int


class ValueOffset(msgspec.Struct, frozen=True):
    """The value is so many bytes from the CFA."""

    bytes: int


class InRegister(msgspec.Struct, frozen=True):
    """The value is in another register, by its DWARF number."""

    number: int


class Expression(msgspec.Struct, frozen=True):
    """The value is saved where an expression says."""

    operations: tuple[Operation, ...]


class ValueExpression(msgspec.Struct, frozen=True):
    """The value is what an expression computes."""

    operations: tuple[Operation, ...]


class RegisterOffset(msgspec.Struct, frozen=True):
    """A CFA so many bytes from the contents of a register."""

    number: int
    bytes: int


Rule: TypeAlias = SameValue | Undefined | Offset | ValueOffset | InRegister | Expression | ValueExpression
CfaRule: TypeAlias = RegisterOffset | ValueExpression


class Clauses(msgspec.Struct, frozen=True):
    """The clauses of a kind of table: of the CFA, of a row as such, of a return address and of a register without a rule, and of `rules`."""

    cfa: str
    row: str
    return_address: str
    unsaved: str
    rules: Mapping[type[Rule], str]

    def of(self, rule: Rule | None, *, is_return: bool) -> str:
        """The clause by which a register has a value: that of its rule, or where it has none that of the default."""
        if rule is not None and type(rule) in self.rules:
            return self.rules[type(rule)]
        return self.return_address if is_return else self.unsaved


CLAUSES = Clauses(
    cite("cfa"),
    cite("row"),
    cite("return-address"),
    cite("same-value"),
    {
        SameValue: cite("same-value"),
        Undefined: cite("undefined"),
        Offset: cite("offset"),
        ValueOffset: cite("val-offset"),
        InRegister: cite("register"),
        Expression: cite("expression"),
        ValueExpression: cite("val-expression"),
    },
)
"""The clauses of call frame information, where the text of an ABI does not say more."""


class Row(msgspec.Struct, frozen=True):
    """A row of a table: the rule of the CFA, and those of registers by DWARF number; `return_column` is that of the return address.

    `signed` says that the return address is signed, by the rules of machines that sign it.
    """

    cfa: CfaRule
    registers: Mapping[int, Rule]
    return_column: int
    signed: bool = False


def canonical_frame(rule: CfaRule, state: State, bits: int) -> int:
    """The CFA in a state, an address of `bits` bits. Raises `UndefinedError` and `UnknownOperationError`."""
    match rule:
        case RegisterOffset(number, offset):
            return (state.register(number) + offset) % (1 << bits)
        case ValueExpression(operations):
            return evaluated(operations, state, (), bits)
        case _ as unreachable:
            assert_never(unreachable)


def recovered(rule: Rule, number: int, cfa: int, state: State, bits: int) -> int:
    """The value of register `number` in the previous frame. Raises `UndefinedError` and `UnknownOperationError`."""
    match rule:
        case SameValue():
            return state.register(number)
        case Undefined():
            raise UndefinedError("the rule is undefined")
        case Offset(offset):
            return state.saved(number, (cfa + offset) % (1 << bits))
        case ValueOffset(offset):
            return (cfa + offset) % (1 << bits)
        case InRegister(other):
            return state.register(other)
        case Expression(operations):
            return state.saved(number, evaluated(operations, state, (cfa,), bits))
        case ValueExpression(operations):
            return evaluated(operations, state, (cfa,), bits)
        case _ as unreachable:
            assert_never(unreachable)


ARITHMETIC: Mapping[str, Callable[[int, int], int]] = {
    "DW_OP_plus": lambda left, right: left + right,
    "DW_OP_minus": lambda left, right: left - right,
    "DW_OP_and": lambda left, right: left & right,
    "DW_OP_or": lambda left, right: left | right,
    "DW_OP_xor": lambda left, right: left ^ right,
    "DW_OP_shl": lambda left, right: left << min(right, 64),
    "DW_OP_shr": lambda left, right: left >> min(right, 64),
    "DW_OP_mul": lambda left, right: left * right,
}
TAKEN = {"DW_OP_plus_uconst": 1, "DW_OP_deref": 1, "DW_OP_shra": 2}
"""Values that other operations take from the stack."""


def evaluated(operations: Sequence[Operation], state: State, stack: Sequence[int], bits: int) -> int:
    """The value that an expression leaves on top of a stack (DWARF 5, 2.5.1). Raises `UndefinedError` and `UnknownOperationError`."""
    values = list(stack)
    for operation in operations:
        perform(operation, state, values, bits)
    if not values:
        raise UndefinedError("the expression leaves nothing on the stack")
    return values[-1]


def perform(operation: Operation, state: State, values: list[int], bits: int) -> None:
    """Perform one operation on a stack of values. Raises `UndefinedError` and `UnknownOperationError`."""
    (name, operands), whole = operation, (1 << bits) - 1
    if len(values) < TAKEN.get(name, 2 if name in ARITHMETIC else 0):
        raise UndefinedError(f"{name} finds too little on the stack")
    if name == "DW_OP_bregx":
        values.append(state.register(operands[0]) + operands[1] & whole)
    elif name.startswith("DW_OP_breg"):
        values.append(state.register(int(name[10:])) + operands[0] & whole)
    elif name.startswith("DW_OP_lit"):
        values.append(int(name[9:]))
    elif name.startswith("DW_OP_const") and name != "DW_OP_const_type":
        values.append(operands[0] & whole)
    elif name == "DW_OP_plus_uconst":
        values.append(values.pop() + operands[0] & whole)
    elif name == "DW_OP_deref":
        values.append(state.word(values.pop()))
    elif name == "DW_OP_shra":
        count, value = values.pop(), values.pop()
        values.append((value - (value >> (bits - 1) << bits) >> min(count, bits)) & whole)
    elif name in ARITHMETIC:
        right, left = values.pop(), values.pop()
        values.append(ARITHMETIC[name](left, right) & whole)
    else:
        raise UnknownOperationError(name)
