"""Calls of variadic functions in a text: each says with which unnamed arguments to ask about the function."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec
from pycparser import c_ast

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input import Skipped
from abiprobe.harness.input.plain.types import Function, Reading
from abiprobe.oracles.language.lang import Kind, Prototype, Scalar, Type
from abiprobe.oracles.language.promotion import promoted

_CONSTANTS = {"int": Kind.INT, "double": Kind.DOUBLE}


def with_calls(
    reading: Reading, tree: c_ast.FileAST, functions: Mapping[str, Prototype]
) -> tuple[tuple[Prototype, ...], tuple[Skipped, ...]]:
    """Return the functions, a variadic one once for each list of unnamed arguments, and the calls that cannot be read."""
    lists: dict[str, dict[tuple[Type, ...], None]] = {}
    skipped: list[Skipped] = []
    for call in (one for node in tree.ext if isinstance(node, c_ast.FuncDef) for one in _calls(node.body)):
        called = functions.get(call.name.name) if isinstance(call.name, c_ast.ID) else None
        if called is None or not called.variadic:
            continue
        passed = list(call.args.exprs) if call.args is not None else []
        try:
            unnamed = tuple(_argument(reading, one) for one in passed[len(called.params) :])
        except Problem as problem:
            where = f"line {call.coord.line}"
            skipped.append(Skipped(f"a call of {called.name}", where, problem.message, problem.hint))
            continue
        lists.setdefault(called.name, {})[unnamed] = None
    asked = (
        msgspec.structs.replace(one, unnamed=unnamed)
        for one in functions.values()
        for unnamed in lists.get(one.name, ((),))
    )
    return tuple(asked), tuple(skipped)


def _calls(node: c_ast.Node) -> Iterator[c_ast.FuncCall]:
    if isinstance(node, c_ast.FuncCall):
        yield node
    for inner in node:
        yield from _calls(inner)


def _argument(reading: Reading, node: c_ast.Node) -> Type:
    """The type of an unnamed argument: of a number, or of `*(T *)0`."""
    match node:
        case c_ast.Constant(type=kind) if kind in _CONSTANTS:
            return Scalar(_CONSTANTS[kind])
        case c_ast.UnaryOp(op="*", expr=c_ast.Cast(to_type=c_ast.Typename(type=c_ast.PtrDecl(type=inner)))):
            c_type, _ = reading.type_of(c_ast.Typename(None, [], None, inner))
            if c_type is not None and not isinstance(c_type, Function):
                return promoted(c_type)
    raise Problem("the type of an argument cannot be told here", "write an argument of type T as *(T *)0")
