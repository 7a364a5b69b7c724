"""The observer of tables of C++ classes: words and relocations of object files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.machines.render.table_units import unit
from abiprobe.harness.observers.attempt import Attempt, Failed
from abiprobe.harness.observers.bundle import Bundle
from abiprobe.harness.observers.cxx_observer import CxxObserver
from abiprobe.harness.observers.recording import Plain, digest
from abiprobe.harness.observers.tables.judging import judge_tables
from abiprobe.harness.observers.tables.observing import TableObservation, observe_tables
from abiprobe.harness.observers.tables.plan import TablePlan
from abiprobe.oracles.language.question import Probe, ProbeKind
from abiprobe.oracles.language.tables import Tables
from abiprobe.oracles.text.place import Unspecified, Unsupported
from abiprobe.results.causes.fingerprint import CRASHES, Fingerprint
from abiprobe.results.verdicts.record import Outcome, Verdict, unobserved


class TableObserver(CxxObserver[TablePlan, TableObservation]):
    """Observes the virtual tables and the type information of classes."""

    name = "tables"

    def says(self, asked: Probe) -> TablePlan | tuple[Verdict, ...]:
        """A plan, or what settles a question that no compiler of the target can be asked."""
        assert isinstance(asked.question, Tables), "other questions are asked otherwise"
        found = self.model.tables(asked.question.of)
        if isinstance(found, Unsupported):
            return (unobserved(asked.id, ProbeKind.TABLES, Outcome.UNSUPPORTED, found.why),)
        sizes = () if isinstance(found, Unspecified) else tuple(size for _, size in found.information)
        return TablePlan(asked.id, asked.question, found, sizes, self.model.types.data.pointer.size)

    def prediction(self, asked: Probe) -> bytes:
        said = self.answer(asked)
        if isinstance(said, TablePlan):
            return digest(said.tables)
        return digest([(one.verdict, one.outcome, one.clause, one.detail) for one in said])

    def kinds(self, plan: TablePlan) -> tuple[ProbeKind, ...]:
        return (ProbeKind.TABLES,)

    def observe(
        self, attempt: Attempt, plans: Sequence[TablePlan]
    ) -> Iterable[tuple[TablePlan, TableObservation | Failed]]:
        return observe_tables(attempt, self.units(plans, lambda plan: plan.asked.of))

    def judge(self, plan: TablePlan, seen: TableObservation | Failed) -> tuple[Verdict, ...]:
        if isinstance(seen, Failed):
            return self.settle(plan, seen.outcome, seen.words)
        return (judge_tables(plan, seen),)

    def record(self, plan: TablePlan, seen: TableObservation) -> Plain:
        return {name: list(words) for name, words in seen.items()}

    def replay(self, plan: TablePlan, recorded: Plain, fingerprint: Plain) -> TableObservation:
        return msgspec.convert(recorded, dict[str, tuple[str, ...]])

    def clauses(self, asked: Probe, kind: ProbeKind) -> frozenset[str]:
        said = self.answer(asked)
        decided = isinstance(said, TablePlan) and not isinstance(said.tables, Unspecified)
        return said.tables.clauses if decided else frozenset()

    def cited(self, asked: Probe) -> frozenset[str]:
        return self.clauses(asked, ProbeKind.TABLES)

    def question(self, plan: TablePlan) -> Tables:
        return plan.asked

    def text(self, plan: TablePlan) -> str:
        return unit([plan.asked])

    def bundle(self, asked: Probe, fingerprint: Fingerprint) -> Bundle:
        said = self.answer(asked)
        if isinstance(said, TablePlan) and fingerprint.symptom in CRASHES:
            return Bundle(self.text(said))
        raise Problem("no program shows its own tables", "compile the class and look at _ZTV with objdump -r")
