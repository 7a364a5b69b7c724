"""Bugs that resemble a known deviation and differ from it in one way stay new."""

from __future__ import annotations

import re
from collections.abc import Callable
from fnmatch import fnmatchcase

import pytest
from laboratory.dialects import SPELLINGS
from msgspec.structs import replace

from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.quirks.versions import Range, families_of
from abiprobe.oracles.registry import TARGETS
from abiprobe.results.causes.blame import Blame, Stand
from abiprobe.results.causes.cluster import Cluster, Finding, cluster
from abiprobe.results.causes.fingerprint import CRASHES, Fingerprint, Symptom, signature
from abiprobe.results.causes.places import Place
from abiprobe.results.known.deviations import Entry, matching, shipped

ENTRIES = shipped().entries
SHOWN = sorted(
    {(symptom, name) for one in ENTRIES for symptom, named in one.shows.items() for name in named}, key=str
)
LATEST = "999.0.0"
STEADY = True


def version_in(bounds: Range) -> str:
    """A version in a range."""
    tried = [LATEST, *(f"{number}.0.0" for number in range(1, 30)), "0.9"]
    return next(version for version in tried if bounds.has(bounds.family, version))


def target_of(entry: Entry) -> str:
    """A target that an entry names."""
    return min((name for name in SPELLINGS if any(fnmatchcase(name, one) for one in entry.targets)), key=len)


def caused(entry: Entry) -> Finding:
    """What an entry describes, as triage would find it: its first symptom, traits, place and range of versions."""
    symptom, (first, *_) = next(iter(entry.shows.items()))
    bounds = Range.read(entry.subjects[0])
    words = signature(first) if symptom in CRASHES else ""
    return Finding(
        Fingerprint(target_of(entry), symptom, "" if words else first, words),
        Prototype("f", None, ()),
        1,
        frozenset(entry.traits),
        Blame(Stand.ALONE, (bounds.family,)),
        "O2",
        "",
        STEADY,
        ("p",),
        {bounds.family: 1},
        tuple(place.value for place in entry.places[:1]),
    )


def known(finding: Finding, version: str) -> tuple[str, ...]:
    """The names of the shipped entries that know a finding of a subject in this version."""
    (found,) = cluster([finding])
    subject = finding.blame.deviating[0]
    return tuple(entry.name for entry in matching(found, ENTRIES, {subject: version}))


def is_known_as(entry: Entry, finding: Finding, version: str) -> bool:
    """Return whether one entry knows a finding of a subject in this version."""
    (found,) = cluster([finding])
    return bool(matching(found, (entry,), {finding.blame.deviating[0]: version}))


def shown(finding: Finding, symptom: Symptom, clause: str = "", words: str = "") -> Finding:
    """A finding with another fingerprint."""
    return replace(finding, fingerprint=Fingerprint(finding.fingerprint.target, symptom, clause, words))


def blamed(finding: Finding, subject: str) -> Finding:
    """A finding of another subject."""
    return replace(finding, blame=replace(finding.blame, deviating=(subject,)), subjects={subject: 1})


def explained(entry: Entry, found: tuple[str, ...]) -> bool:
    """Return whether a finding is known as an entry and no other."""
    return set(found) == {entry.name}


BY_ONE = [one for one in ENTRIES if not one.sides]
"""Those about what one compiler shows by itself; `lies_beside_known` divides the others in every other way."""


def the_deviation_itself_is_known(entry: Entry) -> None:
    assert explained(entry, known(caused(entry), version_in(Range.read(entry.subjects[0]))))


def another_symptom_is_new(entry: Entry) -> None:
    found, version = caused(entry), version_in(Range.read(entry.subjects[0]))
    clause = found.fingerprint.clause or "x86_64:pass.integer"
    for symptom in set(Symptom) - set(entry.shows) - CRASHES:
        assert not is_known_as(entry, shown(found, symptom, clause), version)


