"""Integer constant expressions (C17 6.6), as far as declarations need them."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from pycparser import c_ast

from abiprobe.harness.base.problem import Problem

_LARGEST = 1 << 128
_UNARY: Mapping[str, Callable[[int], int]] = MappingProxyType(
    {"-": operator.neg, "+": operator.pos, "~": operator.invert, "!": lambda value: int(not value)}
)
_BINARY: Mapping[str, Callable[[int, int], int]] = MappingProxyType(
    {
        "+": operator.add,
        "-": operator.sub,
        "*": operator.mul,
        "<<": operator.lshift,
        ">>": operator.rshift,
        "&": operator.and_,
        "|": operator.or_,
        "^": operator.xor,
    }
)


def constant(expression: c_ast.Node | str, names: Mapping[str, int]) -> int:
    """Return the value of an expression of numbers and enumeration constants; raises `Problem` for any other."""
    match expression:
        case c_ast.Constant(type=kind, value=text) if "int" in kind:
            return number(text)
        case c_ast.ID(name=name) if name in names:
            return names[name]
        case c_ast.UnaryOp(op=op, expr=inner) if op in _UNARY:
            return _UNARY[op](constant(inner, names))
        case c_ast.BinaryOp(op=op, left=left, right=right) if op in _BINARY:
            values = constant(left, names), constant(right, names)
            if op not in {"<<", ">>"} or 0 <= values[1] < 64:
                return _within(_BINARY[op](*values))
    raise Problem(
        "only numbers, names of enumeration constants and + - * << >> & | ^ ~ ! are read in a constant"
    )


def number(text: str) -> int:
    """Return the value of an integer as C writes it; raises `Problem` for anything else."""
    found = re.fullmatch(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*)[uUlL]*", text.replace("'", ""))
    if found is None:
        raise Problem(f"{text} is not a number that can be read here")
    digits = found[1]
    if re.fullmatch(r"0[0-7]+", digits):
        return _within(int(digits, 8))
    return _within(int(digits, 0))


def _within(value: int) -> int:
    if abs(value) > _LARGEST:
        raise Problem("a number that is too large")
    return value
