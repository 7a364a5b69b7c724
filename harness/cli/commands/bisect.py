"""`abiprobe bisect`: a deviation over all installed versions of a compiler family.

Every version is asked, not every second one: asking takes a fraction of a second, and a fault may come and go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from rich.table import Table
from rich.text import Text

from abiprobe.harness.api.arguments import level_names, named_targets
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.progress import counted
from abiprobe.harness.cli.commands.console import answers, print_json
from abiprobe.harness.machines.render.declaration import declaration
from abiprobe.harness.observers.ask import ask, on, witnesses
from abiprobe.harness.subjects.families.languages import releases_of
from abiprobe.harness.subjects.find import discover, parse_subject
from abiprobe.harness.subjects.selection import named_subjects
from abiprobe.harness.triage.cases import Case, families_of, find_cases
from abiprobe.harness.triage.promise_timeline import in_every_release, is_promise, sides
from abiprobe.harness.triage.promise_timeline import in_words as in_words_of_promise
from abiprobe.harness.triage.witness_groups import counterpart
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.quirks.versions import family, release_numbers
from abiprobe.results.causes.blame import Configuration
from abiprobe.results.causes.fingerprint import Symptom
from abiprobe.results.causes.timeline import Version, VersionResult, changes, first, last, showing
from abiprobe.results.coverage.differing import in_words
from abiprobe.results.report.terminal import print_table

STYLES = {
    VersionResult.BAD: "bold red",
    VersionResult.OTHERWISE: "yellow",
    VersionResult.GOOD: "green",
    VersionResult.SILENT: "dim",
}


class Timeline(NamedTuple):
    """A deviation over the versions of a family; `against` are those that versions are held against, and `words` say so."""

    case: Case
    about: str
    against: Sequence[Configuration]
    words: str
    versions: Sequence[Version]


def bisect(
    name: str,
    run: Path | None,
    target: str | None,
    subjects: str | None,
    levels: str,
    options: str | None,
    form: str,
) -> int:
    """Print the timeline of every deviation that `name` stands for, for each family that shows it."""
    targets = named_targets(target) if target else ()
    chosen = level_names(levels)
    cases = find_cases(name, run, targets, subjects, chosen)
    extra = tuple(part for part in (options or "").split(",") if part)
    lines = [
        one
        for case in cases
        for one in (
            (of_promise(case, subjects, extra),)
            if is_promise(case)
            else of_families(case, subjects, chosen, extra)
        )
    ]
    if form == "json":
        print_json([as_json(one) for one in lines])
    else:
        for one in lines:
            print_timeline(one)
    return 0


def of_promise(case: Case, subjects: str | None, extra: Sequence[str]) -> Timeline:
    """The timeline of a broken promise."""
    named = None if subjects is None else named_subjects(subjects)
    one, other = sides(case)
    found = in_every_release(case, named, extra)
    return Timeline(case, parse_subject(one[0]).family.name, (other,), in_words_of_promise(case), found)


def of_families(
    case: Case, subjects: str | None, levels: Sequence[str], extra: Sequence[str]
) -> Iterator[Timeline]:
    """The timeline of a deviation for each family that shows it."""
    for about in families_of(case):
        names = versions(case, about, subjects)
        found = timeline(case, names, levels, extra)
        against = partners(case, [version.subject for version in found])
        words = f"the documents leave it open: bad means in disagreement with {in_words(against)}"
        yield Timeline(case, about, against, words if against else "", found)


def versions(case: Case, about: str, subjects: str | None) -> tuple[str, ...]:
    """The subjects to ask, oldest first; raises `Problem` when there are none of the family.

    Of a family that is found by name only, as those of other languages are, they are those that the case names and
    the releases in the cache.
    """
    if subjects is not None:
        return tuple(name for one in named_subjects(subjects) if family(name := one.spelling) == about)
    found = [one.spelling for one in discover((case.target,)) if family(one.spelling) == about]
    named = dict.fromkeys((*releases_of(about), *(one for one, _ in case.everyone)))
    found = found or [one for one in named if family(one) == about]
    numbered = [one for one in found if re.search(r"-\d+(?:\.\d+)*$", one)] or found
    if not numbered:
        raise Problem(f"no {about} is installed for {case.fingerprint.target}", "abiprobe toolchains install")
    return tuple(sorted(numbered, key=release_numbers))


def timeline(
    case: Case, names: Sequence[str], levels: Sequence[str], extra: Sequence[str]
) -> tuple[Version, ...]:
    """Return the result of each version, without and with each of the extra options."""
    target, what = case.target, case.fingerprint
    used = levels if isinstance(case.question, Prototype) else levels[:1]
    found = []
    # Where no text decides, a version is held against one of another family.
    others = partners(case, names)
    spellings = [f"{name} {option}".strip() for option in ("", *extra) for name in names]
    for spelling in counted(spellings, "versions", len(spellings)):
        asked = tuple((spelling, level) for level in used) + others
        seen = on(ask(target, (case.question,), asked, witnesses(what.symptom)), case.question)
        found.append(Version(spelling, {level: showing(what, seen[spelling, level]) for level in used}))
    return tuple(found)


def partners(case: Case, names: Sequence[str]) -> tuple[Configuration, ...]:
    """Return the configurations with which versions of a family are compared where no text decides: one that disagrees with it."""
    return counterpart(case, names) if case.fingerprint.symptom is Symptom.DIFFERS else ()


def print_timeline(line: Timeline) -> None:
    """A table of versions and levels, and where they change."""
    console = answers()
    case, found = line.case, line.versions
    what = case.fingerprint
    head = f"{case.name}: {what.target} {what.clause or what.words} ({what.symptom.value}), {line.about}"
    console.print(Text(head, style="bold"), soft_wrap=True)
    if line.words:
        console.print(f"  {line.words}", markup=False, soft_wrap=True)
    console.print(
        Text("  " + declaration(case.question).replace("\n", "\n  "), style="green"), soft_wrap=True
    )
    levels = tuple(dict.fromkeys(level for version in found for level in version.shown))
    table = Table("", *(f"-{level}" for level in levels), box=None, pad_edge=False, header_style="bold")
    for version in found:
        cells = (Text(version.shown[level].value, style=STYLES[version.shown[level]]) for level in levels)
        table.add_row(version.subject, *cells)
    print_table(console, table)
    for words in change_lines(found):
        console.print(words, markup=False, soft_wrap=True)


def change_lines(found: Sequence[Version]) -> list[str]:
    """First and last bad and good, and each change."""
    plain = [version for version in found if " " not in version.subject]
    lines = [
        f"{change.now.value} since {change.to} ({change.after} was {'bad' if change.now is VersionResult.GOOD else 'good'})"
        for change in changes(plain)
    ]
    bad, good = first(plain, VersionResult.BAD), first(plain, VersionResult.GOOD)
    if lines:
        return [*lines, f"first bad: {bad or 'none'}; first good: {good or 'none'}"]
    if bad and not good:
        return [f"bad in every version tested, from {bad} to {last(plain, VersionResult.BAD)}"]
    return (
        [f"good in every version tested, from {good} to {last(plain, VersionResult.GOOD)}"]
        if good
        else ["nothing to compare"]
    )


def as_json(line: Timeline) -> dict[str, Any]:
    """A timeline as plain values."""
    case, found = line.case, line.versions
    plain = [version for version in found if " " not in version.subject]
    return {
        "schema": 1,
        "name": case.name,
        "fingerprint": msgspec.to_builtins(case.fingerprint),
        "example": declaration(case.question),
        "family": line.about,
        "against": [{"subject": subject, "opt": level} for subject, level in line.against],
        "versions": [msgspec.to_builtins(version) for version in found],
        "first_bad": first(plain, VersionResult.BAD),
        "first_good": first(plain, VersionResult.GOOD),
        "changes": [msgspec.to_builtins(change) for change in changes(plain)],
    }
