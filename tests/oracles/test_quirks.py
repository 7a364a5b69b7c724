"""Laws of quirks: they name something, never contradict each other, and no policy is without one."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import fields
from itertools import combinations

import pytest

from abiprobe.oracles.engine.policies import HABITS, TEXT, Policies
from abiprobe.oracles.language.lang import Array, Kind, Member, Param, Prototype, Record, Scalar
from abiprobe.oracles.model import Target, policies_of
from abiprobe.oracles.quirks.in_force import EVERY, QUIRKS, in_force
from abiprobe.oracles.quirks.quirk import Quirk, Side
from abiprobe.oracles.quirks.versions import NEWEST
from abiprobe.oracles.registry import TARGETS, UnknownTargetError, find_target
from abiprobe.oracles.text.place import Assignment, Place, Register, StackSlot

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


FLEXIBLE = Record("S", (Member(Scalar(Kind.INT), "a"), Member(Array(Scalar(Kind.CHAR), None), "b")))
PASSES_FLEXIBLE = Prototype("f", None, (Param("s", FLEXIBLE),))


def place_of(target: Target) -> Place:
    answer = target.model().assign(PASSES_FLEXIBLE)
    assert isinstance(answer, Assignment)
    return answer.params[0].pieces[0].place


def test_the_dialect_of_a_version_has_its_quirks() -> None:
    written, old, version = (find_target(f"x86_64-sysv{at}") for at in ("", "@gcc-12", "@clang-22"))
    places = [place_of(one) for one in (written, old, version)]
    assert places == [Register("rdi"), Register("rdi"), StackSlot(8)]
    assert version.spelling == "x86_64-sysv@clang-22"
    assert pickle.loads(pickle.dumps(version)) == version != find_target("x86_64-sysv@clang-reading")
    assert version.in_dialect("clang") != version


@pytest.mark.parametrize(
    "name", ["x86_64-sysv@clang-", "x86_64-sysv@clang-x", "x86_64-sysv@tcc-1", "upmem-dpu@gcc-1"]
)
def test_what_is_no_version_of_a_family_is_unknown(name: str) -> None:
    with pytest.raises(UnknownTargetError):
        find_target(name)


@pytest.mark.parametrize("name", sorted(NEWEST))
def test_a_family_by_itself_is_its_newest_version_and_its_reading_has_no_quirk(name: str) -> None:
    newest, reading = (find_target(f"x86_64-sysv@{one}") for one in (name, f"{name}-reading"))
    assert newest.spelling == f"x86_64-sysv@{name}-{NEWEST[name]}"
    assert newest == find_target(newest.spelling)
    assert reading == TARGETS["x86_64-sysv"].in_dialect(name) == find_target(reading.spelling)
    assert newest.policies != policies_of(reading.model())
    with pytest.raises(UnknownTargetError):
        find_target(f"x86_64-sysv@{name}-readings")
