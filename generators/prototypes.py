"""Hypothesis strategies for C prototypes: for `@given` in a test, where a failing example shrinks to the simplest.

The exclusions that `exclude` may name are `abiprobe.generators.scope.FEATURES`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from abiprobe.generators import dialects, signatures
from abiprobe.generators.draw import Draw
from abiprobe.generators.register_arguments import with_rarer_types
from abiprobe.generators.scope import COMMON, Bounds, Scope
from abiprobe.oracles.language.lang import Prototype

if TYPE_CHECKING:
    from hypothesis import strategies as st


def prototypes(
    *,
    max_params: int = 20,
    max_members: int = 12,
    max_depth: int = 4,
    exclude: frozenset[str] = frozenset(),
) -> st.SearchStrategy[Prototype]:
    """Prototypes of at most `max_params` parameters, whose records have the bounds of `types.records`.

    Raises `ValueError` for a negative `max_params`, another bound below 1, and an unknown feature in `exclude`.
    """
    from abiprobe.generators.shrinking import made

    bounds = Bounds(members=max_members, params=max_params, depth=max_depth, exclude=exclude)
    return made(lambda draw: a_prototype(draw, bounds))


def a_prototype(draw: Draw, bounds: Bounds) -> Prototype:
    """The prototype that the decisions of `draw` make."""
    dialect = draw.pick(dialects.PROTOTYPES)
    if signatures.OPEN & dialect:
        bounds = replace(bounds, exclude=bounds.exclude | COMMON)
    made = signatures.prototype(Scope(draw, bounds, dialect))
    return made if made.regparm is None else with_rarer_types(made, bounds)
