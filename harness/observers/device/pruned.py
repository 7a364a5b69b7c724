"""A PTX text of a compiler's, cut down to some of its functions."""

from __future__ import annotations

import re
from collections.abc import Callable

_FUNCTION = re.compile(r"^[ \t]*(?:\.(?:visible|extern|weak)\s+)*\.(?:func|entry)\b", re.MULTILINE)
_NAME = re.compile(r"\.(?:func|entry)\s*(?:\([^)]*\))?\s*([\w$]+)")


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
