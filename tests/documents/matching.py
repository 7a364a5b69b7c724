"""Whether an output of a document is the real one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

ELISION = "..."


def agrees(shown: str, real: str, varies: Iterable[str] = ()) -> bool:
    """Return whether a shown output is the real one, but for what varies and what is left out."""
    for pattern in varies:
        shown, real = (re.sub(pattern, "~", text, flags=re.MULTILINE) for text in (shown, real))
    parts = []
    for line in shown.rstrip("\n").split("\n"):
        if line.strip() == ELISION:
            parts.append(r"(?:[^\n]*\n)*?")
        else:
            parts.append(r"[^\n]*".join(map(re.escape, line.rstrip().split(ELISION))) + r"[ ]*\n")
    return re.fullmatch("".join(parts), real.rstrip("\n") + "\n") is not None


def holds(real: Any, shown: Any) -> bool:
    """Return whether JSON has a value of which the shown one is a part, at any depth."""
    if is_part(shown, real):
        return True
    if isinstance(real, dict):
        return any(holds(value, shown) for value in real.values())
    return isinstance(real, list) and any(holds(value, shown) for value in real)


def is_part(shown: Any, real: Any) -> bool:
    """Return whether each key and each element of the shown value is in the real one, lists in the same order."""
    if isinstance(shown, dict):
        return isinstance(real, dict) and all(
            key in real and is_part(value, real[key]) for key, value in shown.items()
        )
    if isinstance(shown, list) and isinstance(real, list):
        rest = iter(real)
        return all(any(is_part(one, other) for other in rest) for one in shown)
    return bool(shown == real)


def renewed(shown: str, real: str) -> str:
    """The real output, cut as the shown one is.

    Each part between two elisions is what lies between the real lines that are equal to its first and last;
    a part of which these lines are gone is left as it is.
    """
    lines, old = real.rstrip("\n").split("\n"), shown.rstrip("\n").split("\n")
    if not any(line.strip() == ELISION for line in old):
        return real.rstrip("\n") + "\n"
    result: list[str] = []
    at = 0
    part: list[str] = []
    for line in (*old, ELISION):
        if line.strip() != ELISION:
            part.append(line)
            continue
        if part:
            new, at = between(part, lines, at)
            result += new
        result.append(line)
        part = []
    return "\n".join(result[:-1]) + "\n"


def between(part: list[str], lines: list[str], at: int) -> tuple[list[str], int]:
    """The lines from the first to the last line of a part, and where the search goes on."""
    if part[0] not in lines[at:]:
        return part, at
    first = lines.index(part[0], at)
    last = lines.index(part[-1], first) if part[-1] in lines[first:] else first + len(part) - 1
    return lines[first : last + 1], last + 1
