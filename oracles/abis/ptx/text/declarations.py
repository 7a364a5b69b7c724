"""Reading declarations: `.param .align 8 .b8 name[16]`, `.reg .b32 %r<10>`, `.global .u64 t[2] = {1, 2}`."""

from __future__ import annotations

import re

from abiprobe.oracles.abis.ptx.parameter import BYTES, Parameter, Space
from abiprobe.oracles.abis.ptx.text.module import Formal, PtxSyntaxError, Variable

SPACES = ("reg", "param", "local", "shared", "global", "const")
_QUALIFIERS = re.compile(r"\s*(?:\.align\s+(\d+)\s+)?(?:\.v([24])\s+)?\.(\w+)")
_POINTER = re.compile(r"\s+\.ptr(?:\s+\.(?:global|const|local|shared))?(?:\s+\.align\s+\d+)?")
_NAME = re.compile(r"\s*([\w$%]+)\s*(?:<(\d+)>)?\s*((?:\[[^\]]*\]\s*)*)")
_DIMENSION = re.compile(r"\[([^\]]*)\]")


def formals(text: str) -> tuple[Formal, ...]:
    """The formal parameters in a list, without its parentheses."""
    parts = [part.strip() for part in text.split(",")]
    return tuple(formal(part) for part in parts) if any(parts) else ()


def formal(text: str) -> Formal:
    """One formal parameter."""
    found = variable(text)
    space = Space.REG if found.space == "reg" else Space.PARAM
    param = found.param
    return Formal(
        found.name, Parameter(param.type, param.declared, param.length, param.vector, space, param.pointer)
    )


def variable(text: str) -> Variable:
    """One variable with its state space; raises `PtxSyntaxError` for anything else."""
    space = re.match(r"\s*\.(\w+)", text)
    if space is None or space[1] not in SPACES:
        raise PtxSyntaxError(f"no declaration: {text.strip()!r}")
    found, _ = declared(space[1], text, space.end())
    return found


def variables(text: str) -> tuple[Variable, ...]:
    """One variable or several of one type: `.reg .b32 %a, %b`."""
    head, *more = split_list(text)
    first = variable(head)
    rest = []
    for name in more:
        words = _NAME.fullmatch(name)
        if words is None:
            raise PtxSyntaxError(f"no name: {name!r}")
        rest.append(Variable(first.space, words[1], first.param, int(words[2] or 0)))
    return (first, *rest)


def declared(space: str, text: str, at: int) -> tuple[Variable, int]:
    """The variable whose qualifiers start at `at`."""
    qualifiers = _QUALIFIERS.match(text, at)
    if qualifiers is None or qualifiers[3] not in BYTES:
        raise PtxSyntaxError(f"no type: {text.strip()!r}")
    at = qualifiers.end()
    pointer = _POINTER.match(text, at)
    at = pointer.end() if pointer else at
    name = _NAME.match(text, at)
    if name is None:
        raise PtxSyntaxError(f"no name: {text.strip()!r}")
    align, vector, kind = qualifiers.groups()
    length = extent(name[3])
    rest = text[name.end() :].strip()
    if rest and not rest.startswith("="):
        raise PtxSyntaxError(f"unexpected {rest!r}")
    param = Parameter(
        kind, None if align is None else int(align), length, int(vector or 1), pointer=pointer is not None
    )
    initial = initialiser(rest[1:], param) if rest else None
    return Variable(space, name[1], param, int(name[2] or 0), initial), name.end()


def extent(dimensions: str) -> int | None:
    """The number of elements; 0 for `[]`, `None` where there are no brackets."""
    sizes = _DIMENSION.findall(dimensions)
    if not sizes:
        return None
    product = 1
    for size in sizes:
        product *= int(size) if size.strip() else 0
    return product


def initialiser(text: str, param: Parameter) -> bytes:
    """The bytes of `{1, 2}` or `7`; what is left out is zero. Raises `PtxSyntaxError` for addresses."""
    width = BYTES[param.type]
    data = bytearray()
    for item in text.replace("{", " ").replace("}", " ").split(","):
        word = item.strip()
        if word:
            data += number(word, width)
    return bytes(data.ljust(param.size, b"\0"))


def number(text: str, width: int) -> bytes:
    """A constant in so many bytes."""
    pattern = re.fullmatch(r"0[fd]([0-9a-fA-F]+)", text)
    if pattern is not None:
        return int(pattern[1], 16).to_bytes(width, "little")
    digits = re.fullmatch(r"(-?)(0[xX][0-9a-fA-F]+|\d+)U?", text)
    if digits is None:
        raise PtxSyntaxError(f"no constant: {text!r}")
    value = int(digits[2], 16 if digits[2][1:2] in {"x", "X"} else 10)
    return ((-value if digits[1] else value) % (1 << width * 8)).to_bytes(width, "little")


def split_list(text: str) -> list[str]:
    """`text` at the commas that are in no bracket."""
    parts, depth, start = [], 0, 0
    for at, character in enumerate(text):
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    last = text[start:].strip()
    return [*parts, last] if last or parts else []
