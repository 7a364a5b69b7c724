"""The tables of golden vectors: one row a line, its cells separated by tabs. Lines that begin with `#` are remarks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from abiprobe.oracles.golden import parsed

FOLDER = Path(__file__).parents[2] / "oracles"
"""Where the tables are, which the tests of the models read too."""


def rows(*names: str) -> tuple[tuple[str, ...], ...]:
    """The cells of every row of a table."""
    return tuple(parsed(FOLDER.joinpath(*names).read_text("utf-8")))


def measured(*names: str) -> list[dict[str, Any]]:
    """The rows of a table of measurements: id, kind, what was asked and what was seen (as JSON), and how it was measured."""
    return [
        {"id": name, "kind": kind, "input": json.loads(asked), "expect": json.loads(seen), "measured": how}
        for name, kind, asked, seen, how in rows(*names)
    ]
