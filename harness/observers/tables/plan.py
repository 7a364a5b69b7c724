"""The model's answer about the tables of a class."""

from __future__ import annotations

import msgspec

from abiprobe.oracles.language.tables import Tables
from abiprobe.oracles.text.place import Unspecified
from abiprobe.oracles.text.tables import ClassTables


class TablePlan(msgspec.Struct, frozen=True):
    """A class with the tables that the model predicts; nothing to be compared where the text is silent."""

    probe: str
    asked: Tables
    tables: ClassTables | Unspecified
    sizes: tuple[int, ...]
    """The bytes of the words of its type information; none where the text is silent."""
    word: int
    """The bytes of an address."""
