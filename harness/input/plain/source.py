"""A C text made fit for pycparser: without comments and directives, its GNU attributes written as those of C23."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input.brackets import closing
from abiprobe.harness.input.plain.sizes import HEADERS
from abiprobe.oracles.language.lang import Convention

CONVENTIONS = frozenset(one.value for one in Convention) - {"ms_abi", "sysv_abi", "riscv_vector_cc"}
"""The calling conventions that are read: not those that another target has as its usual one."""
READ = frozenset({"packed", "aligned", "ms_struct", "gcc_struct", "vector_size", "regparm"}) | CONVENTIONS
"""The attributes that are read."""
HARMLESS = frozenset(
    {
        "unused",
        "used",
        "deprecated",
        "const",
        "pure",
        "noreturn",
        "nonnull",
        "returns_nonnull",
        "malloc",
        "noinline",
        "always_inline",
        "cold",
        "hot",
        "nothrow",
        "warn_unused_result",
        "may_alias",
        "visibility",
        "format",
        "sentinel",
        "leaf",
        "weak",
        "section",
        "cdecl",
        "noipa",
        "noclone",
        "gnu_inline",
    }
)
"""Attributes that move no byte and no argument."""
NAMESPACE = "attribute"
"""How the namespaces begin that tell the attributes of a text apart by their number."""
OTHER_NAMES = {
    "_Float16": "float",
    "__bf16": "float",
    "__fp16": "float",
    "_Float128": "float",
    "__float128": "float",
    "_Float32": "float",
    "_Float32x": "double",
    "_Float64": "double",
    "_Float64x": "long double",
    "__int128_t": "__int128",
    "__uint128_t": "unsigned __int128",
}
"""Names of types that pycparser does not know, with any type that has it parse them."""
SPELLINGS = {
    "__extension__": "",
    "__restrict": "restrict",
    "__restrict__": "restrict",
    "__inline": "inline",
    "__inline__": "inline",
    "__const": "const",
    "__volatile": "volatile",
    "__volatile__": "volatile",
    "__signed__": "signed",
    "__complex__": "_Complex",
    "__alignof__": "_Alignof",
}
"""GNU spellings of words of C."""

_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*|(\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')", re.DOTALL)
_OPENING = re.compile(r"__attribute(?:__)?\s*\(\s*\(")
_AFTER_WIDTH = re.compile(rf"(:\s*\w+\s*)((?:\[\[{NAMESPACE}\d+::[^\]]*\]\]\s*)+)")
_BEFORE_NAME = re.compile(rf"\(\s*((?:\[\[{NAMESPACE}\d+::[^\]]*\]\]\s*)+)([A-Za-z_]\w*)\s*\)")
_ATOMIC = re.compile(r"\b_Atomic\s*\(([\w\s]+)\)")
_INCLUDE = re.compile(r'#\s*include\s*[<"]([\w./]+)[>"]\s*')
_PRAGMA = re.compile(r"#\s*pragma\s+(pack\b.*|once\s*)")


class Source(msgspec.Struct, frozen=True):
    """A text that pycparser reads, the names of types that are declared in front of it, and its attributes with their lines."""

    text: str
    names: tuple[str, ...]
    attributes: tuple[tuple[str, int], ...]


def prepared(text: str) -> Source:
    """Return a text fit for pycparser, line for line; raises `Problem` for a directive or an attribute that is not read here."""
    text = without_comments(text)
    if "[[" in text:
        raise Problem(f"line {_line(text, text.index('[['))}: attributes in [[ ]] are not read here")
    headers: list[str] = []
    lines = [_without_directive(line, number, headers) for number, line in enumerate(text.split("\n"), 1)]
    attributes: list[tuple[str, int]] = []
    text = _with_attributes("\n".join(lines), attributes)
    text = _AFTER_WIDTH.sub(r"\2\1", text)
    text = _BEFORE_NAME.sub(r"(\2 \1)", text)
    # The same type, and pycparser loses attributes beside the other form.
    text = _ATOMIC.sub(r"_Atomic \1", text)
    text = re.sub(r"\b__\w+", lambda found: SPELLINGS.get(found[0], found[0]), text)
    names = {**OTHER_NAMES, **{name: "int" for header in headers for name in HEADERS[header]}}
    front = "".join(f"typedef {base} {name}; " for name, base in names.items())
    return Source(front + text, tuple(names), tuple(attributes))


def without_comments(text: str) -> str:
    """Return C without its comments, line for line."""
    return _COMMENT.sub(lambda found: found[1] or " " + "\n" * found[0].count("\n"), text)


def _without_directive(line: str, number: int, headers: list[str]) -> str:
    """Return a line of C, or of a pragma that counts; the name of a header goes to `headers`."""
    bare = line.strip()
    if not bare.startswith("#"):
        return line
    include = _INCLUDE.fullmatch(bare)
    if include and include[1] in HEADERS:
        headers.append(include[1])
        return ""
    pragma = _PRAGMA.fullmatch(bare)
    if pragma:
        return "" if pragma[1].startswith("once") else bare
    known = ", ".join(f"<{name}>" for name in HEADERS)
    raise Problem(
        f"line {number}: {bare[:60]} is not read here",
        f"of the preprocessor only #pragma pack and #include of {known} are",
    )


def _with_attributes(text: str, found: list[tuple[str, int]]) -> str:
    """Return the text with GNU attributes as pycparser reads attributes; those that move nothing are gone."""
    parts, position = [], 0
    while opening := _OPENING.search(text, position):
        end = closing(text, opening.end(), 2)
        if end is None:
            raise Problem(f"line {_line(text, opening.end())}: an attribute without its end")
        inner = text[opening.end() : text.rindex(")", opening.end(), text.rindex(")", opening.end(), end))]
        line = _line(text, opening.start())
        said = ", ".join(
            one for one in (_attribute(written, line, found) for written in _listed(inner)) if one
        )
        lines = "\n" * text.count("\n", opening.start(), end)
        parts += [text[position : opening.start()], f" [[{said}]] " if said else " ", lines]
        position = end
    return "".join((*parts, text[position:]))


def _listed(inner: str) -> Iterator[str]:
    """The attributes of a list, which commas separate that stand outside of brackets."""
    depth, begin = 0, 0
    for at, character in enumerate(inner):
        depth += (character == "(") - (character == ")")
        if character == "," and not depth:
            yield inner[begin:at].strip()
            begin = at + 1
    yield inner[begin:].strip()


def _attribute(written: str, line: int, known: list[tuple[str, int]]) -> str:
    """Return an attribute as pycparser reads it, or nothing for one that moves nothing; raises `Problem` for an unknown one."""
    found = re.fullmatch(r"(\w+)\s*(?:\((.*)\))?", written, re.DOTALL)
    if not written:
        return ""
    name = re.sub(r"^__(\w+)__$", r"\1", found[1]) if found else written
    if found is None or name not in READ | HARMLESS:
        raise Problem(f"line {line}: attribute {name} is not read here")
    if name in HARMLESS:
        return ""
    known.append((name, line))
    return f"{NAMESPACE}{len(known) - 1}::{name}" + (
        "" if found[2] is None else f"({' '.join(found[2].split())})"
    )


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1
