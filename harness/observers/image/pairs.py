"""Pairs: the callers of one compiler's units linked with the callees of another's, and run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from abiprobe.harness.base.stopwatch import stage
from abiprobe.harness.machines.executors.replay import Died, Observation
from abiprobe.harness.machines.runtime.machine import Machine
from abiprobe.harness.machines.runtime.script import Paired
from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.observers.image.decoding import pair_seen
from abiprobe.harness.observers.image.observe import CallAttempt, Unit, failed, image_of, run_image
from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.harness.observers.image.units import pair_script
from abiprobe.oracles.language.question import ProbeKind
from abiprobe.results.verdicts.judge import judge_pair
from abiprobe.results.verdicts.observations import ObservedPair
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict, unobserved

Turns = tuple[ObservedPair | Failed, ...]


def observe_pair(attempt: CallAttempt, caller: Unit, callee: Unit) -> list[tuple[CallPlan, Turns | Failed]]:
    """Return the observation of each probe that both units have when one calls the other."""
    # Open questions are compared by what each side shows.
    numbers = {
        plan.probe: number
        for number, plan in enumerate(callee.plans)
        if plan.silence is None and number not in callee.without
    }
    shared = [(number, plan) for number, plan in enumerate(caller.plans) if plan.probe in numbers]
    if not shared:
        return []
    image = image_of(attempt, (*caller.paths, *callee.paths), caller.table, callee.table)
    if isinstance(image, Failed):
        return [(plan, image) for _, plan in shared]
    bench = attempt.bench
    assert bench is not None, "units are only linked for targets that can run them"
    with stage("script"):
        asked = [(plan, number, numbers[plan.probe]) for number, plan in shared]
        messages = pair_script(asked, bench, attempt.wording)
    answers = run_image(attempt, bench, image, messages, len(shared))
    image.unlink()
    with stage("read"):
        plans = [plan for _, plan in shared]
        return list(zip(plans, arrived(plans, answers, bench.machine), strict=True))


def arrived(plans: Sequence[CallPlan], answers: Sequence[Observation], machine: Machine) -> Iterator[Turns]:
    """Yield the observation of each plan by the answers to the operations of pairs."""
    each = iter(answers)
    for plan in plans:
        turns: list[ObservedPair | Failed] = []
        for number in range(len(plan.turns)):
            answer = next(each)
            assert isinstance(answer, (Died, Paired)), "a pair is answered as one"
            turns.append(
                failed(answer) if isinstance(answer, Died) else pair_seen(plan, answer, machine, number)
            )
        yield tuple(turns)


def judged_pair(plan: CallPlan, seen: Turns | Failed) -> Verdict:
    """The verdict on one pair; a program that died deviates."""
    failures = [seen] if isinstance(seen, Failed) else [turn for turn in seen if isinstance(turn, Failed)]
    died = next((one for one in failures if one.outcome is Outcome.DIED), None)
    if died is not None:
        words = f"the program died: {died.words}"
        return Verdict(plan.probe, ProbeKind.PAIR, Judgement.DEVIATES, died.outcome, "", words)
    if failures or isinstance(seen, Failed):
        return unobserved(plan.probe, ProbeKind.PAIR, failures[0].outcome, failures[0].words)
    turns = tuple(
        (turn, one) for turn, one in zip(plan.turns, seen, strict=True) if isinstance(one, ObservedPair)
    )
    return judge_pair(plan.probe, plan.assignment, turns)
