"""Looks of declarations: in how many packages of headers something is declared that has the traits of a cause.

It is what can be said of a cause that no quirk foretells: those that meet it are among these.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cache
from pathlib import Path

from abiprobe.oracles.language.lang import Prototype, Record
from abiprobe.oracles.language.question import Question
from abiprobe.results.causes.traits import described
from abiprobe.results.known.exposure import counted_in

TABLE = Path(__file__).with_name("looks.tsv")
RECORD, FUNCTION = "record", "function"
BETWEEN = "; "
"""The separator of the traits of a row."""
Look = tuple[str, frozenset[str]]
"""The word for a record or a function, whichever is declared, and its traits."""


@cache
def looks() -> Mapping[Look, frozenset[int]]:
    """The packages, by numbers that the count gave them, that declare something of each look."""
    return {
        (row["declared"], frozenset(filter(None, row["traits"].split(BETWEEN)))): frozenset(
            map(int, row["packages"].split())
        )
        for row in counted_in(TABLE)
    }


def declared_so(example: Question, traits: Collection[str]) -> str:
    """Return how many packages declare records, or functions, with the traits of a cause that an example shows; or why that is not known."""
    if not isinstance(example, Record | Prototype):
        return "which headers meet it is not known: of C++ only known bugs are counted"
    if not traits:
        return "which headers meet it is not known: no trait tells its declarations from others"
    what = RECORD if isinstance(example, Record) else FUNCTION
    mine = packages(what, traits)
    every = f"{len(frozenset().union(*looks().values())):,} packages"
    number = (
        f"{len(mine):,} of {every} declare" if len(mine) > 1 else f"{len(mine) or 'none'} of {every} declares"
    )
    return f"{number} a {what} with all traits of the example ({described(traits)})"


def packages(what: str, traits: Iterable[str]) -> frozenset[int]:
    """The packages that declare something with all of some traits, and maybe others."""
    wanted = frozenset(traits)
    found = (those for (kind, own), those in looks().items() if kind == what and wanted <= own)
    return frozenset().union(*found)
