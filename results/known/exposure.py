"""Exposure of known bugs: of how many packages of headers a declaration meets each, as `benchmarks/exposure.py` counted."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec

TABLE = Path(__file__).with_name("exposure.tsv")


class Exposure(msgspec.Struct, frozen=True):
    """The packages of which a declaration meets a known bug, of so many that were read, and those declarations."""

    packages: int
    of: int
    declarations: int

    def __str__(self) -> str:
        return f"met by {self.packages or 'none'} of {self.of} packages"


@cache
def exposures() -> Mapping[str, Exposure]:
    """The exposure of each known bug about C that models predict, by its name."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t")
        return {row["known bug"]: Exposure(*(int(row[name]) for name in NUMBERS)) for row in rows}


NUMBERS = ("packages", "of", "declarations")
"""The columns with numbers, in the order of `Exposure`."""
