"""The menu of wrong policies: each place of a model's source at which an operator applies makes one wrong model.

A model is tables and rules, so a small change of its source is another policy: another order or number of registers, another
limit, alignment, extension or merge, a case forgotten. The menu is made by going through the source, and nothing is chosen but
what `policy` says is none.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace

from abiprobe.oracles.text.place import Extension
from laboratory.policy import is_member_list, located

COMPARISONS: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
ARITHMETIC: Mapping[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.BitOr: ast.BitAnd,
}
NAMES: Mapping[str, str] = {"min": "max", "max": "min", "any": "all", "all": "any"}
EXTENSIONS: Mapping[str, str] = {
    Extension.SIGN.name: Extension.ZERO.name,
    Extension.ZERO.name: Extension.SIGN.name,
    Extension.NAN_BOX.name: Extension.ZERO.name,
    Extension.ANY.name: Extension.ZERO.name,
}
CLASSES: Mapping[str, str] = {
    "INTEGER": "SSE",
    "SSE": "INTEGER",
    "MEMORY": "INTEGER",
    "SSEUP": "SSE",
    "NO_CLASS": "SSE",
}
FILES: Mapping[str, str] = {"integer": "float", "float": "integer", "sse": "integer", "m": "a", "a": "m"}


@dataclass(frozen=True)
class Mutant:
    """A wrong model: the module whose source `original` is changed, how, in which function, and at which place."""

    module: str
    operator: str
    function: str
    was: str
    becomes: str
    original: str
    place: int
    change: Callable[[ast.AST], None]

    @property
    def name(self) -> str:
        """What people and lists of reasons call it; a line number would not last."""
        module = self.module.removeprefix("abiprobe.oracles.").removeprefix("abis.")
        return f"{module}.{self.function}: {self.was} -> {self.becomes}"

    @property
    def source(self) -> str:
        """The source of the wrong module."""
        tree = ast.parse(self.original)
        self.change(list(located(tree, ""))[self.place][1])
        return ast.unparse(ast.fix_missing_locations(tree))


def mutants(module: str, source: str) -> Iterator[Mutant]:
    """Every wrong model that one module's source makes, each name once."""
    seen: dict[str, int] = {}
    tree = ast.parse(source)
    unordered = {id(node) for node in ast.walk(tree) if is_member_list(node) for node in node.comparators}
    for place, (function, node) in enumerate(located(tree, "")):
        was = ast.unparse(node)
        for operator, change in changes(node):
            if operator == "order" and id(node) in unordered:
                continue
            changed = deepcopy(node)
            change(changed)
            becomes = ast.unparse(ast.fix_missing_locations(changed))
            if becomes == was:
                continue
            before, after = map(short, words(operator, node, changed) or (was, becomes))
            made = Mutant(module, operator, function, before, after, source, place, change)
            times = seen[made.name] = seen.get(made.name, 0) + 1
            yield replace(made, was=f"{made.was} (number {times})") if times > 1 else made


def words(operator: str, node: ast.AST, changed: ast.AST) -> tuple[str, str] | None:
    """What was and what is instead, for people, where the whole source of both would hide it."""
    if isinstance(node, ast.Match) and isinstance(changed, ast.Match):
        left = [ast.unparse(case) for case in changed.cases]
        gone = next(case for case in node.cases if ast.unparse(case) not in left)
        guard = f" if {ast.unparse(gone.guard)}" if gone.guard is not None else ""
        return f"case {ast.unparse(gone.pattern)}{guard}", "no such case"
    if isinstance(node, (ast.If, ast.IfExp)) and operator == "condition":
        return f"if {ast.unparse(node.test)}", "if not"
    return None


def short(text: str) -> str:
    """Source on one line, not too long."""
    line = " ".join(text.split())
    return line if len(line) <= 90 else f"{line[:87]}..."


def changes(node: ast.AST) -> Iterator[tuple[str, Callable[[ast.AST], None]]]:
    """The operators that apply to one node."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in COMPARISONS:
            yield "comparison", setting_ops(COMPARISONS[type(op)])
        case ast.Constant(value=bool(flag)):
            yield "flag", setting("value", not flag)
        case ast.Constant(value=int(number)):
            yield "number", setting("value", number + 1)
            if number:
                yield "number", setting("value", number - 1)
        case ast.Constant(value=str(text)) if text in FILES:
            yield "register file", setting("value", FILES[text])
        case ast.BoolOp(op=op):
            yield "connective", setting("op", ast.Or() if isinstance(op, ast.And) else ast.And())
        case ast.UnaryOp(op=ast.Not()):
            yield "negation", setting("op", ast.UAdd())
        case ast.BinOp(op=op) if type(op) in ARITHMETIC:
            yield "arithmetic", setting("op", ARITHMETIC[type(op)]())
        case ast.Name(id=name) if name in NAMES:
            yield "extreme", setting("id", NAMES[name])
        case ast.Attribute(value=ast.Name(id="Extension"), attr=name) if name in EXTENSIONS:
            yield "extension", setting("attr", EXTENSIONS[name])
        case ast.Attribute(value=ast.Name(id="Class"), attr=name) if name in CLASSES:
            yield "class", setting("attr", CLASSES[name])
        case ast.Tuple(elts=elts) if len(elts) > 1 and all(isinstance(one, ast.Constant) for one in elts):
            yield "order", reordering
            yield "fewer", shortening
        case ast.If() | ast.IfExp():
            yield "condition", negating
        case ast.Match(cases=cases) if len(cases) > 1:
            for number in range(len(cases) - 1):
                yield "case", forgetting(number)
        case ast.Expr(value=ast.Call()) | ast.AugAssign():
            yield "statement", idling
        case _:
            pass


def setting(name: str, value: object) -> Callable[[ast.AST], None]:
    """A change of one field."""

    def change(node: ast.AST) -> None:
        setattr(node, name, value)

    return change


def setting_ops(op: type[ast.cmpop]) -> Callable[[ast.AST], None]:
    """Another comparison."""

    def change(node: ast.AST) -> None:
        assert isinstance(node, ast.Compare)
        node.ops = [op()]

    return change


def reordering(node: ast.AST) -> None:
    """The first two of a tuple change places."""
    assert isinstance(node, ast.Tuple)
    node.elts[:2] = node.elts[1::-1]


def shortening(node: ast.AST) -> None:
    """A tuple loses its last element."""
    assert isinstance(node, ast.Tuple)
    node.elts.pop()


def negating(node: ast.AST) -> None:
    """The other branch is taken."""
    assert isinstance(node, (ast.If, ast.IfExp))
    node.test = ast.UnaryOp(ast.Not(), node.test)


def forgetting(number: int) -> Callable[[ast.AST], None]:
    """One case is not there."""

    def change(node: ast.AST) -> None:
        assert isinstance(node, ast.Match)
        del node.cases[number]

    return change


def idling(node: ast.AST) -> None:
    """A statement does nothing."""
    if isinstance(node, ast.Expr):
        node.value = ast.Constant(None)
    elif isinstance(node, ast.AugAssign):
        node.value = ast.Constant(0)
