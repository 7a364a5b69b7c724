"""The observer of classes: constants in object files, and what running code does to objects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.removal import temporary
from abiprobe.harness.machines.languages.printer import Printer
from abiprobe.harness.machines.render.class_units import constants_unit
from abiprobe.harness.machines.render.d.classes import constants_unit as in_d
from abiprobe.harness.machines.workbench import Bench, bench, no_such_vectors
from abiprobe.harness.observers.attempt import Attempt, Failed
from abiprobe.harness.observers.bundle import Bundle, SelfTest
from abiprobe.harness.observers.classes.bundle import class_bundle
from abiprobe.harness.observers.classes.judging import judge_class
from abiprobe.harness.observers.classes.observing import ClassObservation, earlier, observe_classes
from abiprobe.harness.observers.classes.plan import ClassPlan, plan_class
from abiprobe.harness.observers.classes.self_test import self_test
from abiprobe.harness.observers.classes.witnesses import statements
from abiprobe.harness.observers.cxx_observer import CxxObserver
from abiprobe.harness.observers.recording import Plain, digest
from abiprobe.harness.observers.tool_digests import ToolDigest, bench_digests
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.subject import Built, Subject
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.language.question import Probe, ProbeKind
from abiprobe.oracles.text.place import Unsupported
from abiprobe.results.causes.fingerprint import Fingerprint
from abiprobe.results.verdicts.record import Outcome, Verdict, unobserved


class ClassObserver(CxxObserver[ClassPlan, ClassObservation]):
    """Observes how classes are laid out."""

    name = "classes"

    def says(self, asked: Probe) -> ClassPlan | tuple[Verdict, ...]:
        """A plan, or what settles a question that no compiler of the target can be asked."""
        assert isinstance(asked.question, Class), "other questions are asked otherwise"
        found = plan_class(asked.id, asked.question, self.model, self.readings)
        if isinstance(found, Unsupported):
            return (unobserved(asked.id, ProbeKind.LAYOUT, Outcome.UNSUPPORTED, found.why),)
        return found

    def prediction(self, asked: Probe) -> bytes:
        said = self.answer(asked)
        if isinstance(said, ClassPlan):
            return digest((said.facts, said.silence, said.readings))
        return digest([(one.verdict, one.outcome, one.clause, one.detail) for one in said])

    def kinds(self, plan: ClassPlan) -> tuple[ProbeKind, ...]:
        return (ProbeKind.LAYOUT,)

    def tools(self, subject: Subject, level: str) -> Iterator[ToolDigest]:
        if self.key.target.machine:
            yield from bench_digests(self.key.target)

    def observe(
        self, attempt: Attempt, plans: Sequence[ClassPlan]
    ) -> Iterable[tuple[ClassPlan, ClassObservation | Failed]]:
        if not plans:
            return ()
        attempt.bench = self.bench(attempt.built)
        return observe_classes(attempt, self.units(plans, lambda plan: plan.asked.asked))

    def bench(self, built: Built) -> Bench | None:
        """Return the bench that runs the programs of a subject, if there is one here."""
        target, vectors = self.key.target, self.key.options.vectors
        if not target.machine or built.no_calls or built.language or no_such_vectors(target, vectors):
            return None
        try:
            return bench(target, vectors)
        except Problem:
            return None

    def question(self, plan: ClassPlan) -> Class:
        return plan.asked.asked

    def statements(self, subject: Subject, level: str, plan: ClassPlan) -> tuple[str, ...]:
        if subject.family.language:
            return ()
        with temporary() as folder:
            attempt = self.begin(subject, level, Path(folder), Limits())
            ((_, seen),) = self.observe(attempt, (plan,))
            if isinstance(seen, Failed):
                return ()
            return tuple(statements(attempt, subject.family, plan, seen))

    def judge(self, plan: ClassPlan, seen: ClassObservation | Failed) -> tuple[Verdict, ...]:
        if isinstance(seen, Failed):
            return self.settle(plan, seen.outcome, seen.words)
        return (judge_class(plan, seen),)

    def record(self, plan: ClassPlan, seen: ClassObservation) -> Plain:
        return dict(seen)

    def replay(self, plan: ClassPlan, recorded: Plain, fingerprint: Plain) -> ClassObservation:
        told = msgspec.convert(recorded, dict[str, int | tuple[int, int] | str])
        return {what: earlier(one) if isinstance(one, str) else one for what, one in told.items()}

    def clauses(self, asked: Probe, kind: ProbeKind) -> frozenset[str]:
        said = self.answer(asked)
        return frozenset(fact.clause for fact in said.facts) if isinstance(said, ClassPlan) else frozenset()

    def decides(self, asked: Probe, part: str) -> str:
        said = self.answer(asked)
        facts = said.facts if isinstance(said, ClassPlan) else ()
        return next((fact.clause for fact in facts if fact.what == part), "")

    def cited(self, asked: Probe) -> frozenset[str]:
        return self.clauses(asked, ProbeKind.LAYOUT)

    def text(self, plan: ClassPlan) -> str:
        return constants_unit([plan.asked])

    def text_in(self, plan: ClassPlan, printer: Printer, tag: str = "") -> str:
        return in_d([plan.asked.asked])

    def self_test(self, asked: Probe) -> SelfTest:
        return self_test(self.planned(asked), self.key.target)

    def bundle(self, asked: Probe, fingerprint: Fingerprint) -> Bundle:
        return class_bundle(self.planned(asked), self.key.target, fingerprint)

    def planned(self, asked: Probe) -> ClassPlan:
        """The plan of a class; raises `Problem` where the target has no such type."""
        said = self.answer(asked)
        if not isinstance(said, ClassPlan):
            raise Problem(
                f"the model gives no layout for {self.key.target}", "only what it predicts can be shown"
            )
        return said