def another_clause_is_new(entry: Entry) -> None:
    version = version_in(Range.read(entry.subjects[0]))
    # A program that dies tells of no value, and so of no clause.
    found = replace(caused(entry), places=tuple(one.value for one in entry.places) or ("stack",))
    for symptom, clause in SHOWN:
        if symptom not in CRASHES and clause not in entry.shows.get(symptom, ()):
            assert not is_known_as(entry, shown(found, symptom, clause), version)


def a_crash_is_new(entry: Entry) -> None:
    found, version = caused(entry), version_in(Range.read(entry.subjects[0]))
    for symptom in CRASHES - set(entry.shows):
        assert not is_known_as(entry, shown(found, symptom, words="Assertion `planted' failed"), version)


def another_version_is_new(entry: Entry) -> None:
    found = caused(entry)
    for text in entry.subjects:
        bounds = Range.read(text)
        outside = [*(f"{number}.0.0" for number in range(1, 30)), LATEST]
        for version in outside:
            inside = any(Range.read(one).has(bounds.family, version) for one in entry.subjects)
            assert inside is is_known_as(entry, blamed(found, bounds.family), version)


def another_family_is_new(entry: Entry) -> None:
    found, version = caused(entry), version_in(Range.read(entry.subjects[0]))
    for family in {"clang", "gcc", "tcc", "pcc", "nvcc", "icc"}.difference(families_of(entry.subjects)):
        assert not is_known_as(entry, blamed(found, family), version)


def another_target_is_new(entry: Entry) -> None:
    found, version = caused(entry), version_in(Range.read(entry.subjects[0]))
    elsewhere = [name for name in TARGETS if not any(fnmatchcase(name, one) for one in entry.targets)]
    for target in elsewhere:
        moved = replace(found, fingerprint=replace(found.fingerprint, target=target))
        assert not is_known_as(entry, moved, version)


def another_place_is_new(entry: Entry) -> None:
    found, version = caused(entry), version_in(Range.read(entry.subjects[0]))
    for place in set(Place) - set(entry.places or Place):
        assert not is_known_as(entry, replace(found, places=(place.value,)), version)
    if entry.places:
        assert not is_known_as(entry, replace(found, places=()), version)


def a_question_without_a_trait_is_new(entry: Entry) -> None:
    found, version = caused(entry), version_in(Range.read(entry.subjects[0]))
    for trait in entry.traits:
        assert not is_known_as(entry, replace(found, traits=found.traits - {trait}), version)
    for trait in entry.without:
        assert not is_known_as(entry, replace(found, traits=found.traits | {trait}), version)


def what_fresh_runs_do_not_confirm_is_not_known(entry: Entry) -> None:
    found, version = caused(entry), version_in(Range.read(entry.subjects[0]))
    assert not known(replace(found, steady=not STEADY), version)


NEIGHBOURS = (
    the_deviation_itself_is_known,
    another_symptom_is_new,
    another_clause_is_new,
    a_crash_is_new,
    another_version_is_new,
    another_family_is_new,
    another_target_is_new,
    another_place_is_new,
    a_question_without_a_trait_is_new,
    what_fresh_runs_do_not_confirm_is_not_known,
)


@pytest.mark.parametrize("neighbour", NEIGHBOURS, ids=lambda one: one.__name__)
def test_every_entry_has_its_neighbours(neighbour: Callable[[Entry], None]) -> None:
    for entry in BY_ONE:
        neighbour(entry)


def test_one_unknown_finding_makes_its_cluster_new() -> None:
    misplaced = next(
        one for one in BY_ONE if set(one.shows) == {Symptom.MISPLACED} and one.subjects == ("clang",)
    )
    found = caused(misplaced)
    other = shown(found, Symptom.KEPT, "x86_64:call.saved")
    both = Cluster("c", misplaced.traits, Symptom.MISPLACED, (found, other), 2, {"clang": 2})
    assert matching(replace(both, findings=(found,)), ENTRIES, {"clang": "22.1.8"})
    assert not matching(both, ENTRIES, {"clang": "22.1.8"})


