"""Tests of C++ compilers about a class: for g++.dg/abi, and for clang/test/CodeGenCXX."""

from __future__ import annotations

from collections.abc import Sequence

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.machines.render.class_units import FRIEND, assertions, behind, function
from abiprobe.harness.machines.render.cxx import definitions
from abiprobe.harness.machines.runtime.machine import machine
from abiprobe.harness.observers.classes.bundle import places, size_of, wanted_constants
from abiprobe.harness.observers.classes.plan import ClassPlan
from abiprobe.harness.observers.program_bundle import BundleRow
from abiprobe.harness.observers.registry import observer_of
from abiprobe.harness.triage.cases import Case
from abiprobe.harness.triage.exports.program import array
from abiprobe.harness.triage.exports.templates import filled
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.language.question import probe

STANDARD = "-std=c++20"
"""The first standard that has every attribute of the classes that are asked about."""


def for_gcc(case: Case, about: str, selector: str, options: str) -> str:
    """A test of gcc: static assertions, and a program that looks at bases and bit-fields."""
    plan = plan_of(case)
    rows = observed(case, plan)
    asserted = assertions(plan.asked, wanted_constants(plan))
    return filled(
        "class.C.j2",
        about=about,
        selector=selector,
        options=f"{STANDARD} -Wno-invalid-offsetof {options}",
        friend=FRIEND,
        definitions=definitions_of(plan, made=plan.asked.made if rows else None),
        function=function(plan.asked, size_of(plan), asserted) if rows else within(asserted),
        wanted=array(b"".join(row.want for row in rows)) if rows else "",
        size=sum(len(row.want) for row in rows),
    )


def for_clang(case: Case, about: str, options: str) -> str:
    """A test of clang: static assertions, which it takes without a word."""
    plan = plan_of(case)
    return filled(
        "class.cpp.j2",
        about=about,
        options=f"{options} {STANDARD} -Wno-invalid-offsetof",
        friend=FRIEND,
        definitions=definitions_of(plan, made=None),
        function=within(assertions(plan.asked, wanted_constants(plan))),
    )


def plan_of(case: Case) -> ClassPlan:
    """The facts that a test of a class asserts; raises `Problem` where no text decides."""
    plans = observer_of(case.target, case.question).prepare((probe(case.question),)).plans
    if not plans or plans[0].silence is not None:
        raise Problem(
            "the documents leave this layout open, so a test has nothing to demand",
            "a bundle compares two compilers",
        )
    found: ClassPlan = plans[0]
    return found


def definitions_of(plan: ClassPlan, made: frozenset[Class] | None) -> str:
    """The classes of a test, of which objects are `made` of some."""
    return definitions(plan.asked.asked, FRIEND, behind(plan.asked.asked), made)


def within(asserted: Sequence[str]) -> list[str]:
    """A class that may name every member, with assertions."""
    return [f"struct {FRIEND} {{", *asserted, "};"]


def observed(case: Case, plan: ClassPlan) -> list[BundleRow]:
    """The places of what a program stores of objects: all but the constants; none for a target without a machine."""
    if not case.target.machine:
        return []
    every = places(plan, size_of(plan), machine(case.target.machine))
    return every[len(wanted_constants(plan)) :]
