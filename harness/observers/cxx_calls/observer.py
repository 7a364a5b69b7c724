"""The observer of calls of C++: that of programs, whose units are in C++, and whose plans are those of the calls in C that they come to."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from abiprobe.harness.machines.languages.language import find_language
from abiprobe.harness.machines.languages.printer import Printer
from abiprobe.harness.machines.render.cxx_calls import cxx_calls_unit, cxx_functions_of
from abiprobe.harness.machines.render.cxx_languages import cxx_language, of_language
from abiprobe.harness.machines.workbench import described
from abiprobe.harness.observers.bundle import Bundle
from abiprobe.harness.observers.call_observer import of_assignment
from abiprobe.harness.observers.cxx_calls.plan import CxxCallPlan, plan_cxx_call
from abiprobe.harness.observers.image.bundle import call_bundle
from abiprobe.harness.observers.image.observe import CallAttempt
from abiprobe.harness.observers.image.observer import ProgramObserver
from abiprobe.harness.observers.image.plan import CallPlan, TooLargeError
from abiprobe.harness.observers.image.prediction import settled, unspecified
from abiprobe.harness.observers.image.units import Wording, calls_text, language_text
from abiprobe.harness.observers.names.observing import standard
from abiprobe.harness.observers.observer import PredictionKey, Prepared, gathered
from abiprobe.harness.observers.recording import digest
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.families.cxx import CLANGXX
from abiprobe.harness.subjects.subject import Built, Subject
from abiprobe.oracles.abis.itanium import CxxCallModel
from abiprobe.oracles.abis.itanium.triviality import is_refused_unnamed
from abiprobe.oracles.engine.cxx_call import CxxAnswer, CxxCall
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.supposed import supposed
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.language.cxx_calls import CxxPrototype
from abiprobe.oracles.language.question import Probe, ProbeKind
from abiprobe.oracles.model import SymbolMark
from abiprobe.oracles.registry import cxx_call_model
from abiprobe.oracles.text.place import Unspecified, Unsupported
from abiprobe.results.causes.fingerprint import Fingerprint
from abiprobe.results.coverage.decided import of_call
from abiprobe.results.verdicts.record import Outcome, Verdict


class CxxCallObserver(ProgramObserver):
    """Observes calls of C++ functions in programs that run."""

    name = "cxx-calls"

    def __init__(self, key: PredictionKey) -> None:
        super().__init__(key)
        self.wording = wording()

    @cached_property
    def model(self) -> CxxCallModel:
        """The C++ ABI above the C ABI of the target."""
        return cxx_call_model(self.key.target, self.key.options)

    def says(self, asked: Probe) -> CxxAnswer:  # type: ignore[override]
        return self.model.call(cxx_prototype(asked))

    def prediction(self, asked: Probe) -> bytes:
        said = self.answer(asked)
        return digest(
            (said.assignment, said.destroyed, said.destroyed_in_callee) if isinstance(said, CxxCall) else said
        )

    def prepare(self, probes: Sequence[Probe]) -> Prepared[CallPlan]:
        return gathered(map(self.planned, probes), lambda _: frozenset())

    def planned(self, asked: Probe) -> CallPlan | tuple[Verdict, ...]:
        """A plan, or what settles a question that no compiler is asked."""
        said, question = self.answer(asked), cxx_prototype(asked)
        match said:
            case CxxCall():
                try:
                    return plan_cxx_call(asked.id, question, said)
                except TooLargeError as error:
                    return settled(asked.id, question, Outcome.TOO_LARGE, str(error))
            case Unspecified(clause, why):
                return unspecified(asked.id, question, clause, why)
            case Unsupported(why):
                return settled(asked.id, question, Outcome.UNSUPPORTED, why)
            case _:
                raise AssertionError("a model says one of these")

    def lacks(self, built: Built) -> frozenset[str]:
        """Return no features: those of C do not apply to C++."""
        return frozenset()

    def begin(
        self, subject: Subject, level: str, folder: Path, limits: Limits, name: str = ""
    ) -> CallAttempt:
        attempt = super().begin(subject, level, folder, limits, name)
        attempt.options = () if attempt.built.language else standard(attempt.built.command)
        return attempt

    def printer(self, built: Built) -> Printer | None:
        """Return the printer of a compiler of another language, `None` for that of C++."""
        if not built.language:
            return None
        kind = cxx_language(built.language).printer
        return kind(find_language(built.language), supposed(self.key.model.types, Reading.GCC))

    def text_in(self, plan: CallPlan, printer: Printer, tag: str = "") -> str:
        return language_text([plan], printer, wording(), tag)

    def obstacle(self, built: Built) -> str:
        if built.language and self.key.target.name not in (known := cxx_language(built.language)).calls_on:
            return f"calls of C++ in {known.name} are asked on {' and '.join(known.calls_on)}"
        return super().obstacle(built)

    def adapted(self, subject: Subject, plan: CallPlan, needs: frozenset[str]) -> CallPlan | str:
        """The plan, or why a compiler of another language is not asked, or clang, which makes a trap of what ISO C++ leaves to each implementation."""
        language = subject.family.language
        if language and (why := cxx_language(language).unsayable(function_of(plan))):
            return why
        unnamed = function_of(plan).unnamed
        refused = [one.tag for one in unnamed if isinstance(one, Class) and is_refused_unnamed(one)]
        return f"clang passes no {refused[0]} unnamed" if refused and subject.family is CLANGXX else plan

    def mark(self, plan: CallPlan) -> SymbolMark | None:
        """Return no mark: no convention of C++ asks for one."""
        return None

    def asks_mark(self, asked: Probe) -> bool:
        return False

    def clauses(self, asked: Probe, kind: ProbeKind) -> frozenset[str]:
        said = self.answer(asked)
        if not isinstance(said, CxxCall):
            return frozenset()
        own = (
            frozenset({said.destroyed_by})
            if (said.destroyed or said.destroyed_in_callee) and kind is ProbeKind.PRESERVATION
            else frozenset()
        )
        registers, named = self.key.target.registers, len(said.prototype.params)
        return own | of_call(said.assignment, named, registers, kind)

    def cited(self, asked: Probe) -> frozenset[str]:
        said = self.answer(asked)
        return frozenset(of_assignment(said.assignment)) - {""} if isinstance(said, CxxCall) else frozenset()

    def decides(self, asked: Probe, part: str) -> str:
        return ""

    def text(self, plan: CallPlan) -> str:
        return calls_text([plan], self.wording)

    def bundle(self, asked: Probe, fingerprint: Fingerprint) -> Bundle:
        here, _ = described(self.key.target, self.key.options.vectors)
        return call_bundle(self.prepare((asked,)).plans, self.key.target, here, fingerprint, self.wording)


def wording() -> Wording:
    """The wording of calls of C++, and of those in other languages."""
    return Wording(write=written, join=cxx_calls_unit, say=written_in_language)


def written_in_language(printer: Printer, plan: CallPlan) -> str:
    """The caller and the callee of a plan in another language."""
    return of_language(printer.language).functions(function_of(plan), plan.slots)


def written(plan: CallPlan) -> str:
    """The caller and the callee of a plan in C++."""
    return cxx_functions_of(function_of(plan), plan.slots)


def function_of(plan: CallPlan) -> CxxPrototype:
    """The function of a plan of this observer."""
    assert isinstance(plan, CxxCallPlan), "plans of this observer are of C++"
    return plan.asked


def cxx_prototype(asked: Probe) -> CxxPrototype:
    """The question of a probe that is one about a call of C++."""
    assert isinstance(asked.question, CxxPrototype), "other questions are asked otherwise"
    return asked.question
