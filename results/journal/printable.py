"""Text that somebody else wrote, made fit for where it is shown: a terminal, JSON, XML, Markdown."""

from __future__ import annotations

import re

CONTROLS = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
"""Characters that move the cursor, change colours or the direction of text, or that no text may contain; all but tab and newline."""
UNFIT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
MARKDOWN = re.compile(r"[\\`*{}\[\]#|~]|(?<!\w)_|_(?!\w)")
"""Characters to which Markdown gives a meaning; an underscore within a word has none."""
LINE = re.compile(rf"{CONTROLS.pattern}|[\t\n]")


def printable(text: str) -> str:
    """`text` without characters that a terminal would obey or XML forbids: each is written as its code."""
    return CONTROLS.sub(_code, text)


def line(text: str) -> str:
    """`text` as one line of that kind."""
    return LINE.sub(_code, text)


def _code(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}" if ord(found[0]) > 0xFF else f"\\x{ord(found[0]):02x}"


def in_json(text: str) -> str:
    """JSON in which no character would be obeyed by a terminal."""
    return CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def in_xml(text: str) -> str:
    """XML, or text for it, without what no document may contain."""
    return UNFIT.sub("?", text)


def in_markdown(text: str) -> str:
    """`text` as one line of Markdown that means nothing but itself, in a cell of a table, too."""
    return (
        MARKDOWN.sub(r"\\\g<0>", line(text)).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    )


def in_code(text: str) -> str:
    """`text` as code within a line of Markdown, in a cell of a table, too."""
    return f"`{line(text).replace('`', '').replace('|', '')}`"


def fenced(text: str) -> str:
    """`text` as a block of C in Markdown, with a fence that it does not contain."""
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=2))
    return f"{fence}c\n{printable(text)}\n{fence}"
