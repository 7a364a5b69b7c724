"""A unit of C++ that asserts of a class what the text says."""

from __future__ import annotations

from collections.abc import Sequence

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.machines.render.class_units import FRIEND, assertions, behind, function
from abiprobe.harness.machines.render.cxx import definitions
from abiprobe.harness.machines.runtime.machine import machine
from abiprobe.harness.observers.bundle import SelfTest
from abiprobe.harness.observers.classes.bundle import places, size_of, wanted_constants
from abiprobe.harness.observers.classes.plan import ClassPlan
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.model import Target


def self_test(plan: ClassPlan, about: Target) -> SelfTest:
    """The unit about one class on a target; raises `Problem` where no text decides."""
    if plan.silence is not None:
        raise Problem(
            "the documents leave this layout open, so a test has nothing to demand",
            "a bundle compares two compilers",
        )
    asserted = assertions(plan.asked, wanted_constants(plan))
    static = unit(plan, None, [f"struct {FRIEND} {{", *asserted, "};"])
    observed = observed_bytes(plan, about)
    if not observed:
        return SelfTest(static)
    return SelfTest(
        static, unit(plan, plan.asked.made, function(plan.asked, size_of(plan), asserted)), observed
    )


def unit(plan: ClassPlan, made: frozenset[Class] | None, lines: Sequence[str]) -> str:
    """The classes, of which objects are `made` of some, and lines about them."""
    asked = plan.asked.asked
    return "\n".join([f"struct {FRIEND};", definitions(asked, FRIEND, behind(asked), made), *lines])


def observed_bytes(plan: ClassPlan, about: Target) -> bytes:
    """The bytes that a program stores of objects, all but the constants; none for a target without a machine."""
    if not about.machine:
        return b""
    every = places(plan, size_of(plan), machine(about.machine))
    return b"".join(row.want for row in every[len(wanted_constants(plan)) :])
