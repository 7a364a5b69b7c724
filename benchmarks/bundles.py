"""Whether bundles fail for the compilers to blame and for no other: one for each known deviation, or each cause of a run.

    python benchmarks/bundles.py [--cc SUBJECT,...] [--target T,...] [--named WORDS] [--run RUN] [--out DIR]

Puts the example of each known deviation to the compilers, on the first of its targets where one of them shows it, writes
the bundle of what they show (to DIR, or to a folder that does not stay), and runs each of its rules with `make`. With
`--run`, the same for the causes of a triaged run. Prints a row for each: what shows since which installed version, for
whom the bundle fails and for whom it passes, each with its level. A bundle that fails for the innocent or passes for the
guilty is told as WRONG, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.cli.commands.bisect import timeline, versions
from abiprobe.harness.cli.commands.repro import bundled, seen_to_fail, write
from abiprobe.harness.machines.render.declaration import declaration
from abiprobe.harness.observers.ask import ask, on
from abiprobe.harness.runs.answer_cache import cached_answer
from abiprobe.harness.runs.run_files import read_triaged_run
from abiprobe.harness.subjects.find import build, identity, installed, parse_subject
from abiprobe.harness.subjects.selection import subject_names
from abiprobe.harness.triage.bundles.bundle import compilers
from abiprobe.harness.triage.cases import Case, families_of, of_cluster, of_those_here, of_verdicts
from abiprobe.harness.triage.known_examples import describes, questions
from abiprobe.oracles.lang import Prototype
from abiprobe.oracles.question import WITNESSES
from abiprobe.oracles.registry import TARGETS
from abiprobe.results.known import Entry, concerns, shipped
from abiprobe.results.timeline import Showing, Version

SUBJECTS = "gcc-12,gcc-16,clang-22,clang-24"
LEVELS = ("O0", "O2")
HEAD = "| cause | example | shown by | fails for | passes for |\n| --- | --- | --- | --- | --- |"


def of_entry(entry: Entry, targets: Iterable[str], subjects: Sequence[str]) -> tuple[Case, ...]:
    """The cases that the example of an entry shows, on the first target where one of the compilers does."""
    for target in targets:
        if not any(fnmatchcase(target, pattern) for pattern in entry.targets):
            continue
        here = [one for one in subjects if installed(parse_subject(one), (target,))]
        if found := tuple(shown(entry, target, here)):
            return found
    return ()


def shown(entry: Entry, target: str, subjects: Sequence[str]) -> Iterator[Case]:
    """What the example of an entry shows on a target, of what the entry speaks of."""
    for question in questions(entry, target):
        levels = LEVELS if isinstance(question, Prototype) else LEVELS[:1]
        asked = [(one, level) for one in subjects for level in levels]
        seen = on(ask(target, (question,), asked, tuple(WITNESSES.values()), put=cached_answer), question)
        for case in of_verdicts(entry.name, target, question, seen):
            mine = [one for one in case.deviating if is_concerned(entry, target, one[0])]
            if any(describes(entry, case.fingerprint, question, seen[one]) for one in mine):
                yield msgspec.structs.replace(case, reduced=True)


def is_concerned(entry: Entry, target: str, subject: str) -> bool:
    """Whether an entry speaks of a subject, in its version."""
    built = build(parse_subject(subject), target, LEVELS[0])
    return built is not None and concerns(entry, target, subject, identity(built.command).version)


def of_run(folder: Path, targets: Sequence[str]) -> Iterator[tuple[str, tuple[Case, ...]]]:
    """The causes of a triaged run."""
    _, clusters = read_triaged_run(folder)
    for cluster in clusters:
        if cluster.first.fingerprint.target in targets:
            yield cluster.id, (of_those_here(of_cluster(cluster.id, folder)),)


def of_known(
    words: str, targets: Sequence[str], subjects: Sequence[str]
) -> Iterator[tuple[str, tuple[Case, ...]]]:
    """The known deviations that one of the compilers shows."""
    for entry in shipped().entries:
        if words in entry.name and (cases := of_entry(entry, targets, subjects)):
            yield entry.name, cases


def row(name: str, cases: Sequence[Case], folder: Path) -> tuple[str, bool]:
    """A row about one cause, and whether its bundle does as the verdicts say."""
    try:
        case, files = bundled(cases)
    except Problem as problem:
        return cells(name, cases[0], f"no bundle: {problem}", "-"), True
    write(folder, files)
    tried = seen_to_fail(folder, case)
    if tried is None:
        return cells(name, case, "not run", "-"), True
    passed = [one.rule for one in compilers(case) if one.rule not in tried.failed]
    wrong = "" if tried.as_expected else f" WRONG: should fail for {', '.join(tried.to_blame)}"
    return cells(name, case, ", ".join(tried.failed) + wrong, ", ".join(passed) or "none"), tried.as_expected


def cells(name: str, case: Case, failed: str, passed: str) -> str:
    """A row of the table."""
    example = " ".join(declaration(case.question).split())
    who = "; ".join(since(timeline(case, versions(case, one, None), LEVELS, ())) for one in families_of(case))
    return f"| {name} | `{example}` | {who} | {failed} | {passed} |"


def since(found: Sequence[Version]) -> str:
    """The versions that show a deviation, consecutive ones as a range: `clang-14 to clang-22`."""
    told = [version for version in found if version.whole is not Showing.SILENT]
    parts: list[list[str]] = []
    before = False
    for version in told:
        bad = version.whole is Showing.BAD
        if bad and before:
            parts[-1].append(version.subject)
        elif bad:
            parts.append([version.subject])
        before = bad
    ranges = (names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}" for names in parts)
    return ", ".join(ranges)


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--cc", default=SUBJECTS)
    parser.add_argument("--target", default=",".join(TARGETS))
    parser.add_argument("--named", default="")
    parser.add_argument("--run", type=Path)
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    targets, subjects = asked.target.split(","), subject_names(asked.cc)
    found = of_run(asked.run, targets) if asked.run else of_known(asked.named, targets, subjects)
    print(HEAD, flush=True)
    sound = []
    with tempfile.TemporaryDirectory() as scratch:
        for number, (name, cases) in enumerate(found):
            text, right = row(name, cases, (asked.out or Path(scratch)) / f"{number:03}")
            print(text, flush=True)
            sound.append(right)
    print(f"{len(sound)} bundles, {sound.count(False)} wrong", file=sys.stderr)
    return 1 if False in sound else 0


if __name__ == "__main__":
    sys.exit(main())
