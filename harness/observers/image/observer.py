"""The observer of programs that run: callers and callees compiled, linked with the runtime image, and run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Generic

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.stopwatch import stage
from abiprobe.harness.machines.executors import find as executors
from abiprobe.harness.machines.languages.language import find_language
from abiprobe.harness.machines.languages.printer import Printer
from abiprobe.harness.machines.render.arrange import Manner, manner_of, turned
from abiprobe.harness.machines.runtime.build import TABLE, find_trusted
from abiprobe.harness.machines.runtime.machine import Machine, machine
from abiprobe.harness.machines.workbench import bench, described, no_such_vectors, runs_programs
from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.observers.bundle import Bundle
from abiprobe.harness.observers.call_observer import CallObserver, prototype
from abiprobe.harness.observers.capabilities import Capabilities, executor_advice
from abiprobe.harness.observers.comparable import comparable
from abiprobe.harness.observers.image.breaks import call_breaks
from abiprobe.harness.observers.image.bundle import call_bundle
from abiprobe.harness.observers.image.judging import judged_call
from abiprobe.harness.observers.image.maps import call_maps
from abiprobe.harness.observers.image.marks import asked_mark, judged_mark, mark_bundle
from abiprobe.harness.observers.image.notes import note_call
from abiprobe.harness.observers.image.observe import (
    NO_CALLEE,
    CallAttempt,
    ObservedCall,
    observe_calls,
    observe_compiled,
)
from abiprobe.harness.observers.image.open_bundle import open_bundle
from abiprobe.harness.observers.image.open_calls import ObservedOpenCall
from abiprobe.harness.observers.image.open_questions import judged_open, predict_open
from abiprobe.harness.observers.image.open_sides import CALLEE, CALLER, follow_dialects
from abiprobe.harness.observers.image.overruns import without_overwritten
from abiprobe.harness.observers.image.pairs import Turns, judged_pair, observe_pair
from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.harness.observers.image.prediction import call_kinds, predict_call, settled
from abiprobe.harness.observers.image.recording import Arrived, Script, recorded_call, replayed, script
from abiprobe.harness.observers.image.units import Memo, Wording, calls_text, language_text
from abiprobe.harness.observers.image.vector_width_variants import (
    as_traced,
    differs_by_vectors,
    with_predicted_places,
)
from abiprobe.harness.observers.observer import (
    OTHERWISE,
    A,
    PairObserver,
    PredictionKey,
    Prepared,
    S,
    gathered,
)
from abiprobe.harness.observers.open_maps import shown_map
from abiprobe.harness.observers.recording import Plain, digest
from abiprobe.harness.observers.tool_digests import ToolDigest, bench_digests
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.subject import Built, Subject
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.supposed import supposed
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.constructs import needs
from abiprobe.oracles.language.features import features
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import Probe, ProbeKind
from abiprobe.oracles.model import SymbolMark, Target
from abiprobe.oracles.quirks.quirk import Side
from abiprobe.oracles.text.place import Assignment, Register
from abiprobe.results.causes.fingerprint import CRASHES, OPEN, Fingerprint, Symptom
from abiprobe.results.coverage.differing import follows_sides
from abiprobe.results.history.breaks import Break, shown_breaks
from abiprobe.results.journal.journal import BatchDone, Observed
from abiprobe.results.journal.old_journals import shown
from abiprobe.results.report.maps import Map
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict

AS_OPEN = "open"
"""The word kept as the question where the text is silent."""
NOT_RUN = "nothing runs programs of this target"


class PlannedCalls(CallObserver[CallPlan, S, A], Generic[S, A]):
    """A base of observers of calls that use values in predicted places."""

    def prepare(self, probes: Sequence[Probe]) -> Prepared[CallPlan]:
        model = self.key.model
        found = (
            predict_call(model, asked.id, prototype(asked), self.answer(asked), self.inner(asked))
            for asked in probes
        )
        return gathered(found, lambda plan: needs(plan.prototype))

    def inner(self, asked: Probe) -> Assignment | None:
        """The call by which parameters arrive that a callee forwards in the opposite order, since some may be lost there.

        A dialect may lose any; the text leaves open what a register holds above a `_BitInt`, and nothing else.
        """
        function = prototype(asked)
        if manner_of(asked.id) is not Manner.TURNED or function.variadic:
            return None
        if self.key.target.policies is None and "_BitInt" not in features(function):
            return None
        found = self.says(Probe(asked.id, turned(function)))
        return found if isinstance(found, Assignment) else None

    def prediction(self, asked: Probe) -> bytes:
        plain, inner = super().prediction(asked), self.inner(asked)
        return plain if inner is None else digest((plain, [passed.mask for passed in inner.params]))

    def kinds(self, plan: CallPlan) -> tuple[ProbeKind, ...]:
        return call_kinds(plan.prototype)

    def text(self, plan: CallPlan) -> str:
        return calls_text([plan])

    def text_in(self, plan: CallPlan, printer: Printer, tag: str = "") -> str:
        return language_text([plan], printer, Wording(), tag)


def roomy(prepared: Prepared[CallPlan], here: Machine) -> Prepared[CallPlan]:
    """Restrict prepared plans to functions with no more parameters than the state block of a machine has room for."""
    beyond = tuple(
        plan for plan in prepared.plans if not set(carriers(plan.assignment)) <= set(here.registers)
    )
    why = "more parameters than the runtime records"
    verdicts = (settled(plan.probe, plan.prototype, Outcome.TOO_LARGE, why) for plan in beyond)
    return msgspec.structs.replace(
        prepared,
        plans=tuple(plan for plan in prepared.plans if plan not in beyond),
        settled=(*prepared.settled, *chain.from_iterable(verdicts)),
    )


def carriers(assignment: Assignment) -> Iterator[str]:
    """The registers with an argument, a result or what the prototype does not show."""
    passed = (*assignment.params, *(() if assignment.result is None else (assignment.result,)))
    for one in (*passed, *assignment.hidden):
        yield from (piece.place.name for piece in one.pieces if isinstance(piece.place, Register))


class ProgramObserver(
    PlannedCalls[ObservedCall | ObservedOpenCall, CallAttempt],
    PairObserver[CallPlan, ObservedCall | ObservedOpenCall, CallAttempt, Turns],
):
    """Observes calls in programs that run, natively or under an emulator."""

    name = "image"
    tells_sides = True

    def __init__(self, key: PredictionKey) -> None:
        super().__init__(key)
        self.wording = Wording()
        self._scripts: Memo[Script] = Memo()

    def prepare(self, probes: Sequence[Probe]) -> Prepared[CallPlan]:
        about = self.key.target
        prepared = super().prepare(probes)
        if about.machine and machine(about.machine).signatures:
            prepared = roomy(prepared, machine(about.machine))
        silent = {one.probe for one in prepared.settled if one.verdict is Judgement.UNSPECIFIED}
        if not silent:
            return prepared
        return self.opened(prepared, {asked.id: asked for asked in probes if asked.id in silent})

    def opened(self, prepared: Prepared[CallPlan], silent: Mapping[str, Probe]) -> Prepared[CallPlan]:
        """Add plans for the questions on which the text is silent."""
        model, readings, target = self.key.model, self.key.readings, self.key.target
        files = described(target, self.key.options.vectors)[0].files if runs_programs(target) else {}
        answers = {name: self.answer(asked) for name, asked in silent.items()}
        found = gathered(
            (predict_open(model, silent[name], answer, readings, files) for name, answer in answers.items()),
            lambda plan: needs(plan.prototype),
        )
        plans = tuple(self.with_traced_readings(plan) for plan in found.plans)
        decided = tuple(one for one in prepared.settled if one.probe not in silent)
        return Prepared(
            (*prepared.plans, *plans), (*decided, *found.settled), {**prepared.needs, **found.needs}
        )

    def with_traced_readings(self, plan: CallPlan) -> CallPlan:
        """A plan for an open question, with the readings' places under the names by which values are found."""
        if not runs_programs(self.key.target):
            return plan
        machine, _ = described(self.key.target, self.key.options.vectors)
        readings = {name: tuple(as_traced(shown, machine)) for name, shown in plan.readings.items()}
        return msgspec.structs.replace(plan, readings=readings)

    @classmethod
    def capabilities(cls, target: Target) -> Capabilities:
        here = machine(target.machine)
        found = tuple(executor.name for executor in executors.find(here.name))
        absent = {item.name: item.reason for item in executors.absent(here.name)}
        advice = executor_advice(target, found)
        try:
            runtime, runs = find_trusted(here).cc[0], bool(found)
        except Problem as problem:
            runtime, runs = str(problem), False
        return Capabilities(runs, runs, found, absent, runtime, advice)

    def obstacle(self, built: Built) -> str:
        if not self.key.target.machine:
            return NOT_RUN
        return built.no_calls or no_such_vectors(self.key.target, self.key.options.vectors)

    def tools(self, subject: Subject, level: str) -> Iterator[ToolDigest]:
        yield from bench_digests(self.key.target)

    def adapted(self, subject: Subject, plan: CallPlan, needs: frozenset[str]) -> CallPlan | str:
        """Open questions are about both sides of a call."""
        folder = subject.family.language
        if plan.silence is not None and folder and needs & find_language(folder).lacks_to_define:
            return NO_CALLEE
        return plan

    def begin(
        self, subject: Subject, level: str, folder: Path, limits: Limits, name: str = ""
    ) -> CallAttempt:
        table = f"{TABLE}_{name}" if name else TABLE
        built = self.built(subject, level)
        return CallAttempt(None, built, folder, limits, table=table, wording=self.wording, types=self.types)

    @property
    def types(self) -> tuple[TypeTable, TypeTable]:
        """The types as they are supposed to be where the text is silent, and as they are written."""
        written = self.key.model.types
        return supposed(written, Reading.GCC), written

    def observe(
        self, attempt: CallAttempt, plans: Sequence[CallPlan]
    ) -> Iterable[tuple[CallPlan, ObservedCall | ObservedOpenCall | Failed]]:
        """Raises `Problem` where nothing here runs programs of the target."""
        if not plans:
            return ()
        attempt.bench = attempt.bench or bench(self.key.target, self.key.options.vectors)
        attempt.printer = self.printer(attempt.built)
        text = self.unit(plans) if attempt.printer is None else None
        return observe_calls(attempt, plans, text)

    def observe_compiled(
        self, attempt: CallAttempt, plans: Sequence[CallPlan]
    ) -> Iterable[tuple[CallPlan, ObservedCall | ObservedOpenCall]]:
        return observe_compiled(
            msgspec.structs.replace(attempt, wording=self.wording, types=self.types), plans
        )

    def unit(self, plans: Sequence[CallPlan]) -> str:
        """The translation unit that asks about all of `plans`; subjects that can do the same share it."""
        key = tuple(plan.probe for plan in plans)
        if key not in self.wording.units:
            with stage("render"):
                self.wording.units[key] = calls_text(plans, self.wording)
        return self.wording.units[key]

    def judge(self, plan: CallPlan, seen: ObservedCall | ObservedOpenCall | Failed) -> tuple[Verdict, ...]:
        if isinstance(seen, ObservedOpenCall):
            return comparable(judged_open(plan, seen), self.key)
        machine, _ = described(self.key.target, self.key.options.vectors)
        verdicts = without_overwritten(judged_call(plan, seen, machine.files), plan.assignment)
        verdicts = (*verdicts, *self.judged_mark(plan, seen))
        if not differs_by_vectors(self.key.options):
            return verdicts
        types, usual = self.key.model.types, self.key.target.model()
        return with_predicted_places(plan, verdicts, types, usual, machine)

    def follows(
        self, plan: CallPlan, seen: ObservedCall | ObservedOpenCall, caller: str, callee: str
    ) -> bool:
        """Return whether callers put and callees take values where their own readings say, though they may not arrive."""
        if not isinstance(seen, ObservedOpenCall) or not {caller, callee} <= plan.readings.keys():
            return False
        if seen.sides:
            return follow_dialects(seen.sides, {CALLER: plan.readings[caller], CALLEE: plan.readings[callee]})
        return follows_sides(seen.shown, plan.readings[caller], plan.readings[callee])

    def of_one_side(
        self, seen: ObservedCall | ObservedOpenCall, side: Side
    ) -> ObservedCall | ObservedOpenCall:
        return seen if isinstance(seen, ObservedOpenCall) else seen.of_one_side(side)

    def judged_mark(self, plan: CallPlan, seen: ObservedCall | Failed) -> Iterator[Verdict]:
        """The verdict on the mark of the function, where it must have one."""
        mark = self.mark(plan)
        if mark is not None:
            yield judged_mark(plan.probe, mark, seen if isinstance(seen, Failed) else seen.mark)

    def mark(self, plan: CallPlan) -> SymbolMark | None:
        """The mark that a function must have, as far as it is known how it is called."""
        return None if plan.silence else self._mark(plan.prototype, plan.assignment)

    def asks_mark(self, asked: Probe) -> bool:
        answer = self.answer(asked)
        return isinstance(answer, Assignment) and self._mark(prototype(asked), answer) is not None

    def _mark(self, asked: Prototype, call: Assignment) -> SymbolMark | None:
        return asked_mark(self.key.model, self.key.target.registers, asked, call)

    def kinds(self, plan: CallPlan) -> tuple[ProbeKind, ...]:
        return (*super().kinds(plan), *((ProbeKind.SYMBOL,) if self.mark(plan) else ()))

    def fingerprint(self, plan: CallPlan) -> Plain:
        """Return the model's part of a plan; empty for an open question, which no model affects."""
        return AS_OPEN if plan.silence is not None else self.script(plan)

    def script(self, plan: CallPlan) -> Script:
        """Return the operations of a program for a prototype."""
        return self._scripts.of(plan, self._script)

    def _script(self, plan: CallPlan) -> Script:
        return script(plan, *described(self.key.target, self.key.options.vectors))

    def record(self, plan: CallPlan, seen: ObservedCall | ObservedOpenCall) -> Plain:
        return seen if isinstance(seen, ObservedOpenCall) else recorded_call(seen)

    def replay(
        self, plan: CallPlan, recorded: Plain, asked: Plain
    ) -> ObservedCall | ObservedOpenCall | Failed:
        if (asked == AS_OPEN) != (plan.silence is not None):
            return Failed(Outcome.ASKED_OTHERWISE, OTHERWISE)
        if plan.silence is not None:
            files = described(self.key.target, self.key.options.vectors)[0].files
            found = [shown(one, files) for one in recorded["shown"]]
            return msgspec.convert({"shown": found}, ObservedOpenCall)
        about = described(self.key.target, self.key.options.vectors)
        return replayed(plan, recorded, msgspec.convert(asked, Script), self.script(plan), about)

    def note(self, plan: CallPlan, seen: ObservedCall | ObservedOpenCall) -> Observed | None:
        return None if isinstance(seen, ObservedOpenCall) else note_call(plan, seen)

    def maps(self, asked: Probe, subjects: tuple[str, ...], done: Sequence[BatchDone]) -> tuple[Map, ...]:
        return tuple(
            made
            for plan in self.prepare((asked,)).plans
            for made in (
                call_maps(plan, subjects, done) if plan.silence is None else shown_map(subjects, done)
            )
        )

    def breaks(
        self, plan: CallPlan, before: ObservedCall | ObservedOpenCall, after: ObservedCall | ObservedOpenCall
    ) -> Iterator[Break]:
        if isinstance(before, ObservedOpenCall) and isinstance(after, ObservedOpenCall):
            return shown_breaks(plan.probe, before.shown, after.shown)
        if isinstance(before, ObservedOpenCall) or isinstance(after, ObservedOpenCall):
            return iter(())
        machine, _ = described(self.key.target, self.key.options.vectors)
        return call_breaks(plan, machine, before, after)

    def bundle(self, asked: Probe, fingerprint: Fingerprint) -> Bundle:
        plans = self.prepare((asked,)).plans
        about, written = self.key.target, self.key.model.types
        here, _ = described(self.key.target, self.key.options.vectors)
        if here.signatures and plans and fingerprint.symptom in CRASHES:
            return Bundle(self.text(plans[0]))
        if here.signatures:
            # The driver of a bundle is a program for Linux.
            raise Problem(
                f"no bundle shows what calls for {self.key.target} do", "reduce shows what is left of it"
            )
        if fingerprint.symptom is Symptom.UNMARKED and plans and (mark := self.mark(plans[0])):
            return mark_bundle(self.text(plans[0]), mark)
        if fingerprint.symptom in OPEN and plans:
            return open_bundle(plans[0], supposed(written, Reading.GCC), written, about, here)
        return call_bundle(plans, about, here, fingerprint)

    def pair(self, caller: CallAttempt, callee: CallAttempt) -> Iterator[tuple[CallPlan, Turns | Failed]]:
        for calling in list(caller.units):
            for called in callee.units:
                yield from observe_pair(caller, calling, called)

    def judge_pair(self, plan: CallPlan, arrived: Turns | Failed) -> Verdict:
        return judged_pair(plan, arrived)

    def record_pair(self, arrived: Turns) -> Plain:
        return tuple(map(Arrived.of, arrived))

    def replay_pair(self, plan: CallPlan, recorded: Plain, asked: Plain) -> Turns | Failed:
        """Pairs compare values only, so the places are ignored."""
        if plan.silence is not None or msgspec.convert(asked, Script).given != self.script(plan).given:
            return Failed(Outcome.ASKED_OTHERWISE, OTHERWISE)
        machine, _ = described(self.key.target, self.key.options.vectors)
        return tuple(turn.seen(machine.files) for turn in msgspec.convert(recorded, tuple[Arrived, ...]))
