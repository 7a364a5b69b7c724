"""Compiling loops for each ISA, running them against the recorder, and judging what they passed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import msgspec

from abiprobe.harness.machines.executors.replay import Died, Observation, observe
from abiprobe.harness.machines.runtime.machine import Machine
from abiprobe.harness.machines.runtime.script import Called
from abiprobe.harness.observers.attempt import Attempt, Failed, bisected
from abiprobe.harness.observers.lanes.calling import arguments, called, operation, passed, results
from abiprobe.harness.observers.lanes.comparing import LANES, NO_PLACE, holder, short
from abiprobe.harness.observers.lanes.lanes import image_of
from abiprobe.harness.observers.lanes.loops import (
    OPTIONS,
    VECTORISE,
    Loop,
    is_called,
    loop_of,
    loops_unit,
    stubs_unit,
)
from abiprobe.harness.observers.lanes.plan import VectorPlan
from abiprobe.harness.observers.lanes.tools import tool
from abiprobe.harness.observers.lanes.workbench import VectorBench
from abiprobe.harness.observers.observer import OTHERWISE
from abiprobe.harness.observers.recording import digest
from abiprobe.oracles.abis.vfabi.dialect import Isa
from abiprobe.oracles.abis.vfabi.variant import Variant, VariantPlaces
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.question import ProbeKind
from abiprobe.results.verdicts.record import (
    Difference,
    Judgement,
    Outcome,
    Verdict,
    from_differences,
    unobserved,
)
from abiprobe.results.verdicts.values import Element


class LoopRun(msgspec.Struct, frozen=True, array_like=True):
    """The first call of one loop, as compiled for one ISA: the symbol of a variant, or nothing for the scalar function.

    `passed` are the bytes of each argument, `results` those of each lane of the result, as far as the loop stored them. A
    program that did not survive has `died`, in words. `asked` is a digest of what the model says of the call, where
    another model may say otherwise; what is `stale` answers another model.
    """

    variant: str = ""
    passed: tuple[bytes, ...] = ()
    results: tuple[bytes, ...] = ()
    died: str = ""
    asked: bytes = b""
    stale: bool = False


Runs: TypeAlias = tuple[LoopRun, ...]
"""The runs of one function's loop, one for each ISA."""


def observe_loops(
    attempt: Attempt, bench: VectorBench, types: TypeTable, plans: Sequence[VectorPlan]
) -> dict[str, Runs | Failed]:
    """Return the arguments in the calls of those functions that gcc is known to call, by probe; a loop that breaks gcc costs itself only."""
    loops = [loop for plan in plans if is_called(plan) and (loop := loop_of(types, plan)) is not None]

    def together(attempt: Attempt, some: Sequence[Loop], _text: str | None) -> list[Runs] | Failed:
        found: list[Runs] = [()] * len(some)
        for isa in bench.isas:
            runs = run_loops(attempt, bench, some, isa)
            if isinstance(runs, Failed):
                return runs
            found = [(*mine, run) for mine, run in zip(found, runs, strict=True)]
        return found

    return {loop.plan.probe: runs for loop, runs in bisected(attempt, loops, together)}


def run_loops(
    attempt: Attempt, bench: VectorBench, loops: Sequence[Loop], isa: Isa
) -> Sequence[LoopRun] | Failed:
    """Run all loops as compiled for one ISA: once to see what they call, and once with its results."""
    source = attempt.written(".c", loops_unit(loops))
    options = (*VECTORISE, *OPTIONS[isa], "-c", str(source))
    unit = tool(attempt, options, source.with_suffix(".o"), len(loops))
    if isinstance(unit, Failed):
        return unit
    image = image_of(attempt, bench, (unit,), stubs_unit(loops))
    if isinstance(image, Failed):
        return image
    machine = bench.machine

    def run(variants: Sequence[Variant | None]) -> list[Observation]:
        asked = [
            operation(machine, loop, index, variant)
            for index, (loop, variant) in enumerate(zip(loops, variants, strict=True))
        ]
        return observe(
            bench.executor,
            image,
            asked,
            machine,
            timeout=attempt.limits.seconds(len(asked)),
            memory=attempt.limits.memory,
        )

    first = run([None] * len(loops))
    variants = [
        called(machine, loop, answer) if isinstance(answer, Called) else None
        for loop, answer in zip(loops, first, strict=True)
    ]
    found = [
        loop_run(machine, loop, variant, answer)
        for loop, variant, answer in zip(loops, variants, run(variants), strict=True)
    ]
    image.unlink()
    return found


