"""Summarise which declarations of a user's file were read, and which were skipped and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

NAMED = 3
"""Declarations that a reason names."""


class SkippedDeclaration(Protocol):
    """A declaration that is not tested: its name, the source location of the obstacle, the reason, and whether calls need it."""

    @property
    def name(self) -> str: ...
    @property
    def where(self) -> str: ...
    @property
    def reason(self) -> str: ...
    @property
    def called(self) -> bool: ...


def by_reason(skipped: Iterable[SkippedDeclaration]) -> dict[str, list[SkippedDeclaration]]:
    """Group skipped declarations by reason, the commonest first."""
    found: dict[str, list[SkippedDeclaration]] = {}
    for one in skipped:
        found.setdefault(one.reason, []).append(one)
    return dict(sorted(found.items(), key=lambda item: -len(item[1])))


def input_lines(
    records: int,
    functions: int,
    skipped: Sequence[SkippedDeclaration],
    elsewhere: tuple[int, int],
    classes: int = 0,
    calls: int = 0,
    umbrellas: Sequence[str] = (),
) -> Iterator[str]:
    """Yield the number of tested declarations, then a line for each reason for skipping.

    `umbrellas` are files that declare nothing themselves, of which what they include from their own package was read.
    """
    line = f"read {declaration_counts(records, functions, classes, calls)}"
    if umbrellas:
        line += f", from what {', '.join(umbrellas)} include{'s' * (len(umbrellas) == 1)} of the same package"
    if skipped:
        line += f"; skipped {len(skipped)}:"
    elif any(elsewhere):
        line += f"; not read: {declaration_counts(*elsewhere)} of included files (--included)"
    yield line
    for reason, left in by_reason(skipped).items():
        names = ", ".join(one.name or "a declaration" for one in left[:NAMED])
        more = f" and {len(left) - NAMED} more" if len(left) > NAMED else ""
        place = f", {left[0].where}" if left[0].where else ""
        yield f"  {len(left)}: {reason} ({names}{more}{place})"
    if skipped and any(elsewhere):
        yield f"  not read: {declaration_counts(*elsewhere)} of included files (--included)"


def declaration_counts(records: int, functions: int, classes: int = 0, calls: int = 0) -> str:
    """`1 record, 84 functions, 2 classes, 3 functions of C++`; `nothing` where there is none."""
    counts = (
        (records, "record", "records"),
        (functions, "function", "functions"),
        (classes, "class", "classes"),
        (calls, "function of C++", "functions of C++"),
    )
    return (
        ", ".join(f"{count} {one if count == 1 else many}" for count, one, many in counts if count)
        or "nothing"
    )


def input_json(skipped: Iterable[SkippedDeclaration], elsewhere: tuple[int, int]) -> dict[str, object]:
    """Return the skipped declarations by reason, and the number of declarations in included files."""
    return {
        "skipped": [
            {
                "reason": reason,
                "count": len(left),
                "declarations": [{"name": one.name, "where": one.where} for one in left],
            }
            for reason, left in by_reason(skipped).items()
        ],
        "elsewhere": {"records": elsewhere[0], "functions": elsewhere[1]},
    }
