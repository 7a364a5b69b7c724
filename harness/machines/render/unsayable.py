"""The words for what another language cannot say of C++."""

from __future__ import annotations

from collections.abc import Callable


class UnsayableError(Exception):
    """A language has no such thing: the message says which, in words that follow `D has`."""


def why_not(language: str, say: Callable[[], object]) -> str:
    """Return the reason why a question cannot be asked in a language; empty if it can."""
    try:
        say()
    except UnsayableError as error:
        return f"{language} has {error}"
    return ""
