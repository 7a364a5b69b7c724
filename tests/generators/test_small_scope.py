"""The small scope: all of it is there, each value in each role, and what brings most together comes first."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from abiprobe.generators.reduction.lawful import lawful
from abiprobe.generators.small_scope import (
    BARE,
    BEHIND,
    COMMON,
    NAMED,
    RARE,
    Combination,
    attributed,
    calls,
    filled,
    ranked,
    records,
    registers,
)
from abiprobe.generators.small_scope.forms import PLAIN
from abiprobe.generators.small_scope.prototypes import bare, conventions
from abiprobe.generators.small_scope.ranking import WHOLE
from abiprobe.generators.small_scope.records import flexible_unions
from abiprobe.oracles.language.lang import Convention, Kind, Param, Prototype, Record, Scalar
from abiprobe.oracles.language.promotion import promoted
from abiprobe.oracles.registry import find_model

LLONG, DOUBLE = Scalar(Kind.LLONG), Scalar(Kind.DOUBLE)
ROOM = [
    ("x86_64-sysv", 6, 8),
    ("riscv64-lp64d", 8, 16),
    ("riscv64-lp64", 8, 8),
    ("aarch64-aapcs64", 8, 8),
    ("i386-sysv", 0, 0),
]


@pytest.mark.parametrize(("target", "integers", "reals"), ROOM)
def test_registers_are_counted_by_the_model(target: str, integers: int, reals: int) -> None:
    model = find_model(target)
    assert (registers(model, LLONG), registers(model, DOUBLE)) == (integers, reals)


def test_every_record_is_there_once() -> None:
    every = list(records())
    assert len(every) == len(set(every))
    assert [one for one in every if not lawful(one)] == list(flexible_unions())
    plain = {
        one.members
        for one in every
        if one in {Record("S", one.members), Record("U", one.members, union=True)}
    }
    assert {(form("a"),) for form in (*COMMON, *RARE)} <= plain
    assert {(one("a"), other("b")) for one, other in product(COMMON, repeat=2)} <= plain
    assert {(one("a"), other("b")) for one, other in product(RARE, PLAIN)} <= plain
    assert {(one("a"), other("b")) for one, other in product(PLAIN, RARE)} <= plain


def test_members_have_attributes_in_records_with_attributes() -> None:
    every = list(attributed())
    assert len(every) == len(set(every))
    assert not set(every) & set(records())
    assert all(map(lawful, every))
    assert any(one.pack == 2 and member.packed and member.alignas for one in every for member in one.members)
    beside = [one for one in every if one.members[0].packed and len(one.members) == 2]
    assert {form("b") for form in (*COMMON, *RARE)} <= {one.members[1] for one in beside}


@pytest.mark.parametrize("target", ["x86_64-sysv", "i386-sysv"])
def test_each_value_is_asked_in_each_role(target: str) -> None:
    model = find_model(target)
    every = set(calls(model))
    states = list(filled(model))
    for value in (*BARE, *bare(), *records()):
        assert Prototype("f", value, ()) in every
        assert Prototype("f", value, (Param("r", value), *BEHIND)) in every
    asked = [
        one
        for one in every
        if one.result is None and not one.variadic and not (one.convention or one.regparm)
    ]
    assert len(asked) == len(states) * len({*bare(), *records()})
    unnamed = {one for one in (*bare(), *records()) if promoted(one) == one}
    variadic = [one for one in every if one.variadic]
    before_others = {one.params[-1].type for one in variadic if one.params[-1].name == NAMED}
    assert before_others == (unnamed if states[-1] else set())
    assert len(variadic) == len(states) * len(unnamed) + len(before_others)
    assert all(one.unnamed[0] in unnamed for one in variadic)


def test_where_nothing_is_in_registers_there_is_one_state() -> None:
    assert list(filled(find_model("i386-sysv"))) == [()]


def test_other_conventions_are_those_of_the_target() -> None:
    assert Convention.REGCALL in set(conventions(find_model("x86_64-sysv")))
    assert Convention.FASTCALL not in set(conventions(find_model("x86_64-sysv")))
    assert Convention.FASTCALL in set(conventions(find_model("i386-sysv")))


def named(name: str) -> Prototype:
    return Prototype(name, None, (Param("r", Record("S", ())),))


def order(told: dict[str, str]) -> tuple[str, str]:
    early, late = ranked(map(named, told), lambda one: Combination(frozenset(told[one.name].split())))
    return "".join(one.name for one in early), "".join(one.name for one in late)


def test_what_brings_most_together_comes_first() -> None:
    told = {"a": "x", "b": "x", "c": "x y", "d": "", "e": "z", "g": "x y z", "h": "y w"}
    assert order(told) == ("gh", "caebd")


def test_every_pair_meets_in_the_covering_array_but_not_two_forms() -> None:
    told = {
        f"{one}{other}{form}": Combination(frozenset((one, other)), frozenset(form))
        for (one, other), form in product(combinations("abcd", 2), ("x", "y", "xy"))
    }
    early, late = ranked(map(named, told), lambda one: told[one.name])
    met = {pair for one in early for pair in combinations(sorted(told[one.name].traits), 2)}
    assert met == set(combinations("abcd", 2))
    with_forms = {pair for one in early for pair in product(told[one.name].traits, told[one.name].forms)}
    assert with_forms == set(product("abcd", "xy"))
    assert len(early) + len(late) == len(told)
    assert len(early) == len(met)


def test_a_whole_counts_like_some_pairs() -> None:
    told = {
        "a": Combination(frozenset("xy"), whole="a"),
        "b": Combination(frozenset("xy"), whole="b"),
        "c": Combination(frozenset("xz")),
        "d": Combination(frozenset("v")),
    }
    early, late = ranked(map(named, told), lambda one: told[one.name])
    # `b` has no pair that `a` has not; `c` has three, `d` has one.
    assert WHOLE > 3
    assert "".join(one.name for one in early) == "abcd"
    assert not late
