"""Draw questions one at a time, and find Hypothesis's minimal example for which a condition holds."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from hypothesis import HealthCheck, find, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from abiprobe.generators.pool import PoolSort
from abiprobe.generators.prototypes import prototypes
from abiprobe.generators.types import records
from abiprobe.oracles.language.question import Question, Sort


def smallest(
    kind: PoolSort, condition: Callable[[Question], bool], *, seed: int, examples: int
) -> Question | None:
    """The simplest question that Hypothesis finds, among `examples` drawn from `seed`, for which `condition` holds.

    `None` when there is none. What a seed draws may differ from one version of Hypothesis to the next.
    """
    patient = settings(
        max_examples=examples, database=None, deadline=None, suppress_health_check=list(HealthCheck)
    )
    strategy: st.SearchStrategy[Question] = records() if kind is Sort.RECORDS else prototypes()
    try:
        return find(strategy, condition, settings=patient, random=Random(seed))  # noqa: S311 - to be repeated
    except NoSuchExample:
        return None
