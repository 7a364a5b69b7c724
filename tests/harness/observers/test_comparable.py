"""What is compared where no text decides, when options mean to change it."""

from __future__ import annotations

import pytest

from abiprobe.harness.observers.comparable import comparable
from abiprobe.oracles.language.question import ProbeKind
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
    (first,), (second,) = comparable((HERE,), one), comparable((THERE,), other)
    assert (first_difference(first.shown, second.shown) is not None) == compared
