"""Pools of questions: drawn batch by batch from a seed, checked everywhere.

A batch is a function of the run's seed, the kind of question, the batch's number and the features allowed, and of
nothing else: not of the batches before it, the number of workers, the machine, the Python or Hypothesis version
or the hash seed. A new version of abiprobe may draw other batches. `batches` hands the same batches to Hypothesis,
one example each.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import chain, islice
from itertools import count as count_from
from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

from abiprobe.generators.decimals import with_decimals
from abiprobe.generators.draw import Draw, SeededDraw
from abiprobe.generators.fixed_point import with_fixed_point
from abiprobe.generators.prototypes import a_prototype
from abiprobe.generators.scope import FEATURES, Bounds
from abiprobe.generators.small_mixed_records import with_small_mixed_record
from abiprobe.generators.streams import once
from abiprobe.generators.sve import with_sve
from abiprobe.generators.types import a_record
from abiprobe.oracles.language.lang import Prototype, Record
from abiprobe.oracles.language.question import Question, Sort

if TYPE_CHECKING:
    from hypothesis import strategies as st

BATCH = 250
"""How many questions a batch of a pool has."""

SEED_BITS = 64
"""The width in bits of the seed that a batch is expanded from."""


PoolSort: TypeAlias = Literal[Sort.RECORDS, Sort.PROTOTYPES]
"""The sorts of questions that a pool has."""
POOL_SORTS: tuple[PoolSort, ...] = (Sort.RECORDS, Sort.PROTOTYPES)
"""All of them."""


class Pool(msgspec.Struct, frozen=True):
    """The distinct questions of one run."""

    prototypes: tuple[Prototype, ...]
    records: tuple[Record, ...]


def draw_pool(*, seed: int, cases: int, features: frozenset[str] | None = None) -> Pool:
    """`cases` distinct prototypes and as many distinct records, of which none needs a feature outside `features`.

    `features` are names as in `abiprobe.generators.scope.FEATURES`, others have no effect; `None` allows all.
    A question that an earlier batch has already asked is left out, and the batches that follow fill its place.
    """
    asked = {kind: islice(stream(seed=seed, kind=kind, features=features), cases) for kind in POOL_SORTS}
    return Pool(
        prototypes=tuple(one for one in asked[Sort.PROTOTYPES] if isinstance(one, Prototype)),
        records=tuple(one for one in asked[Sort.RECORDS] if isinstance(one, Record)),
    )


def stream(*, seed: int, kind: PoolSort, features: frozenset[str] | None = None) -> Iterator[Question]:
    """The questions of a pool one by one, without end; no question comes twice. `features` as for `draw_pool`."""
    batches = (islice(_numbered(seed, kind, number, features), BATCH) for number in count_from())
    return once(chain.from_iterable(batches))


def draw(
    *, seed: int, kind: PoolSort, start: int, count: int, features: frozenset[str] | None = None
) -> tuple[Question, ...]:
    """The questions numbered `start` to `start + count` of an endless sequence, made of batches of `BATCH`.

    A batch is made from its beginning, so a `start` that is a multiple of `BATCH` costs least. No question occurs twice
    within a batch; rarely one occurs in two. `features` as for `draw_pool`.
    """
    first = start // BATCH
    asked = (
        question
        for number in count_from(first)
        for question in islice(_numbered(seed, kind, number, features), BATCH)
    )
    return tuple(islice(asked, start - first * BATCH, start - first * BATCH + count))


def batches(
    *, kind: PoolSort, size: int = BATCH, exclude: frozenset[str] = frozenset()
) -> st.SearchStrategy[tuple[Question, ...]]:
    """Batches of `size` distinct questions, each made from a single choice of Hypothesis's.

    For the generate phase: a failing batch does not shrink. Raises `ValueError` for an unknown feature in `exclude`.
    """
    from hypothesis import strategies as st

    bounds = Bounds(exclude=exclude)
    return st.integers(0, 2**SEED_BITS - 1).map(lambda seed: tuple(islice(expand(seed, kind, bounds), size)))


def expand(seed: int, kind: PoolSort, bounds: Bounds) -> Iterator[Question]:
    """The distinct questions that `seed` stands for, without end."""
    decisions = SeededDraw(seed)
    asked: set[Question] = set()
    while True:
        question = with_fixed_point(with_decimals(_question(decisions, kind, bounds), bounds), bounds)
        if question not in asked:
            asked.add(question)
            yield question


def _question(decisions: Draw, kind: PoolSort, bounds: Bounds) -> Question:
    match kind:
        case Sort.RECORDS:
            return a_record(decisions, bounds)
        case Sort.PROTOTYPES:
            return with_sve(with_small_mixed_record(a_prototype(decisions, bounds), bounds), bounds)


def _numbered(seed: int, kind: PoolSort, number: int, features: frozenset[str] | None) -> Iterator[Question]:
    digest = hashlib.sha256(f"{kind.value} {seed} {number}".encode()).digest()
    derived = int.from_bytes(digest[: SEED_BITS // 8], "big")
    exclude = frozenset() if features is None else FEATURES - features
    return expand(derived, kind, Bounds(exclude=exclude))
