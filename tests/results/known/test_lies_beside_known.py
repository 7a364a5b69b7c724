"""Lies beside every known deviation: each is new, though the question is the one that the entry speaks of."""

from __future__ import annotations

import re
from functools import cache

import pytest
from laboratory.lies_beside_known import Answer, lies, subject_of, truths, version_in

from abiprobe.harness.triage.known_examples import questions_of
from abiprobe.oracles.language.question import Question
from abiprobe.oracles.quirks.versions import Range
from abiprobe.oracles.registry import find_target
from abiprobe.results.causes.fingerprint import CRASHES, Symptom, fingerprints, is_telling, signature
from abiprobe.results.causes.traits import features, traits
from abiprobe.results.known.deviations import (
    Entry,
    Resemblance,
    concerning,
    resemblances,
    shipped,
)

from .test_neighbours import target_of

ENTRIES = shipped().entries
IN_ALL = 10 * len(ENTRIES)
"""How many lies are new to all entries, at least."""
SEEN_OTHERWISE = frozenset(Symptom) - CRASHES - {Symptom.DIFFERS, Symptom.UNMARKED, Symptom.NAMES}
"""The symptoms of which more than the clause is told."""


@cache
def questions() -> dict[str, Question]:
    """For each entry the declaration of its example that it speaks of; targets are read once."""
    found: dict[str, Question] = {}
    by_target: dict[str, list[Entry]] = {}
    for entry in ENTRIES:
        by_target.setdefault(target_of(entry), []).append(entry)
    for target, entries in by_target.items():
        every = questions_of(entries, find_target(target))
        for entry in entries:
            found[entry.name] = min((one for one in every[entry.name] if speaks_of(entry, one)), key=unusual)
    return found


def speaks_of(entry: Entry, question: Question) -> bool:
    """Return whether an entry speaks of a question."""
    return entry.suits(features(question).named)


def unusual(question: Question) -> int:
    """How much is unusual about a question."""
    return len(traits(question))


def told(entry: Entry, answer: Answer, entries: tuple[Entry, ...]) -> tuple[Resemblance, ...]:
    """What all entries make of an answer to the example of one of them."""
    concerned = concerned_with(entry.name, target_of(entry), subject_and_version(entry), entries)
    question = questions()[entry.name]
    return resemblances(concerned, target_of(entry), question, answer.verdicts, answer.split)


def subject_and_version(entry: Entry) -> tuple[str, str]:
    """A subject of an entry, with its version."""
    if entry.sides:
        return subject_of(entry.sides[0], 0)
    bounds = Range.read(entry.subjects[0])
    return bounds.family, version_in(bounds)


KNOWN_TO: dict[tuple[str, int], tuple[Entry, ...]] = {}


def concerned_with(
    name: str, target: str, asked: tuple[str, str], entries: tuple[Entry, ...]
) -> tuple[Entry, ...]:
    """Those of the entries that concern the subject of one of them; entries are unhashable, and are told by their number."""
    key = (name, len(entries))
    if key not in KNOWN_TO:
        KNOWN_TO[key] = concerning(entries, target, *asked)
    return KNOWN_TO[key]


@pytest.fixture(params=ENTRIES, ids=lambda entry: entry.name)
def entry(request: pytest.FixtureRequest) -> Entry:
    assert isinstance(request.param, Entry)
    return request.param


def test_what_an_entry_says_is_known(entry: Entry) -> None:
    for answer in truths(entry):
        assert [one.entry for one in told(entry, answer, (entry,))] == [entry], answer


def test_a_lie_beside_an_entry_is_not_known_as_it(entry: Entry) -> None:
    every = tuple(lies(entry))
    assert every
    for answer in every:
        found = told(entry, answer, (entry,))
        assert found, answer
        assert all(one.entry is None for one in found), answer


def test_an_entry_says_what_is_seen(entry: Entry) -> None:
    told_of = {clause for symptom in SEEN_OTHERWISE for clause in entry.shows.get(symptom, ())}
    assert {clause for clause in told_of if not entry.instead.get(clause)} == set()
    assert not any(
        re.fullmatch(r"\*( but taken from \*)?", one) for named in entry.instead.values() for one in named
    )


def test_a_death_has_words_of_its_own_or_the_traits_of_its_cause(entry: Entry) -> None:
    deaths = [phrase for symptom in CRASHES for phrase in entry.shows.get(symptom, ())]
    assert entry.traits or all(is_telling(signature(phrase)) for phrase in deaths)


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
