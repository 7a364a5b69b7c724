"""The timeline of a broken promise: which releases of the first side break it, asked with its options.

Where both sides are of one release, as with two standards, both move through the releases.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.observers.ask import ask, on, witnesses
from abiprobe.harness.subjects.find import parse_subject
from abiprobe.harness.subjects.promises import releases
from abiprobe.harness.subjects.subject import AtLevel, Subject
from abiprobe.harness.triage.cases import Case
from abiprobe.oracles.language.question import probe
from abiprobe.oracles.unmodelled.opened import OPEN
from abiprobe.results.causes.timeline import Version, VersionResult
from abiprobe.results.coverage.promises import Both, kept, with_level


def is_promise(case: Case) -> bool:
    """Return whether a case is a broken promise."""
    return case.target.dialect == OPEN


def sides(case: Case) -> Both:
    """The two sides of a promise that an example breaks, in the order in which they were named."""
    apart = dict.fromkeys((*case.deviating[:2], *case.agreeing))
    if len(apart) == 1:
        # One that contradicts itself is held against the other subject of the run.
        (alone,) = apart
        beside = {one for one in case.everyone if one[0] != alone[0]}
        if len({subject for subject, _ in beside}) != 1:
            raise Problem(f"{case.name} is no promise between two", "name a cause on which two differ")
        apart = dict.fromkeys((alone, min(beside, key=lambda one: one[1] != alone[1])))
    named = sorted(apart, key=lambda one: case.everyone.index(one) if one in case.everyone else -1)
    return named[0], named[1]


def in_every_release(
    case: Case, named: Sequence[Subject] | None, extra: Sequence[str]
) -> tuple[Version, ...]:
    """Return the result of each release of the first side, or of the subjects that are `named`; with each `extra` option, too."""
    one, other = sides(case)
    first = parse_subject(one[0])
    found = releases(first.family.name, (case.target,)) if named is None else tuple(named)
    if not found:
        raise Problem(
            f"no release of {first.family.name} is installed for {case.fingerprint.target}",
            "abiprobe toolchains install",
        )
    return tuple(
        version(case, release, moved(one, other, release, option), option)
        for option in ("", *extra)
        for release in found
    )


def moved(one: tuple[str, str], other: tuple[str, str], release: Subject, option: str) -> Both:
    """Return both sides for a release: the first one is of it, and so is the other one if both were of one release."""
    mine, theirs = parse_subject(one[0]), parse_subject(other[0])
    more = (option,) if option else ()
    at = AtLevel(replace(release, options=(*release.options, *mine.options, *more)), one[1])
    if theirs.name != mine.name:
        return at.spelling, other
    beside = AtLevel(replace(release, options=(*release.options, *theirs.options, *more)), other[1])
    return at.spelling, beside.spelling


def version(case: Case, release: Subject, both: Both, option: str) -> Version:
    """Return what became of the promise on an example with one release."""
    seen = on(ask(case.target, (case.question,), both, witnesses(case.fingerprint.symptom)), case.question)
    held = kept(case.fingerprint.target, probe(case.question).id, both, seen)
    result = VersionResult.SILENT if held is None else VersionResult.GOOD if held else VersionResult.BAD
    return Version(f"{release} {option}".strip(), {both[0][1]: result})


def in_words(case: Case) -> str:
    """The meaning of a bad version, in words."""
    one, other = sides(case)
    mine, theirs = parse_subject(one[0]), parse_subject(other[0])
    told = " ".join(mine.options)
    asked = f"with {told} " if told else ""
    if theirs.name != mine.name:
        return f"bad means that it does otherwise {asked}than {with_level(*other)}"
    options = " ".join(theirs.options) or "no option"
    return f"bad means that it does otherwise {asked}at -{one[1]} than with {options} at -{other[1]}"
