"""Text as a word of a shell's command line, for commands that people copy."""

from __future__ import annotations

import shlex
from pathlib import Path

from abiprobe.results.journal.printable import LINE


def shell_word(text: str | Path) -> str:
    """A path or another argument as one word, which any shell with `$'...'` reads back to the last byte.

    A word that would be taken for an option is given a folder. What no terminal shows as it is becomes an escape.
    """
    word = str(text)
    if word.startswith("-"):
        word = f"./{word}"
    if LINE.search(word):
        return f"$'{''.join(map(_escaped, word))}'"
    return shlex.quote(word)


def _escaped(letter: str) -> str:
    if letter in "\\'":
        return f"\\{letter}"
    if not LINE.match(letter):
        return letter
    return "".join(f"\\x{byte:02x}" for byte in letter.encode("utf-8", "surrogateescape"))
