"""The observer of layouts: constants in object files, debug information, and what running code does to objects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import ClassVar

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.stopwatch import stage
from abiprobe.harness.machines.languages.language import LAYOUTS, find_language
from abiprobe.harness.machines.languages.printer import Printer
from abiprobe.harness.machines.runtime.machine import machine
from abiprobe.harness.machines.workbench import Bench, bench, no_such_vectors
from abiprobe.harness.observers.attempt import Attempt, Failed
from abiprobe.harness.observers.bundle import Bundle
from abiprobe.harness.observers.comparable import comparable
from abiprobe.harness.observers.objects.bundle import layout_bundle
from abiprobe.harness.observers.objects.constants import observe_layouts
from abiprobe.harness.observers.objects.judging import judged_layout
from abiprobe.harness.observers.objects.layouts import LayoutPlan, layouts_text
from abiprobe.harness.observers.objects.maps import layout_maps
from abiprobe.harness.observers.objects.notes import note_layout
from abiprobe.harness.observers.objects.open_bundle import open_layout_bundle
from abiprobe.harness.observers.objects.prediction import predict_layout
from abiprobe.harness.observers.objects.recording import recorded, replayed
from abiprobe.harness.observers.objects.witnesses import Answers, observations, observe_all
from abiprobe.harness.observers.observer import Observer, PredictionKey, Prepared, gathered
from abiprobe.harness.observers.recording import Plain, digest
from abiprobe.harness.observers.tool_digests import ToolDigest, bench_digests
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.subject import Built, Subject
from abiprobe.oracles.language.constructs import needs
from abiprobe.oracles.language.lang import Record
from abiprobe.oracles.language.question import Probe, ProbeKind
from abiprobe.results.causes.fingerprint import OPEN, Fingerprint
from abiprobe.results.coverage.decided import of_layout
from abiprobe.results.history.breaks import Break, layout_breaks
from abiprobe.results.journal.journal import BatchDone, Observed
from abiprobe.results.report.maps import Map
from abiprobe.results.verdicts.record import Verdict
from abiprobe.results.verdicts.witnesses import WitnessObservation


class LayoutObserver(Observer[LayoutPlan, Answers, Attempt]):
    """Observes layouts by constants in an object file, and hears other witnesses about what it tells."""

    name = "objects"
    compares: ClassVar[bool] = True
    """True if its subjects are held against each other where no text decides."""

    def __init__(self, key: PredictionKey) -> None:
        super().__init__(key)
        self._units: dict[tuple[str, ...], str] = {}

    def prepare(self, probes: Sequence[Probe]) -> Prepared[LayoutPlan]:
        return gathered(map(self.answer, probes), lambda plan: needs(plan.record))

    def says(self, asked: Probe) -> LayoutPlan | tuple[Verdict, ...]:
        """A plan, which has the readings of families where the text is silent, or what settles the question."""
        assert isinstance(asked.question, Record), "calls are asked about otherwise"
        key = self.key
        return predict_layout(
            key.model,
            asked.id,
            asked.question,
            key.witnesses,
            key.readings,
            compared=self.compares,
        )

    def prediction(self, asked: Probe) -> bytes:
        said = self.answer(asked)
        if isinstance(said, LayoutPlan):
            return digest((said.predicted, said.silence, said.readings, said.alignments, said.told))
        return digest([(one.verdict, one.outcome, one.clause, one.detail) for one in said[:1]])

    def kinds(self, plan: LayoutPlan) -> tuple[ProbeKind, ...]:
        return self.key.witnesses

    def tools(self, subject: Subject, level: str) -> Iterator[ToolDigest]:
        if ProbeKind.VALUES in self.key.witnesses and self.key.target.machine:
            yield from bench_digests(self.key.target)

    def begin(self, subject: Subject, level: str, folder: Path, limits: Limits, name: str = "") -> Attempt:
        return Attempt(None, self.built(subject, level), folder, limits)

    def observe(
        self, attempt: Attempt, plans: Sequence[LayoutPlan]
    ) -> Iterable[tuple[LayoutPlan, Answers | Failed]]:
        if not plans:
            return ()
        attempt.bench = self.bench(attempt.built)
        attempt.printer = self.printer(attempt.built)
        text = self.unit(plans) if attempt.printer is None else None
        return observe_all(attempt, observe_layouts(attempt, plans, text), self.key.witnesses)

    def obstacle(self, built: Built) -> str:
        tells = not built.language or find_language(built.language).has(LAYOUTS)
        return "" if tells else "the language is tested for calls only"

    def bench(self, built: Built) -> Bench | None:
        """Return the bench that runs the programs of a subject, if there is one here."""
        target, vectors = self.key.target, self.key.options.vectors
        runs = ProbeKind.VALUES in self.key.witnesses and target.machine
        if not runs or built.no_calls or no_such_vectors(target, vectors):
            return None
        try:
            return bench(target, vectors)
        except Problem:
            return None

    def unit(self, plans: Sequence[LayoutPlan]) -> str:
        """The translation unit that asks about all of `plans`; subjects that can do the same share it."""
        key = tuple(plan.probe for plan in plans)
        if key not in self._units:
            with stage("render"):
                self._units[key] = layouts_text(plans)
        return self._units[key]

    def judge(self, plan: LayoutPlan, seen: Answers | Failed) -> tuple[Verdict, ...]:
        if isinstance(seen, Failed):
            return self.settle(plan, seen.outcome, seen.words)
        verdicts = judged_layout(plan, seen, self.key.witnesses)
        if plan.silence is None:
            return verdicts
        if self.compares:
            return comparable(verdicts, self.key)
        return tuple(msgspec.structs.replace(one, shown=()) for one in verdicts)

    def fingerprint(self, plan: LayoutPlan) -> Plain:
        """Return an empty fingerprint: a compiler is asked for its own numbers, which no model affects."""
        return None

    def record(self, plan: LayoutPlan, seen: Answers) -> Plain:
        return recorded(seen)

    def replay(self, plan: LayoutPlan, recorded: Plain, asked: Plain) -> Answers:
        return replayed(plan, recorded)

    def clauses(self, asked: Probe, kind: ProbeKind) -> frozenset[str]:
        said = self.answer(asked)
        open_ = not isinstance(said, LayoutPlan) or said.silence is not None
        return frozenset() if open_ else of_layout(said.predicted)

    def decides(self, asked: Probe, part: str) -> str:
        said = self.answer(asked)
        if not isinstance(said, LayoutPlan):
            return ""
        clauses = {one.path: one.clause for one in said.predicted.members}
        clauses |= {one.what: one.clause for one in said.alignments}
        return clauses.get(part, said.predicted.clause)

    def cited(self, asked: Probe) -> frozenset[str]:
        return self.clauses(asked, ProbeKind.LAYOUT)

    def note(self, plan: LayoutPlan, seen: Answers) -> Observed:
        return note_layout(plan.probe, observations(seen))

    def maps(self, asked: Probe, subjects: tuple[str, ...], done: Sequence[BatchDone]) -> tuple[Map, ...]:
        return tuple(
            made for plan in self.prepare((asked,)).plans for made in layout_maps(plan, subjects, done)
        )

    def breaks(self, plan: LayoutPlan, before: Answers, after: Answers) -> Iterator[Break]:
        old, new = (seen[ProbeKind.LAYOUT] for seen in (before, after))
        if isinstance(old, WitnessObservation) and isinstance(new, WitnessObservation):
            yield from layout_breaks(plan.probe, old, new)

    def text(self, plan: LayoutPlan) -> str:
        return layouts_text([plan])

    def text_in(self, plan: LayoutPlan, printer: Printer, tag: str = "") -> str:
        return layouts_text([plan], printer)

    def bundle(self, asked: Probe, fingerprint: Fingerprint) -> Bundle:
        plans, about = self.prepare((asked,)).plans, self.key.target
        if fingerprint.symptom in OPEN and plans and about.machine and not machine(about.machine).signatures:
            return open_layout_bundle(plans[0], about)
        return layout_bundle(plans, about, fingerprint)
