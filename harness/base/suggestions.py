"""Suggest names for a mistyped one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches

CLOSE = 0.6
SHOWN = 3
FEW = 12
"""So many names are listed when none is close."""


def closest_names(word: str, known: Iterable[str], usual: Collection[str] = ()) -> tuple[str, ...]:
    """The names closest to `word`, best first; case, `-` and `_` do not matter, and a name may be cut short.

    Of those that begin with it the `usual` ones come first.
    """
    spelled = {plain(name): name for name in known}
    asked = plain(word)
    if asked in spelled:
        return (spelled[asked],)
    longer = sorted(
        (name for name in spelled if asked and name.startswith(asked)),
        key=lambda name: (spelled[name] not in usual, len(name)),
    )
    close = get_close_matches(asked, spelled, SHOWN, CLOSE)
    return tuple(spelled[name] for name in dict.fromkeys((*longer, *close)))[:SHOWN]


def either(names: Sequence[str]) -> str:
    """Join names as a choice: `a, b or c`."""
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def plain(name: str) -> str:
    """A name without what people get wrong."""
    return name.lower().replace("_", "-")


def hint(word: str, known: Iterable[str], see: str = "", usual: Collection[str] = ()) -> str:
    """Return a hint for an unknown name: the closest known ones, else where to look (`see`), else all if they are few."""
    names = tuple(known)
    close = closest_names(word, names, usual)
    if close:
        return f"did you mean {either(close)}?"
    return see or (f"known are {', '.join(names)}" if len(names) <= FEW else "")
