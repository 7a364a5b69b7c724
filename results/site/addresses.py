"""Addresses of the pages of the folder, which last: they depend on the name of a cause, clause or target alone.

An address lasts: it depends on the name of a cause, clause or target alone.
"""

from __future__ import annotations

import re
from urllib.parse import quote

from abiprobe.oracles.text.clause import is_clause_name

CAUSE = re.compile(r"c[0-9a-f]{7}")


def cause_page(name: str) -> str:
    """The page of a cause; raises `ValueError` for what is no name of one."""
    if CAUSE.fullmatch(name) is None:
        raise ValueError(f"{name!r} is no name of a cause")
    return f"cause/{name}.html"


def clause_page(name: str) -> str:
    """The page of a clause, or an empty string for what is no name of one."""
    sheet, _, rest = name.partition(":")
    return f"clause/{sheet}/{rest}.html" if is_clause_name(name) else ""


def abi_page(target: str) -> str:
    """The page of a target."""
    return f"abi/{target}.html"


def promises_page(family: str) -> str:
    """The page of the promises of a family."""
    return f"promises/{family}.html"


def frames_page(about: str) -> str:
    """The page of what was found about unwind tables, debug information or debuggers."""
    return f"frames/{about.lower().replace(' ', '-')}.html"


def up(path: str) -> str:
    """Return the relative path from a page to the top of the folder."""
    return "../" * path.count("/")


def link(path: str) -> str:
    """A path as an address in a page."""
    return quote(path, safe="/@+")
