"""The shipped list: every entry is narrow enough to tell its deviation from others."""

from __future__ import annotations

from itertools import combinations

import pytest
from laboratory.dialects import SPELLINGS

from abiprobe.oracles.quirks.versions import families_of
from abiprobe.oracles.text.clause import find_clause
from abiprobe.results.causes.fingerprint import CRASHES, Symptom, signature
from abiprobe.results.causes.traits import alike
from abiprobe.results.known.deviations import Entry, concerns, shipped

ENTRIES = shipped().entries
LETTERS = 7
"""The shortest part of a message that names a failure."""
VERSIONS = tuple(f"{number}.0.0" for number in range(1, 31))


@pytest.fixture(params=ENTRIES, ids=lambda entry: entry.name)
def entry(request: pytest.FixtureRequest) -> Entry:
    assert isinstance(request.param, Entry)
    return request.param


def test_an_entry_says_how_it_shows(entry: Entry) -> None:
    assert entry.shows
    for symptom, named in entry.shows.items():
        assert named
        for name in named:
            if symptom in CRASHES:
                assert len(signature(name)) >= LETTERS
            else:
                assert find_clause(name).id == name


def test_a_message_that_any_failure_may_have_needs_traits(entry: Entry) -> None:
    assert entry.traits or entry.clauses or "exit code" not in str(entry.shows)


def test_an_entry_for_targets_by_pattern_names_traits_or_places(entry: Entry) -> None:
    assert entry.traits or entry.places or all(not set(one) & set("*?[") for one in entry.targets)
    assert not alike(entry.traits) & alike(entry.without)


def meet(one: Entry, other: Entry) -> bool:
    """Return whether a deviation with the traits of either entry, and no others, may be matched by both."""
    symptoms = [(symptom, name) for symptom, found in one.shows.items() for name in found]
    both_die = Symptom.CRASHED in one.shows.keys() & other.shows.keys()
    if not both_die and not any(name in other.shows.get(symptom, ()) for symptom, name in symptoms):
        return False
    mine, theirs = alike(one.traits), alike(other.traits)
    if not (mine <= theirs or theirs <= mine):
        return False
    if mine & alike(other.without) or theirs & alike(one.without):
        return False
    if one.places and other.places and not set(one.places) & set(other.places):
        return False
    families = families_of((*one.subjects, *other.subjects))
    return any(
        concerns(one, target, family, version) and concerns(other, target, family, version)
        for family in families
        for version in VERSIONS
        for target in SPELLINGS
        if concerns(one, target, family, version)
    )


def test_no_two_entries_match_the_same_deviation() -> None:
    assert [(one.name, other.name) for one, other in combinations(ENTRIES, 2) if meet(one, other)] == []
