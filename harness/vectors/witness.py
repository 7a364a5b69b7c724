"""Running callers with vector types, compiled by the compiler under test, against the variants that a gcc made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from abiprobe.harness.executors.replay import Died, observe
from abiprobe.harness.observe import Attempt, Failed, bisected
from abiprobe.harness.readers.elf import functions
from abiprobe.harness.runtime.script import Entered
from abiprobe.harness.vectors.bench import VectorBench
from abiprobe.harness.vectors.copying import HEAD
from abiprobe.harness.vectors.lanes import image_of
from abiprobe.harness.vectors.loops import OPTIONS
from abiprobe.harness.vectors.plan import VectorPlan
from abiprobe.harness.vectors.render import needs_cxx
from abiprobe.harness.vectors.tools import tool
from abiprobe.harness.vectors.typed import RESULT_AT, Typed, caller_name, typed_calls, typed_unit
from abiprobe.harness.vectors.unit import table_unit, vectors_unit
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.question import ProbeKind
from abiprobe.oracles.vfabi.variant import Places, Variant
from abiprobe.results.lanes import Shown, judge_lanes
from abiprobe.results.record import Difference, Judgement, Outcome, Verdict, from_differences, unobserved

TOGETHER = 100


def typed_verdicts(
    attempt: Attempt, partner: Attempt, bench: VectorBench, types: TypeTable, plans: Sequence[VectorPlan]
) -> Iterator[Verdict]:
    """The verdicts on callers that `attempt`'s compiler makes, of variants that `partner`'s, a gcc, makes."""
    able = [plan for plan in plans if not needs_cxx(plan.question) and plan.variants.variants]

    def together(
        attempt: Attempt, plans: Sequence[VectorPlan], _text: str | None
    ) -> Sequence[Verdict] | Failed:
        return _together(attempt, partner, bench, types, plans)

    for start in range(0, len(able), TOGETHER):
        for plan, answer in bisected(attempt, able[start : start + TOGETHER], together):
            if isinstance(answer, Failed):
                yield unobserved(plan.probe, ProbeKind.VECTOR_TYPES, answer.outcome, answer.words)
            else:
                yield answer


def _together(
    attempt: Attempt, partner: Attempt, bench: VectorBench, types: TypeTable, plans: Sequence[VectorPlan]
) -> Sequence[Verdict] | Failed:
    source = partner.scratch(".c")
    source.write_text(vectors_unit(types, plans, compute=False), "utf-8")
    callee = tool(partner, ("-c", str(source)), source.with_suffix(".o"), len(plans))
    if isinstance(callee, Failed):
        return callee
    there = functions(callee.read_bytes())
    asked = [(plan, [one for one in plan.variants.variants if runs(bench, one, there)]) for plan in plans]
    source = attempt.scratch(".c")
    source.write_text(typed_unit(asked), "utf-8")
    widest = tuple(flag for isa in bench.isas for flag in OPTIONS[isa]) if bench.isas else ()
    unit = tool(attempt, (*widest, "-c", str(source)), source.with_suffix(".o"), len(plans))
    if isinstance(unit, Failed):
        return unit
    calls: list[list[Typed]] = []
    symbols: list[str] = []
    for plan, variants in asked:
        own: list[Typed] = []
        for variant in variants:
            assert isinstance(variant.places, Places), "what runs has places"
            own += typed_calls(types, bench.machine, plan, variant, variant.places, len(symbols))
            symbols.append(caller_name(variant))
        calls.append(own)
    if not symbols:
        return [_nothing(plan) for plan in plans]
    image = image_of(attempt, bench, (callee, unit), table_unit(symbols))
    if isinstance(image, Failed):
        return image
    ops = [one.op for own in calls for one in own]
    limits = attempt.limits
    answers = iter(
        observe(
            bench.executor,
            image,
            ops,
            bench.machine,
            timeout=limits.seconds(len(ops)),
            memory=limits.memory,
        )
    )
    image.unlink()
    return [_verdict(plan, own, [next(answers) for _ in own]) for plan, own in zip(plans, calls, strict=True)]


def runs(bench: VectorBench, variant: Variant, there: frozenset[str]) -> bool:
    """Whether a variant was made and can be run."""
    return variant.symbol in there and variant.name.isa in bench.isas and isinstance(variant.places, Places)


def _nothing(plan: VectorPlan) -> Verdict:
    return unobserved(plan.probe, ProbeKind.VECTOR_TYPES, Outcome.NOTHING, "no variant can be called")


def _verdict(plan: VectorPlan, own: Sequence[Typed], answers: Sequence[object]) -> Verdict:
    """The verdict on all calls of the variants of one function."""
    if not own:
        return _nothing(plan)
    found: list[Difference] = []
    for one, answer in zip(own, answers, strict=True):
        symbol = plan.asked_name(one.variant.symbol)
        if isinstance(answer, Died):
            return Verdict(
                plan.probe,
                ProbeKind.VECTOR_TYPES,
                Judgement.DEVIATES,
                Outcome.DIED,
                "vfabi:call.convention",
                f"{symbol}: {answer.why}",
            )
        assert isinstance(answer, Entered), "an Enter is answered by an Entered"
        names = [param.name for param in plan.function.params]
        told = judge_lanes(one.variant, one.places, one.given, shown(one, answer), names)
        found += [msgspec.structs.replace(each, side="caller") for each in told]
    return from_differences(plan.probe, ProbeKind.VECTOR_TYPES, tuple(found))


def shown(one: Typed, answer: Entered) -> Shown:
    """What arrived in each lane, and what the caller got back."""
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
    return Shown(count, rows, results)
