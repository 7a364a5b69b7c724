"""The observers of compilers whose programs nothing runs: calls in their assembly, layouts in the types of a stand-in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.observers.assembly.expressible import other_types, reworded_call, reworded_layout
from abiprobe.harness.observers.assembly.judging import judge_assembly
from abiprobe.harness.observers.assembly.observing import ObservedAssembly, observe_assembly
from abiprobe.harness.observers.assembly.recording import recorded, replayed
from abiprobe.harness.observers.assembly.unit import unit
from abiprobe.harness.observers.attempt import Attempt, Failed
from abiprobe.harness.observers.bundle import Bundle
from abiprobe.harness.observers.capabilities import Capabilities
from abiprobe.harness.observers.image.observer import PlannedCalls
from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.harness.observers.objects.layouts import LayoutPlan, layouts_text
from abiprobe.harness.observers.objects.observer import LayoutObserver
from abiprobe.harness.observers.observer import OTHERWISE
from abiprobe.harness.observers.recording import Plain, digest
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.families.vendors import runners
from abiprobe.harness.subjects.subject import Subject
from abiprobe.oracles.language.question import Probe
from abiprobe.oracles.model import Target
from abiprobe.oracles.standins import StandIn, stand_ins
from abiprobe.results.causes.fingerprint import CRASHES, Fingerprint
from abiprobe.results.verdicts.record import Outcome, Verdict

VARIADIC = "calls of variadic functions are not read from assembly"


class AssemblyObserver(PlannedCalls[ObservedAssembly, Attempt]):
    """Observes calls in the assembly of stand-ins, and of vendors' compilers."""

    name = "assembly"

    @classmethod
    def serves(cls, subject: Subject) -> bool:
        family = subject.family
        return bool(family.assembly) or stand_ins()[family.standin].calls is not None

    @classmethod
    def capabilities(cls, target: Target) -> Capabilities:
        """The vendor's programs, which nothing here needs."""
        return Capabilities(executors=tuple(runners(target.name)))

    def adapted(self, subject: Subject, plan: CallPlan, needs: frozenset[str]) -> CallPlan | str:
        family = subject.family
        if family.standin:
            standin = stand_ins()[family.standin]
            return other_types(standin, needs) or reworded_call(standin, plan, needs)
        return VARIADIC if plan.prototype.variadic else plan

    def begin(self, subject: Subject, level: str, folder: Path, limits: Limits, name: str = "") -> Attempt:
        return Attempt(None, self.built(subject, level), folder, limits)

    def observe(
        self, attempt: Attempt, plans: Sequence[CallPlan]
    ) -> Iterable[tuple[CallPlan, ObservedAssembly | Failed]]:
        return observe_assembly(attempt, plans)

    def judge(self, plan: CallPlan, seen: ObservedAssembly | Failed) -> tuple[Verdict, ...]:
        return tuple(judge_assembly(plan, seen, kind) for kind in self.kinds(plan))

    def fingerprint(self, plan: CallPlan) -> Plain:
        """The text, which has the values that travel, and says which of them are objects."""
        return digest(self.text(plan))

    def record(self, plan: CallPlan, seen: ObservedAssembly) -> Plain:
        return recorded(seen)

    def replay(self, plan: CallPlan, kept: Plain, asked: Plain) -> ObservedAssembly | Failed:
        if asked != self.fingerprint(plan):
            return Failed(Outcome.ASKED_OTHERWISE, OTHERWISE)
        return replayed(kept)

    def text(self, plan: CallPlan) -> str:
        return unit(self.key.model.types, [plan])

    def bundle(self, asked: Probe, fingerprint: Fingerprint) -> Bundle:
        """Return the bundle of a question that breaks a compiler; there are no others."""
        plans = self.prepare((asked,)).plans
        if not plans or fingerprint.symptom not in CRASHES:
            raise Problem(
                f"no bundle shows what calls for {self.key.target} do", "reduce shows what is left of it"
            )
        return Bundle(self.text(plans[0]))


class StandInObserver(LayoutObserver):
    """Observes layouts of stand-ins, where they are asked for types that are the target's."""

    name = "stand-in"
    # They stand in for one compiler by the rules that they share with it, and have others of their own.
    compares = False

    @classmethod
    def serves(cls, subject: Subject) -> bool:
        return of(subject).layouts

    def adapted(self, subject: Subject, plan: LayoutPlan, needs: frozenset[str]) -> LayoutPlan | str:
        standin = of(subject)
        return other_types(standin, needs) or reworded_layout(standin, self.key.model, plan)

    def unit(self, plans: Sequence[LayoutPlan]) -> str:
        """The translation unit that asks about all of `plans`, in the words of one stand-in."""
        return layouts_text(plans)


def of(subject: Subject) -> StandIn:
    """The stand-in that a subject is."""
    return stand_ins()[subject.family.standin]
