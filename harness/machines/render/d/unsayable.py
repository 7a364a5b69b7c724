"""The words for what D cannot say of C++."""

from __future__ import annotations

from collections.abc import Callable


class UnsayableError(Exception):
    """D has no such thing: the message says which, in words that follow `D has`."""


def why_not(say: Callable[[], object]) -> str:
    """Return the reason why a question cannot be asked in D; empty if it can."""
    try:
        say()
    except UnsayableError as error:
        return f"D has {error}"
    return ""
