"""What differs is clustered and reduced to the smallest prototype that differs so."""

from __future__ import annotations

import time

import pytest

from abiprobe.generators.pool import draw_pool
from abiprobe.harness.lowerings import both
from abiprobe.harness.lowerings.both import Memory
from abiprobe.harness.lowerings.causes import causes, groups, unreduced
from abiprobe.harness.lowerings.comparing import Difference
from abiprobe.harness.lowerings.place import Place
from abiprobe.harness.lowerings.sweep import sweep
from abiprobe.harness.subjects.find import parse_subject
from abiprobe.oracles.language.lang import Kind, Param, Prototype, Scalar

POOL = draw_pool(seed=1, cases=8).prototypes
PLACES = [Place("bpfel"), Place("x86_64-sysv")]
REAL_AS_INTEGER = Difference("argument", "real", "integer", abi=True)


def swept(faux, lie):
    """What a lie differs in from the honest compiler, at two places."""
    return sweep(PLACES, tuple(map(parse_subject, (f"clang:{faux}", f"clang:{faux} -DLIE={lie}"))), POOL, 1)


def test_the_smallest_prototype_that_differs_so_is_found_for_all_places(faux):
    found = causes(swept(faux, "takes_reals_for_integers").members, 1)
    assert [one.difference for one in found] == [REAL_AS_INTEGER]
    (cause,) = found
    assert cause.reduced
    assert cause.function in {
        Prototype("f", Scalar(Kind.FLOAT), ()),
        Prototype("f", None, (Param("a", Scalar(Kind.FLOAT)),)),
    }
    assert set(cause.counts) == {"bpfel", "x86_64-sysv"}
    assert cause.lines[0]["call"] == "call void @probe_0(float noundef %1) #2"
    assert cause.lines[1]["declare"] == "declare void @probe_0(i32 noundef) #1"


def test_promises_come_after_what_decides_how_values_are_passed(faux):
    members = swept(faux, "forgets_promises").members
    both = [*members, *swept(faux, "takes_reals_for_integers").members]
    assert groups(both)[0].difference.abi
    assert not groups(members)[0].difference.abi
    assert sum(len(one.members) for one in groups(members)) == sum(len(one.differences) for one in members)


def test_without_time_the_smallest_member_stands_for_the_group(faux):
    members = swept(faux, "takes_reals_for_integers").members
    found = causes(members, 1, time.monotonic())
    assert [one.reduced for one in found] == [False]
    assert sum(found[0].counts.values()) == len(members)
    assert found[0].function in POOL
    (group,) = groups(members)
    assert unreduced(group)[0].function == found[0].function


def test_what_was_asked_once_is_remembered(faux, monkeypatch):
    pair = parse_subject(f"clang:{faux}"), parse_subject(f"clang:{faux} -DLIE=takes_reals_for_integers")
    memory = Memory(pair)
    functions = [Prototype("f", Scalar(Kind.FLOAT), ()), Prototype("f", Scalar(Kind.INT), ())]
    assert memory.differing(REAL_AS_INTEGER, PLACES[0], functions) == functions[:1]
    monkeypatch.setattr(both, "compiler_at", None)
    assert memory.differing(REAL_AS_INTEGER, PLACES[0], functions[::-1]) == functions[:1]
    assert memory.lowered(PLACES[0], functions[:1])[0] is not None
    with pytest.raises(TypeError):
        memory.lowered(PLACES[1], functions)


def test_nothing_that_differs_has_no_causes():
    assert causes((), 1) == ()
