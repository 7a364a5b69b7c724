"""The generator of pairs: broken ones are refused, the same seed draws the same, and everything can be asked."""

from __future__ import annotations

import pytest

from abiprobe.generators.draw import SeededDraw
from abiprobe.generators.riscv_isa import BREAKS, Pair, pair
from abiprobe.oracles.abis.riscv.isa import ABIS, Isa, Refused, parse_march


def drawn(count: int, seed: int = 1) -> list[Pair]:
    draw = SeededDraw(seed)
    return [pair(draw) for _ in range(count)]


@pytest.mark.parametrize("way", BREAKS)
def test_what_was_broken_is_refused(way):
    broken = [each for each in drawn(3000) if each.broken == way]
    assert broken
    assert [each for each in broken if not isinstance(parse_march(each.march), Refused)] == []


def test_most_that_was_not_broken_has_a_meaning():
    whole = [each for each in drawn(2000) if not each.broken]
    assert sum(isinstance(parse_march(each.march), Isa) for each in whole) > len(whole) // 2


def test_every_abi_is_drawn():
    assert {each.abi for each in drawn(500)} == set(ABIS)


def test_the_same_seed_draws_the_same():
    assert drawn(200, seed=5) == drawn(200, seed=5) != drawn(200, seed=6)
