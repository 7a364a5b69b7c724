"""Which value is blamed when a callee dies: the clause is that of what it probably took for an address."""

from __future__ import annotations

import pytest

from abiprobe.harness.input.declared import declared_in_ours
from abiprobe.harness.observers.image.judging import clause_by_reference
from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.harness.observers.registry import observer_of
from abiprobe.oracles.language.question import probe
from abiprobe.oracles.registry import find_target

TARGET = "x86_64-sysv"
RECORDS = "struct S { int a; int b[]; }; struct B { long a[4]; }; struct E { }; "
ROWS = [
    ("void f(void);", ""),
    ("int f(float a);", "x86_64:pass.sse"),
    ("struct S f(float a);", "x86_64:class.no-element"),
    ("struct S f(struct E a);", "x86_64:class.no-element"),
    ("void f(float a, struct S b);", "x86_64:class.no-element"),
    ("struct B f(float a, struct S b);", "x86_64:result.memory"),
]


@pytest.mark.parametrize(("text", "clause"), ROWS)
def test_an_address_comes_before_a_record_and_a_record_before_a_scalar(text: str, clause: str) -> None:
    (prototype,) = declared_in_ours(RECORDS + text, find_target(TARGET)).functions
    (plan,) = observer_of(find_target(TARGET), prototype).prepare((probe(prototype),)).plans
    assert isinstance(plan, CallPlan)
    assert clause_by_reference(plan) == clause
