"""The small scope: all of it is there, each record in each role, and what tells clauses apart comes first."""

from __future__ import annotations

import pytest

from abiprobe.generators.small_scope import FORMS, calls, filled, ranked, records, registers
from abiprobe.oracles.lang import Kind, Param, Prototype, Record, Scalar
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
    forms = {form("a") for form in FORMS}
    pairs = {
        tuple(one.members) for one in every if not one.union and not one.packed and len(one.members) == 2
    }
    assert {first for first, _ in pairs} == forms
    assert len(pairs) >= len(FORMS) ** 2
    assert {one.members[0] for one in every if len(one.members) == 1} == forms
    assert any(one.union and len(one.members) == 2 for one in every)


def test_each_record_is_asked_in_each_role() -> None:
    model = find_model("x86_64-sysv")
    every = list(calls(model))
    states = len(list(filled(model)))
    assert states == 3
    assert len(every) == len(set(every)) == (states + 2) * len(list(records()))
    assert sum(one.result is not None for one in every) == len(list(records()))
    assert sum(one.variadic for one in every) == len(list(records()))


def test_where_nothing_is_in_registers_there_is_one_state() -> None:
    assert list(filled(find_model("i386-sysv"))) == [()]


def named(name: str) -> Prototype:
    return Prototype(name, None, (Param("r", Record("S", ())),))


def test_what_tells_clauses_apart_comes_first() -> None:
    told = {"a": "x", "b": "x", "c": "x y", "d": "", "e": "z", "f": "x y"}
    order = [one.name for one in ranked(map(named, told), lambda one: frozenset(told[one.name].split()))]
    assert order == ["c", "a", "e", "f", "b", "d"]
