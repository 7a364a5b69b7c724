"""Simpler questions about the tables of a class."""

from __future__ import annotations

from collections.abc import Iterator

from abiprobe.generators.reduction.classes import simpler_classes
from abiprobe.generators.tables import tables
from abiprobe.oracles.language.tables import Tables


def simpler_tables(asked: Tables) -> Iterator[Tables]:
    """Every question about a class one step simpler that has tables."""
    yield from filter(None, map(tables, simpler_classes(asked.of)))