def loop_run(machine: Machine, loop: Loop, variant: Variant | None, answer: Observation) -> LoopRun:
    """Return the observation of one run of a loop."""
    if isinstance(answer, Died):
        return LoopRun(died=answer.why)
    if variant is None or not isinstance(answer, Called) or not isinstance(variant.places, VariantPlaces):
        return LoopRun()
    sizes = list(map(len, results(loop, variant)))
    stored = tuple(answer.out[lane * size : (lane + 1) * size] for lane, size in enumerate(sizes))
    return LoopRun(variant.symbol, passed(machine, loop, variant, answer), stored, "", shape(loop, variant))


def shape(loop: Loop, variant: Variant) -> bytes:
    """A digest of what the model says of a call: what is passed where, and what comes back."""
    passed = [(one.place, one.start, one.value, one.mask) for one in arguments(loop, variant)]
    assert isinstance(variant.places, VariantPlaces), "what is called has places"
    result = variant.places.result
    back = [] if result is None else [(part.place, part.first, part.last) for part in result.parts]
    return digest((passed, back, results(loop, variant)))


def judge_loops(types: TypeTable, plan: VectorPlan, runs: Runs | Failed) -> Verdict:
    """The verdict on the callers of one function."""
    if isinstance(runs, Failed):
        return unobserved(plan.probe, ProbeKind.CALLER, runs.outcome, runs.words)
    if any(run.stale for run in runs):
        return unobserved(plan.probe, ProbeKind.CALLER, Outcome.ASKED_OTHERWISE, OTHERWISE)
    loop = loop_of(types, plan)
    assert loop is not None, "only functions with a loop are called"
    variants = {variant.symbol: variant for variant in plan.variants.variants}
    found = [
        one
        for run in runs
        if run.variant and (one := first_difference(loop, variants[run.variant], run)) is not None
    ]
    died = next((run.died for run in reversed(runs) if run.died), "")
    if died and not found:
        clause = "vfabi:call.convention"
        return Verdict(plan.probe, ProbeKind.CALLER, Judgement.DEVIATES, Outcome.DIED, clause, died)
    if not any(run.variant for run in runs):
        return unobserved(plan.probe, ProbeKind.CALLER, Outcome.NOTHING, "the loops call the scalar function")
    return from_differences(plan.probe, ProbeKind.CALLER, tuple(found))


def first_difference(loop: Loop, variant: Variant, run: LoopRun) -> Difference | None:
    """The first argument, or lane of the result, that is not as the model says."""
    who, places = short(variant), variant.places
    assert isinstance(places, VariantPlaces), "what is called has places"
    for one, seen in zip(arguments(loop, variant), run.passed, strict=True):
        wanted, held = (
            bytes(a & b for a, b in zip(part, one.mask, strict=True)) for part in (one.value, seen)
        )
        if wanted != held:
            place, clause = holder(places.params[one.number], one.lane)
            what = f"{who} {loop.plan.function.params[one.number].name} lane {one.lane}"
            return Difference("caller", what, place, Element(wanted.hex()), Element(held.hex()), clause)
    for lane, (wanted, held) in enumerate(zip(results(loop, variant), run.results, strict=True)):
        if wanted != held:
            place, clause = holder(places.result, lane) if places.result is not None else (NO_PLACE, LANES)
            values = Element(wanted.hex()), Element(held.hex())
            return Difference("caller", f"{who} result lane {lane}", place, *values, clause)
    return None


def replayed_loops(types: TypeTable, plan: VectorPlan, runs: Runs, *, alike: bool) -> Runs:
    """Recorded runs under a plan of today; `alike` says that the loops are those that would be compiled today."""
    loop = loop_of(types, plan) if is_called(plan) else None
    if not alike or loop is None:
        return (LoopRun(stale=True),)
    variants = {variant.symbol: variant for variant in plan.variants.variants}

    def fresh(run: LoopRun) -> LoopRun:
        variant = variants.get(run.variant)
        if variant is not None and not isinstance(variant.places, VariantPlaces):
            return LoopRun()
        stale = run.variant and (variant is None or shape(loop, variant) != run.asked)
        return LoopRun(stale=True) if stale else run

    return tuple(map(fresh, runs))
