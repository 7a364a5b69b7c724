"""The layout of a C++ class as text, in the manner of pahole."""

from __future__ import annotations

from rich.console import Console

from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.text.class_layout import ClassLayout
from abiprobe.oracles.text.place import Unspecified, Unsupported
from abiprobe.results.report.class_rows import class_head, class_rows
from abiprobe.results.report.layout_text import lines
from abiprobe.results.report.no_answer import print_no_answer


def print_class(
    console: Console, asked: Class, answer: ClassLayout | Unspecified | Unsupported
) -> tuple[str, ...]:
    """Print the layout of a class with the clause of each place, or why there is none; returns the clauses cited, in order."""
    if not isinstance(answer, ClassLayout):
        return print_no_answer(console, class_head(asked), answer)
    rows = tuple(class_rows(asked, answer))
    for line in lines(rows, console.width):
        console.print(line, soft_wrap=True)
    return tuple(dict.fromkeys(row.clause for row in rows if row.clause))
