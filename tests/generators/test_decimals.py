"""Questions with decimal types: those of plain types that had binary ones, and no others."""

from __future__ import annotations

from abiprobe.generators.decimals import FEATURE, with_decimals
from abiprobe.generators.draw import SeededDraw
from abiprobe.generators.pool import POOL_SORTS, PoolSort, draw
from abiprobe.generators.prototypes import a_prototype
from abiprobe.generators.scope import COMMON, FEATURES, Bounds
from abiprobe.oracles.language.features import features
from abiprobe.oracles.language.question import Question

COUNT = 1500


def drawn(kind: PoolSort, left_out: str = "") -> tuple[Question, ...]:
    return draw(seed=5, kind=kind, start=0, count=COUNT, features=FEATURES - {left_out})


def test_some_questions_have_decimal_types_and_all_others_stay() -> None:
    for kind in POOL_SORTS:
        without, found = drawn(kind, FEATURE), drawn(kind)
        changed = [pair for pair in zip(without, found, strict=True) if pair[0] != pair[1]]
        assert all(FEATURE in features(one) for _, one in changed)
        assert not any(FEATURE in features(one) for one in without)
        assert all(features(one) <= COMMON | {FEATURE} for _, one in changed)
        assert COUNT // 400 < len(changed) < COUNT // 30


def test_what_has_no_real_stays_what_it_is() -> None:
    decisions = SeededDraw(3)
    for _ in range(300):
        question = a_prototype(decisions, Bounds())
        made = with_decimals(question, Bounds())
        assert made == question or FEATURE in features(made)
