"""Measure whether bundles fail for the compilers to blame and for no other: one for each known deviation, or each cause of a run.

    python benchmarks/bundles.py [--cc SUBJECT,...] [--target T,...] [--named WORDS] [--run RUN] [--out DIR] [--table FILE]
    python benchmarks/bundles.py --findings FILE [--target T,...] [--named WORDS] [--out DIR] [--table FILE]
    python benchmarks/bundles.py --summary docs/findings

Puts the example of each known deviation to the compilers, on the first of its targets where one of them shows it, writes
the bundle of what they show (to DIR, or to a folder that does not stay), and runs each of its rules with `make`. With
`--run`, the same for the causes of a triaged run. Prints a row for each: what shows since which installed version, for
whom the bundle fails and for whom it passes, each with its level. A bundle that fails for the innocent or passes for the
guilty is told as WRONG, and the exit status is 1. `--table` puts the rows into a file, such as docs/findings/bundles.tsv.

With `--summary`, says what is new, gone and stays of the known deviations of gcc and clang, from the entries and from
the rows of bundles.tsv, and runs nothing: changes.tsv names each, changes-counted.tsv counts them by groups of targets.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from fnmatch import fnmatchcase
from pathlib import Path

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.table_file import Row, put, read
from abiprobe.harness.cli.commands.bisect import timeline, versions
from abiprobe.harness.cli.commands.repro import bundled, seen_to_fail, write
from abiprobe.harness.cli.commands.target_families import FAMILIES, family_of
from abiprobe.harness.observers.ask import ask, on
from abiprobe.harness.runs.answer_cache import cached_answer
from abiprobe.harness.runs.run_files import read_triaged_run
from abiprobe.harness.subjects.find import build, identity, installed, parse_subject
from abiprobe.harness.subjects.selection import named_subjects
from abiprobe.harness.triage.bundles.bundle import case_pairings, compilers
from abiprobe.harness.triage.cases import (
    Case,
    families_of,
    find_cases,
    of_cluster,
    of_those_here,
    of_verdicts,
)
from abiprobe.harness.triage.known_examples import questions
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import WITNESSES
from abiprobe.oracles.quirks.versions import Range
from abiprobe.oracles.registry import TARGETS, find_target
from abiprobe.results.causes.fingerprint import OPEN
from abiprobe.results.causes.timeline import Version, VersionResult
from abiprobe.results.known.deviations import Entry, concerns, is_described, shipped

SUBJECTS = "gcc-12,gcc-16,clang-22,clang-24"
LEVELS = ("O0", "O2")
SINCE = {"gcc": ("12", "16"), "clang": ("22", "24")}
"""The versions between which something became new or went away, by family."""
NOBODY = "no text decides"
EVERY = "all, each once"
BUNDLES, CHANGES, COUNTED = "bundles.tsv", "changes.tsv", "changes-counted.tsv"
SUMMARY_REMARK = "Made by `python benchmarks/bundles.py --summary docs/findings`."
TABLE_REMARK = "Made by `python benchmarks/bundles.py{} --table docs/findings/{}`."
DECIDED, UNDECIDED = "Where a text decides", "Where no text decides"
WITHOUT = "Without a bundle"


def of_entry(entry: Entry, targets: Iterable[str], subjects: Sequence[str]) -> tuple[Case, ...]:
    """The cases that the example of an entry shows, on the first target where one of the compilers does: that of most of them first."""
    for target in targets:
        if not any(fnmatchcase(target, pattern) for pattern in entry.targets):
            continue
        here = [one for one in subjects if installed(parse_subject(one), (find_target(target),))]
        if found := tuple(shown(entry, target, here)):
            return tuple(sorted(found, key=lambda case: -len(case.deviating)))
    return ()


def shown(entry: Entry, target: str, subjects: Sequence[str]) -> Iterator[Case]:
    """The deviations that the example of an entry shows on a target, of what the entry speaks of."""
    for question in questions(entry, find_target(target)):
        levels = LEVELS if isinstance(question, Prototype) else LEVELS[:1]
        asked = [(one, level) for one in subjects for level in levels]
        seen = on(
            ask(find_target(target), (question,), asked, tuple(WITNESSES.values()), put=cached_answer),
            question,
        )
        for case in of_verdicts(entry.name, target, question, seen):
            mine = [one for one in case.deviating if is_concerned(entry, target, one[0])]
            if any(is_described((entry,), case.fingerprint, question, seen[one]) for one in mine):
                yield msgspec.structs.replace(case, reduced=True)


def is_concerned(entry: Entry, target: str, subject: str) -> bool:
    """Return whether an entry speaks of a subject, in its version."""
    built = build(parse_subject(subject), find_target(target), LEVELS[0])
    return built is not None and concerns(entry, target, subject, identity(built.command).version)


def of_run(folder: Path, targets: Sequence[str]) -> Iterator[tuple[Row, tuple[Case, ...]]]:
    """The causes of a triaged run."""
    _, clusters = read_triaged_run(folder)
    for cluster in clusters:
        if cluster.first.fingerprint.target in targets:
            yield {"cause": cluster.id}, (of_those_here(of_cluster(cluster.id, folder)),)


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A finding of a page: the compilers to ask on a target, and the declarations that show it."""

    name: str
    target: str
    cc: str
    example: str


