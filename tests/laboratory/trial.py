"""The trial of one wrong model against what compilers made: killed by a probe that deviates, or not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import msgspec

from abiprobe.harness.machines.executors.replay import observe
from abiprobe.harness.observers.image.judging import judged_call
from abiprobe.harness.observers.image.observe import seen_calls
from abiprobe.harness.observers.image.operations import operations
from abiprobe.harness.observers.image.plan import CallPlan, TooLargeError, plan_call
from abiprobe.harness.observers.objects.layouts import plan_layout
from abiprobe.harness.subjects.compile import Limits
from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.model import AbiModel, Target
from abiprobe.oracles.text.options import DEFAULT, LayoutOptions
from abiprobe.oracles.text.place import Assignment
from abiprobe.results.verdicts.record import Judgement, Verdict
from abiprobe.results.verdicts.shifting import carries
from laboratory import confirmed
from laboratory.confirmed import Confirmed
from laboratory.demand import bare, places, without_clauses
from laboratory.dialects import made_anew
from laboratory.fate import Fate, Outcome, worst
from laboratory.golden import Fact
from laboratory.lies import notices
from laboratory.loading import targets
from laboratory.menu import Mutant
from laboratory.recording import Image, Recording, told

CHUNKS = (8, 64, 400)
"""How many probes on which the answers differ are tried at first, and then."""


@dataclass(frozen=True)
class Evidence:
    """What a family's wrong models are held against."""

    facts: tuple[Fact, ...] = ()
    recordings: tuple[Recording, ...] = ()
    confirmed: tuple[Confirmed, ...] = ()

    @property
    def witnesses(self) -> tuple[Recording | Confirmed, ...]:
        """Who was asked."""
        return (*self.recordings, *self.confirmed)

    @property
    def probes(self) -> int:
        """How many facts and probes there are to be wrong about."""
        return len(self.facts) + sum(one.probes for one in self.witnesses)


def trial(packages: Sequence[str], mutant: Mutant, evidence: Evidence) -> Outcome:
    """Try a mutant; for a process of its own, whose models are wrong afterwards."""
    try:
        wrong = Wrong(targets(packages, mutant))
        asked = {one.target for one in evidence.witnesses} | {one.target for one in evidence.facts}
        for name in asked:
            wrong.model(name)
    except Exception as error:  # noqa: BLE001 - a wrong source may raise anything
        return Outcome(Fate.BROKEN, f"import: {type(error).__name__}")
    return worst(outcomes(evidence, wrong))


class Wrong:
    """The models of a family with a mutant in it, by the names of targets."""

    def __init__(self, found: Mapping[str, Target]) -> None:
        self._targets = found
        self._models: dict[tuple[str, LayoutOptions], AbiModel] = {}

    def target(self, name: str) -> Target:
        """The target of a name, whatever its dialect."""
        return self._targets[name.partition("@")[0]]

    def model(self, name: str, options: LayoutOptions = DEFAULT) -> AbiModel:
        """The model behind a name."""
        key = (name, options)
        if key not in self._models:
            self._models[key] = made_anew(self._targets, name, options)
        return self._models[key]


def outcomes(evidence: Evidence, wrong: Wrong) -> Iterator[Outcome]:
    """What each part of the evidence says of wrong models."""
    where = ""
    try:
        for fact in evidence.facts:
            where = fact.target
            if not fact.holds(wrong.target(where), wrong.model(where, fact.options)):
                fate = Fate.MISCITED if fact.cites else Fate.KILLED
                yield Outcome(fate, f"{where}: golden vector {fact.name}", 1)
        for each in evidence.recordings:
            where = each.target
            model = wrong.model(where, each.options)
            yield from missed(each, wrong.target(where))
            yield from layouts(each, model)
            yield from calls(each, wrong.target(where), model)
        for one in evidence.confirmed:
            where = one.target
            yield from confirmed.tried(one, wrong.model(where))
    except Exception as error:  # noqa: BLE001 - a wrong model may raise anything
        yield Outcome(Fate.BROKEN, f"{where}: {type(error).__name__}")


def missed(recording: Recording, target: Target) -> Iterator[Outcome]:
    """The recorded lies, where a wrong model says something else of the registers that a function keeps."""
    registers, bench = target.registers, recording.bench
    if registers is None or registers == bench.registers:
        return
    for lie in recording.lies:
        if notices(bench, lie.plan, lie.path, registers) is not lie.noticed:
            words = "takes for a lie" if not lie.noticed else "misses a lie:"
            yield Outcome(Fate.KILLED, f"{recording.target} {recording.subject}: {words} {lie.name}", 1)
            return


