"""Parser of PTX text: declarations, function headers, and statements as far as calls need them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from abiprobe.oracles.abis.ptx.text.declarations import SPACES, formals, split_list, variables
from abiprobe.oracles.abis.ptx.text.module import (
    Block,
    Function,
    Instruction,
    Label,
    Module,
    Prototype,
    PtxSyntaxError,
    Statement,
    Variable,
)

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|^[ \t]*\.(?:loc|file)\b[^\n]*", re.DOTALL | re.MULTILINE)
_VERSION = re.compile(r"\.version\s+(\d+)\.(\d+)")
_TARGET = re.compile(r"\.target\s+sm_(\d+)")
_HEADER = re.compile(
    r"((?:\.(?:extern|visible|weak|common)\s+)*)\.(func|entry)\b\s*"
    r"(?:\.\w+\s+)*(?:\(([^)]*)\))?\s*([\w$%]+)\s*(?:\(([^)]*)\))?"
)
_LINKAGE = re.compile(r"(?:\.(?:extern|visible|weak|common)\s+)+")
_LABEL = re.compile(r"([\w$%]+)\s*:(?!:)")
_INSTRUCTION = re.compile(r"(@!?[\w$%]+\s+)?([a-zA-Z][\w.:]*)\s*(.*)", re.DOTALL)
_PROTOTYPE = re.compile(r"\.callprototype\s*(?:\(([^)]*)\))?\s*_\s*(?:\(([^)]*)\))?")
_SKIPPED = (".version", ".target", ".address_size")


def parse(text: str) -> Module:
    """The module that `text` is; raises `PtxSyntaxError` when it is none that this grammar knows."""
    source = _COMMENT.sub(" ", text)
    version, target = _VERSION.search(source), _TARGET.search(source)
    if version is None or target is None:
        raise PtxSyntaxError("no .version or no .target")
    at = max(version.end(), target.end())
    size = re.compile(r"[\w,\s]*?\.address_size\s+\d+").match(source, at)
    at = size.end() if size else source.find("\n", at)
    found_variables: list[Variable] = []
    functions: list[Function] = []
    while source[at:].strip():
        at = skip_blank(source, at)
        header = _HEADER.match(source, at)
        if header is not None:
            function, at = read_function(source, header)
            functions.append(function)
            continue
        end = statement_end(source, at)
        found_variables += module_variables(source[at:end])
        at = end + 1
    return Module(
        (int(version[1]), int(version[2])), int(target[1]), tuple(found_variables), tuple(functions)
    )


def module_variables(text: str) -> tuple[Variable, ...]:
    """The variables of a declaration at module scope."""
    linkage = _LINKAGE.match(text)
    body = text[linkage.end() :] if linkage else text
    return () if body.startswith((".pragma", ".alias")) else variables(body)


def read_function(source: str, header: re.Match[str]) -> tuple[Function, int]:
    """A function with its body, if it has one, and where the text goes on."""
    linkage, kind, results, name, params = header.groups()
    at = skip_directives(source, header.end())
    body: tuple[Statement, ...] | None = None
    if source[at : at + 1] == "{":
        body, at = read_block(source, at + 1)
    elif source[at : at + 1] == ";":
        at += 1
    else:
        raise PtxSyntaxError(f"function {name} is neither declared nor defined")
    return (
        Function(
            name,
            kind == "entry",
            linkage.strip().lstrip("."),
            formals(results or ""),
            formals(params or ""),
            body,
        ),
        at,
    )


def skip_directives(source: str, at: int) -> int:
    """Past `.noreturn`, `.maxntid 1, 2` and their like, to the body or the semicolon."""
    return next((i for i in range(at, len(source)) if source[i] in "{;"), len(source))


def read_block(source: str, at: int) -> tuple[tuple[Statement, ...], int]:
    """The statements up to the brace that closes the block, and where the text goes on behind it."""
    found: list[Statement] = []
    while True:
        at = skip_blank(source, at)
        head = source[at : at + 1]
        if not head:
            raise PtxSyntaxError("a block is not closed")
        if head == "}":
            return tuple(found), at + 1
        if head == "{":
            inner, at = read_block(source, at + 1)
            found.append(Block(inner))
            continue
        label = _LABEL.match(source, at)
        if label is not None:
            prototype = _PROTOTYPE.match(source, skip_blank(source, label.end()))
            if prototype is None:
                found.append(Label(label[1]))
                at = label.end()
                continue
            found.append(Prototype(label[1], formals(prototype[1] or ""), formals(prototype[2] or "")))
            at = statement_end(source, prototype.end()) + 1
            continue
        end = statement_end(source, at)
        found += statements(source[at:end])
        at = end + 1


def statements(text: str) -> Iterator[Statement]:
    """A declaration of one or more variables, or an instruction."""
    text = text.strip()
    if not text:
        return
    if text.startswith("."):
        space = re.match(r"\.(\w+)", text)
        if space is not None and space[1] in SPACES:
            yield from variables(text)
        return
    found = _INSTRUCTION.fullmatch(text)
    if found is None:
        raise PtxSyntaxError(f"no instruction: {text!r}")
    predicate, opcode, operands = found.groups()
    yield Instruction((predicate or "").strip(), opcode, tuple(split_list(operands)))


def statement_end(source: str, at: int) -> int:
    """Return the index of the semicolon that ends the statement starting at `at`."""
    end = source.find(";", at)
    if end < 0:
        raise PtxSyntaxError(f"no semicolon behind {source[at : at + 30].strip()!r}")
    return end


def skip_blank(source: str, at: int) -> int:
    """The next character that is no white space."""
    while at < len(source) and source[at].isspace():
        at += 1
    return at
