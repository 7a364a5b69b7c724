"""Cases: deviations that a user names, by a cluster or probe of a run, or a file of declarations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input import STRICT, Classes, ReadOptions
from abiprobe.harness.input.declared import declared_in_file
from abiprobe.harness.input.unit import CXX_SUFFIXES
from abiprobe.harness.observers.ask import ask, on
from abiprobe.harness.runs.availability import Availability, availability_of
from abiprobe.harness.runs.run_files import chosen_run, read_begun_run, read_first_causes, triage_of
from abiprobe.harness.subjects.selection import named_subjects, select_subjects
from abiprobe.harness.triage.group_reduction import UNREDUCED
from abiprobe.harness.triage.reduce import Goal
from abiprobe.oracles.language.cxx_calls import CxxPrototype
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import CXX_QUESTIONS, WITNESSES, Question, decode, probe
from abiprobe.oracles.model import Target
from abiprobe.oracles.quirks.versions import family
from abiprobe.oracles.registry import find_target
from abiprobe.results.causes.answers import ProbeVerdicts
from abiprobe.results.causes.blame import Configuration
from abiprobe.results.causes.cluster import Cluster
from abiprobe.results.causes.fingerprint import Fingerprint
from abiprobe.results.causes.groups import members_of
from abiprobe.results.coverage.differing import with_differences
from abiprobe.results.journal.journal import Run
from abiprobe.results.journal.shell_words import shell_word
from abiprobe.results.verdicts.record import Verdict

EVERYBODY = Availability()
CALLS = (Prototype, CxxPrototype)
"""Questions that are asked at every level."""
CLUSTER_ID, PROBE_ID = r"c[0-9a-f]{7}", r"[0-9a-f]{12}"


class Case(msgspec.Struct, frozen=True):
    """One deviation to look into: `name` is the user's name for it, `everyone` all the compilers that were asked about it.

    `near` says who of them is here.
    """

    name: str
    question: Question
    fingerprint: Fingerprint
    deviating: tuple[Configuration, ...]
    agreeing: tuple[Configuration, ...]
    everyone: tuple[Configuration, ...]
    reduced: bool = False
    near: Availability = EVERYBODY

    @property
    def target(self) -> Target:
        """The target that it is a deviation from."""
        return find_target(self.fingerprint.target)

    @property
    def goal(self) -> Goal:
        """The goal of a reduction of the case: every compiler keeps its side."""
        return Goal(self.fingerprint, self.deviating, self.agreeing)


def find_cases(
    name: str, run: Path | None, targets: Sequence[Target], subjects: str | None, levels: tuple[str, ...]
) -> tuple[Case, ...]:
    """The deviations that `name` stands for; raises `Problem` when there is none."""
    if re.fullmatch(CLUSTER_ID, name):
        found: tuple[Case, ...] = (of_cluster(name, chosen_run(run)),)
    elif re.fullmatch(PROBE_ID, name):
        found = tuple(of_probe(name, chosen_run(run)))
    elif name == "-" or Path(name).exists():
        found = tuple(of_file(name, targets, subjects, levels))
    else:
        raise Problem(
            f"{name!r} is not a cluster (c0123abc), a probe (0123456789ab) or a file",
            "see: abiprobe triage RUN",
        )
    kept = tuple(case for case in found if not targets or case.target in targets)
    if not kept:
        raise Problem(
            f"{name} does not deviate",
            f"on {', '.join(map(str, targets))}" if targets else "nothing to look into",
        )
    return kept


def of_cluster(name: str, folder: Path) -> Case:
    """The smallest example of a cluster of a run: of its triage, or of the causes that it told when it ended.

    A cause that the run told keeps its name after triage has joined it with others.
    """
    run = read_begun_run(folder)
    triaged = triage_of(folder, run)
    first = read_first_causes(folder, run.digest).clusters
    if triaged is None and not first:
        raise Problem(f"the run at {folder} was not triaged", f"first: abiprobe triage {shell_word(folder)}")
    clusters = (*(triaged or ()), *first)
    cluster = next((item for item in clusters if item.id == name), None) or next(
        (item for item in clusters if item.is_called(name)), None
    )
    if cluster is None:
        known = ", ".join(dict.fromkeys(item.id for item in clusters))
        raise Problem(
            f"the run at {folder} has no cluster {name}", f"it has {known}" if known else "it has none"
        )
    return case_of(name, cluster, run, availability_of(run))


def case_of(name: str, cluster: Cluster, run: Run, near: Availability) -> Case:
    """The smallest example of a cluster, which is called `name`."""
    first = cluster.first
    level, target = first.level, first.fingerprint.target
    return Case(
        name,
        first.example,
        first.fingerprint,
        first.blame.representatives or tuple((subject, level) for subject in first.blame.deviating),
        tuple((subject, level) for subject in first.blame.agreeing),
        everyone_in(run, target, first.example),
        reduced=first.steady and first.confirmed != UNREDUCED,
        near=near,
    )


def of_those_here(case: Case) -> Case:
    """Restrict a case to installed compilers; raises `Problem` when no deviating one is installed."""
    near, target = case.near, case.fingerprint.target
    deviating = near.here(target, case.deviating)
    if not deviating:
        raise Problem(f"{case.name} cannot be tested again", near.words())
    return msgspec.structs.replace(
        case,
        deviating=deviating,
        agreeing=near.here(target, case.agreeing),
        everyone=near.here(target, case.everyone),
    )


def everyone_in(run: Run, target: str, question: Question) -> tuple[Configuration, ...]:
    """Whom a run asked about questions like this."""
    plan = run.header.plan
    levels = plan.levels if isinstance(question, CALLS) else plan.levels[:1]
    subjects = dict.fromkeys(info.subject for info in run.header.subjects if info.target == target)
    return tuple((subject, level) for subject in subjects for level in levels)


def of_probe(identity: str, folder: Path) -> Iterator[Case]:
    """Every deviation of one probe of a run."""
    run = read_begun_run(folder)
    question = next(
        (kept.question for batch in run.batches for kept in batch.kept if kept.probe == identity), None
    )
    if question is None:
        raise Problem(f"the run at {folder} keeps no probe {identity}", "only deviating probes are kept")
    near = availability_of(run)
    seen: dict[str, dict[Configuration, tuple[Verdict, ...]]] = {}
    for batch in run.batches:
        mine = tuple(verdict for verdict in batch.verdicts if verdict.probe == identity)
        if mine:
            seen.setdefault(batch.key.target, {})[batch.key.subject, batch.key.level] = mine
    for target, verdicts in seen.items():
        compared = with_differences(target, identity, verdicts)
        yield from of_verdicts(identity, target, question, compared, near)


def of_verdicts(
    name: str,
    target: str,
    question: Question,
    verdicts: dict[Configuration, tuple[Verdict, ...]],
    near: Availability = EVERYBODY,
) -> Iterator[Case]:
    """A case for each fingerprint that a probe shows; those of several families at once are one."""
    merged: dict[Fingerprint, Case] = {}
    for fingerprint, _, member in members_of(ProbeVerdicts(target, probe(question).id, verdicts, question)):
        before = merged.get(fingerprint)
        deviating = (*(before.deviating if before else ()), *member.deviating)
        merged[fingerprint] = Case(
            name, question, fingerprint, deviating, member.agreeing, member.everyone, near=near
        )
    yield from merged.values()


def of_file(
    name: str, targets: Sequence[Target], subjects: str | None, levels: tuple[str, ...]
) -> Iterator[Case]:
    """Every deviation of every declaration in a file; a file that ends in `.json` holds one question as JSON."""
    if not targets:
        raise Problem(f"{name} is a file, and no target is named", "name one with --target")
    named = None if subjects is None else named_subjects(subjects)
    cxx = any(one.of_cxx for one in named or ()) or (named is None and Path(name).suffix in CXX_SUFFIXES)
    for target, here in select_subjects(named, tuple(targets), cxx=cxx).items():
        for question in questions_in(name, target, cxx=cxx):
            used = levels if isinstance(question, CALLS) else levels[:1]
            able = [subject for subject in here if subject.of_cxx is isinstance(question, CXX_QUESTIONS)]
            everyone = tuple((subject.spelling, level) for subject in able for level in used)
            seen = ask(target, (question,), everyone, tuple(WITNESSES.values()))
            yield from of_verdicts(name, target.spelling, question, on(seen, question))


def questions_in(name: str, target: Target, *, cxx: bool = False) -> tuple[Question, ...]:
    """The questions of a corpus file, or the declarations of C or of `cxx`."""
    if name.endswith(".json"):
        return (stored_question(name),)
    declared = declared_in_file(name, target, ReadOptions(classes=Classes.ALONE) if cxx else STRICT)
    return (*declared.functions, *declared.records, *declared.classes, *declared.calls)


def stored_question(name: str) -> Question:
    """The question in a corpus file; raises `Problem` where there is none."""
    try:
        return decode(Path(name).read_bytes())
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Problem(f"{name} holds no question as JSON ({error})") from error


def families_of(case: Case) -> tuple[str, ...]:
    """The compiler families that deviate."""
    return tuple(dict.fromkeys(family(subject) for subject, _ in case.deviating))
