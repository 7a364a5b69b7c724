"""The instructions of a function in order, each with the variables that are in scope where it stands."""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from abiprobe.oracles.abis.ptx.text.declarations import split_list
from abiprobe.oracles.abis.ptx.text.module import (
    Block,
    Function,
    Instruction,
    Label,
    Prototype,
    Statement,
    Variable,
)

_ADDRESS = re.compile(r"\[\s*([\w$%]+)\s*(?:\+?\s*(-?\s*\d+|-?0[xX][0-9a-fA-F]+))?\s*\]")
_CONSTANT = re.compile(r"-?\s*(?:0[xX][0-9a-fA-F]+|0[fFdD][0-9a-fA-F]+|\d+\.\d*|\d+)U?")
_NUMBERED = re.compile(r"([%\w$]*?\D)(\d+)")

Named: TypeAlias = Variable | Prototype
Scope: TypeAlias = Mapping[str, Named]


@dataclass(frozen=True)
class ScopedStatement:
    """One instruction or label, and what its names mean."""

    index: int
    statement: Instruction | Label
    scope: Scope

    def find(self, name: str) -> Variable | None:
        """The variable called `name` here; `%r3` is one of `%r<10>`."""
        found = self.scope.get(name)
        if found is None and (numbered := _NUMBERED.fullmatch(name)):
            family = self.scope.get(numbered[1])
            if isinstance(family, Variable) and int(numbered[2]) < family.count:
                return family
        return found if isinstance(found, Variable) else None


@dataclass(frozen=True)
class PtxCall:
    """A call: target, arguments, results, and the prototype that an indirect one names."""

    target: str
    arguments: tuple[str, ...]
    results: tuple[str, ...]
    prototype: str


def steps(function: Function) -> tuple[ScopedStatement, ...]:
    """The instructions of a function, blocks opened."""
    found: list[ScopedStatement] = []
    walk(function.body or (), ChainMap({}), found)
    return tuple(found)


def walk(
    statements: tuple[Statement, ...], scope: ChainMap[str, Named], found: list[ScopedStatement]
) -> None:
    """Add the steps of a block."""
    for statement in statements:
        match statement:
            case Variable() | Prototype():
                scope[statement.name] = statement
            case Block(statements=inner):
                walk(inner, scope.new_child(), found)
            case Instruction() | Label():
                found.append(ScopedStatement(len(found), statement, scope))


def call_of(instruction: Instruction) -> PtxCall:
    """Return the callee and the operands of a call instruction."""
    operands = list(instruction.operands)
    results = inside(operands.pop(0)) if operands and operands[0].startswith("(") else ()
    if results and operands and not operands[0]:
        operands.pop(0)
    target = operands.pop(0) if operands else ""
    arguments = inside(operands.pop(0)) if operands and operands[0].startswith("(") else ()
    return PtxCall(target, arguments, results, operands[0] if operands else "")


def inside(text: str) -> tuple[str, ...]:
    """The items of a list in parentheses."""
    return tuple(split_list(text.strip()[1:-1]))


def address(operand: str) -> tuple[str, int] | None:
    """The variable and byte offset of `[py+8]`, `None` for another operand."""
    found = _ADDRESS.fullmatch(operand.strip())
    if found is None:
        return None
    return found[1], int((found[2] or "0").replace(" ", ""), 0)


def is_constant(text: str) -> bool:
    """Return whether an operand is a number."""
    return _CONSTANT.fullmatch(text.strip()) is not None


def accesses(
    sequence: tuple[ScopedStatement, ...],
) -> Iterator[tuple[ScopedStatement, Instruction, str, int]]:
    """Every ld.param and st.param, with the variable it names and the byte offset."""
    for step in sequence:
        own = step.statement
        if not isinstance(own, Instruction) or own.name not in {"st.param", "ld.param"}:
            continue
        operand = own.operands[0] if own.name == "st.param" else own.operands[-1]
        at = address(operand)
        if at is not None:
            yield step, own, *at
