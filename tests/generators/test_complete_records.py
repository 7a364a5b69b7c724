"""Every record of a few members is asked, and of unions that differ in order only, and not to the model, one."""

from __future__ import annotations

from itertools import permutations

import pytest

from abiprobe.generators.complete.records import (
    BYTES,
    FORMS,
    REALS,
    RecordScope,
    alone,
    answer,
    every,
    record,
    scope,
)
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.registry import find_model
from abiprobe.oracles.text.place import Assignment

MODEL = find_model("riscv64-lp64d")
SIZED = len(BYTES) + 2 * len(REALS)


@pytest.fixture(scope="module")
def found() -> RecordScope:
    return scope(MODEL, 2)


def test_all_structs_and_all_sets_of_members_of_unions_are_there() -> None:
    asked = list(every(MODEL, 2))
    forms = len(FORMS)
    assert len(set(asked)) == len(asked)
    assert sum(not one.union for one in asked) == forms + forms**2 + SIZED
    assert sum(one.union for one in asked) == forms + forms * (forms + 1) // 2


def test_orders_of_a_union_are_left_out_only_where_the_model_answers_alike() -> None:
    asked = set(every(MODEL, 3))
    for forms in [(0, 5, 9), (3, 6, 8)]:
        orders = [record(order, union=True) for order in permutations(forms)]
        left_out = [one for one in orders if one not in asked]
        assert left_out
        assert {answer(MODEL, one) for one in left_out} == {answer(MODEL, record(forms, union=True))}


def test_an_order_that_the_model_tells_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = iter(range(10_000))
    monkeypatch.setattr("abiprobe.generators.complete.records.answer", lambda *_: next(calls))
    assert sum(one.union for one in every(MODEL, 2)) == len(FORMS) + len(FORMS) ** 2


def test_each_record_is_of_one_class_and_edges_are_of_others(found: RecordScope) -> None:
    inside = len(found.records) - found.edges
    assert sum(one.structs + one.unions for one in found.classes) == inside == len(list(every(MODEL, 2)))
    assert len(set(found.records)) == len(found.records)
    assert found.edges > 0
    assert all(one.least <= one.most for one in found.classes)


@pytest.mark.parametrize("target", ["x86_64-ms", "wasm32"])
def test_calls_have_the_record_twice_and_as_a_result(target: str) -> None:
    model: AbiModel = find_model(target)
    one = next(every(model, 1))
    call = alone(one)
    assert [argument.type for argument in call.params][::2] == [one, one]
    assert call.result == one
    assert isinstance(model.assign(call), Assignment)
