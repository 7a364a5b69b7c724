"""Umbrella headers, which declare nothing themselves: where the headers of their own package are."""

from __future__ import annotations

import re
from glob import escape
from pathlib import Path

SHARED = re.compile(r"(?:^|/)include(?:/\w+-linux-[\w-]+)?$")
"""Folders in which the headers of many packages are."""
BEGINNING = re.compile(r"[A-Za-z0-9]+")


def own_files(path: str) -> tuple[str, ...]:
    """Return patterns of the headers of the package to which a header belongs: all in its folder and below.

    Where many packages have theirs, those whose names begin with the same word (`wayland-client.h`: `wayland-*`), and all in a folder
    of such a name.
    """
    header = Path(path)
    found = BEGINNING.match(header.name)
    beginning = found[0] if found else header.stem
    folders = dict.fromkeys((header.parent, header.resolve().parent))
    shared = SHARED.search(str(header.resolve().parent)) is not None
    names = (f"{beginning}[-_.]*", f"{beginning}/*", f"{beginning}[-_.]*/*") if shared else ("*",)
    return tuple(f"{escape(str(folder))}/{name}" for folder in folders for name in names)
