"""Commands, files and outputs that the documents show, read from their Markdown.

A comment before a block, which readers do not see, says what a test must know of it:

    <!-- file: s.h -->          the block is this file, which commands of any document may name
    <!-- checkout: oracles/x.py -->   the block is this file of the checkout, as a guide for developers would have it
    <!-- varies: REGEX -->      what matches may differ between the document and the real output
    <!-- output: COMMAND -->    the block is JSON that is part of what this command prints

In an output a line of `...` stands for any lines, and `...` within a line for any characters.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).parent.parent.parent
MARKS = re.compile(r"<!-- (file|checkout|varies|output): (.+?) -->")
PROGRAMS = (
    "abiprobe",
    "apt-get",
    "dask",
    "export",
    "for",
    "mkdir",
    "pip",
    "pytest",
    "python",
    "python3",
    "tox",
)
OPERATORS = {"&&", "||", ";"}
SYNOPSIS = re.compile(r"[\[|·]")
SHELLS = {"sh", "console"}


class Command(msgspec.Struct, frozen=True):
    """A command of a document.

    `line` counts from 1. `output` is what the document shows below it, `None` where it shows nothing.
    """

    document: str
    line: int
    words: tuple[str, ...]
    output: str | None = None
    varies: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The command with the program's bare name: `pip install tox`."""
        return " ".join((Path(self.words[0]).name, *self.words[1:]))


class Block(msgspec.Struct, frozen=True):
    """A block of code: where its content begins, its language, and the marks before it."""

    document: str
    line: int
    language: str
    content: str
    marks: tuple[tuple[str, str], ...] = ()

    def marked(self, name: str) -> tuple[str, ...]:
        """The values of the marks of this name."""
        return tuple(value for key, value in self.marks if key == name)


class Synopsis(msgspec.Struct, frozen=True):
    """A command with placeholders and alternatives, as in `abiprobe report RUN [--out FILE]`."""

    document: str
    line: int
    text: str


def documents() -> tuple[str, ...]:
    """Every document, by its path in the checkout."""
    found = (ROOT / "docs").rglob("*.md")
    return ("README.md", "CONTRIBUTING.md", *sorted(path.relative_to(ROOT).as_posix() for path in found))


def data() -> tuple[str, ...]:
    """Every file of data that the documents show; its cells are Markdown."""
    return tuple(sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.tsv")))


@cache
def tokens(document: str) -> list[Token]:
    """The Markdown tokens of a document, or of the cells of a file of data."""
    text = (ROOT / document).read_text("utf-8")
    reader = MarkdownIt("commonmark").enable("table")
    if document.endswith(".tsv"):
        cells = (cell for line in text.splitlines() for cell in line.split("\t") if "`" in cell)
        return [token for cell in cells for token in reader.parseInline(cell)]
    return reader.parse(text)


def blocks(document: str) -> Iterator[Block]:
    """The blocks of code of a document, those with indentation included."""
    marks: tuple[tuple[str, str], ...] = ()
    for token in tokens(document):
        if token.type == "html_block":
            marks += tuple((name, value) for name, value in MARKS.findall(token.content))
            continue
        if token.type in {"fence", "code_block"} and token.map is not None:
            fenced = token.type == "fence"
            language = token.info if fenced else "sh" if is_shell(token.content) else ""
            yield Block(document, token.map[0] + (2 if fenced else 1), language, token.content, marks)
        marks = ()


def is_shell(text: str) -> bool:
    """Return whether a block without a language holds commands."""
    return Path(text.split(maxsplit=1)[0]).name in PROGRAMS


def commands(block: Block) -> Iterator[Command | Synopsis]:
    """The commands of a block, with their outputs."""
    if block.language == "console":
        yield from console(block)
    elif block.language == "sh":
        for line, text in joined(block):
            yield from split(block.document, line, text)
    elif block.language == "yaml":
        for line, text in joined(block):
            for found in re.finditer(r"(?:^|[ >&;])(abiprobe [^|;&>]+)", text.partition(" #")[0]):
                yield Synopsis(block.document, line, found[1].strip())


def console(block: Block) -> Iterator[Command | Synopsis]:
    """Lines that begin with `$`, each with what follows up to the next."""
    shown: list[tuple[int, str, list[str]]] = []
    for line, text in enumerate(block.content.splitlines(), block.line):
        if text.startswith("$ "):
            shown.append((line, text[2:], []))
        else:
            shown[-1][2].append(text)
    for line, text, output in shown:
        (command,) = split(block.document, line, text)
        if isinstance(command, Command):
            whole = "\n".join(output) + "\n"
            command = msgspec.structs.replace(command, output=whole, varies=block.marked("varies"))
        yield command


def joined(block: Block) -> Iterator[tuple[int, str]]:
    """The commands of a block with their numbers of lines: a backslash or a deeper line continues the one before."""
    deeper = " " if block.language == "sh" else ""
    found: list[tuple[int, list[str]]] = []
    open_line = False
    for line, text in enumerate(block.content.splitlines(), block.line):
        plain = text.removesuffix("\\").strip()
        if found and (open_line or (deeper and text.startswith(deeper)) or plain.startswith("--")):
            found[-1][1].append(plain)
        else:
            found.append((line, [plain]))
        open_line = text.endswith("\\")
    for line, parts in found:
        yield line, " ".join(parts)


def split(document: str, line: int, text: str) -> Iterator[Command | Synopsis]:
    """The commands of one line of shell, without comments."""
    if text.startswith("abiprobe") and SYNOPSIS.search(text.partition(" #")[0]):
        for one in re.split(r" · ", text):
            yield Synopsis(document, line, one if one.startswith("abiprobe") else f"abiprobe {one}")
        return
    if text.startswith("for "):
        yield Command(document, line, tuple(text.split()))
        return
    lexer = shlex.shlex(text, posix=True, punctuation_chars="&|;")
    lexer.whitespace_split = True
    words: list[str] = []
    for word in (*lexer, ";"):
        if word not in OPERATORS:
            words.append(word)
        elif words:
            yield Command(document, line, tuple(words))
            words = []


def spans(document: str) -> Iterator[tuple[int, str]]:
    """The spans of code within sentences and tables, each with the line where its paragraph begins."""
    for token in tokens(document):
        for child in token.children or ():
            if child.type == "code_inline":
                yield (token.map or [0])[0] + 1, child.content.replace("\\|", "|")


def inline(document: str) -> Iterator[Command | Synopsis]:
    """The commands that a document names within its sentences and tables."""
    for line, text in spans(document):
        if re.match(r"(abiprobe|python benchmarks/\S+) ?", text) and len(text.split()) > 1:
            yield Synopsis(document, line, text)


def every_block() -> list[Block]:
    """The blocks of all documents."""
    return [block for document in documents() for block in blocks(document)]
