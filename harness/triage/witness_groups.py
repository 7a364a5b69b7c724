"""Group the compilers of an undecided case by agreement."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from abiprobe.harness.observers.ask import ask, on, witnesses
from abiprobe.harness.subjects.find import at_level
from abiprobe.harness.subjects.subject import Subject
from abiprobe.harness.triage.cases import Case
from abiprobe.oracles.language.question import probe
from abiprobe.oracles.quirks.versions import family
from abiprobe.results.causes.blame import Configuration
from abiprobe.results.causes.fingerprint import OPEN, Symptom
from abiprobe.results.coverage.differing import Group, compare

FOREIGN = "foreign"
"""The observer of libraries that make calls by themselves."""


def is_open(case: Case) -> bool:
    """Return whether no text decides a case."""
    return case.fingerprint.symptom in OPEN


@lru_cache(maxsize=16)
def witness_groups(case: Case) -> tuple[Group, ...]:
    """Return the groups of agreeing compilers; self-inconsistent ones are grouped by how."""
    what = case.fingerprint
    seen = on(ask(case.target, (case.question,), case.deviating, witnesses(what.symptom)), case.question)
    found = compare(what.target, probe(case.question).id, seen)
    if found is None:
        return ()
    return found.contradictory if what.symptom is Symptom.SELF_INCONSISTENT else found.groups


def representatives(groups: Sequence[Group]) -> tuple[Configuration, ...]:
    """One compiler of each group, at one level; a group of libraries has none."""
    each = ([asked for asked in group.subjects if compiles(at_level(asked).subject)][:1] for group in groups)
    return tuple(asked for found in each for asked in found)


def compiles(subject: Subject) -> bool:
    """Return whether a subject is a compiler, and not a library that makes calls by itself."""
    return FOREIGN not in subject.family.observers


def counterpart(case: Case, names: Sequence[str]) -> tuple[Configuration, ...]:
    """Return a subject that disagrees with the first of `names`, of another family if there is one; empty if there is none."""
    own = {family(name) for name in names}
    groups = witness_groups(case)
    mine = [group for group in groups if any(family(subject) in own for subject, _ in group.subjects)]
    exact = [group for group in mine if any(subject in names for subject, _ in group.subjects)]
    beside = (exact or mine)[:1]
    apart = [asked for group in groups if group not in beside for asked in group.subjects]
    others = [asked for asked in apart if family(asked[0]) not in own]
    return tuple((others or apart)[:1])
