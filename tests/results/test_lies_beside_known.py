"""Lies beside every known deviation: each is new, though the question is the one that the entry speaks of."""

from __future__ import annotations

from functools import cache

import pytest
from laboratory.lies_beside_known import Answer, lies, subject_of, truths, version_in

from abiprobe.harness.triage.known_examples import questions_of
from abiprobe.oracles.question import Question
from abiprobe.results.fingerprint import fingerprints
from abiprobe.results.known import Entry, Resemblance, concerning, has_traits, resemblances, shipped
from abiprobe.results.traits import alike, roles, traits
from abiprobe.results.versions import Range

from .test_known_neighbours import target_of

ENTRIES = shipped().entries
LIES = 5
"""How many lies are told beside an entry, at least."""
IN_ALL = 5000


@cache
def questions() -> dict[str, Question]:
    """For each entry the declaration of its example that it speaks of; targets are read once."""
    found: dict[str, Question] = {}
    by_target: dict[str, list[Entry]] = {}
    for entry in ENTRIES:
        by_target.setdefault(target_of(entry), []).append(entry)
    for target, entries in by_target.items():
        every = questions_of(entries, target)
        for entry in entries:
            found[entry.name] = min((one for one in every[entry.name] if speaks_of(entry, one)), key=unusual)
    return found


def speaks_of(entry: Entry, question: Question) -> bool:
    """Whether an entry speaks of a question."""
    return has_traits(entry, alike(traits(question)) | roles(question))


def unusual(question: Question) -> int:
    """How much is unusual about a question."""
    return len(traits(question))


def told(entry: Entry, answer: Answer, entries: tuple[Entry, ...]) -> tuple[Resemblance, ...]:
    """What all entries make of an answer to the example of one of them."""
    target = target_of(entry)
    if answer.split is None:
        bounds = Range.read(entry.subjects[0])
        subject, version = bounds.family, version_in(bounds)
    else:
        subject, version = subject_of(entry.sides[0], 0)
    concerned = concerning(entries, target, subject, version)
    return resemblances(concerned, target, questions()[entry.name], answer.verdicts, answer.split)


@pytest.fixture(params=ENTRIES, ids=lambda entry: entry.name)
def entry(request: pytest.FixtureRequest) -> Entry:
    assert isinstance(request.param, Entry)
    return request.param


def test_what_an_entry_says_is_known(entry: Entry) -> None:
    for answer in truths(entry):
        assert [one.entry for one in told(entry, answer, (entry,))] == [entry], answer


def test_a_lie_beside_an_entry_is_not_known_as_it(entry: Entry) -> None:
    every = tuple(lies(entry))
    assert len(every) >= LIES
    for answer in every:
        found = told(entry, answer, (entry,))
        assert found, answer
        assert all(one.entry is None for one in found), answer


def test_lies_are_known_as_no_other_entry_either() -> None:
    told_lies = [(entry, answer) for entry in ENTRIES for answer in lies(entry)]
    other = [
        (entry, answer)
        for entry, answer in told_lies
        if any(one.entry is not None for one in told(entry, answer, ENTRIES))
    ]
    assert len(told_lies) - len(other) >= IN_ALL
    every = {entry.name for entry in ENTRIES}
    assert {entry.name for entry, answer in told_lies if (entry, answer) not in other} == every


def test_questions_are_those_of_the_model() -> None:
    assert set(questions()) == {entry.name for entry in ENTRIES}
    assert all(fingerprints("x86_64-sysv", answer.verdicts) for answer in lies(ENTRIES[0]))
