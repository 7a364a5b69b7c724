"""Callers: gcc's vectoriser against the recorder, and C with vector types against gcc's variants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
from msgspec.structs import replace as replace_struct

from abiprobe.generators.simd import Bounds, stream
from abiprobe.harness.observers.attempt import Attempt, Failed
from abiprobe.harness.observers.lanes.callers import judge_loops, observe_loops
from abiprobe.harness.observers.lanes.loops import is_called
from abiprobe.harness.observers.lanes.plan import VectorPlan, plan_batch
from abiprobe.harness.observers.lanes.witness import judge_typed, observe_typed
from abiprobe.harness.observers.lanes.workbench import VectorBench
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.find import build, installed, parse_subject
from abiprobe.oracles.abis.vfabi import VectorModel
from abiprobe.oracles.abis.vfabi.dialect import VectorPolicy
from abiprobe.oracles.registry import find_target
from abiprobe.results.verdicts.record import Judgement, Verdict

from .conftest import TARGET, compiler, model

QUESTIONS = tuple(islice(stream(seed=5, bounds=Bounds(refused=False, called=1)), 16))
RIGHT = model()
WRONG = VectorModel(
    RIGHT.scalar, replace(RIGHT.dialect, places=VectorPolicy(registers=3, result_in_memory=False))
)


def plans(of: VectorModel) -> tuple[VectorPlan, ...]:
    return plan_batch(of, QUESTIONS).plans


def attempt(folder: Path, name: str, level: str = "O1") -> Attempt:
    if not installed(parse_subject(name), (find_target(TARGET),)):
        pytest.skip(f"{name} is not installed for {TARGET}")
    built = build(parse_subject(name), find_target(TARGET), level)
    assert built is not None
    own = folder / name
    own.mkdir(exist_ok=True)
    return Attempt(None, built, own, Limits())


def told(verdicts: Iterator[Verdict]) -> Counter[Judgement]:
    return Counter(verdict.verdict for verdict in verdicts)


def by_loops(own: Attempt, bench: VectorBench, asked: tuple[VectorPlan, ...]) -> Iterator[Verdict]:
    seen = observe_loops(own, bench, RIGHT.types, asked)
    return (judge_loops(RIGHT.types, plan, seen[plan.probe]) for plan in asked if plan.probe in seen)


def by_types(
    own: Attempt, partner: Attempt, bench: VectorBench, asked: tuple[VectorPlan, ...]
) -> Iterator[Verdict]:
    seen = observe_typed(own, partner, bench, RIGHT.types, asked)
    return (judge_typed(plan, seen[plan.probe]) for plan in asked if plan.probe in seen)


def test_what_is_drawn_to_be_called_is_called(tmp_path: Path, bench: VectorBench) -> None:
    asked = sum(is_called(plan) for plan in plans(RIGHT))
    assert asked >= len(QUESTIONS) - 4
    found = told(by_loops(attempt(tmp_path, compiler()), bench, plans(RIGHT)))
    assert found[Judgement.DEVIATES] == 0
    assert found[Judgement.AGREES] >= asked - 2


def test_a_wrong_model_of_callers_is_caught(tmp_path: Path, bench: VectorBench) -> None:
    found = told(by_loops(attempt(tmp_path, compiler()), bench, plans(WRONG)))
    assert found[Judgement.DEVIATES] > 0


def test_a_loop_of_which_the_compiler_dies_costs_itself_only(tmp_path: Path, bench: VectorBench) -> None:
    own = attempt(tmp_path, compiler())
    called = [plan for plan in plans(RIGHT) if is_called(plan)][:4]
    victim, wrapper = called[2], tmp_path / "wrapper"
    wrapper.write_text(
        f"""#!/bin/sh
for last; do case $last in *.c) grep -q '{victim.function.name}(' "$last" && echo 'internal compiler error: here' >&2 && exit 4;; esac; done
exec "$@"
"""
    )
    wrapper.chmod(0o755)
    dying = replace_struct(own, built=replace_struct(own.built, command=(str(wrapper), *own.built.command)))
    seen = observe_loops(dying, bench, RIGHT.types, called)
    assert [isinstance(seen[plan.probe], Failed) for plan in called] == [False, False, True, False]


@pytest.mark.parametrize("name", ["gcc-12", "clang-22", "clang-14"])
def test_c_with_vector_types_calls_the_variants(tmp_path: Path, bench: VectorBench, name: str) -> None:
    questions = tuple(islice(stream(seed=6, bounds=Bounds(refused=False)), 20))
    asked = plan_batch(RIGHT, questions).plans
    partner = attempt(tmp_path, compiler(), "O0")
    found = told(by_types(attempt(tmp_path, name), partner, bench, asked))
    assert found == {Judgement.AGREES: sum(bool(plan.variants.variants) for plan in asked)}


def test_a_wrong_expansion_is_caught(tmp_path: Path, bench: VectorBench) -> None:
    mask_first = VectorModel(
        RIGHT.scalar, replace(RIGHT.dialect, places=VectorPolicy(mask_of_cdt=False, mask_bits=False))
    )
    questions = tuple(islice(stream(seed=6, bounds=Bounds(refused=False)), 20))
    asked = plan_batch(mask_first, questions).plans
    own = attempt(tmp_path, compiler())
    found = told(by_types(own, attempt(tmp_path, compiler(), "O0"), bench, asked))
    assert found[Judgement.DEVIATES] > 0