class Findings(msgspec.Struct, frozen=True):
    """The findings of a page."""

    finding: tuple[Asked, ...]


def of_findings(path: Path, words: str, targets: Sequence[str]) -> Iterator[tuple[Row, tuple[Case, ...]]]:
    """The findings of a file, those that no compiler shows here left out."""
    for asked in msgspec.toml.decode(path.read_bytes(), type=Findings).finding:
        if not asked.name.startswith(words) or asked.target not in targets:
            continue
        with tempfile.NamedTemporaryFile("w", suffix=".h") as header:
            header.write(asked.example)
            header.flush()
            name = {"finding": asked.name, "target": f"`{asked.target}`"}
            try:
                yield name, find_cases(header.name, None, (find_target(asked.target),), asked.cc, LEVELS)
            except Problem as problem:
                print(f"{asked.name} on {asked.target}: {problem}", file=sys.stderr)


def of_known(
    words: str, targets: Sequence[str], subjects: Sequence[str]
) -> Iterator[tuple[Row, tuple[Case, ...]]]:
    """The known deviations that one of the compilers shows."""
    for entry in shipped().entries:
        if words in entry.name and (cases := of_entry(entry, targets, subjects)):
            yield {"section": UNDECIDED if is_open(entry) else DECIDED, "cause": entry.name}, cases


def row(name: Row, cases: Sequence[Case], folder: Path) -> tuple[Row, bool]:
    """A row about one cause, and whether its bundle does as the verdicts say."""
    try:
        case, files = bundled(cases)
    except Problem as problem:
        section = {"section": WITHOUT} if "section" in name else {}
        return {**name, **section, **cells(cases[0], f"no bundle: {problem}", "-")}, True
    write(folder, files)
    tried = seen_to_fail(folder, case)
    if tried is None:
        return {**name, **cells(case, "not run", "-")}, True
    rules = case_pairings(case) or compilers(case)
    passed = [one.rule for one in rules if one.rule not in tried.failed]
    wrong = "" if tried.as_expected else f" WRONG: should fail for {in_words(tried.to_blame)}"
    return {**name, **cells(case, in_words(tried.failed) + wrong, in_words(passed))}, tried.as_expected


def cells(case: Case, failed: str, passed: str) -> Row:
    """The cells of a row, behind what it is about."""
    who = "; ".join(since(timeline(case, versions(case, one, None), LEVELS, ())) for one in families_of(case))
    return {"shown by": who, "fails for": failed, "passes for": passed}


def in_words(rules: Sequence[str]) -> str:
    """The rules of a Makefile as a reader has them: `clang 22, clang 24 -O0`, `clang 22 with gcc 12, both ways`."""
    pairs = [parts for rule in rules if len(parts := re.split("-(calls|beside)-", rule)) == 3]
    words = []
    for level in LEVELS:
        alone = [plain(rule) for rule in rules if rule.endswith(level) and rule.count("-") == 1]
        words += [f"{', '.join(alone)} -{level}"] if alone else []
    for one, way, other in pairs:
        if way == "beside":
            words.append(f"{plain(one)} beside {plain(other)} -{other.rpartition('-')[2]}")
        elif one == other:
            words.append(f"{plain(one)} with itself")
        elif [other, way, one] not in pairs:
            words.append(f"the caller of {plain(one)} with the callee of {plain(other)}")
        elif one < other:
            words.append(f"{plain(one)} with {plain(other)}, both ways")
    return "; ".join(words) or "-"


def plain(rule: str) -> str:
    """The compiler of a rule, or of the name of a subject: `gcc 12`."""
    return re.sub("[_-]", " ", re.sub(r"-O\w$", "", rule))


def since(found: Sequence[Version]) -> str:
    """The versions that show a deviation, consecutive ones as a range: `clang 14 to clang 22`."""
    told = [version for version in found if version.whole is not VersionResult.SILENT]
    parts: list[list[str]] = []
    before = False
    for version in told:
        bad = version.whole is VersionResult.BAD
        if bad and before:
            parts[-1].append(version.subject)
        elif bad:
            parts.append([version.subject])
        before = bad
    ranges = (" to ".join(dict.fromkeys((plain(names[0]), plain(names[-1])))) for names in parts)
    return ", ".join(ranges)


