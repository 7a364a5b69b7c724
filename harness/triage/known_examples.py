"""Run the examples of known deviations to find out whether they still deviate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum

import msgspec

from abiprobe.harness.input.declared import declared_in
from abiprobe.harness.observers.ask import ask, on
from abiprobe.harness.runs.answer_cache import cached_answer
from abiprobe.harness.subjects.find import build, discover, identity, parse_subject
from abiprobe.harness.subjects.trust import distrust
from abiprobe.oracles.lang import Prototype
from abiprobe.oracles.question import WITNESSES, Question, probe
from abiprobe.results.blame import Configuration
from abiprobe.results.fingerprint import Fingerprint, fingerprints
from abiprobe.results.instead import fits, instead_of
from abiprobe.results.journal import Run
from abiprobe.results.known import Entry, concerns, has_traits, is_placed, shows
from abiprobe.results.places import places_of
from abiprobe.results.record import Judgement, Verdict
from abiprobe.results.traits import alike, roles, traits

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
    """What one subject shows on an example: expected and other fingerprints; `agrees` says that it follows the text in all that has the entry's traits.

    What another of the entries describes is among neither.

    What was not asked, as calls of a compiler that has no such convention, does not agree.
    """

    expected: frozenset[Fingerprint]
    otherwise: frozenset[Fingerprint]
    agrees: bool


def questions(entry: Entry, target: str) -> tuple[Question, ...]:
    """Return the declarations in the example of an entry."""
    declared = declared_in(entry.example, target)
    return (*declared.records, *declared.functions)


def run_example(entry: Entry, run: Run) -> ExampleResult:
    """Run the example of an entry with the compilers that it names.

    Those of the run come first, at its levels and `LEVELS`, since a deviation may need optimisation or its absence.
    If all of them agree, every other installed version in the entry's range is run before the entry counts as gone.
    """
    levels = tuple(dict.fromkeys((*run.header.plan.levels, *LEVELS)))
    found: dict[str, SubjectResult] = {}
    for target in run.header.plan.targets:
        mine = [info.subject for info in run.header.subjects if info.target == target]
        for subject in subjects_in_range(entry, target, mine):
            found[subject] = run_on_subject(entry, target, subject, levels)
            if found[subject].expected:
                return ExampleResult(ExampleStatus.DEVIATES, tuple(found))
        others = [one for one in installed_subjects(target) if one not in found]
        for subject in subjects_in_range(entry, target, others):
            found[subject] = run_on_subject(entry, target, subject, levels)
            if found[subject].expected:
                return ExampleResult(ExampleStatus.DEVIATES, tuple(found))
    return ExampleResult(status_of(found.values()), tuple(found), other_deviations(found))


def status_of(found: Iterable[SubjectResult]) -> ExampleStatus:
    """Combine the results of several subjects, none of which shows the expected deviation."""
    every = tuple(found)
    if any(one.otherwise for one in every):
        return ExampleStatus.OTHERWISE
    return ExampleStatus.AGREES if every and all(one.agrees for one in every) else ExampleStatus.NOTHING


def other_deviations(found: dict[str, SubjectResult]) -> tuple[str, ...]:
    """Describe the deviations other than the expected one, a line for each subject."""
    return tuple(
        f"{subject}: {', '.join(sorted(words(one) for one in item.otherwise))}"
        for subject, item in found.items()
        if item.otherwise
    )


def words(found: Fingerprint) -> str:
    """A fingerprint for people."""
    return f"{found.symptom.value} {found.clause or found.words}"


def installed_subjects(target: str) -> list[str]:
    """List all subjects installed for a target."""
    return [one.spelling for one in discover((target.partition("@")[0],))]


def subjects_in_range(entry: Entry, target: str, spellings: Iterable[str]) -> Iterator[str]:
    """Yield the subjects installed for a target whose version is in the range of an entry."""
    for spelling in spellings:
        # They are a run's, which may name any program.
        if distrust(spelling):
            continue
        built = build(parse_subject(spelling), target, LEVELS[0])
        if built is not None and concerns(entry, target, spelling, identity(built.command).version):
            yield spelling


def run_on_subject(entry: Entry, target: str, subject: str, levels: Sequence[str]) -> SubjectResult:
    """Run the example of an entry with one subject at the given levels."""
    return run_all_on_subject((entry,), target, subject, levels)[entry.name]


def run_all_on_subject(
    entries: Sequence[Entry], target: str, subject: str, levels: Sequence[str]
) -> dict[str, SubjectResult]:
    """Run the examples of entries with one subject, one batch per sort; returns results by entry name."""
    asked = {entry.name: questions(entry, target) for entry in entries}
    every = tuple(question for found in asked.values() for question in found)
    seen = verdicts(target, every, [(subject, level) for level in levels])
    return {entry.name: subject_result(entry, entries, target, asked[entry.name], seen) for entry in entries}


def verdicts(
    target: str, asked: Sequence[Question], subjects: Sequence[Configuration]
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
    entries: Sequence[Entry],
    target: str,
    asked: Iterable[Question],
    seen: Mapping[str, Sequence[tuple[Verdict, ...]]],
) -> SubjectResult:
    """Verdicts on the questions of an example, against what the entry and the others say of them."""
    expected: set[Fingerprint] = set()
    otherwise: set[Fingerprint] = set()
    agreeing: list[bool] = []
    for question in asked:
        every = seen.get(probe(question).id, ())
        if has_traits(entry, alike(traits(question)) | roles(question)):
            agreeing.append(any(one.verdict is Judgement.AGREES for given in every for one in given))
        for given in every:
            for item in fingerprints(target, given):
                if describes(entry, item, question, given):
                    expected.add(item)
                elif not any(describes(other, item, question, given) for other in entries):
                    otherwise.add(item)
    return SubjectResult(frozenset(expected), frozenset(otherwise), bool(agreeing) and all(agreeing))


def describes(entry: Entry, item: Fingerprint, question: Question, given: tuple[Verdict, ...]) -> bool:
    """Whether a deviation on a question of an example is the one that the entry speaks of."""
    return (
        shows(entry, item)
        and has_traits(entry, alike(traits(question)) | roles(question))
        and is_placed(entry, places_of(item, given))
        and fits(instead_of(item, given), entry.instead.get(item.clause, ()))
    )
