"""Laws of quirks: they name something, never contradict each other, and no policy is without one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from itertools import combinations

import pytest

from abiprobe.oracles.engine.policies import HABITS, TEXT, Policies
from abiprobe.oracles.quirks.in_force import EVERY, QUIRKS, in_force
from abiprobe.oracles.quirks.quirk import Quirk, Side
from abiprobe.oracles.registry import TARGETS, find_target

FAMILIES = ("clang", "gcc", "tcc", "pcc")
VERSIONS = range(11, 27)
"""Major versions that ranges tell apart, and one that is to come."""


def test_no_two_quirks_have_one_name() -> None:
    assert len(QUIRKS) == len(EVERY)


def together() -> Iterator[tuple[str, tuple[Quirk, ...]]]:
    """The quirks that are in force at the same time, for each target, version, level and side."""
    for name in TARGETS:
        for family in FAMILIES:
            for version in VERSIONS:
                for level in ("O0", "O2"):
                    for side in Side:
                        subject, line = f"{family}-{version}", f"{family} version {version}.1.0"
                        yield name, in_force(find_target(name), subject, line, level, side)


def test_quirks_in_force_together_do_not_contradict_each_other() -> None:
    """So their order has no meaning: each field has one value, or sets that are united."""
    contradictions = {
        (name, one.name, other.name, field)
        for name, quirks in together()
        for one, other in combinations(quirks, 2)
        for field in one.policies.keys() & other.policies.keys()
        if not isinstance(one.policies[field], frozenset) and one.policies[field] != other.policies[field]
    }
    assert contradictions == set()


def test_every_policy_is_set_by_a_quirk_or_a_habit() -> None:
    named = {field for quirk in EVERY for field in quirk.policies}
    habitual = {
        field.name
        for habit in HABITS.values()
        for field in fields(Policies)
        if getattr(habit, field.name) != getattr(TEXT, field.name)
    }
    assert {field.name for field in fields(Policies)} - named - habitual == set()


def test_a_quirk_sets_policies_that_there_are() -> None:
    for quirk in EVERY:
        assert TEXT.changed(quirk.policies) != TEXT, quirk.name
    with pytest.raises(TypeError):
        TEXT.changed({"no_such_policy": True})


@pytest.mark.parametrize("name", TARGETS)
def test_another_family_has_none(name: str) -> None:
    assert in_force(find_target(name), "subject:mine", "mine 1.0", "O0", Side.CALLER) == ()
