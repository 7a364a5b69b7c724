"""The quirks that have a say in a question are found in few predictions, and are those that leaving out one by one tells."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abiprobe.harness.observers.needed_quirks import NeededQuirks, Quirks, narrowed
from abiprobe.oracles.language.lang import Kind, Param, Prototype, Scalar
from abiprobe.oracles.language.question import Probe
from abiprobe.oracles.quirks.in_force import EVERY

DIALECT = EVERY[:40]
FUNCTION = Prototype("f", None, (Param("a", Scalar(Kind.INT)),))
ASKED, ANOTHER = Probe("probe", FUNCTION), Probe("another", FUNCTION)
WHICH = st.sets(st.integers(0, len(DIALECT) - 1), max_size=5)


class Model:
    """A model that says something else for each set of the quirks that it knows; `counted` predictions were asked."""

    def __init__(self, known: set[int]) -> None:
        self.known, self.counted = {DIALECT[number] for number in known}, 0

    def prediction(self, quirks: Quirks, asked: Probe) -> bytes:
        self.counted += 1
        return repr(sorted(one.name for one in quirks if one in self.known)).encode()


@given(WHICH)
def test_those_that_have_a_say_are_found(known: set[int]) -> None:
    model = Model(known)
    needed = NeededQuirks(model.prediction)
    expected = [one for one in DIALECT if one in model.known]
    assert needed.of(DIALECT, ASKED) == expected
    assert needed.of(DIALECT, ANOTHER) == expected
    assert needed.singly(DIALECT, ASKED) == expected


@pytest.mark.parametrize("number", [0, 17, 39])
def test_one_of_forty_takes_few_predictions_and_fewer_the_second_time(number: int) -> None:
    model = Model({number})
    needed = NeededQuirks(model.prediction)
    needed.of(DIALECT, ASKED)
    assert model.counted <= 16
    model.counted = 0
    assert needed.of(DIALECT, ASKED) == [DIALECT[number]]
    assert model.counted == 0
    assert needed.of(DIALECT, ANOTHER) == [DIALECT[number]]
    assert model.counted == 3


def test_a_dialect_that_says_what_the_text_says_takes_two() -> None:
    model = Model(set())
    assert NeededQuirks(model.prediction).of(DIALECT, ASKED) == []
    assert model.counted == 2


def test_where_one_of_several_will_do_each_is_told() -> None:
    first, second = DIALECT[3], DIALECT[30]
    needed = NeededQuirks(lambda quirks, _: b"other" if {first, second} & set(quirks) else b"text")
    assert needed.of(DIALECT, ASKED) == [first, second] == needed.singly(DIALECT, ASKED)


def test_two_that_take_each_other_back_are_told_one_by_one_alone() -> None:
    first, second = DIALECT[3], DIALECT[4]
    needed = NeededQuirks(lambda quirks, _: b"other" if len({first, second} & set(quirks)) == 1 else b"text")
    assert needed.of(DIALECT, ASKED) == []
    assert needed.singly(DIALECT, ASKED) == [first, second]


@given(WHICH)
def test_halves_find_the_members_that_matter(known: set[int]) -> None:
    wanted = [DIALECT[number] for number in sorted(known)]
    assert narrowed(DIALECT, lambda group: any(one in wanted for one in group)) == wanted
