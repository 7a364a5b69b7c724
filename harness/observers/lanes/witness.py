"""Running callers with vector types, compiled by the compiler under test, against the variants that a gcc made."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from abiprobe.harness.machines.executors.replay import Died
from abiprobe.harness.machines.readers.elf import functions
from abiprobe.harness.machines.render.simd import needs_cxx
from abiprobe.harness.machines.runtime.machine import Machine
from abiprobe.harness.machines.runtime.script import Entered
from abiprobe.harness.observers.attempt import Attempt, Failed, bisected
from abiprobe.harness.observers.lanes.comparing import LaneObservation, judge_lanes
from abiprobe.harness.observers.lanes.copying import HEAD
from abiprobe.harness.observers.lanes.lanes import answered, image_of
from abiprobe.harness.observers.lanes.loops import OPTIONS
from abiprobe.harness.observers.lanes.plan import VectorPlan
from abiprobe.harness.observers.lanes.tools import tool
from abiprobe.harness.observers.lanes.typed import RESULT_AT, Typed, caller_name, typed_calls, typed_unit
from abiprobe.harness.observers.lanes.unit import table_unit, vectors_unit
from abiprobe.harness.observers.lanes.workbench import VectorBench
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

TOGETHER = 100


class TypedRun(msgspec.Struct, frozen=True):
    """The calls of the variants of one function that a partner made, and what each showed."""

    calls: tuple[tuple[Typed, LaneObservation | Failed], ...]

    @property
    def decided(self) -> TypedRun:
        """Return the lanes whose places the text decides."""
        return TypedRun(tuple(one for one in self.calls if not one[0].plan.is_read(one[0].variant)))


def observe_typed(
    attempt: Attempt, partner: Attempt, bench: VectorBench, types: TypeTable, plans: Sequence[VectorPlan]
) -> dict[str, TypedRun | Failed]:
    """Return the arguments that callers made by `attempt`'s compiler pass to variants made by `partner`'s, a gcc, by probe."""
    able = [plan for plan in plans if not needs_cxx(plan.question) and plan.variants.variants]

    def together(
        attempt: Attempt, plans: Sequence[VectorPlan], _text: str | None
    ) -> Sequence[TypedRun] | Failed:
        return _together(attempt, partner, bench, types, plans)

    return {
        plan.probe: answer
        for start in range(0, len(able), TOGETHER)
        for plan, answer in bisected(attempt, able[start : start + TOGETHER], together)
    }


def _together(
    attempt: Attempt, partner: Attempt, bench: VectorBench, types: TypeTable, plans: Sequence[VectorPlan]
) -> Sequence[TypedRun] | Failed:
    source = partner.written(".c", vectors_unit(types, plans, compute=False))
    callee = tool(partner, ("-c", str(source)), source.with_suffix(".o"), len(plans))
    if isinstance(callee, Failed):
        return callee
    there = functions(callee.read_bytes())
    asked = [(plan, [one for one in plan.asked if runs(bench.isas, one, there)]) for plan in plans]
    source = attempt.written(".c", typed_unit(asked))
    widest = tuple(flag for isa in bench.isas for flag in OPTIONS[isa]) if bench.isas else ()
    unit = tool(attempt, (*widest, "-c", str(source)), source.with_suffix(".o"), len(plans))
    if isinstance(unit, Failed):
        return unit
    symbols: list[str] = []
    calls = [calls_of(bench.machine, types, plan, variants, symbols) for plan, variants in asked]
    if not symbols:
        return [TypedRun(()) for _ in plans]
    image = image_of(attempt, bench, (callee, unit), table_unit(symbols))
    if isinstance(image, Failed):
        return image
    ops = [one.op for own in calls for one in own]
    answers = iter(answered(attempt, bench, image, ops))
    return [TypedRun(tuple((one, shown_by(one, next(answers))) for one in own)) for own in calls]


def calls_of(
    machine: Machine, types: TypeTable, plan: VectorPlan, variants: Sequence[Variant], symbols: list[str]
) -> list[Typed]:
    """The calls of some variants of a function; what the runtime enters is added to `symbols`."""
    own: list[Typed] = []
    for variant in variants:
        assert isinstance(variant.places, VariantPlaces), "what runs has places"
        own += typed_calls(types, machine, plan, variant, variant.places, len(symbols))
        symbols.append(caller_name(variant))
    return own


def runs(isas: Sequence[Isa], variant: Variant, there: Collection[str]) -> bool:
    """Return whether a variant was made and can be run."""
    return variant.symbol in there and variant.name.isa in isas and isinstance(variant.places, VariantPlaces)


def shown_by(one: Typed, answer: object) -> LaneObservation | Failed:
    """Return the observation of one call."""
    if isinstance(answer, Died):
        return Failed(Outcome.DIED, f"{one.plan.asked_name(one.variant.symbol)}: {answer.why}")
    assert isinstance(answer, Entered), "an Enter is answered by an Entered"
    return shown(one, answer)


def judge_typed(plan: VectorPlan, seen: TypedRun | Failed) -> Verdict:
    """The verdict on all calls of the variants of one function."""
    if isinstance(seen, Failed):
        return unobserved(plan.probe, ProbeKind.VECTOR_TYPES, seen.outcome, seen.words)
    decided = seen.decided.calls
    if not decided:
        return unobserved(plan.probe, ProbeKind.VECTOR_TYPES, Outcome.NOTHING, "no variant can be called")
    found: list[Difference] = []
    for one, answer in decided:
        if isinstance(answer, Failed):
            return judge_lost(plan.probe, ProbeKind.VECTOR_TYPES, answer)
        names = [param.name for param in plan.function.params]
        differences = judge_lanes(one.variant, one.places, one.given, answer, names)
        found += [msgspec.structs.replace(each, side="caller") for each in differences]
    return from_differences(plan.probe, ProbeKind.VECTOR_TYPES, tuple(found))


def judge_lost(probe: str, kind: ProbeKind, failed: Failed) -> Verdict:
    """The verdict on a call that shows nothing: a program that died deviates."""
    if failed.outcome is not Outcome.DIED:
        return unobserved(probe, kind, failed.outcome, failed.words)
    return Verdict(probe, kind, Judgement.DEVIATES, failed.outcome, "vfabi:call.convention", failed.words)


def shown(one: Typed, answer: Entered) -> LaneObservation:
    """Return the values that arrived in each lane, and those that the caller got back."""
    count = int.from_bytes(answer.out[:8], "little")
    sizes = [len(mask) for mask in one.given.masks]
    rows = tuple(
        tuple(answer.out[start + at : start + at + size] for at, size in zip(one.offsets, sizes, strict=True))
        for row in range(min(count, len(one.given.active)))
        for start in (HEAD + one.row_bytes * row,)
    )
    size = one.places.result.element if one.places.result is not None else 0
    lanes = range(one.variant.name.lanes)
    results = tuple(answer.out[RESULT_AT + size * lane :][:size] for lane in lanes)
    return LaneObservation(count, rows, results)
