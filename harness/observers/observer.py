"""An observer: one way to find out what a compiler, or a library, does with a question.

Programs that run, constants in object files, assembly that is read and functions of vectors are observed in different
ways, and everything else is done alike: `batch` predicts, observes, judges, records and counts through this interface
and knows no observer by name. `registry` says which observer serves which target and subject.

To add an observer, write a folder beside the others with a subclass of `Observer`, and enter it in the registry:

1. `prepare` asks the model about each question. It returns *plans*, which hold all that no compiler changes, and
   verdicts on the questions that need no compiler because the model has no answer. Subjects with the same options share
   an observer, so what is worked out once for a plan can be kept in it.
2. `observe` puts plans to one subject (an `Attempt`: a built command, a folder, limits) and says for each what was seen,
   or `Failed` with the outcome and the tool's words. It must account for every plan; `bisected` in `attempt` finds the
   plan that breaks a tool.
3. `judge` compares what was seen with the plan: a verdict for each of the `kinds` of probe, with the clause that was
   broken. It looks at nothing but the plan and the observation, so a recorded observation can be judged as well.
4. `record` turns an observation into plain values, and `replay` turns them back for a plan that another model may have
   made. `asked` has the parts of the question in which the model has a say; what was asked otherwise is `Failed` with
   `ASKED_OTHERWISE`. With these three a run can be judged anew, and two compilers be compared.
5. `answer` and `clauses` say what the model says of a question, and by which clauses, for coverage.
6. `text` and `bundle` are the translation unit about one question, and what else shows a deviation to somebody who
   has the compilers and nothing of ours.

What remains has a default. An observer whose subjects can call each other's functions is a `PairObserver` as well.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.machines.languages.language import find_language
from abiprobe.harness.machines.languages.printer import Printer
from abiprobe.harness.observers.attempt import Attempt, Failed
from abiprobe.harness.observers.bundle import Bundle, SelfTest
from abiprobe.harness.observers.capabilities import Capabilities
from abiprobe.harness.observers.difference_maps import difference_breaks, difference_maps
from abiprobe.harness.observers.open_maps import shown_map
from abiprobe.harness.observers.recording import Plain, digest
from abiprobe.harness.observers.tool_digests import ToolDigest
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.features import lacking, unanswered
from abiprobe.harness.subjects.find import build, identity
from abiprobe.harness.subjects.subject import Built, Subject
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.supposed import supposed
from abiprobe.oracles.language.question import Probe, ProbeKind
from abiprobe.oracles.model import AbiModel, Target
from abiprobe.oracles.quirks.quirk import Side
from abiprobe.oracles.registry import readings
from abiprobe.oracles.text.options import DEFAULT, LayoutOptions
from abiprobe.results.causes.fingerprint import Fingerprint
from abiprobe.results.history.breaks import Break
from abiprobe.results.journal.journal import BatchDone, Observed, Tool
from abiprobe.results.report.maps import Map
from abiprobe.results.verdicts.readings import AND
from abiprobe.results.verdicts.record import Outcome, Verdict, unobserved

OTHERWISE = "it was tested by another model's prediction"
"""Why a recorded observation does not answer the question of today."""


class PredictionKey(msgspec.Struct, frozen=True):
    """The key of a prediction that several subjects share: the target, and options that change layouts.

    About records all `witnesses` are asked. Where the text is silent, `dialects` are read instead of those of families.
    """

    target: Target
    options: LayoutOptions = DEFAULT
    witnesses: tuple[ProbeKind, ...] = (ProbeKind.LAYOUT,)
    dialects: tuple[tuple[str, Target], ...] = ()

    @property
    def model(self) -> AbiModel:
        """The model that the subjects have to follow."""
        return self.target.model(self.options)

    @property
    def readings(self) -> Mapping[str, AbiModel]:
        """Map families of compilers, or the names of the dialects, to their readings where the text is silent."""
        own = {name: dialect.model(self.options) for name, dialect in self.dialects}
        return own or readings(self.target, self.options)


class Plan(Protocol):
    """The plan of a question, made before a compiler is asked; `probe` is the id of the question."""

    @property
    def probe(self) -> str:
        """The id of the probe."""
        ...


P = TypeVar("P", bound=Plan)
S = TypeVar("S")
A = TypeVar("A", bound=Attempt)
T = TypeVar("T")


class Prepared(msgspec.Struct, Generic[P], frozen=True):
    """A batch after prediction: the plans, the verdicts that need no compiler, and the features that each plan needs."""

    plans: tuple[P, ...]
    settled: tuple[Verdict, ...]
    needs: Mapping[str, frozenset[str]]


def gathered(found: Iterable[P | tuple[Verdict, ...]], needs: Callable[[P], frozenset[str]]) -> Prepared[P]:
    """Plans and the verdicts that settle questions, with the features that each plan `needs`."""
    plans: list[P] = []
    settled: list[Verdict] = []
    for one in found:
        if isinstance(one, tuple):
            settled += one
        else:
            plans.append(one)
    return Prepared(tuple(plans), tuple(settled), {plan.probe: needs(plan) for plan in plans})


class Observer(ABC, Generic[P, S, A]):
    """One way to observe subjects under one prediction key; see the module."""

    name: ClassVar[str]
    """By which targets and families of subjects name it."""
    tells_sides: ClassVar[bool] = False
    """True if it looks at each side of an open call by itself where the dialects of both are its readings."""
    speaker: ClassVar[str] = "the compiler"
    """The one that lacks a feature."""

    def __init__(self, key: PredictionKey) -> None:
        self.key = key
        self._answers: dict[str, Any] = {}

    @classmethod
    def serves(cls, subject: Subject) -> bool:
        """Return whether this observer asks anything of a subject that names it."""
        return True

    @classmethod
    def shortage(cls) -> str:
        """Return a sentence on what is not installed here, so that less is observed; empty if nothing is missing."""
        return ""

    @classmethod
    def capabilities(cls, target: Target) -> Capabilities:
        """Return the capabilities of this machine for observing a target, beside compilers."""
        return Capabilities()

    @classmethod
    def executor(cls, target: Target) -> Tool | None:
        """Return what runs the code of a target here, where that is no program of a machine's."""
        return None

    @abstractmethod
    def prepare(self, probes: Sequence[Probe]) -> Prepared[P]:
        """Predict each question, ready to be asked."""

    @abstractmethod
    def kinds(self, plan: P) -> tuple[ProbeKind, ...]:
        """The kinds of probe on which a plan gets a verdict."""

    def settle(self, plan: P, outcome: Outcome, words: str) -> tuple[Verdict, ...]:
        """The same lack of an observation for every kind of probe of a plan."""
        return tuple(unobserved(plan.probe, kind, outcome, words) for kind in self.kinds(plan))

    def obstacle(self, built: Built) -> str:
        """Return the reason why a subject cannot be asked anything of this sort, or an empty string."""
        return ""

    def lacks(self, built: Built) -> frozenset[str]:
        """The features that a subject lacks."""
        return lacking(built, identity(built.command))

    def unanswered(self, built: Built) -> Mapping[str, str]:
        """The features of which a subject did not say whether it has them, with what happened when it was asked."""
        return unanswered(built, identity(built.command))

    def adapted(self, subject: Subject, plan: P, needs: frozenset[str]) -> P | str:
        """The plan as a subject is asked it, or why it is not; `needs` are the features that it needs."""
        return plan

    def tools(self, subject: Subject, level: str) -> Iterator[ToolDigest]:
        """Digests of all that has a say in what is observed, beside the subject itself."""
        yield from ()

    def printer(self, built: Built) -> Printer | None:
        """Return the printer of questions for a subject, `None` for the printer of C."""
        if not built.language:
            return None
        return Printer(find_language(built.language), supposed(self.key.model.types, Reading.GCC))

    @abstractmethod
    def begin(self, subject: Subject, level: str, folder: Path, limits: Limits, name: str = "") -> A:
        """An attempt of a subject at a level, in a scratch folder; `name` tells those apart that are paired with each other."""

    def built(self, subject: Subject, level: str) -> Built:
        """A subject, which must be installed for the target, ready to compile for it."""
        found = build(subject, self.key.target, level)
        assert found is not None, "subjects are offered that are installed for the target"
        return found

    @abstractmethod
    def observe(self, attempt: A, plans: Sequence[P]) -> Iterable[tuple[P, S | Failed]]:
        """Observe each plan on a subject, or give the reason why not."""

    def observe_compiled(self, attempt: A, plans: Sequence[P]) -> Iterable[tuple[P, S]]:
        """Observe those of `plans` whose programs an attempt has compiled already, by another prediction; none by default."""
        return ()

    @abstractmethod
    def judge(self, plan: P, seen: S | Failed) -> tuple[Verdict, ...]:
        """The verdicts on one plan, one for each kind of probe."""

    def follows(self, plan: P, seen: S, caller: str, callee: str) -> bool:
        """Return whether a subject does on an open question what two readings say, by their names: of its callers and its callees."""
        found = next((one.reading for one in self.judge(plan, seen) if one.reading), "")
        return {caller, callee} <= set(found.split(AND))

    def of_one_side(self, seen: S, side: Side) -> S:
        """Return what was seen of one side of a call alone; all of it where sides are not told apart."""
        return seen

    @abstractmethod
    def fingerprint(self, plan: P) -> Plain:
        """Return digests of the parts of a question that depend on the model."""

    @abstractmethod
    def record(self, plan: P, seen: S) -> Plain:
        """An observation as plain values."""

    @abstractmethod
    def replay(self, plan: P, recorded: Plain, fingerprint: Plain) -> S | Failed:
        """The observation that was recorded when the model said `fingerprint`, as far as it answers a plan of today.

        Raises `ValueError` for what `record` did not write.
        """

    @abstractmethod
    def says(self, asked: Probe) -> object:
        """Return the model's answer to a question; it is asked through `answer`, which remembers it."""

    def answer(self, asked: Probe) -> Any:
        """Return the model's answer to a question, worked out once."""
        if asked.id not in self._answers:
            self._answers[asked.id] = self.says(asked)
        return self._answers[asked.id]

    def prediction(self, asked: Probe) -> bytes:
        """A digest of all that a verdict takes from the model, the names of clauses included."""
        return digest(self.answer(asked))

    def asks_mark(self, asked: Probe) -> bool:
        """Return whether the symbol of a function must have a mark."""
        return False

    @abstractmethod
    def clauses(self, asked: Probe, kind: ProbeKind) -> frozenset[str]:
        """The clauses that decide what one kind of probe compares."""

    def cited(self, asked: Probe) -> frozenset[str]:
        """The clauses that decide anything about a question that can be asked."""
        return frozenset()

    def decides(self, asked: Probe, part: str) -> str:
        """The clause that decides one part of an answer, by the name that it has where no text decides; empty if none does."""
        return ""

    def note(self, plan: P, seen: S) -> Observed | None:
        """An observation in the words of a report."""
        return None

    def statements(self, subject: Subject, level: str, plan: P) -> tuple[str, ...]:
        """Return lines about what else a subject says of a question, beside what its code shows."""
        return ()

    def maps(self, asked: Probe, subjects: tuple[str, ...], done: Sequence[BatchDone]) -> tuple[Map, ...]:
        """Return maps of a question for the model and each of `subjects`, for each side on which one differs.

        `done` are their batches of this one question, with notes.
        """
        return difference_maps(subjects, done) or shown_map(subjects, done)

    def breaks(self, plan: P, before: S, after: S) -> Iterator[Break]:
        """Yield the differences between two compilers that were asked the same.

        By default, where they differ from the model in other ways.
        """
        return difference_breaks(self.judge(plan, before), self.judge(plan, after))

    @abstractmethod
    def text(self, plan: P) -> str:
        """The translation unit that asks about one plan."""

    def text_in(self, plan: P, printer: Printer, tag: str = "") -> str:
        """The translation unit that asks about one plan in another language; raises `Problem` where there is none.

        `tag` tells its functions from those of other units.
        """
        raise Problem("questions of this kind exist in C only", "name compilers of C")

    def self_test(self, asked: Probe) -> SelfTest:
        """Return a unit that asserts what the text says; raises `Problem` where there is none."""
        raise Problem("no unit asserts all that the text says of this", "leave out --as")

    @abstractmethod
    def bundle(self, asked: Probe, fingerprint: Fingerprint) -> Bundle:
        """Build a standalone reproducer of a deviation; raises `Problem` if none is possible."""


class PairObserver(Observer[P, S, A], Generic[P, S, A, T]):
    """An observer whose subjects can call each other's functions; no model has a say in where values travel."""

    @abstractmethod
    def pair(self, caller: A, callee: A) -> Iterable[tuple[P, T | Failed]]:
        """Run calls from functions of one subject to those of another, and observe what arrives, for each plan that both have compiled.

        What it costs is added to the attempt of the caller.
        """

    @abstractmethod
    def judge_pair(self, plan: P, arrived: T | Failed) -> Verdict:
        """The verdict on one pair."""

    @abstractmethod
    def record_pair(self, arrived: T) -> Plain:
        """Return the arrived values as plain values."""

    @abstractmethod
    def replay_pair(self, plan: P, recorded: Plain, fingerprint: Plain) -> T | Failed:
        """See `replay`."""
