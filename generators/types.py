"""Hypothesis strategies for C types: for `@given` in a test, where a failing example shrinks to the simplest one.

The exclusions that `exclude` may name are `abiprobe.generators.scope.FEATURES`.
"""

from __future__ import annotations

from hypothesis import strategies as st

from abiprobe.generators import aggregates, dialects
from abiprobe.generators.draw import Draw, ShrinkingDraw
from abiprobe.generators.scope import Bounds, Scope
from abiprobe.oracles.lang import Record, Type

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
    return _types(Bounds(members=max_members, depth=max_depth, exclude=exclude))


def records(
    *, max_members: int = 12, max_depth: int = 4, exclude: frozenset[str] = frozenset()
) -> st.SearchStrategy[Record]:
    """Structs and unions with at most `max_members` members each, nested at most `max_depth` deep.

    Raises `ValueError` for a bound below 1 and for an unknown feature in `exclude`.
    """
    return _records(Bounds(members=max_members, depth=max_depth, exclude=exclude))


def a_record(draw: Draw, bounds: Bounds) -> Record:
    """The record that the decisions of `draw` make."""
    room = LARGE_ROOM if draw.below(16) == 15 else RECORD_ROOM
    scope = Scope(draw, bounds, draw.pick(dialects.RECORDS))
    return aggregates.record(scope, room=room, depth=bounds.depth)


@st.composite
def _types(draw: st.DrawFn, bounds: Bounds) -> Type:
    source = ShrinkingDraw(draw)
    scope = Scope(source, bounds, source.pick(dialects.RECORDS))
    return aggregates.any_type(scope, RECORD_ROOM, bounds.depth)


@st.composite
def _records(draw: st.DrawFn, bounds: Bounds) -> Record:
    return a_record(ShrinkingDraw(draw), bounds)
