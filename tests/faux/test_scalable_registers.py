"""Compilers whose functions keep of SVE's registers what others may change, whatever they are passed."""

from __future__ import annotations

import pytest

from abiprobe.harness.input.declared import declared_in_each
from abiprobe.harness.subjects.compile import Limits
from abiprobe.oracles.registry import find_target
from abiprobe.results.verdicts.record import Judgement
from abiprobe.results.verdicts.wording import where_text

from .putting import Ask, Verdicts

TARGET = "aarch64_sve-aapcs64"
CLAUSE = "aapcs64:registers.preserved-scalable"
KEPT = {
    "a vector": "void f(svint32_t odd);",
    "a predicate": "void f(svbool_t odd);",
    "a result": "svint8x2_t f(int odd);",
    "a record": "struct S { svint32_256_t a; }; void f(struct S odd);",
}
CHANGED = {
    "no value of SVE": "double f(double odd);",
    "a vector by reference": (
        "void f(double a, double b, double c, double d, double e, double g, double h, double i, svint32_t odd);"
    ),
}


def told(lied: Ask, text: str) -> Verdicts:
    """The verdicts that are others than those on an honest compiler."""
    (found,) = declared_in_each([text], find_target(TARGET))
    return lied("spoils_scalable_registers", TARGET, found.functions, Limits())


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT)
def test_with_values_in_scalable_registers_more_are_kept(lied: Ask, text: str) -> None:
    ((key, verdict),) = told(lied, text).items()
    assert key == ("f", "preservation")
    assert (verdict.verdict, verdict.clause) == (Judgement.DEVIATES, CLAUSE)
    assert {where_text(one.place) for one in verdict.differences} == {"z8", "z16", "p4"}


@pytest.mark.parametrize("text", CHANGED.values(), ids=CHANGED)
def test_without_any_they_may_change(lied: Ask, text: str) -> None:
    assert told(lied, text) == {}
