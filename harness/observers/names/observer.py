"""The observer of names: symbols of object files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.machines.languages.printer import Printer
from abiprobe.harness.machines.render.d.names import unit as in_d
from abiprobe.harness.machines.render.entities import UnwritableError
from abiprobe.harness.machines.render.name_units import require_writable, unit
from abiprobe.harness.observers.attempt import Attempt, Failed
from abiprobe.harness.observers.bundle import Bundle
from abiprobe.harness.observers.cxx_observer import CxxObserver
from abiprobe.harness.observers.names.judging import judge_name
from abiprobe.harness.observers.names.observing import STANDARDS, NameObservation, observe_names
from abiprobe.harness.observers.names.plan import NamePlan, plan_name
from abiprobe.harness.observers.recording import Plain, digest
from abiprobe.harness.subjects.subject import Built
from abiprobe.oracles.abis.itanium.names import MangledName
from abiprobe.oracles.language.entities import AnyEntity, Entity
from abiprobe.oracles.language.question import Probe, ProbeKind
from abiprobe.oracles.text.place import Unsupported
from abiprobe.results.causes.fingerprint import CRASHES, Fingerprint
from abiprobe.results.verdicts.record import Outcome, Verdict, unobserved


class NameObserver(CxxObserver[NamePlan, NameObservation]):
    """Observes how entities are named."""

    name = "names"

    def says(self, asked: Probe) -> NamePlan | tuple[Verdict, ...]:
        """A plan, or what settles a question that no compiler can be asked."""
        assert isinstance(asked.question, Entity), "other questions are asked otherwise"
        found = plan_name(asked.id, asked.question, self.model, self.readings)
        if isinstance(found, Unsupported):
            return (unobserved(asked.id, ProbeKind.NAME, Outcome.UNSUPPORTED, found.why),)
        try:
            require_writable(asked.question)
        except UnwritableError as error:
            return (unobserved(asked.id, ProbeKind.NAME, Outcome.UNSUPPORTED, f"no program has {error}"),)
        return found

    def prediction(self, asked: Probe) -> bytes:
        said = self.answer(asked)
        if isinstance(said, NamePlan):
            return digest((said.name, said.readings))
        return digest([(one.verdict, one.outcome, one.clause, one.detail) for one in said])

    def kinds(self, plan: NamePlan) -> tuple[ProbeKind, ...]:
        return (ProbeKind.NAME,)

    def obstacle(self, built: Built) -> str:
        asked = [word for word in built.command if word.startswith(STANDARDS)]
        old = bool(asked) and asked[-1].endswith(("98", "03", "11", "0x", "14", "1y"))
        return "names are asked in C++17 and later" if old else ""

    def observe(
        self, attempt: Attempt, plans: Sequence[NamePlan]
    ) -> Iterable[tuple[NamePlan, NameObservation | Failed]]:
        return observe_names(attempt, plans) if plans else ()

    def judge(self, plan: NamePlan, seen: NameObservation | Failed) -> tuple[Verdict, ...]:
        if isinstance(seen, Failed):
            return self.settle(plan, seen.outcome, seen.words)
        return (judge_name(plan, seen),)

    def record(self, plan: NamePlan, seen: NameObservation) -> Plain:
        return list(seen)

    def replay(self, plan: NamePlan, recorded: Plain, fingerprint: Plain) -> NameObservation:
        return msgspec.convert(recorded, tuple[str, ...])

    def clauses(self, asked: Probe, kind: ProbeKind) -> frozenset[str]:
        said = self.answer(asked)
        decided = isinstance(said, NamePlan) and isinstance(said.name, MangledName)
        return said.name.clauses if decided else frozenset()

    def cited(self, asked: Probe) -> frozenset[str]:
        return self.clauses(asked, ProbeKind.NAME)

    def question(self, plan: NamePlan) -> AnyEntity:
        return plan.asked

    def text(self, plan: NamePlan) -> str:
        return unit([plan.asked])

    def text_in(self, plan: NamePlan, printer: Printer, tag: str = "") -> str:
        return in_d([plan.asked])

    def bundle(self, asked: Probe, fingerprint: Fingerprint) -> Bundle:
        said = self.answer(asked)
        if isinstance(said, NamePlan) and fingerprint.symptom in CRASHES:
            return Bundle(self.text(said))
        raise Problem(
            "no program shows its own names", "compile the declaration and look at the symbols with nm"
        )
