"""Run the examples of known deviations to find out whether they still deviate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum

import msgspec

from abiprobe.harness.base.progress import counted
from abiprobe.harness.input.declared import declared_in_each
from abiprobe.harness.observers.ask import ask, on
from abiprobe.harness.runs.answer_cache import cached_answer
from abiprobe.harness.runs.question_sorts import targets_of
from abiprobe.harness.subjects.find import discover, parse_subject, version_of
from abiprobe.harness.subjects.trust import distrust
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import WITNESSES, Question, probe
from abiprobe.oracles.model import Target
from abiprobe.results.causes.blame import Configuration
from abiprobe.results.causes.fingerprint import Fingerprint, fingerprints
from abiprobe.results.causes.traits import features
from abiprobe.results.journal.journal import Run
from abiprobe.results.known.deviations import (
    Entry,
    KnownCause,
    expects,
    is_described,
)
from abiprobe.results.verdicts.record import Judgement, Verdict

LEVELS = ("O0", "O2")


class ExampleStatus(Enum):
    """The outcome of running the example of an entry."""

    DEVIATES = "deviates"
    """a compiler that the entry names deviates as the entry says"""
    OTHERWISE = "otherwise"
    """none does, but one deviates in another way"""
    AGREES = "agrees"
    """every compiler that the entry names, and that is installed, follows the text"""
    NOTHING = "nothing"
    """no compiler that the entry names is installed, or one could not answer"""


class ExampleResult(msgspec.Struct, frozen=True):
    """The result of an example, with the compilers it was run on; `otherwise` describes other deviations."""

    answer: ExampleStatus
    subjects: tuple[str, ...] = ()
    otherwise: tuple[str, ...] = ()


class SubjectResult(msgspec.Struct, frozen=True):
    """The answer of one subject on an example: expected and other fingerprints; `agrees` says that it follows the text in all that has the entry's traits.

    What was not asked, as calls of a compiler that has no such convention, does not agree.
    """

    expected: frozenset[Fingerprint]
    otherwise: frozenset[Fingerprint]
    agrees: bool


def questions(entry: Entry, target: Target) -> tuple[Question, ...]:
    """Return the declarations in the example of an entry."""
    return questions_of([entry], target)[entry.name]


def questions_of(entries: Sequence[Entry], target: Target) -> dict[str, tuple[Question, ...]]:
    """Return the declarations in the examples of entries, by entry name."""
    every = declared_in_each([entry.example for entry in entries], target)
    return {
        entry.name: (*found.records, *found.functions) for entry, found in zip(entries, every, strict=True)
    }


def run_examples(
    entries: Sequence[Entry], run: Run, others: Sequence[KnownCause] = ()
) -> dict[str, ExampleResult]:
    """Run the examples of entries with the compilers that they name; returns results by entry name.

    What one of `others`, entries and quirks, says of the same compiler is no other way of deviating.

    Those of the run come first, at its levels and `LEVELS`, since a deviation may need optimisation or its absence.
    Of an entry on which all of them agree, every other installed version in its range is asked before it counts as gone.
    All that is asked of one compiler is one batch.
    """
    levels = tuple(dict.fromkeys((*run.header.plan.levels, *LEVELS)))
    found: dict[str, dict[str, SubjectResult]] = {entry.name: {} for entry in entries}
    for target in targets_of(run.header.plan):
        mine = [info.subject for info in run.header.subjects if info.target == target.spelling]
        for subject in candidates(target, mine):
            waiting = [
                entry for entry in entries if not any(one.expected for one in found[entry.name].values())
            ]
            version = version_of(subject, target) if waiting else None
            if version is None:
                continue
            asked = [one for one in waiting if expects(one, target.spelling, subject, version)]
            if asked:
                told = [
                    one
                    for one in others
                    if not isinstance(one, Entry) or expects(one, target.spelling, subject, version)
                ]
                for name, result in run_on_subject(asked, target, subject, levels, told).items():
                    found[name][subject] = result
    return {name: example_result(shown) for name, shown in found.items()}


def candidates(target: Target, mine: Sequence[str]) -> Iterator[str]:
    """Yield the subjects of a run that may be started, then all others that are installed for a target, with progress."""
    # Those of the run may name any program.
    trusted = [one for one in mine if not distrust(parse_subject(one))]
    others = [one for one in installed_subjects(target) if one not in mine]
    yield from counted((*trusted, *others), "examples of known deviations", len(trusted) + len(others))


def example_result(shown: Mapping[str, SubjectResult]) -> ExampleResult:
    """The result of an example from what each subject shows."""
    if any(one.expected for one in shown.values()):
        return ExampleResult(ExampleStatus.DEVIATES, tuple(shown))
    return ExampleResult(status_of(shown.values()), tuple(shown), other_deviations(shown))


def status_of(found: Iterable[SubjectResult]) -> ExampleStatus:
    """Combine the results of several subjects, none of which shows the expected deviation."""
    every = tuple(found)
    if any(one.otherwise for one in every):
        return ExampleStatus.OTHERWISE
    return ExampleStatus.AGREES if every and all(one.agrees for one in every) else ExampleStatus.NOTHING


def other_deviations(found: Mapping[str, SubjectResult]) -> tuple[str, ...]:
    """Describe the deviations other than the expected one, a line for each subject."""
    return tuple(
        f"{subject}: {', '.join(sorted(words(one) for one in item.otherwise))}"
        for subject, item in found.items()
        if item.otherwise
    )


def words(found: Fingerprint) -> str:
    """A fingerprint for people."""
    return f"{found.symptom.value} {found.clause or found.words}"


def installed_subjects(target: Target) -> list[str]:
    """List all subjects installed for a target."""
    return [one.spelling for one in discover((target,))]


def run_on_subject(
    entries: Sequence[Entry],
    target: Target,
    subject: str,
    levels: Sequence[str],
    others: Sequence[KnownCause] = (),
) -> dict[str, SubjectResult]:
    """Run the examples of entries with one subject, one batch per sort; returns results by entry name.

    What one of `others` describes counts neither as expected nor as deviating otherwise.
    """
    asked = questions_of(entries, target)
    every = tuple(question for found in asked.values() for question in found)
    seen = verdicts(target, every, [(subject, level) for level in levels])
    return {entry.name: subject_result(entry, others, target, asked[entry.name], seen) for entry in entries}


def verdicts(
    target: Target, asked: Sequence[Question], subjects: Sequence[Configuration]
) -> dict[str, list[tuple[Verdict, ...]]]:
    """The verdicts on each probe, by its id, of each subject at each level; of a record at the first level only."""
    every = {probe(question).id: question for question in asked}
    records = [one for one in every.values() if not isinstance(one, Prototype)]
    functions = [one for one in every.values() if isinstance(one, Prototype)]
    found: dict[str, list[tuple[Verdict, ...]]] = {}
    for part, level in ((records, slice(1)), (functions, slice(None))):
        if part:
            seen = ask(target, part, tuple(subjects[level]), tuple(WITNESSES.values()), put=cached_answer)
            for question in part:
                found.setdefault(probe(question).id, []).extend(on(seen, question).values())
    return found


def subject_result(
    entry: Entry,
    others: Sequence[KnownCause],
    target: Target,
    asked: Iterable[Question],
    seen: Mapping[str, Sequence[tuple[Verdict, ...]]],
) -> SubjectResult:
    """Verdicts on the questions of an example, against what the entry and the others say of them."""
    expected: set[Fingerprint] = set()
    otherwise: set[Fingerprint] = set()
    agreeing: list[bool] = []
    for question in asked:
        every = seen.get(probe(question).id, ())
        if entry.suits(features(question).named):
            agreeing.append(any(one.verdict is Judgement.AGREES for given in every for one in given))
        for given in every:
            for item in fingerprints(target.spelling, given):
                if is_described((entry,), item, question, given):
                    expected.add(item)
                elif not is_described(others, item, question, given):
                    otherwise.add(item)
    return SubjectResult(frozenset(expected), frozenset(otherwise), bool(agreeing) and all(agreeing))
