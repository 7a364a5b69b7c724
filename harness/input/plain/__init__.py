"""C without libclang: declarations as pycparser reads them, for a place where nothing but Python runs.

It reads less C than `abiprobe.harness.input.read`, and what it reads it reads to the same values. What it cannot read, and
every attribute that it does not know, is a `Problem`, or is skipped with a reason: nothing is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from pycparser import c_ast
from pycparser.c_parser import CParser, ParseError

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input import Declarations
from abiprobe.harness.input.plain.declarations import declarations
from abiprobe.harness.input.plain.sizes import Sizes
from abiprobe.harness.input.plain.source import prepared

LIMIT = 1 << 16
"""Bytes of the longest text that is read."""

HINT = "only plain C is read, with attributes of layout and calling conventions; abiprobe itself reads more"


def read_plain(text: str, sizes: Sizes) -> Declarations:
    """Return the declarations in a C text, for the target whose types have the `sizes`; raises `Problem` for what is no such C."""
    if len(text) > LIMIT:
        raise Problem(f"more than {LIMIT >> 10} KiB of C")
    source = prepared(text)
    return _shallow(lambda: declarations(_parsed(source.text), source, sizes))


def _parsed(text: str) -> c_ast.FileAST:
    try:
        return CParser(dialect="c23").parse(text, "C")
    except ParseError as error:
        found = re.match(r"C:(\d+)(?::\d+)?: (?:before: )?(.*)", str(error))
        where, what = (f"line {found[1]}: ", found[2]) if found else ("", str(error))
        raise Problem(f"{where}this is not C that can be read here: {what}", HINT) from error


def _shallow(work: Callable[[], Declarations]) -> Declarations:
    try:
        return work()
    except RecursionError:
        raise Problem("its types are nested too deeply to be read here") from None
