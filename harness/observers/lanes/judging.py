"""Verdicts on vector functions: names, lanes, callers in loops, callers with vector types."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.observers.lanes.callers import judge_loops
from abiprobe.harness.observers.lanes.comparing import verdict_of
from abiprobe.harness.observers.lanes.lanes import Lanes
from abiprobe.harness.observers.lanes.naming import judge_names
from abiprobe.harness.observers.lanes.observe import ObservedFunction
from abiprobe.harness.observers.lanes.plan import KINDS, PLAIN, VectorPlan
from abiprobe.harness.observers.lanes.recording import RecordedVariants
from abiprobe.harness.observers.lanes.silent import judged_read, silent_places, unspecified_lanes
from abiprobe.harness.observers.lanes.witness import judge_lost, judge_typed
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.question import ProbeKind
from abiprobe.results.verdicts.record import Outcome, Verdict, unobserved


def judged(types: TypeTable, plan: VectorPlan, seen: RecordedVariants, *, refuses: bool) -> Iterator[Verdict]:
    """The verdicts on one function; of a dialect that `refuses`, on its reasons, too."""
    if isinstance(seen.made, Failed):
        failed = seen.made
        yield from (unobserved(plan.probe, kind, failed.outcome, failed.words) for kind in KINDS)
    else:
        yield judge_made(plan, seen.made, refuses=refuses)
        verdict = judge_called(plan, seen.made.lanes)
        right = seen.plain is not None and seen.plain.decided.differences == ()
        yield blamed(verdict) if right and verdict.differences else verdict
    if seen.loops is not None:
        yield judge_loops(types, plan, seen.loops)
    if seen.typed is not None:
        yield judge_typed(plan, seen.typed)
    yield from judged_read(plan, seen)


def judge_made(plan: VectorPlan, seen: ObservedFunction, *, refuses: bool) -> Verdict:
    """The verdict on the names of one function."""
    own = (plan.function.name, plan.question.symbol or plan.question.name)
    return judge_names(plan.probe, plan.variants, seen.names, own, seen.reasons if refuses else None)


def judge_called(plan: VectorPlan, lanes: Lanes | None) -> Verdict:
    """The verdict on what the variants of one function do with their lanes."""
    kind = ProbeKind.LANES
    if lanes is None:
        why = "the compiler makes names and no functions, or nothing here runs them"
        return unobserved(plan.probe, kind, Outcome.NOTHING, why)
    silence = silent_places(plan)
    if silence is not None:
        return unspecified_lanes(plan, silence)
    decided = lanes.decided
    differences = decided.differences
    if isinstance(differences, Failed):
        return judge_lost(plan.probe, kind, differences)
    if not differences and not decided.calls:
        skipped = f"{lanes.skipped} variants need a wider processor"
        why = skipped if lanes.skipped else "no variant can be asked"
        return unobserved(plan.probe, kind, Outcome.NOTHING, why)
    note = f"{lanes.skipped} variants not run: no AVX-512 here" if lanes.skipped else ""
    return verdict_of(plan.probe, differences, note)


def blamed(verdict: Verdict) -> Verdict:
    """A verdict on lanes, with the word that the optimiser is to blame."""
    words = f"{verdict.detail}; the same compiler is right at -{PLAIN}: the optimiser's fault"
    return msgspec.structs.replace(verdict, detail=words)
