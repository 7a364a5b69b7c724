"""Members of a group go to the causes that explain them, each once."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from abiprobe.results.causes.attribution import attributed

MEMBERS = [2, 3, 4, 5, 6, 7, 8, 9, 15]


def smallest_factor(some: Sequence[int]) -> int:
    return next(number for number in range(2, some[0] + 1) if some[0] % number == 0)


def explains(factor: int, member: int) -> bool:
    return member % factor == 0


def test_each_member_goes_to_the_first_cause_that_explains_it() -> None:
    found, left = attributed(MEMBERS, smallest_factor, explains, 10)
    assert found == [(2, [2, 4, 6, 8]), (3, [3, 9, 15]), (5, [5]), (7, [7])]
    assert left == []


@pytest.mark.parametrize(("most", "left"), [(0, MEMBERS), (1, [3, 5, 7, 9, 15]), (3, [7])])
def test_after_so_many_reductions_the_rest_is_left(most: int, left: list[int]) -> None:
    assert attributed(MEMBERS, smallest_factor, explains, most)[1] == left


def test_without_time_the_rest_is_left() -> None:
    found, left = attributed(
        MEMBERS, lambda some: None if some[0] > 2 else smallest_factor(some), explains, 10
    )
    assert [cause for cause, _ in found] == [2]
    assert left == [3, 5, 7, 9, 15]


def test_a_reduction_explains_its_own_member_whatever_is_said() -> None:
    found, left = attributed([4, 9], smallest_factor, lambda *_: False, 10)
    assert found == [(2, [4]), (3, [9])]
    assert left == []


def test_void_members_are_dropped_when_their_turn_comes() -> None:
    found, left = attributed(MEMBERS, smallest_factor, explains, 1, lambda member: member in {2, 3, 4})
    assert found == [(5, [5, 15])]
    assert left == [6, 7, 8, 9]