PLANTED = [
    # what it resembles: target, subject, version, symptom, clause or message, traits, places
    ("an alignment of a wide _BitInt, in a result", "riscv64-lp64d", "clang", "22.1.8", Symptom.MISPLACED, "riscv:int.bit-int", ("_BitInt wider than 64 bits",), ("result",)),
    ("an alignment of a wide _BitInt, in running code", "riscv64-lp64d", "clang", "16.0.6", Symptom.VALUES, "riscv:type.bit-int", ("_BitInt wider than 64 bits",), ()),
    ("an alignment of a wide _BitInt, of gcc", "riscv64-lp64d", "gcc", "14.2.0", Symptom.LAYOUT, "riscv:type.bit-int", ("_BitInt wider than 64 bits",), ()),
    ("an __int128 split by a version that was right", "x86_64-sysv", "clang", "18.1.8", Symptom.MISPLACED, "x86_64:pass.whole", ("__int128",), ("stack",)),
    ("an r9 left unused again", "x86_64-sysv", "clang", "23.1.0", Symptom.MISPLACED, "x86_64:pass.integer", ("__int128",), ("register",)),
    ("a narrow result that the caller trusts", "x86_64-sysv", "clang", "22.1.8", Symptom.ABOVE, "x86_64:pass.narrow", ("integer narrower than int",), ("result",)),
    ("a narrow argument that is misplaced", "x86_64-sysv", "clang", "22.1.8", Symptom.MISPLACED, "x86_64:pass.narrow", ("integer narrower than int",), ("register",)),
    ("a misplaced half-precision real in a struct", "x86_64-sysv", "clang", "16.0.6", Symptom.MISPLACED, "x86_64:pass.sse", ("half-precision real", "zero-width bit-field", "struct"), ("register",)),
    ("another crash on __bf16", "x86_64-sysv", "clang", "16.0.6", Symptom.CRASHED, "error in backend: cannot lower", ("half-precision real", "zero-width bit-field"), ()),
    ("a misplaced array of empty records", "x86_64-sysv", "clang", "22.1.8", Symptom.MISPLACED, "x86_64:pass.sse", ("array of empty elements", "struct"), ("register",)),
    ("a crash on a flexible array", "x86_64-sysv", "clang", "22.1.8", Symptom.CRASHED, "clang: error: clang frontend command failed with exit code N", ("flexible array", "struct"), ()),
    ("a misplaced zero-width bit-field in a struct of gcc 12", "x86_64-sysv", "gcc", "12.2.0", Symptom.MISPLACED, "x86_64:class.zero-width", ("zero-width bit-field", "struct"), ("register",)),
    ("a register that is not kept behind a flexible array", "riscv64-lp64d", "gcc", "12.2.0", Symptom.KEPT, "riscv:int.preserved", ("flexible array", "struct"), ()),
    ("unsigned integers sign-extended in a register", "riscv64-lp64d", "clang", "15.0.6", Symptom.ABOVE, "riscv:int.extend", ("integer narrower than int",), ("register",)),
    ("a zero-width bit-field by integer convention", "riscv64-lp64", "clang", "22.1.8", Symptom.MISPLACED, "riscv:int.aggregate", ("zero-width bit-field", "struct"), ("register",)),
]  # fmt: skip


@pytest.mark.parametrize("row", PLANTED, ids=[row[0] for row in PLANTED])
def test_a_planted_neighbour_stays_new(
    row: tuple[str, str, str, str, Symptom, str, tuple[str, ...], tuple[str, ...]],
) -> None:
    _, target, subject, version, symptom, what, traits, places = row
    crashed = symptom in CRASHES
    finding = replace(
        caused(ENTRIES[0]),
        fingerprint=Fingerprint(target, symptom, "" if crashed else what, what if crashed else ""),
        traits=frozenset(traits),
        places=places,
    )
    assert known(blamed(finding, subject), version) == ()


def test_names_are_no_patterns() -> None:
    for entry in ENTRIES:
        assert not any(re.search(r"[*?\[]", name) for named in entry.shows.values() for name in named)
