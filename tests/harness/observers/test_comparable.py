"""What is compared where no text decides, when options mean to change it."""

from __future__ import annotations

import pytest

from abiprobe.harness.observers.comparable import comparable
from abiprobe.harness.observers.observer import PredictionKey
from abiprobe.oracles.language.question import ProbeKind
from abiprobe.oracles.registry import find_target
from abiprobe.oracles.text.options import LayoutOptions
from abiprobe.results.coverage.differing import first_difference
from abiprobe.results.verdicts.record import Judgement, Shown, Verdict
from abiprobe.results.verdicts.values import Size

HERE, THERE = (
    Verdict("0", ProbeKind.LAYOUT, Judgement.UNSPECIFIED, shown=(Shown("sizeof", (place,)),))
    for place in (Size(4), Size(8))
)


@pytest.mark.parametrize(
    ("one", "other", "compared"),
    [
        (LayoutOptions(), LayoutOptions(), True),
        (LayoutOptions(), LayoutOptions(vectors=32), True),
        (LayoutOptions(pack=2), LayoutOptions(pack=2), True),
        (LayoutOptions(), LayoutOptions(pack=2), False),
        (LayoutOptions(pack=2), LayoutOptions(pack=4), False),
        (LayoutOptions(short_enums=True), LayoutOptions(), False),
    ],
)
def test_only_what_the_same_options_made_is_compared(
    one: LayoutOptions, other: LayoutOptions, *, compared: bool
) -> None:
    assert are_compared("x86_64-sysv", one, other) == compared


def test_all_options_are_compared_where_subjects_are_said_to_do_the_same() -> None:
    assert are_compared("x86_64-sysv@open", LayoutOptions(pack=2), LayoutOptions())


def are_compared(target: str, one: LayoutOptions, other: LayoutOptions) -> bool:
    (first,), (second,) = (
        comparable((verdict,), PredictionKey(find_target(target), options))
        for verdict, options in ((HERE, one), (THERE, other))
    )
    return first_difference(first.shown, second.shown) is not None
