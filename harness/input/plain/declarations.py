"""The declarations of a text, one by one: what cannot be read is skipped with its reason."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from pycparser import c_ast

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input import Declarations, Skipped
from abiprobe.harness.input.limit_values import LEVELS, MANY, NESTED, PLACES
from abiprobe.harness.input.plain.attributes import numbers
from abiprobe.harness.input.plain.calls import with_calls
from abiprobe.harness.input.plain.functions import prototype
from abiprobe.harness.input.plain.members import pragma
from abiprobe.harness.input.plain.sizes import Sizes
from abiprobe.harness.input.plain.source import Source
from abiprobe.harness.input.plain.types import Function, Reading, Unnamed
from abiprobe.oracles.engine.unfolded import unfolded
from abiprobe.oracles.language.lang import Prototype, Record, Typedef


def declarations(tree: c_ast.FileAST, source: Source, sizes: Sizes) -> Declarations:
    """Return the records and functions of a text, and what of it cannot be asked about, and why."""
    reading = Reading(sizes, frozenset(re.findall(r"\w+", source.text)))
    functions: dict[str, Prototype] = {}
    skipped: list[Skipped] = []
    records: list[Record] = []
    for node in tree.ext[len(source.names) :]:
        before = len(reading.records)
        found: Prototype | None = None
        with _skipping(reading, node, skipped):
            found = _read(reading, node)
        completed: list[Record | Prototype] = [*reading.records[before:], *([] if found is None else [found])]
        for one in completed:
            with _skipping(reading, node, skipped):
                _expect_small(one)
                if isinstance(one, Record):
                    records.append(one)
                else:
                    functions.pop(one.name, None)
                    functions[one.name] = one
    asked, unread = with_calls(reading, tree, functions)
    _expect_all_seen(reading, source)
    return Declarations(tuple(records), asked, (*skipped, *unread))


@contextmanager
def _skipping(reading: Reading, node: c_ast.Node, skipped: list[Skipped]) -> Iterator[None]:
    """Note a declaration that cannot be read as skipped, with its attributes."""
    try:
        yield
    except Problem as problem:
        reading.seen.update(numbers(node))
        skipped.append(Skipped(_name(node), f"line {node.coord.line}", problem.message, problem.hint))


def _read(reading: Reading, node: c_ast.Node) -> Prototype | None:
    """Read one declaration; returns the prototype of a function."""
    match node:
        case c_ast.Pragma():
            pragma(reading, node)
        case c_ast.Typedef():
            _typedef(reading, node)
        case c_ast.FuncDef(decl=declared) | (c_ast.Decl() as declared):
            return _declared(reading, declared)
        case c_ast.StaticAssert():
            pass
        case _:
            raise Problem("a declaration that is not read here")
    return None


def _typedef(reading: Reading, node: c_ast.Typedef) -> None:
    """A plain typedef name is its type; one with an alignment of its own stays."""
    plain = isinstance(node.type, c_ast.TypeDecl)
    reading.typedefs.pop(node.name, None)
    c_type, attributes = reading.type_of(node, Unnamed(node.name if plain else "", node.name))
    others = attributes.packed or attributes.of_calls or attributes.ms_struct is not None
    if len(set(attributes.aligned)) > 1 or others:
        raise Problem("of the attributes of a typedef only one alignment and vector_size are read here")
    if attributes.aligned:
        if c_type is None or isinstance(c_type, Function):
            raise Problem("an alignment of what is no object")
        c_type = Typedef(node.name, c_type, attributes.aligned[0])
    reading.typedefs[node.name] = c_type


def _declared(reading: Reading, node: c_ast.Decl) -> Prototype | None:
    """Read a function, an object, or a type alone."""
    if node.name is None:
        reading.type_of(node)
        return None
    c_type, attributes = reading.type_of(node)
    return prototype(reading, node.name, c_type, attributes) if isinstance(c_type, Function) else None


def _expect_all_seen(reading: Reading, source: Source) -> None:
    """Raise `Problem` for an attribute that nobody has read."""
    for number, (name, line) in enumerate(source.attributes):
        if number not in reading.seen:
            raise Problem(f"line {line}: attribute {name} is not read at this place")


def _expect_small(asked: Record | Prototype) -> None:
    """Raise `Problem` for what is larger than what is asked about."""
    types = (asked,) if isinstance(asked, Record) else asked.types
    sizes = [unfolded(c_type, {}) for c_type in types]
    if any(one.levels > LEVELS for one in sizes):
        raise Problem(NESTED)
    if sum(one.places for one in sizes) > PLACES:
        raise Problem(MANY)


def _name(node: c_ast.Node) -> str:
    """The name of a declaration for its line among those that are skipped."""
    inner = node.decl if isinstance(node, c_ast.FuncDef) else node
    name = getattr(inner, "name", None)
    while name is None and isinstance(getattr(inner, "type", None), c_ast.Node):
        inner = inner.type
        if isinstance(inner, c_ast.Struct | c_ast.Union | c_ast.Enum):
            return f"{type(inner).__name__.lower()} {inner.name or ''}".rstrip()
    return name or "a declaration"
