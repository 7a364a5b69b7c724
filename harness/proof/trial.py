"""The trial of one wrong model against what compilers made: killed by a probe that deviates, or not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import islice

import msgspec

from abiprobe.harness.calls.operations import operations
from abiprobe.harness.calls.plan import CallPlan, TooLargeError, plan_call
from abiprobe.harness.compile import Limits
from abiprobe.harness.executors.replay import observe
from abiprobe.harness.judging import judged_call
from abiprobe.harness.layouts import plan_layout
from abiprobe.harness.observe import seen_calls
from abiprobe.harness.proof.loading import targets
from abiprobe.harness.proof.menu import Mutant
from abiprobe.harness.proof.recording import Image, Recording, told
from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.model import AbiModel, Target
from abiprobe.oracles.options import DEFAULT
from abiprobe.oracles.place import Assignment, Extension, Passed, Passing, Piece
from abiprobe.results.judge import carries
from abiprobe.results.record import Judgement, Verdict

CHUNKS = (8, 64, 400)
"""How many probes on which the answers differ are tried at first, and then."""


class Fate(Enum):
    """What became of a wrong model."""

    KILLED = "killed"
    """a probe deviates from it"""
    BROKEN = "broken"
    """it fails on a probe: it cannot be imported, or raises what no model raises"""
    WITHDRAWN = "withdrawn"
    """it has no answer where the model has one: a run counts the probe as unspecified, and `diff` tells that it was compared"""
    ALIKE = "asks the same"
    """it asks the same of every byte: it cites other clauses, or says what no byte can show"""
    SAME = "no difference"
    """it says the same of every probe"""
    SURVIVED = "survived"
    """it says something else of a probe, and no probe deviates"""


@dataclass(frozen=True)
class Outcome:
    """The fate of a mutant: who killed it and on which probe, and on how many probes it says something else."""

    fate: Fate
    by: str = ""
    differing: int = 0


def trial(package: str, mutant: Mutant, recordings: list[Recording]) -> Outcome:
    """Try a mutant; for a process of its own, whose models are wrong afterwards."""
    try:
        found = targets(package, mutant)
        wrong = {each.target: found[each.target] for each in recordings}
        models = {name: target.dialects[""](DEFAULT) for name, target in wrong.items()}
    except Exception as error:  # noqa: BLE001 - a wrong source may raise anything
        return Outcome(Fate.BROKEN, f"import: {type(error).__name__}")
    seen = Outcome(Fate.SAME)
    for each in recordings:
        try:
            outcome = tried(each, wrong[each.target], models[each.target])
        except Exception as error:  # noqa: BLE001 - a wrong model may raise anything
            return Outcome(Fate.BROKEN, f"{each.target}: {type(error).__name__}")
        if outcome.fate in {Fate.KILLED, Fate.BROKEN}:
            return outcome
        seen = max(seen, outcome, key=lambda one: RANK.index(one.fate))
    return seen


RANK = (Fate.SAME, Fate.ALIKE, Fate.WITHDRAWN, Fate.SURVIVED, Fate.KILLED, Fate.BROKEN)


def tried(recording: Recording, target: Target, model: AbiModel) -> Outcome:
    """What one recording says of a wrong model."""
    seen = Outcome(Fate.SAME)
    for outcome in (*layouts(recording, model), *calls(recording, target, model)):
        if outcome.fate is Fate.KILLED:
            return outcome
        best = max(seen, outcome, key=lambda one: RANK.index(one.fate))
        seen = Outcome(best.fate, best.by, seen.differing + outcome.differing)
    return seen


def layouts(recording: Recording, model: AbiModel) -> Iterator[Outcome]:
    """The recorded layouts under a wrong model."""
    for plan, shown in recording.layouts:
        try:
            new = plan_layout(model.types, plan.probe, plan.record)
        except (SilentError, AbsentError):
            yield Outcome(Fate.WITHDRAWN, differing=1)
            continue
        if new.predicted == plan.predicted:
            continue
        # Only what C was asked for can be compared.
        asked = msgspec.structs.replace(plan, predicted=new.predicted)
        (verdict,) = told(asked, shown)
        if verdict.verdict is Judgement.DEVIATES:
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
    for index, plan in enumerate(image.plans):
        if plan.probe not in recording.agreeing:
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
            yield index, new if new.slots == plan.slots else Outcome(Fate.SURVIVED, differing=1)


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
        wrong = [one for one in judged_call(plan, seen) if one.verdict is Judgement.DEVIATES]
        if wrong:
            yield Outcome(Fate.KILLED, words(recording, wrong[0]), 1)
            return
        if nothing(plan) > nothing(image.plans[index]):
            yield Outcome(Fate.WITHDRAWN, differing=1)
            continue
        alike = bare(plan.assignment) == bare(image.plans[index].assignment) and registers == bench.registers
        yield Outcome(Fate.ALIKE if alike else Fate.SURVIVED, differing=1)


def nothing(plan: CallPlan) -> int:
    """How many values of a call travel nowhere."""
    assignment = plan.assignment
    values = (*assignment.params, *(() if assignment.result is None else (assignment.result,)))
    return sum(not carries(value) for value in values)


def words(recording: Recording, verdict: Verdict) -> str:
    """Who killed a mutant, and with what."""
    return f"{recording.target} {recording.subject}: {verdict.kind.value} of {verdict.probe}"


def without_clauses(assignment: Assignment) -> Assignment:
    """An assignment that cites nothing."""
    replace = msgspec.structs.replace

    def value(one: Passed) -> Passed:
        pieces = tuple(replace(piece, clause="", extension_clause="") for piece in one.pieces)
        return replace(one, clause="", pieces=pieces)

    return replace(
        assignment,
        params=tuple(map(value, assignment.params)),
        result=None if assignment.result is None else value(assignment.result),
        hidden=tuple(
            replace(one, pieces=tuple(replace(piece, clause="", extension_clause="") for piece in one.pieces))
            for one in assignment.hidden
        ),
    )


def bare(assignment: Assignment) -> object:
    """What an assignment asks of bytes: without clauses, and without what no byte can show.

    Above a value that may be followed by anything nothing is compared; of an address only the place is; the size of the
    argument area matters to a callee that pops it.
    """
    result = () if assignment.result is None else (assignment.result,)
    values = tuple(
        (one.passing, one.mask, tuple(demand(one, piece) for piece in one.pieces))
        for one in (*assignment.params, *result)
    )
    hidden = tuple((one.role, tuple(piece.place for piece in one.pieces)) for one in assignment.hidden)
    return values, hidden, assignment.pops


def demand(value: Passed, piece: Piece) -> object:
    """What one piece asks of bytes."""
    if value.passing is Passing.INDIRECT:
        return piece.place
    size = piece.end - piece.start
    extended = piece.extension not in {None, Extension.ANY} and size < piece.width
    above = (piece.extension, piece.width) if extended else None
    significant = value.mask[piece.start : piece.end].rstrip(b"\0")
    whole = (piece.start * 8, size * 8)
    alone = None if (piece.bit, piece.bits) == whole else (piece.bit, piece.bits)
    return piece.place, piece.start, significant, above, alone or (None, None), piece.lane, piece.form
