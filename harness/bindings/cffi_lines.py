"""The lines of a binding with cffi at which it declares what, in the texts of C that it has."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import count

import msgspec

DEFINED = re.compile(r"#\s*define\s+(\w+)")
OPENED = re.compile(r"\b(struct|union|enum)\s*(\w*)\s*\{")
PARTS = re.compile(r"(?<=[{};])")
NAMED = re.compile(r"(?:\(\s*\*\s*)?\b([A-Za-z_]\w*)\s*(?=\)?\s*\(|[;,\[:=]|$)")
C_TEXT = (";", "#define")


def lines_of(text: bytes) -> dict[str, int]:
    """The line of each type, function, constant and field (`S.x`) in the texts of a module."""
    found: dict[str, int] = {}
    numbers = count(1)
    for start, lines in texts(text):
        for name, at in declared(lines, numbers):
            found.setdefault(name, start + at)
    return found


def texts(text: bytes) -> Iterator[tuple[int, list[str]]]:
    """Yield the texts of C of a module, each with its first line."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and is_c(node.value):
            yield node.lineno, node.value.splitlines()


def is_c(text: str) -> bool:
    """Return whether a text may declare something in C."""
    return any(one in text for one in C_TEXT)


def declared(lines: list[str], numbers: Iterator[int]) -> Iterator[tuple[str, int]]:
    """Yield the names that a text declares, with the numbers of their lines; types without a name have `numbers`, as cffi gives them."""
    inside: list[Scope] = []
    closed: Scope | None = None
    for at, line in enumerate(lines):
        if defined := DEFINED.search(line):
            yield defined[1], at
            continue
        for part in PARTS.split(line):
            if opened := OPENED.search(part):
                inside.append(Scope(opened[1], opened[2] or f"${next(numbers)}"))
                if opened[2]:
                    yield opened[2], at
                continue
            names = [(name, at) for name in NAMED.findall(part)]
            if closed is not None and names:
                # The name behind a record is that of its type, or of a member.
                yield from closed.fields(names[0][0])
            closed = None
            if inside and inside[-1].keyword != "enum":
                inside[-1].names += names
            else:
                yield from names
            if "}" in part and inside:
                closed = inside.pop()
                yield from closed.fields(closed.tag)


class Scope(msgspec.Struct):
    """A record or an enumeration that is being declared, with the names in it and their lines."""

    keyword: str
    tag: str
    names: list[tuple[str, int]] = msgspec.field(default_factory=list)

    def fields(self, owner: str) -> Iterator[tuple[str, int]]:
        """Yield the names with that of their owner before them."""
        return ((f"{owner}.{name}", at) for name, at in self.names)
