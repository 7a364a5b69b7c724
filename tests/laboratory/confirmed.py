"""What compilers, and stand-ins for compilers, confirmed of a model: who says otherwise there is wrong.

For the targets whose calls are read and not run. Each kind of probe on which a subject agrees with the model is an
observation of what that kind compares; to say something else of it is to deviate.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import msgspec

from abiprobe.harness.observers.batch import Job, run_job
from abiprobe.harness.subjects.find import at_level
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import CXX_QUESTIONS, ProbeKind, Question, Sort, probe
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.registry import find_model, find_target
from abiprobe.oracles.text.place import Assignment, Passed
from abiprobe.results.verdicts.record import Judgement
from laboratory.demand import bare, demand, places, without_clauses
from laboratory.fate import Fate, Outcome

BATCH = 400
"""Questions of one job."""
NAMES = ProbeKind.VARIANTS
LANES = frozenset({ProbeKind.LANES, ProbeKind.VECTOR_TYPES})


@dataclass(frozen=True)
class Confirmed:
    """Questions to a target with what the model answers, and the kinds of probe by which `subject` confirmed it."""

    target: str
    subject: str
    answers: tuple[tuple[Question, object, frozenset[ProbeKind]], ...]

    @property
    def probes(self) -> int:
        """How many questions there are to be wrong about."""
        return sum(bool(kinds) for _, _, kinds in self.answers)


def confirm(target: str, subject: str, level: str, questions: Sequence[Question]) -> Confirmed:
    """Put questions to a subject that is installed for the target."""
    model = find_model(target)
    kinds: dict[str, set[ProbeKind]] = {}
    wrong: set[tuple[str, ProbeKind]] = set()
    for job in jobs(target, subject, level, questions):
        for done in run_job(job):
            for verdict in done.verdicts:
                if verdict.verdict is Judgement.AGREES:
                    kinds.setdefault(verdict.probe, set()).add(verdict.kind)
                elif verdict.verdict is Judgement.DEVIATES:
                    wrong.add((verdict.probe, verdict.kind))
    found = []
    for question in questions:
        name = probe(question).id
        right = frozenset(kind for kind in kinds.get(name, ()) if (name, kind) not in wrong)
        found.append((question, asked(model, question), right))
    return Confirmed(target, subject, tuple(found))


def jobs(target: str, subject: str, level: str, questions: Sequence[Question]) -> Iterator[Job]:
    """The questions as jobs, those about records apart."""
    calls: list[Question] = [one for one in questions if isinstance(one, Prototype)]
    records: list[Question] = [one for one in questions if not isinstance(one, Prototype)]
    for sort, part in ((Sort.PROTOTYPES, calls), (Sort.RECORDS, records)):
        for number, start in enumerate(range(0, len(part), BATCH)):
            chunk: tuple[Question, ...] = tuple(part[start : start + BATCH])
            yield Job(find_target(target), number, sort, chunk, (at_level((subject, level)),))


def asked(model: AbiModel, question: Question) -> object:
    """What a model answers to a question of C."""
    assert not isinstance(question, CXX_QUESTIONS), "the models of the laboratory are those of C"
    if not isinstance(question, Prototype):
        return model.layout(question)
    variants = getattr(model, "variants", None)
    return model.assign(question) if variants is None else variants(question)


def tried(confirmed: Confirmed, model: AbiModel) -> Iterator[Outcome]:
    """What was confirmed, under a wrong model."""
    for question, right, kinds in confirmed.answers:
        answer = asked(model, question)
        if answer == right or is_same_variants(answer, right):
            continue
        if type(answer).__name__ != type(right).__name__:
            withdrawn = kinds and type(right).__name__ in {"Assignment", "Layout", "Variants"}
            yield Outcome(Fate.WITHDRAWN if withdrawn else Fate.SURVIVED, differing=1, moves=not withdrawn)
            continue
        wrong = [kind for kind in sorted(kinds, key=str) if said(answer, kind) != said(right, kind)]
        if wrong:
            words = f"{confirmed.target} {confirmed.subject}: {wrong[0].value} of {probe(question).id}"
            yield Outcome(Fate.KILLED, words, 1)
            return
        fate = Fate.ALIKE if told(answer) == told(right) else Fate.SURVIVED
        yield Outcome(fate, differing=1, moves=is_moved(answer, right))


def is_same_variants(answer: object, right: object) -> bool:
    """Return whether two answers about vector functions are the same but for the clauses; their classes may be two."""
    return type(right).__name__ == "Variants" and without(answer) == without(right)


def is_moved(answer: object, right: object) -> bool:
    """Return whether an answer puts a byte elsewhere; of vector functions any difference does."""
    if isinstance(answer, Assignment) and isinstance(right, Assignment):
        return places(answer) != places(right)
    return type(right).__name__ == "Variants" and told(answer) != told(right)


def told(answer: object) -> object:
    """All that an answer says of bytes and names."""
    if isinstance(answer, Assignment):
        return bare(answer), [declaration(one) for one in values(answer)]
    return said(answer, ProbeKind.LAYOUT), said(answer, NAMES), said(answer, ProbeKind.LANES)


def said(answer: Any, kind: ProbeKind) -> object:
    """What an answer says of that which one kind of probe compares."""
    # By names: the classes of a wrong model's answers may be its own.
    match type(answer).__name__:
        case "Layout":
            places = [(one.path, one.bit_offset, one.bit_width, one.bit_field) for one in answer.members]
            return answer.size, answer.align, places
        case "Variants" if kind in LANES:
            return [without(variant.places) for variant in answer.variants]
        case "Variants":
            refused = [(one.pragma, one.why) for one in answer.refusals]
            return answer.symbols, refused, [one.steps for one in answer.variants]
        case "Assignment":
            plain = without_clauses(answer)
            if kind is ProbeKind.PARAM:
                return [declaration(one) for one in values(plain)]
            if kind is ProbeKind.RESULT:
                result = plain.result
                return None if result is None else ask(result), [one.role for one in plain.hidden]
            return [ask(one) for one in plain.params]
        case other:
            return other


def values(answer: Assignment) -> tuple[Passed, ...]:
    """The parameters and the result."""
    return (*answer.params, *(() if answer.result is None else (answer.result,)))


def ask(value: Passed) -> object:
    """What one value asks of bytes."""
    return value.passing, value.mask, [demand(value, piece) for piece in value.pieces]


def declaration(value: Passed) -> object:
    """How PTX declares a value, as far as it is compared."""
    own = value.param
    return own and (own.index, own.align, own.size, own.offset, own.offsets)


def without(value: object) -> object:
    """A value without the clauses in it."""
    if isinstance(value, msgspec.Struct):
        fields = [name for name in value.__struct_fields__ if "clause" not in name]
        return [(name, without(getattr(value, name))) for name in fields]
    if isinstance(value, tuple):
        return [without(one) for one in value]
    return value.name if isinstance(value, Enum) else value
