"""`declare simd` as a file writes it: pragmas and attributes in front of a function.

clang tells which pragmas a function has, but not how their clauses grouped their parameters, on which its own names
depend. So they are read from the text, with the object-like macros that the file itself defines.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Collection, Mapping

import msgspec

from abiprobe.harness.input.brackets import closing
from abiprobe.oracles.language.simd import Aligned, Branch, Linear, Modifier, Simd

_PRAGMA = re.compile(
    r'^[ \t]*#[ \t]*pragma[ \t]+omp[ \t]+declare[ \t]+simd\b(.*)$|_Pragma\s*\(\s*"omp declare simd\b([^"]*)"\s*\)',
    re.MULTILINE,
)
_ATTRIBUTE = re.compile(r'__attribute__\s*\(\(\s*_*simd_*\s*(?:\(\s*"(\w+)"\s*\))?\s*\)\)')
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+(.+)$", re.MULTILINE)
_CLAUSE = re.compile(r"[\s,]*(\w+)\s*")
_MODIFIED = re.compile(r"(val|ref|uval)\s*\((.*)\)", re.DOTALL)
_SUFFIX = re.compile(r"\b(0[xX][0-9a-fA-F]+|\d+)[uUlL]+\b")

_OPERATORS: Mapping[type[ast.AST], Callable[..., int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}


class UnreadableError(ValueError):
    """A clause that is not understood; the message is what it is."""


def macros(text: str) -> dict[str, str]:
    """The object-like macros that a file defines."""
    return {name: body.strip() for name, body in _DEFINE.findall(_COMMENT.sub(" ", text))}


def pragmas(text: str, defined: Mapping[str, str]) -> tuple[Simd, ...]:
    """The pragmas and attributes in `text`, what stands between the declaration before and a function's own end.

    Raises `UnreadableError`.
    """
    clean = _COMMENT.sub(" ", text).replace("\\\n", " ")
    found = [_pragma(one[1] or one[2] or "", defined) for one in _PRAGMA.finditer(clean)]
    found += [
        Simd(branch=Branch(one[1]) if one[1] else None, attribute=True)
        for one in _ATTRIBUTE.finditer(clean.partition("{")[0])
    ]
    return tuple(found)


def _pragma(text: str, defined: Mapping[str, str]) -> Simd:
    simd = Simd()
    position = 0
    while (clause := _CLAUSE.match(text, position)) is not None:
        name, position = clause[1], clause.end()
        inside = ""
        if text[position : position + 1] == "(":
            end = closing(text, position + 1, 1)
            if end is None:
                raise UnreadableError(text[position:])
            inside, position = text[position + 1 : end - 1], end
        simd = _with(simd, name, inside.strip(), defined)
    if text[position:].strip(" \t\n,"):
        raise UnreadableError(text[position:].strip())
    return simd


def _with(simd: Simd, name: str, inside: str, defined: Mapping[str, str]) -> Simd:
    match name:
        case "inbranch" | "notinbranch":
            return msgspec.structs.replace(simd, branch=Branch(name))
        case "simdlen":
            return msgspec.structs.replace(simd, simdlen=number(inside, defined))
        case "uniform":
            return msgspec.structs.replace(simd, uniform=(*simd.uniform, *_names(inside)))
        case "aligned":
            listed, _, value = inside.partition(":")
            clause = Aligned(_names(listed), number(value, defined) if value.strip() else None)
            return msgspec.structs.replace(simd, aligned=(*simd.aligned, clause))
        case "linear":
            return msgspec.structs.replace(simd, linear=(*simd.linear, _linear(inside, defined)))
        case _:
            raise UnreadableError(f"clause {name}")


def _linear(inside: str, defined: Mapping[str, str]) -> Linear:
    listed, _, step = inside.partition(":")
    modified = _MODIFIED.fullmatch(listed.strip())
    modifier = Modifier(modified[1]) if modified else None
    names = _names(modified[2] if modified else listed)
    step = step.strip()
    if not step:
        return Linear(names, 1, modifier)
    if re.fullmatch(r"[A-Za-z_]\w*", step) and step not in defined:
        return Linear(names, step, modifier)
    return Linear(names, number(step, defined), modifier)


def _names(text: str) -> tuple[str, ...]:
    names = tuple(part.strip() for part in text.split(","))
    for name in names:
        if not re.fullmatch(r"[A-Za-z_]\w*", name):
            raise UnreadableError(name or text)
    return names


def number(text: str, defined: Mapping[str, str]) -> int:
    """The value of a constant expression of integers and macros; raises `UnreadableError` for any other."""
    try:
        return _value(ast.parse(_SUFFIX.sub(r"\1", text.strip()), mode="eval").body, defined, 0)
    except (SyntaxError, ValueError, RecursionError):
        raise UnreadableError(text.strip()) from None


def _value(node: ast.AST, defined: Mapping[str, str], depth: int) -> int:
    match node:
        case ast.Constant(int(value)):
            return value
        case ast.Name(name) if name in defined and depth < len(defined):
            return _value(ast.parse(defined[name], mode="eval").body, defined, depth + 1)
        case ast.BinOp(left, action, right) if type(action) in _OPERATORS:
            left_value, right_value = _value(left, defined, depth), _value(right, defined, depth)
            return _OPERATORS[type(action)](left_value, right_value)
        case ast.UnaryOp(action, operand) if type(action) in _OPERATORS:
            return _OPERATORS[type(action)](_value(operand, defined, depth))
        case _:
            raise ValueError(ast.dump(node))


def named_right(names: Collection[str], found: tuple[Simd, ...]) -> str:
    """The first name in the clauses that names no parameter (`names`), or an empty string."""
    for simd in found:
        asked = [*simd.uniform]
        asked += [name for linear in simd.linear for name in linear.params]
        asked += [name for aligned in simd.aligned for name in aligned.params]
        asked += [clause.step for clause in simd.linear if isinstance(clause.step, str)]
        for name in asked:
            if name not in names:
                return name
    return ""
