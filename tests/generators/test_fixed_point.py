"""Questions with fixed-point types: those of the plainest types that had integers, and no others."""

from __future__ import annotations

from collections.abc import Iterator

from abiprobe.generators.fixed_point import FEATURE
from abiprobe.generators.pool import POOL_SORTS, PoolSort, draw
from abiprobe.generators.scope import FEATURES
from abiprobe.oracles.language.features import features
from abiprobe.oracles.language.lang import FixedKind, FixedPoint, Prototype, Type, components
from abiprobe.oracles.language.question import Question

COUNT = 4000


def drawn(kind: PoolSort, left_out: str = "") -> tuple[Question, ...]:
    return draw(seed=5, kind=kind, start=0, count=COUNT, features=FEATURES - {left_out})


def everything(question: Question) -> Iterator[Type]:
    roots = (question,) if not isinstance(question, Prototype) else (question.result, *question.unnamed)
    params = tuple(param.type for param in question.params) if isinstance(question, Prototype) else ()
    waiting: list[Type] = [c_type for c_type in (*roots, *params) if not isinstance(c_type, Prototype | None)]
    while waiting:
        c_type = waiting.pop()
        yield c_type
        waiting += components(c_type)


def test_some_questions_have_fixed_point_types_and_all_others_stay() -> None:
    for kind in POOL_SORTS:
        without, found = drawn(kind, FEATURE), drawn(kind)
        changed = [pair for pair in zip(without, found, strict=True) if pair[0] != pair[1]]
        assert all(features(one) == {FEATURE} for _, one in changed)
        assert all(not features(one) for one, _ in changed)
        assert not any(FEATURE in features(one) for one in without)
        assert COUNT // 400 < len(changed) < COUNT // 30


def test_every_fixed_point_type_occurs() -> None:
    types = {
        c_type
        for kind in POOL_SORTS
        for question in drawn(kind)
        for c_type in everything(question)
        if isinstance(c_type, FixedPoint)
    }
    assert types == {
        FixedPoint(kind, signed, saturating)
        for kind in FixedKind
        for signed in (True, False)
        for saturating in (True, False)
    }
