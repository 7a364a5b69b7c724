"""The lines at which a file of C or D declares what."""

from __future__ import annotations

import re

import msgspec

LEFT_OUT = re.compile(
    r'/\*.*?\*/|//[^\n]*|^[ \t]*#[ \t]*(?!define)[^\n]*|"(?:[^"\\\n]|\\.)*"', re.DOTALL | re.MULTILINE
)
"""Comments, lines of the preprocessor, and texts."""
TOKEN = re.compile(r"\n|[A-Za-z_]\w*|[{};]")
TAGGED = ("struct", "union", "enum")


class Block(msgspec.Struct):
    """The names between two braces: the tag of a record or enumeration, if it has one, and the line of each name."""

    tag: str
    is_type: bool
    names: dict[str, int]


class Lines:
    """Gathers the line of each name where it is first, of each type where it is defined, of each member (`S.x`) and enumerator (`E::x`)."""

    def __init__(self) -> None:
        self.found: dict[str, int] = {}
        self.open: list[Block] = []
        self.closed: Block | None = None
        self.statement: list[tuple[str, int]] = []

    def token(self, token: str, line: int) -> None:
        """Read a word, a brace or a semicolon."""
        match token:
            case "{":
                self.open.append(self._opened())
                self.statement = []
            case "}":
                self.closed = self.open.pop() if self.open else None
                self.statement = []
                if self.closed is not None and self.closed.tag:
                    self._note(self.closed.tag, self.closed)
                elif self.closed is not None and self.open:
                    self.open[-1].names = self.closed.names | self.open[-1].names
            case ";":
                self.statement, self.closed = [], None
            case word:
                self.statement.append((word, line))
                self.found.setdefault(word, line)
                if self.open:
                    self.open[-1].names.setdefault(word, line)
                # `typedef struct {} S;`
                if self.closed is not None and self.closed.is_type and not self.closed.tag:
                    self._note(word, self.closed)

    def _opened(self) -> Block:
        words = [word for word, _ in self.statement]
        keyword = next((word for word in words if word in TAGGED), "")
        # D says behind a colon in what an enumeration is kept, and C attributes before the tag of a record.
        places = self.statement[words.index(keyword) + 1 :] if keyword else []
        if not places:
            return Block("", bool(keyword), {})
        tag, line = places[0 if keyword == "enum" else -1]
        self.found[tag] = line
        return Block(tag, is_type=True, names={})

    def _note(self, name: str, block: Block) -> None:
        for member, line in block.names.items():
            for between in (".", "::"):
                self.found.setdefault(f"{name}{between}{member}", line)


def lines_of(source: str) -> dict[str, int]:
    """The lines of a file's declarations."""
    bare = LEFT_OUT.sub(lambda one: "\n" * one[0].count("\n"), source)
    lines, line = Lines(), 1
    for token in TOKEN.findall(bare):
        if token.isspace():
            line += 1
        else:
            lines.token(token, line)
    return lines.found