def layouts(recording: Recording, model: AbiModel) -> Iterator[Outcome]:
    """The recorded layouts under a wrong model."""
    for plan, shown in recording.layouts:
        try:
            new = plan_layout(model.types, plan.probe, plan.record)
        except (SilentError, AbsentError):
            yield Outcome(Fate.WITHDRAWN, differing=1)
            continue
        if (new.predicted, new.alignments) == (plan.predicted, plan.alignments):
            continue
        # Only what C was asked for can be compared.
        asked = msgspec.structs.replace(plan, predicted=new.predicted, alignments=new.alignments)
        (verdict,) = told(asked, shown)
        if is_changed(recording, plan.probe, deviates=verdict.verdict is Judgement.DEVIATES):
            yield Outcome(Fate.KILLED, words(recording, verdict), 1)
            return
        yield Outcome(Fate.ALIKE, differing=1)


def calls(recording: Recording, target: Target, model: AbiModel) -> Iterator[Outcome]:
    """The recorded calls under a wrong model."""
    for image in recording.images:
        differing = iter(replanned(recording, image, target, model))
        for size in (*CHUNKS, *CHUNKS[-1:] * 10):
            chunk = list(islice(differing, size))
            if not chunk:
                break
            plans = [(index, plan) for index, plan in chunk if isinstance(plan, CallPlan)]
            yield from (one for _, one in chunk if isinstance(one, Outcome))
            yield from judged(recording, image, target, plans)


def replanned(
    recording: Recording, image: Image, target: Target, model: AbiModel
) -> Iterator[tuple[int, CallPlan | Outcome]]:
    """The calls of an image of which a wrong model says something else, as it would ask them."""
    changed = target.registers != recording.bench.registers
    known = recording.agreeing | recording.deviating
    for index, plan in enumerate(image.plans):
        if plan.probe not in known:
            continue
        answer = model.assign(plan.prototype)
        if answer == plan.assignment and not changed:
            continue
        if not isinstance(answer, Assignment):
            yield index, Outcome(Fate.WITHDRAWN, differing=1)
        elif without_clauses(answer) == without_clauses(plan.assignment) and not changed:
            yield index, Outcome(Fate.ALIKE, differing=1)
        else:
            try:
                new = plan_call(model.types, plan.probe, plan.prototype, answer)
            except (TooLargeError, SilentError, AbsentError):
                yield index, Outcome(Fate.WITHDRAWN, differing=1)
                continue
            # With other sizes the program would have to be another; layouts tell of those.
            moves = places(answer) != places(plan.assignment)
            yield index, new if new.slots == plan.slots else Outcome(Fate.SURVIVED, differing=1, moves=moves)


def judged(
    recording: Recording, image: Image, target: Target, plans: list[tuple[int, CallPlan]]
) -> Iterator[Outcome]:
    """Run some calls of an image as a wrong model asks them."""
    if not plans:
        return
    bench, limits = recording.bench, Limits()
    registers = target.registers or bench.registers
    ops = [op for index, plan in plans for op in operations(plan, index, bench.machine, registers)]
    answers = observe(
        bench.executor,
        image.path,
        ops,
        bench.machine,
        timeout=limits.seconds(len(plans)),
        memory=limits.memory,
    )
    asked = [plan for _, plan in plans]
    for (index, plan), seen in zip(plans, seen_calls(asked, answers, bench.machine, registers), strict=True):
        verdicts = judged_call(plan, seen, bench.machine.files)
        wrong = [one for one in verdicts if one.verdict is Judgement.DEVIATES]
        if is_changed(recording, plan.probe, deviates=bool(wrong)):
            yield Outcome(Fate.KILLED, words(recording, (wrong or verdicts)[0]), 1)
            return
        if nothing(plan) > nothing(image.plans[index]):
            yield Outcome(Fate.WITHDRAWN, differing=1)
            continue
        alike = bare(plan.assignment) == bare(image.plans[index].assignment) and registers == bench.registers
        moves = places(plan.assignment) != places(image.plans[index].assignment)
        yield Outcome(Fate.ALIKE if alike else Fate.SURVIVED, differing=1, moves=moves)


def is_changed(recording: Recording, probe: str, *, deviates: bool) -> bool:
    """Return whether the verdict on a recorded probe is another than that of the right model."""
    return probe in (recording.agreeing if deviates else recording.deviating)


def nothing(plan: CallPlan) -> int:
    """How many values of a call travel nowhere."""
    assignment = plan.assignment
    values = (*assignment.params, *(() if assignment.result is None else (assignment.result,)))
    return sum(not carries(value) for value in values)


def words(recording: Recording, verdict: Verdict) -> str:
    """Who killed a mutant, and with what."""
    return f"{recording.target} {recording.subject}: {verdict.kind.value} of {verdict.probe}"
