"""Where in the source of a model a policy may stand, and what is none: what no answer can depend on, by kind.

Words for people, notes for type checkers, assertions, and what is kept only to answer faster.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

WORDS = frozenset(
    {
        "cite",
        "citing",
        "implements",
        "load_sheet",
        "SilentError",
        "AbsentError",
        "spelling",
        "cite_guide",
        "assert_never",
    }
)
"""Calls whose arguments are words for people, and one that is never made."""
ASSERTIONS = frozenset({"strict"})
"""Arguments that only assert, as that of `zip` does."""
NOTATION = frozenset({"repr"})
"""Arguments of fields that say how a value is shown."""
CACHES = frozenset({"REMEMBERED"})
"""Constants that limit how much is kept; an answer that is not kept is found again."""


def located(node: ast.AST, function: str) -> Iterator[tuple[str, ast.AST]]:
    """Every node at which a policy may stand, with the function it is in."""
    noted = {id(getattr(node, name, None)) for name in ("annotation", "returns")}
    for child in ast.iter_child_nodes(node):
        if is_no_policy(child) or id(child) in noted:
            continue
        inner = function
        if isinstance(child, (ast.FunctionDef, ast.ClassDef)):
            inner = f"{function}.{child.name}".lstrip(".")
            for part in child.body:
                if not is_no_policy(part):
                    yield inner, part
                    yield from located(part, inner)
            continue
        yield inner or "table", child
        yield from located(child, inner)


def is_no_policy(node: ast.AST) -> bool:
    """Return whether a node is of a kind that no answer depends on."""
    return is_words(node) or is_typing(node) or is_assertion(node) or is_caching(node)


def is_words(node: ast.AST) -> bool:
    """A docstring, the text of an error, a citation, or how a value is shown."""
    match node:
        case ast.Expr(value=ast.Constant(value=str())) | ast.Raise() | ast.JoinedStr():
            return True
        case ast.Call(func=ast.Name(id=name)) | ast.Call(func=ast.Attribute(attr=name)):
            return name in WORDS
        case ast.Expr(value=ast.Call(func=ast.Name(id=name))):
            return name in WORDS
        case ast.keyword(arg=str(name)):
            return name in NOTATION
        case _:
            return False


def is_typing(node: ast.AST) -> bool:
    """An import, parameters with their annotations, or the name of a type."""
    match node:
        case ast.Import() | ast.ImportFrom() | ast.arguments():
            return True
        case ast.AnnAssign(annotation=ast.Name(id="TypeAlias")):
            return True
        case _:
            return False


def is_assertion(node: ast.AST) -> bool:
    """What is true of every model, or fails at once."""
    match node:
        case ast.Assert():
            return True
        case ast.keyword(arg=str(name)):
            return name in ASSERTIONS
        case _:
            return False


def is_caching(node: ast.AST) -> bool:
    """How much is kept, and when it is thrown away."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name in CACHES
        case ast.If(body=[ast.Expr(value=ast.Call(func=ast.Attribute(attr="clear")))], orelse=[]):
            return True
        case _:
            return False


def is_member_list(node: ast.AST) -> TypeGuard[ast.Compare]:
    """Return whether a node asks if something is among others, whose order then says nothing."""
    return isinstance(node, ast.Compare) and all(isinstance(op, (ast.In, ast.NotIn)) for op in node.ops)
