"""Exposure of known bugs: in which C they show, if not in C++, and of how many packages a declaration meets each, as `benchmarks/exposure.py` counts."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec

TABLE = Path(__file__).with_name("exposure.tsv")
NAMED = 3
"""Packages that are named."""


class Headers(msgspec.Struct, frozen=True):
    """The number of packages of which a declaration meets a known bug, `of` those that were read, the declarations, and some packages."""

    packages: int
    of: int
    declarations: int
    examples: tuple[str, ...] = ()

    @property
    def short(self) -> str:
        """`met by 3 of 200 packages`."""
        return f"met by {f'{self.packages:,}' if self.packages else 'none'} of {self.of:,} packages"

    def __str__(self) -> str:
        """`met by 3 of 200 packages: libc-ares-dev, libexpat1-dev, libpng-dev`."""
        if not self.packages:
            return self.short
        more = ", ..." if self.packages > len(self.examples) else ""
        return f"{self.short}: {', '.join(self.examples)}{more}"


class Exposure(msgspec.Struct, frozen=True):
    """The first `edition` of C in which a known bug shows (`C99`, `GNU C`), or `C++`, and whose headers meet it, where that was counted."""

    edition: str
    headers: Headers | None = None

    @property
    def short(self) -> str:
        """`C99, met by 3 of 200 packages`."""
        return self.edition if self.headers is None else f"{self.edition}, {self.headers.short}"

    def __str__(self) -> str:
        """`C99, met by 3 of 200 packages: libc-ares-dev, libexpat1-dev, libpng-dev`."""
        return self.edition if self.headers is None else f"{self.edition}, {self.headers}"


@cache
def exposures() -> Mapping[str, Exposure]:
    """The exposure of each known bug about C, or layouts and calls of C++, by its name, on x86-64 and AArch64, for gcc and clang."""
    return {row["known bug"]: exposure(row) for row in counted_in(TABLE)}


def counted_in(path: Path) -> list[dict[str, str]]:
    """The rows of a table of a count."""
    with path.open(encoding="utf-8", newline="") as file:
        lines = (line for line in file if not line.startswith("#"))
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def exposure(row: Mapping[str, str]) -> Exposure:
    """An exposure by its row in the table."""
    if not row["of"]:
        return Exposure(row["edition"])
    packages, of, declarations = (int(row[name]) for name in ("packages", "of", "declarations"))
    examples = tuple(filter(None, row["for example"].split(", ")))
    return Exposure(row["edition"], Headers(packages, of, declarations, examples))


def met_by(name: str) -> str:
    """The exposure of a known bug with some packages; empty for one that is not counted."""
    return str(exposures().get(name, ""))


def met_by_many(name: str) -> str:
    """The exposure of a known bug without names of packages; empty for one that is not counted."""
    found = exposures().get(name)
    return "" if found is None else found.short


def packages_meeting(name: str) -> int:
    """The number of packages that meet a known bug; none where that was not counted."""
    found = exposures().get(name)
    return 0 if found is None or found.headers is None else found.headers.packages
