"""A PTX text of a compiler's, cut down to some of its functions."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable

_FUNCTION = re.compile(r"^[ \t]*(?:\.(?:visible|extern|weak)\s+)*\.(?:func|entry)\b", re.MULTILINE)
_NAME = re.compile(r"\.(?:func|entry)\s*(?:\([^)]*\))?\s*([\w$]+)")


def functions_at(text: str, lines: Iterable[int]) -> frozenset[str]:
    """The names of the functions, declared or defined, in which lines (from 1) of a text are; lines before all are left out."""
    starts = [found.start() for found in _FUNCTION.finditer(text)]
    first = [text.count("\n", 0, start) + 1 for start in starts]
    kept = {number for line in lines if (number := bisect_right(first, line) - 1) >= 0}
    found = (_NAME.search(text, starts[number]) for number in kept)
    return frozenset(name[1] for name in found if name is not None)


def function_texts(text: str) -> dict[str, str]:
    """Each function of a text, declared or defined, by its name; the last where one has several."""
    starts = [found.start() for found in _FUNCTION.finditer(text)]
    parts = [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
    return {name[1]: part for part in parts if (name := _NAME.search(part)) is not None}


def pruned(text: str, wanted: Callable[[str], bool]) -> str:
    """The text with only those functions, declared or defined, whose name is wanted; all else stays."""
    starts = [found.start() for found in _FUNCTION.finditer(text)]
    if not starts:
        return text
    parts = [text[: starts[0]]]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        part = text[start:end]
        name = _NAME.search(part)
        if name is None or wanted(name[1]):
            parts.append(part)
    return "".join(parts)
