"""Drawn prototypes put to compilers at every level, on every core."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from pathlib import Path

import msgspec

from abiprobe.generators.pool import stream
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.progress import counted
from abiprobe.harness.base.removal import temporary
from abiprobe.harness.base.workers import Work, in_order, leaving, results
from abiprobe.harness.debugging.image import Answer, answers
from abiprobe.harness.machines.executors.unicorn import unicorn
from abiprobe.harness.machines.workbench import Bench, bench, described
from abiprobe.harness.observers.attempt import Attempt, Failed, bisected
from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.harness.observers.image.prediction import predict_call
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.features import lacking
from abiprobe.harness.subjects.find import build, identity
from abiprobe.harness.subjects.subject import Built, Subject
from abiprobe.oracles.language.features import features
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import Sort, probe
from abiprobe.oracles.model import Target
from abiprobe.oracles.registry import find_target
from abiprobe.oracles.unwinding.registers import DEBUGGED
from abiprobe.results.verdicts.record import Outcome

UNIT = 50
"""Functions of one unit."""


class Way(msgspec.Struct, frozen=True):
    """A target, a subject and the level at which it compiles."""

    target: str
    subject: Subject
    level: str


class Share(msgspec.Struct, frozen=True):
    """A unit of functions to compile in one way."""

    way: Way
    functions: tuple[Prototype, ...]


Answered = tuple[Answer | Failed, ...]


def sweep(
    subjects: Mapping[Target, Sequence[Subject]],
    levels: Sequence[str],
    functions: Sequence[Prototype],
    jobs: int,
) -> Iterator[tuple[Share, Answered]]:
    """Yield what came of each unit, in a fixed order."""
    shares = [
        Share(Way(target.name, subject, level), tuple(functions[at : at + UNIT]))
        for target, some in subjects.items()
        for subject in some
        for level in levels
        for at in range(0, len(functions), UNIT)
    ]
    found = in_order(results(WORK, shares, jobs))
    yield from counted(zip(shares, found, strict=True), "looking", len(shares))


def drawn(seed: int, count: int) -> tuple[Prototype, ...]:
    """The prototypes of a seed that have parameters."""
    asked = (
        one for one in stream(seed=seed, kind=Sort.PROTOTYPES) if isinstance(one, Prototype) and one.params
    )
    return tuple(islice(asked, count))


def expect_known(target: Target) -> None:
    """Raise `Problem` for a target whose registers in debug information are not known here, or whose functions nothing enters."""
    known = ", ".join(DEBUGGED)
    if target.registers is None or not target.machine or not target.modelled:
        raise Problem(f"no functions of {target} run", f"debug information is tested on {known}")
    machine, _ = described(target)
    if machine.name not in DEBUGGED:
        raise Problem(f"debug information is not tested on {target}", f"it is on {known}")
    found = unicorn(machine.name)
    if not hasattr(found, "run"):
        raise Problem(f"functions of {target} cannot be entered: {found.reason}", "pip install unicorn")


@cache
def bench_of(target: str) -> Bench:
    """The programs that units of a target need."""
    return bench(find_target(target))


@cache
def built(way: Way) -> Built:
    """The compiler of a way."""
    found = build(way.subject, find_target(way.target), way.level)
    assert found is not None, "the subject was chosen for the target"
    return found


@cache
def planned(target: str, function: Prototype) -> CallPlan | str:
    """A function with its values and their places, or why there are none."""
    model = find_target(target).model()
    plan = predict_call(model, probe(function).id, function, model.assign(model.declared(function)))
    return (
        plan if isinstance(plan, CallPlan) else f"{plan[0].verdict.value}: {plan[0].detail or plan[0].clause}"
    )


def answered(share: Share) -> Answered:
    """Compile, link, enter and look at the functions of a unit."""
    found: dict[int, Answer | Failed] = {}
    plans: dict[int, CallPlan] = {}
    compiler = built(share.way)
    lacks = lacking(compiler, identity(compiler.command))
    for number, function in enumerate(share.functions):
        plan = planned(share.way.target, function)
        if not isinstance(plan, CallPlan):
            found[number] = Failed(Outcome.UNSUPPORTED, plan)
        elif missing := sorted(features(function) & lacks):
            found[number] = Failed(Outcome.UNSUPPORTED, f"it lacks {missing[0]}")
        else:
            plans[number] = plan
    with temporary() as folder:
        attempt = Attempt(bench_of(share.way.target), compiler, Path(folder), Limits())
        seen = bisected(attempt, tuple(plans.values()), answers)
        found.update(zip(plans, (one for _, one in seen), strict=True))
    return tuple(found[number] for number in range(len(share.functions)))


def answer_share(share: Share) -> Answered:
    """Do the same in a worker."""
    return leaving(answered, share)


def lost(share: Share) -> Answered:
    """The answer to a unit on which workers die."""
    return tuple(Failed(Outcome.NOT_RUN, "abiprobe's process died on it") for _ in share.functions)


WORK = Work(answer_share, lost)
