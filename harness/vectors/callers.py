"""Compiling loops for each ISA, running them against the recorder, and judging what they passed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from abiprobe.harness.executors.replay import Died, Observation, observe
from abiprobe.harness.observe import Attempt, Failed
from abiprobe.harness.runtime.script import Called
from abiprobe.harness.vectors.bench import VectorBench
from abiprobe.harness.vectors.calling import called, operation, passed, pattern
from abiprobe.harness.vectors.lanes import image_of
from abiprobe.harness.vectors.loops import (
    OPTIONS,
    VECTORISE,
    Loop,
    is_called,
    loop_of,
    loops_unit,
    stubs_unit,
)
from abiprobe.harness.vectors.plan import VectorPlan
from abiprobe.harness.vectors.tools import tool
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.question import ProbeKind
from abiprobe.oracles.vfabi.dialect import Isa
from abiprobe.oracles.vfabi.variant import Places, Variant
from abiprobe.results.lanes import LANES, holder, short
from abiprobe.results.record import Difference, Judgement, Outcome, Verdict, from_differences, unobserved


class Calls(msgspec.Struct):
    """What the loops of one function showed: how many called a variant, and what was wrong."""

    made: int = 0
    scalar: int = 0
    differences: list[Difference] = msgspec.field(default_factory=list)
    died: str = ""


def caller_verdicts(
    attempt: Attempt, bench: VectorBench, types: TypeTable, plans: Sequence[VectorPlan]
) -> Iterator[Verdict]:
    """The verdicts on the callers of those functions that gcc is known to call."""
    loops = [loop for plan in plans if is_called(plan) and (loop := loop_of(types, plan)) is not None]
    found = {loop.plan.probe: Calls() for loop in loops}
    for isa in bench.isas if loops else ():
        failed = run_loops(attempt, bench, loops, isa, found)
        if failed is not None:
            for probe in found:
                yield unobserved(probe, ProbeKind.CALLER, failed.outcome, failed.words)
            return
    for probe, calls in found.items():
        yield judged(probe, calls)


def judged(probe: str, calls: Calls) -> Verdict:
    """The verdict on the callers of one function."""
    if calls.died and not calls.differences:
        clause = "vfabi:call.convention"
        return Verdict(probe, ProbeKind.CALLER, Judgement.DEVIATES, Outcome.DIED, clause, calls.died)
    if not calls.made:
        return unobserved(probe, ProbeKind.CALLER, Outcome.NOTHING, "the loops call the scalar function")
    return from_differences(probe, ProbeKind.CALLER, tuple(calls.differences))


def run_loops(
    attempt: Attempt,
    bench: VectorBench,
    loops: Sequence[Loop],
    isa: Isa,
    found: Mapping[str, Calls],
) -> Failed | None:
    """Run all loops as compiled for one ISA: once to see what they call, and once with its results."""
    source = attempt.scratch(".c")
    source.write_text(loops_unit(loops), "utf-8")
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
            operation(machine, loop, index, pattern(machine, loop, variant))
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
    for loop, variant, answer in zip(loops, variants, run(variants), strict=True):
        note(bench, loop, variant, answer, found[loop.plan.probe])
    image.unlink()
    return None


def note(bench: VectorBench, loop: Loop, variant: Variant | None, answer: Observation, calls: Calls) -> None:
    """Add what one loop showed to what is known of its function."""
    if isinstance(answer, Died):
        calls.died = answer.why
        return
    if variant is None or not isinstance(answer, Called) or not isinstance(variant.places, Places):
        calls.scalar += 1
        return
    calls.made += 1
    who = short(variant)
    for number, lane, wanted, seen in passed(bench.machine, loop, variant, answer):
        if wanted != seen:
            place, clause = holder(variant.places.params[number], lane)
            name = loop.plan.function.params[number].name
            calls.differences.append(
                Difference("caller", f"{who} {name} lane {lane}", place, wanted.hex(), seen.hex(), clause)
            )
            return
    results = pattern(bench.machine, loop, variant).results
    for lane, wanted in enumerate(results):
        seen = answer.out[lane * len(wanted) : (lane + 1) * len(wanted)]
        if wanted != seen:
            place, clause = (
                holder(variant.places.result, lane) if variant.places.result is not None else ("", LANES)
            )
            calls.differences.append(
                Difference("caller", f"{who} result lane {lane}", place, wanted.hex(), seen.hex(), clause)
            )
            return
