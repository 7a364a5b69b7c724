"""Run the examples of quirks to find out whether compilers still have them.

A quirk is gone where its example agrees with the text on a compiler that is said to have it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cache

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.progress import counted
from abiprobe.harness.input.declared import declared_in_ours
from abiprobe.harness.observers.ask import ask
from abiprobe.harness.observers.registry import observer_of
from abiprobe.harness.runs.answer_cache import cached_answer
from abiprobe.harness.subjects.find import parse_subject
from abiprobe.harness.subjects.own_quirks import chosen
from abiprobe.harness.subjects.trust import distrust
from abiprobe.harness.triage.known_examples import LEVELS
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.language.cxx_calls import CxxPrototype
from abiprobe.oracles.language.entities import Entity
from abiprobe.oracles.language.lang import Prototype, Record
from abiprobe.oracles.language.question import WITNESSES, Question, probe
from abiprobe.oracles.language.tables import Tables
from abiprobe.oracles.model import Target
from abiprobe.oracles.quirks.in_force import dialect_of, quirks_of
from abiprobe.oracles.quirks.quirk import Quirk
from abiprobe.oracles.quirks.versions import families_of
from abiprobe.oracles.registry import find_target
from abiprobe.results.journal.journal import Run
from abiprobe.results.verdicts.record import Judgement, Verdict


@cache
def examples(target: Target) -> dict[str, tuple[Question, ...]]:
    """Return the declarations of the example of each quirk that reaches a target, as far as it changes the answer to them."""
    return dict(examples_of(target, chosen().quirks))


def examples_of(target: Target, quirks: Iterable[Quirk]) -> Iterator[tuple[str, tuple[Question, ...]]]:
    """Yield the names of the quirks that reach a target, with the declarations of the example to which each changes the answer."""
    for quirk in quirks:
        if quirk.reaches(target.name):
            yield quirk.name, tuple(one for one in declared(quirk, target) if is_changed(target, quirk, one))


def declared(quirk: Quirk, target: Target) -> tuple[Question, ...]:
    """Return the declarations of an example; none where a target has not the types of any of them."""
    if quirk.entity is not None:
        return (quirk.entity,)
    try:
        return declared_in_ours(quirk.example, target, cxx=quirk.cxx).questions
    except Problem:
        return ()


def is_changed(target: Target, quirk: Quirk, question: Question) -> bool:
    """Return whether a quirk changes what is asked of a subject, in the dialect of a family that has it."""
    return any(
        predicted(dialect_of(target, family, (quirk,)), question)
        != predicted(dialect_of(target, family, ()), question)
        for family in families_of(quirk.subjects)
    )


def predicted(target: Target, question: Question) -> tuple[bytes, bool]:
    """Return a digest of all that a verdict on a question takes from a model, and whether the symbol must have a mark."""
    observer, asked = observer_of(target, question, tuple(WITNESSES.values())), probe(question)
    return observer.prediction(asked), observer.asks_mark(asked)


def verdicts(
    target: Target, subject: str, levels: Collection[str], names: Collection[str]
) -> dict[str, list[Verdict]]:
    """The verdicts of a subject on the examples of quirks, by the id of the probe; of records at one level only."""
    questions = {probe(one).id: one for name in names for one in examples(target).get(name, ())}
    found: dict[str, list[Verdict]] = {}
    for sort, asked in (
        (Record, [*levels][:1]),
        (Class, [*levels][:1]),
        (Entity, [*levels][:1]),
        (Tables, [*levels][:1]),
        (CxxPrototype, levels),
        (Prototype, levels),
    ):
        some = [one for one in questions.values() if isinstance(one, sort)]
        if some:
            subjects = [(subject, level) for level in asked]
            seen = ask(target, some, subjects, tuple(WITNESSES.values()), put=cached_answer)
            for by_probe in seen.values():
                for identity, mine in by_probe.items():
                    found.setdefault(identity, []).extend(mine)
    return found


def gone_quirks(run: Run, met: Collection[str]) -> tuple[Quirk, ...]:
    """Return the quirks that no compiler of a run shows on its example any more which is said to have it, beside those `met`."""
    levels = tuple(dict.fromkeys((*run.header.plan.levels, *LEVELS)))
    shown: dict[str, list[bool]] = {}
    choice, every = chosen(), run.header.subjects
    for info in counted(every, "examples of known deviations", len(every)):
        target = find_target(info.target)
        mine = [
            one.name
            for one in quirks_of(target.name, info.subject, info.version, choice)
            if one.name not in met and one.cxx == parse_subject(info.subject).of_cxx
        ]
        if not mine or distrust(parse_subject(info.subject)):
            continue
        seen = verdicts(target, info.subject, levels, mine)
        for name in mine:
            given = [one for question in examples(target)[name] for one in seen.get(probe(question).id, ())]
            if any(one.verdict is Judgement.AGREES for one in given):
                shown.setdefault(name, []).append(any(one.verdict is Judgement.DEVIATES for one in given))
    by_name = {quirk.name: quirk for quirk in choice.quirks}
    return tuple(by_name[name] for name, found in shown.items() if not any(found))
