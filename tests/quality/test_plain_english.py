"""Docstrings say what a thing is or does at once, and names are words of the field."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("oracles", "generators", "results", "harness")
QUESTION = re.compile(r"(?:What|Whether|Whos?e?|How|Where|When|Which|Why)\b")
"""The beginning of a docstring that leaves open what the thing itself is."""
PRIVATE = frozenset(
    {"torn", "tears", "parted", "parting", "standing", "standings", "hear", "heard", "testify", "testimony"}
    | {"starved", "spoken", "studied"}
)
"""Words for which the field has others: inconsistent, disagreement, status, observe, observation, and so on."""

Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def unclear(text: str) -> list[str]:
    """The names of what is public in a module and whose docstring begins with a question word."""
    tree = ast.parse(text)
    return ["the module"] * begins_with_a_question(tree) + [
        node.name for node in public(tree) if begins_with_a_question(node)
    ]


def begins_with_a_question(node: Documented) -> bool:
    return QUESTION.match(ast.get_docstring(node) or "") is not None


def public(node: ast.AST) -> Iterator[ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]:
    """The public classes and functions at the top of a module, or in its public classes."""
    for child in ast.iter_child_nodes(node):
        is_named = isinstance(child, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
        if is_named and not child.name.startswith("_"):
            yield child
            if isinstance(child, ast.ClassDef):
                yield from public(child)


def private_words(text: str) -> set[str]:
    """The private words in the names that a module binds: functions, classes, parameters, fields and variables."""
    return {word for name in bound(ast.parse(text)) for word in words(name)} & PRIVATE


def bound(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
                yield name


def words(name: str) -> Iterator[str]:
    """The words of a name, in lower case: of `is_torn`, `TORN` or `SpokenExample`."""
    for part in name.split("_"):
        yield from (word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", part))


MODULES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))


def test_no_public_docstring_begins_with_a_question_word() -> None:
    found = {str(path.relative_to(ROOT)): unclear(path.read_text("utf-8")) for path in MODULES}
    assert {path: names for path, names in found.items() if names} == {}


def test_no_name_is_a_private_word() -> None:
    found = {str(path.relative_to(ROOT)): private_words(path.read_text("utf-8")) for path in MODULES}
    assert {path: names for path, names in found.items() if names} == {}


SEEN = [
    ('"""Where things lie."""', ["the module"], set()),
    ('def f():\n    """Whether it is so."""', ["f"], set()),
    (
        'class C:\n    """Who is asked."""\n\n    def of(self):\n        """How it is done."""',
        ["C", "of"],
        set(),
    ),
    ('def f():\n    """Return whether it is so."""', [], set()),
    ('def _f():\n    """Whether it is so."""', [], set()),
    ('def f():\n    """Whatever follows is returned."""', [], set()),
    ("def is_torn(a): ...", [], {"torn"}),
    ("class Starved: ...", [], {"starved"}),
    ("STANDING = 1", [], {"standing"}),
    ("def f(spoken): ...", [], {"spoken"}),
    ("outstanding = freestanding = 1", [], set()),
]


@pytest.mark.parametrize(("text", "names", "private"), SEEN)
def test_both_can_fail(text: str, names: list[str], private: set[str]) -> None:
    assert unclear(text) == names
    assert private_words(text) == private
