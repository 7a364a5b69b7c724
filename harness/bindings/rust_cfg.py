"""Conditional compilation of Rust (The Rust Reference, "Conditional compilation"): which attributes hold for a target."""

from __future__ import annotations

import re
from collections.abc import Iterator

TOKEN = re.compile(r'\s*(\w+|"[^"]*"|[(),=])')


class Conditions:
    """The configuration of a compiler for a target, as `rustc --print cfg` writes it: `unix`, `target_os="linux"`."""

    def __init__(self, options: str) -> None:
        self._set = frozenset(line.strip() for line in options.splitlines())

    def hold(self, attribute: str) -> bool:
        """Return whether a predicate holds; one of another form than those of the reference is left to the compiler."""
        try:
            return self._predicate(iter(TOKEN.findall(attribute)))
        except (StopIteration, ValueError):
            return True

    def _predicate(self, words: Iterator[str]) -> bool:
        name = next(words)
        return self._of(name, next(words, ""), words)[0]

    def _of(self, name: str, follows: str, words: Iterator[str]) -> tuple[bool, str]:
        """The predicate that begins with a name, and the word behind it."""
        if follows == "=":
            return f"{name}={next(words)}" in self._set, next(words, "")
        if follows != "(":
            return name in self._set, follows
        if name not in {"all", "any", "not"}:
            raise ValueError(name)
        found: list[bool] = []
        word = next(words)
        while word != ")":
            holds, behind = self._of(word, next(words), words)
            found.append(holds)
            word = next(words) if behind == "," else behind
        holds = any(found) if name == "any" else all(found)
        return not holds if name == "not" else holds, next(words, "")
