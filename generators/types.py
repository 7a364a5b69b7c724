"""Hypothesis strategies for C types: for `@given` in a test, where a failing example shrinks to the simplest one.

The exclusions that `exclude` may name are `abiprobe.generators.scope.FEATURES`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from abiprobe.generators import aggregates, dialects
from abiprobe.generators.draw import Draw
from abiprobe.generators.scope import Bounds, Scope
from abiprobe.oracles.language.lang import Record, Type

if TYPE_CHECKING:
    from hypothesis import strategies as st

RECORD_ROOM = 512
"""The size in bytes that a record keeps within on a target with the widest types."""

LARGE_ROOM = 4080
"""The size in bytes that one record in 16 may take instead, and few do."""


def types(
    *, max_members: int = 12, max_depth: int = 4, exclude: frozenset[str] = frozenset()
) -> st.SearchStrategy[Type]:
    """Complete object types, arrays included; records in them nest at most `max_depth` deep.

    Raises `ValueError` for a bound below 1 and for an unknown feature in `exclude`.
    """
    from abiprobe.generators.shrinking import made

    bounds = Bounds(members=max_members, depth=max_depth, exclude=exclude)
    return made(lambda draw: a_type(draw, bounds))


def records(
    *, max_members: int = 12, max_depth: int = 4, exclude: frozenset[str] = frozenset()
) -> st.SearchStrategy[Record]:
    """Structs and unions with at most `max_members` members each, nested at most `max_depth` deep.

    Raises `ValueError` for a bound below 1 and for an unknown feature in `exclude`.
    """
    from abiprobe.generators.shrinking import made

    bounds = Bounds(members=max_members, depth=max_depth, exclude=exclude)
    return made(lambda draw: a_record(draw, bounds))


def a_type(draw: Draw, bounds: Bounds) -> Type:
    """The type that the decisions of `draw` make."""
    return aggregates.any_type(Scope(draw, bounds, draw.pick(dialects.RECORDS)), RECORD_ROOM, bounds.depth)


def a_record(draw: Draw, bounds: Bounds) -> Record:
    """The record that the decisions of `draw` make."""
    room = LARGE_ROOM if draw.below(16) == 15 else RECORD_ROOM
    scope = Scope(draw, bounds, draw.pick(dialects.RECORDS))
    return aggregates.record(scope, room=room, depth=bounds.depth)
