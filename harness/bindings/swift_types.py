"""Types as Swift's compiler spells them in its messages: what travels, and how large it is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import accumulate

from abiprobe.harness.bindings.described import Described, DescribedFunction

INTEGER = re.compile(r"(U?)Int(8|16|32|64|)")
POINTER = re.compile(r"(?:Unsafe\w*Pointer|OpaquePointer)\b")
REALS = {"Float16": 2, "Float": 4, "Double": 8, "Float80": 16}
ALSO = re.compile(r"'([^']*)' \(aka '([^']*)'\)|'([^']*)'")
NOTHING = ("()", "Void", "Never")
REST = "Any..."
"""The last parameter of a variadic function."""


def behind(words: str) -> str:
    """The type in a message, without names that stand for others."""
    found = ALSO.search(words)
    return (found[2] or found[3]) if found else ""


def parts(text: str) -> list[str]:
    """The parts of a list between commas, without those of lists in it."""
    found, depth, start = [], 0, 0
    for at, one in enumerate(text):
        if one in "(<[":
            depth += 1
        elif one in ")]" or (one == ">" and text[at - 1] != "-"):
            depth -= 1
        elif one == "," and not depth:
            found.append(text[start:at].strip())
            start = at + 1
    return [*found, text[start:].strip()] if text.strip() else []


def within_optional(text: str) -> str:
    """A type that may be nil, without that: only addresses of C may."""
    while text.startswith("Optional<") and text.endswith(">"):
        text = text[len("Optional<") : -1]
    return text.rstrip("?!")


def described(text: str, types: Mapping[str, Described], word: int, size: int = 0) -> Described:
    """A type by its spelling; `word` is the size of `Int` in bytes, and `size` that of a type whose spelling has none."""
    text = within_optional(text)
    if text in types:
        return types[text]
    if found := INTEGER.fullmatch(text):
        bytes_ = int(found[2]) // 8 if found[2] else word
        return Described("integer", bytes_, bytes_, text, signed=not found[1])
    if text == "Bool":
        return Described("integer", 1, 1, text)
    if text in REALS:
        return Described("real", size or REALS[text], 0, text)
    if POINTER.match(text) or "->" in text:
        return Described("pointer", word, word, text)
    if text in NOTHING:
        return Described("none")
    return Described("unknown", size, 0, text)


def function_of(text: str, types: Mapping[str, Described], word: int) -> DescribedFunction | None:
    """A function by the spelling of its type, `(Int32, Any...) -> Int32`."""
    depths = list(accumulate((one == "(") - (one == ")") for one in text))
    at = depths.index(0) if 0 in depths else -1
    result = text[at + 1 :].strip()
    if at < 1 or not result.startswith("-> "):
        return None
    named = parts(text[1:at])
    variadic = REST in named
    parameters = tuple(described(one, types, word) for one in named if one != REST)
    return DescribedFunction(parameters, described(result.removeprefix("-> "), types, word), variadic)
