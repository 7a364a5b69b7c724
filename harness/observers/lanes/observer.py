"""The observer of vector functions: the names of variants, each lane of each, and how compilers call them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.observers.attempt import Attempt, Failed
from abiprobe.harness.observers.bundle import Bundle
from abiprobe.harness.observers.capabilities import Capabilities, executor_advice
from abiprobe.harness.observers.lanes.bundle import name_bundle
from abiprobe.harness.observers.lanes.callers import observe_loops
from abiprobe.harness.observers.lanes.judging import judge_called, judged
from abiprobe.harness.observers.lanes.lanes import Lanes
from abiprobe.harness.observers.lanes.loops import is_called, loop_of, loops_unit
from abiprobe.harness.observers.lanes.observe import ObservedFunction, observe_vectors
from abiprobe.harness.observers.lanes.plan import KINDS, PLAIN, VectorPlan, planned, says
from abiprobe.harness.observers.lanes.recording import RecordedVariants, recorded, replayed
from abiprobe.harness.observers.lanes.silent import judged_silent, plan_silent, read_variants
from abiprobe.harness.observers.lanes.unit import vectors_unit
from abiprobe.harness.observers.lanes.witness import observe_typed
from abiprobe.harness.observers.lanes.workbench import VectorBench, vector_bench
from abiprobe.harness.observers.observer import Observer, Prepared, gathered
from abiprobe.harness.observers.recording import Plain, digest
from abiprobe.harness.observers.tool_digests import ToolDigest, of_identity, processor, run_digests
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.find import build, discover, identity
from abiprobe.harness.subjects.subject import Built, Subject
from abiprobe.oracles.abis.vfabi import VectorModel
from abiprobe.oracles.abis.vfabi.variant import Variants
from abiprobe.oracles.language.features import features
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import Probe, ProbeKind
from abiprobe.oracles.model import AbiModel, Target
from abiprobe.oracles.registry import readings
from abiprobe.oracles.text.place import Assignment, Unspecified, Unsupported
from abiprobe.results.causes.fingerprint import Fingerprint
from abiprobe.results.coverage.decided import cited_clauses, of_call
from abiprobe.results.verdicts.record import Verdict, unobserved

BODIES = "gcc"
"""The family whose compilers make the functions and not only their names."""
OF_VECTORS = frozenset({ProbeKind.VARIANTS, ProbeKind.LANES, ProbeKind.VECTOR_TYPES})


class VectorAttempt(Attempt):
    """An attempt with what runs vector functions, if anything here does.

    `plain` is the subject unoptimised, where it is not so already; `partner` the gcc whose variants it calls.
    """

    runs: VectorBench | None = None
    bodies: bool = False
    plain: Built | None = None
    partner: Attempt | None = None


class VectorObserver(Observer[VectorPlan, RecordedVariants, VectorAttempt]):
    """Observes vector variants by their names, by calling them, and by what calls them."""

    name = "lanes"

    @classmethod
    def capabilities(cls, target: Target) -> Capabilities:
        """Without an executor names alone are compared."""
        try:
            here = vector_bench()
        except Problem as problem:
            absent = {"vector functions": str(problem)}
            return Capabilities(calls=False, absent=absent, advice=executor_advice(target, ()))
        found = (here.executor.name, *(isa.title for isa in here.isas))
        advice = executor_advice(target, found)
        return Capabilities(calls=True, executors=found, runtime=here.trusted.cc[0], advice=advice)

    @property
    def model(self) -> VectorModel:
        """The model of variants."""
        model = self.key.model
        assert isinstance(model, VectorModel), "the target asks about vector functions"
        return model

    def prepare(self, probes: Sequence[Probe]) -> Prepared[VectorPlan]:
        return gathered(map(self.plan, probes), lambda plan: features(plan.question))

    def plan(self, asked: Probe) -> VectorPlan | tuple[Verdict, ...]:
        """A function, ready to be asked; where the document is silent, as compiler families read it."""
        answer = self.answer(asked)
        if isinstance(answer, Unspecified):
            return plan_silent(asked, answer, self.readings())
        plan = planned(asked, answer)
        if not isinstance(plan, VectorPlan):
            return plan
        return msgspec.structs.replace(plan, read=read_variants(asked, plan.variants, self.readings()))

    def readings(self) -> Mapping[str, AbiModel]:
        """Map compiler families to their readings where the document is silent."""
        return readings(self.key.target.in_dialect(""))

    def says(self, asked: Probe) -> Variants | Unspecified | Unsupported:
        return says(self.model, asked)

    def kinds(self, plan: VectorPlan) -> tuple[ProbeKind, ...]:
        """Callers are judged beside these, where there are any."""
        return KINDS

    def tools(self, subject: Subject, level: str) -> Iterator[ToolDigest]:
        yield ToolDigest(processor())
        runs = workbench()
        if runs is not None:
            yield ToolDigest(repr(runs.isas))
            yield from run_digests(runs.executor, runs.trusted, runs.runtime)
        partner = self.partner(subject, level)
        if partner is not None:
            yield ToolDigest(repr(partner))
            yield of_identity(identity(partner.command))

    def begin(
        self, subject: Subject, level: str, folder: Path, limits: Limits, name: str = ""
    ) -> VectorAttempt:
        made = self.partner(subject, level)
        other = folder / f"partner{name}"
        other.mkdir()
        return VectorAttempt(
            None,
            self.built(subject, level),
            folder,
            limits,
            runs=workbench(),
            bodies=subject.family.name == BODIES,
            plain=None if level == PLAIN else build(subject, self.key.target, PLAIN),
            partner=None if made is None else Attempt(None, made, other, limits),
        )

    def partner(self, subject: Subject, level: str) -> Built | None:
        """The compiler that makes variants: the subject, if it is one, or else the newest gcc that is installed."""
        target = self.key.target
        if subject.family.name == BODIES:
            return build(subject, target, level)
        others = (one for one in discover((target,)) if one.family.name == BODIES)
        return next((build(one, target, PLAIN) for one in others), None)

    def observe(
        self, attempt: VectorAttempt, plans: Sequence[VectorPlan]
    ) -> Iterator[tuple[VectorPlan, RecordedVariants]]:
        runs = attempt.runs
        bench = runs if attempt.bodies else None
        types = self.model.types
        made = list(observe_vectors(attempt, bench, types, plans, bodies=attempt.bodies))
        # Callers of functions about which the document is silent would be asked by one reading of it.
        plans = tuple(plan for plan in plans if plan.silence is None)
        loops: dict[str, Any] = {}
        typed: dict[str, Any] = {}
        plain: dict[str, Lanes] = {}
        if bench is not None and attempt.plain is not None:
            plain = self.unoptimised(attempt, bench, made)
            loops = dict(observe_loops(attempt, bench, types, plans))
        if runs is not None and attempt.partner is not None:
            typed = dict(observe_typed(attempt, attempt.partner, runs, types, plans))
            attempt.compile_seconds += attempt.partner.compile_seconds
        vectors, isas = (0, ()) if runs is None else (runs.machine.vectors, runs.isas)
        for plan, seen in made:
            name = plan.probe
            callers = loops.get(name), typed.get(name)
            yield plan, RecordedVariants(seen, plain.get(name), *callers, vectors, isas)

    def unoptimised(
        self,
        attempt: VectorAttempt,
        bench: VectorBench,
        made: Sequence[tuple[VectorPlan, ObservedFunction | Failed]],
    ) -> dict[str, Lanes]:
        """The lanes of what the same compiler makes without optimising of those functions whose lanes are wrong."""
        assert attempt.plain is not None, "unoptimised code is compared with another"
        wrong = [
            plan
            for plan, seen in made
            if isinstance(seen, ObservedFunction)
            and plan.silence is None
            and judge_called(plan, seen.lanes).differences
        ]
        again = msgspec.structs.replace(attempt, built=attempt.plain)
        found = list(observe_vectors(again, bench, self.model.types, wrong, bodies=True))
        attempt.compile_seconds, attempt.files = again.compile_seconds, again.files
        return {
            plan.probe: seen.lanes
            for plan, seen in found
            if isinstance(seen, ObservedFunction) and seen.lanes is not None
        }

    def judge(self, plan: VectorPlan, seen: RecordedVariants | Failed) -> tuple[Verdict, ...]:
        if isinstance(seen, Failed):
            return tuple(unobserved(plan.probe, kind, seen.outcome, seen.words) for kind in KINDS)
        if plan.silence is not None:
            return judged_silent(plan, seen.made)
        return tuple(judged(self.model.types, plan, seen, refuses=self.model.dialect.refuses))

    def fingerprint(self, plan: VectorPlan) -> Plain:
        """Return the model's part of the loops; that of every other call stands beside its answer.

        What each other call is asked stands beside its answer.
        """
        loop = loop_of(self.model.types, plan) if is_called(plan) else None
        symbols = sorted(plan.variants.symbols)
        return b"" if loop is None else digest((loops_unit((loop,)), symbols, loop.inputs))

    def record(self, plan: VectorPlan, seen: RecordedVariants) -> Plain:
        return recorded(seen)

    def replay(self, plan: VectorPlan, kept: Plain, asked: Plain) -> RecordedVariants:
        return replayed(self.model.types, plan, kept, alike=asked == self.fingerprint(plan))

    def clauses(self, asked: Probe, kind: ProbeKind) -> frozenset[str]:
        if kind in OF_VECTORS:
            return frozenset(filter(None, cited_clauses(self.answer(asked))))
        question = asked.question
        assert isinstance(question, Prototype), "vector functions are asked about, and nothing else"
        answer = self.model.assign(question)
        if not isinstance(answer, Assignment):
            return frozenset()
        registers = self.key.target.registers
        return of_call(answer, len(question.params), registers, kind)

    def text(self, plan: VectorPlan) -> str:
        return vectors_unit(self.model.types, (plan,), compute=False)

    def bundle(self, asked: Probe, fingerprint: Fingerprint) -> Bundle:
        return name_bundle(self.model.types, self.prepare((asked,)).plans, fingerprint)


def workbench() -> VectorBench | None:
    """Return the bench that runs vector functions; `None` if there is none, and only names are compared."""
    try:
        return vector_bench()
    except Problem:
        return None