class Change(Enum):
    """The fate of a known deviation between the older and the newer of two versions."""

    NEW = "new"
    """the older version does not show it, the newer one does"""
    GONE = "gone"
    """the older version shows it, the newer one does not"""
    STAYS = "stays"
    """both show it"""


def change(entry: Entry, about: str, shown_by: str) -> Change | None:
    """The fate of a deviation in a family, by the range of its entry; none if neither version shows it.

    Where no text decides, an entry names all that were compared: that clang 24 was not seen to part from the others says more.
    """
    ranges = [Range.read(one) for one in entry.subjects]
    older, newer = (any(one.has(about, version) for one in ranges) for version in SINCE[about])
    seen = next((part for part in shown_by.split("; ") if part.startswith("clang")), "")
    if about == "clang" and seen and is_open(entry):
        newer = newer and seen.endswith(SINCE[about][1])
    if newer:
        return Change.STAYS if older else Change.NEW
    return Change.GONE if older else None


def is_open(entry: Entry) -> bool:
    """Return whether no text decides what an entry is about."""
    return set(entry.shows) <= OPEN


def column(entry: Entry, shown_by: str) -> Iterator[tuple[str, Change]]:
    """Where an entry counts, and as what: for each family, or once where no text decides."""
    found = {about: change(entry, about, shown_by) for about in SINCE}
    told = {about: one for about, one in found.items() if one is not None}
    if not is_open(entry):
        yield from told.items()
    elif told:
        yield NOBODY, next(one for one in (Change.GONE, Change.NEW, Change.STAYS) if one in told.values())


def changes(entries: Iterable[Entry], bundles: Iterable[Row]) -> Iterator[Row]:
    """The fate of each deviation: a row for each family, or one where no text decides."""
    shown_by = {one["cause"]: one["shown by"] for one in bundles}
    for entry in entries:
        for where, one in column(entry, shown_by.get(entry.name, "")):
            targets = ", ".join(groups(entry))
            yield {"of": where, "change": one.value, "deviation": entry.name, "targets": targets}


def counted(rows: Sequence[Row]) -> Iterator[Row]:
    """How many deviations are new, gone and stay, by the group of their targets."""
    found = Counter(
        (group, f"{one['of']}: {one['change']}")
        for one in rows
        for group in (*one["targets"].split(", "), EVERY)
    )
    places = [f"{where}: {one.value}" for where in (*SINCE, NOBODY) for one in Change]
    for group in (*FAMILIES, EVERY):
        if any(found[group, place] for place in places):
            yield {"targets": group, **{place: str(found[group, place]) for place in places}}


def groups(entry: Entry) -> list[str]:
    """The families of the targets that an entry is about."""
    about = {family_of(name) for name in TARGETS if entry.is_about(name)}
    return [family for family in FAMILIES if family in about]


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--cc", default=SUBJECTS)
    parser.add_argument("--target", default=",".join(TARGETS))
    parser.add_argument("--named", default="")
    parser.add_argument("--run", type=Path)
    parser.add_argument("--findings", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--table", type=Path)
    parser.add_argument("--summary", type=Path)
    asked = parser.parse_args()
    if asked.summary:
        rows = list(changes(shipped().entries, read(asked.summary / BUNDLES).rows))
        put(asked.summary / CHANGES, SUMMARY_REMARK, rows)
        put(asked.summary / COUNTED, SUMMARY_REMARK, list(counted(rows)))
        return 0
    targets, subjects = asked.target.split(","), named_subjects(asked.cc)
    if asked.findings:
        found = of_findings(asked.findings, asked.named, targets)
    else:
        found = (
            of_run(asked.run, targets)
            if asked.run
            else of_known(asked.named, targets, tuple(map(str, subjects)))
        )
    sound = []
    with tempfile.TemporaryDirectory() as scratch:
        for number, (name, cases) in enumerate(found):
            told, right = row(name, cases, (asked.out or Path(scratch)) / f"{number:03}")
            print(*told.values(), sep="\t", flush=True)
            if asked.table:
                about = {key: value for key, value in name.items() if key != "section"}
                put(asked.table, remark(asked.findings, asked.table), [told], about)
            sound.append(right)
    print(f"{len(sound)} bundles, {sound.count(False)} wrong", file=sys.stderr)
    return 1 if False in sound else 0


def remark(findings: Path | None, table: Path) -> str:
    """The first line of a table of bundles."""
    return TABLE_REMARK.format(f" --findings docs/findings/{findings.name}" if findings else "", table.name)


if __name__ == "__main__":
    sys.exit(main())
