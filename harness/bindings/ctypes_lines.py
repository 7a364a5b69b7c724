"""The lines of a binding with ctypes at which it declares what."""

from __future__ import annotations

import ast
from collections.abc import Sequence


def lines_of(text: bytes) -> dict[str, int]:
    """The line of each class, assignment and field (`S.x`) of a module."""
    found: dict[str, int] = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ClassDef):
            found[node.name] = node.lineno
            _fields(node.name, node.body, found)
        elif isinstance(node, ast.Assign):
            _assigned(node, found)
    return found


def _fields(name: str, body: Sequence[ast.stmt], found: dict[str, int]) -> None:
    for one in body:
        if isinstance(one, ast.Assign):
            for target in one.targets:
                if isinstance(target, ast.Name):
                    found.setdefault(f"{name}::{target.id}", one.lineno)
            _listed(name, one.value, found)


def _listed(name: str, value: ast.expr, found: dict[str, int]) -> None:
    """Note the lines of the fields in a list of them."""
    for item in value.elts if isinstance(value, (ast.List, ast.Tuple)) else ():
        first = item.elts[0] if isinstance(item, ast.Tuple) and item.elts else None
        if isinstance(first, ast.Constant) and isinstance(first.value, str):
            found[f"{name}.{first.value}"] = item.lineno


def _assigned(node: ast.Assign, found: dict[str, int]) -> None:
    for target in node.targets:
        if isinstance(target, ast.Name):
            found.setdefault(target.id, node.lineno)
        elif isinstance(target, ast.Attribute) and target.attr in {"argtypes", "restype"}:
            owner = target.value
            name = (
                owner.attr
                if isinstance(owner, ast.Attribute)
                else owner.id
                if isinstance(owner, ast.Name)
                else ""
            )
            found.setdefault(name, node.lineno)
        elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
            _listed(target.value.id, node.value, found)
