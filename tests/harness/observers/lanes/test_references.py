"""C++ references: the lanes of functions that have them, by address and by value."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import msgspec
import pytest

from abiprobe.generators.simd import Bounds, stream
from abiprobe.harness.observers.attempt import Attempt, Failed
from abiprobe.harness.observers.lanes.lanes import Lanes
from abiprobe.harness.observers.lanes.observe import ObservedFunction, observe_vectors
from abiprobe.harness.observers.lanes.plan import VectorPlan, plan_batch
from abiprobe.harness.observers.lanes.references import by_value, seen_type, shows_lanes
from abiprobe.harness.observers.lanes.workbench import VectorBench
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.find import build, parse_subject
from abiprobe.oracles.abis.vfabi.variant import Variant
from abiprobe.oracles.language.lang import Kind, Param, Pointer, Prototype, Scalar
from abiprobe.oracles.language.simd import Linear, Modifier, Simd
from abiprobe.oracles.registry import find_target
from abiprobe.results.verdicts.record import Outcome

from .conftest import TARGET, compiler, model

INT, FLOAT = Scalar(Kind.INT), Scalar(Kind.FLOAT)
REFERENCE = Pointer("int", to=INT, reference=True)


def function(*simd: Simd) -> Prototype:
    return Prototype("f", INT, (Param("a", REFERENCE), Param("b", FLOAT)), simd=simd)


def linear(modifier: Modifier | None, step: int = 3) -> Simd:
    return Simd(linear=(Linear(("a",), step, modifier),))


def lanes(folder: Path, bench: VectorBench, plans: tuple[VectorPlan, ...]) -> list[Lanes]:
    built = build(parse_subject(compiler()), find_target(TARGET), "O0")
    assert built is not None
    seen = [
        one
        for _, one in observe_vectors(
            Attempt(None, built, folder, Limits()), bench, model().types, plans, bodies=True
        )
    ]
    for one in seen:
        if isinstance(one, Failed) and one.outcome is Outcome.UNSUPPORTED:
            pytest.skip(f"{compiler()}: {one.words}")
    found = [one.lanes for one in seen if isinstance(one, ObservedFunction)]
    return [one for one in found if one is not None]


def test_every_lane_is_given_its_reference(tmp_path: Path, bench: VectorBench) -> None:
    drawn = stream(seed=5, bounds=Bounds(params=5, refused=False, references=1))
    fixed = tuple(function(linear(modifier, step)) for modifier in (None, *Modifier) for step in (3, -2))
    found = lanes(tmp_path, bench, plan_batch(model(), (*fixed, *islice(drawn, 12))).plans)
    assert len(found) == len(fixed) + 12
    assert [one.differences for one in found if one.differences != ()] == []
    assert sum(one.calls for one in found) > 200


@pytest.mark.parametrize("modifier", [Modifier.REF, Modifier.UVAL])
def test_a_wrong_step_is_caught(tmp_path: Path, bench: VectorBench, modifier: Modifier) -> None:
    (plan,) = plan_batch(model(), (function(linear(modifier)),)).plans
    wrong = tuple(longer(variant) for variant in plan.variants.variants)
    plan = msgspec.structs.replace(plan, variants=msgspec.structs.replace(plan.variants, variants=wrong))
    (found,) = lanes(tmp_path, bench, (plan,))
    assert isinstance(found.differences, tuple)
    assert {difference.what.split()[1] for difference in found.differences} == {"a"}


def longer(variant: Variant) -> Variant:
    steps = tuple(None if step is None else step + 1 for step in variant.steps)
    return msgspec.structs.replace(variant, steps=steps)


def test_what_is_looked_at() -> None:
    uval, ref = linear(Modifier.UVAL), linear(Modifier.REF)
    param = function().params[0]
    assert by_value(function(uval)) == by_value(function(uval, uval)) == {"a"}
    assert by_value(function(uval, ref)) == by_value(function()) == frozenset()
    assert seen_type(function(uval), param) == INT
    assert seen_type(function(ref), param) == REFERENCE


def test_a_variant_of_which_the_body_shows_nothing_is_not_asked() -> None:
    (plan,) = plan_batch(model(), (function(linear(Modifier.UVAL), linear(Modifier.REF)),)).plans
    shown = {
        variant.name.params[0]: shows_lanes(plan.function, variant) for variant in plan.variants.variants
    }
    assert shown == {"U3": False, "R12": True}
