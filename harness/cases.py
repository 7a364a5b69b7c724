"""What a user names when asking about a deviation: a cluster or probe of a run, or a file of declarations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from abiprobe.harness.asking import ask, on
from abiprobe.harness.commands.arguments import WITNESSES
from abiprobe.harness.commands.check import offered
from abiprobe.harness.commands.reading import declared_in_file
from abiprobe.harness.problem import Problem
from abiprobe.harness.reduce import Goal
from abiprobe.harness.runs import chosen_run, read_run, read_triage
from abiprobe.oracles.lang import Prototype
from abiprobe.oracles.question import Question, decode, probe
from abiprobe.results.blame import Asked, family
from abiprobe.results.deviations import members
from abiprobe.results.fingerprint import Fingerprint
from abiprobe.results.journal import Run
from abiprobe.results.record import Verdict

CLUSTER_ID, PROBE_ID = r"c[0-9a-f]{7}", r"[0-9a-f]{12}"


class Case(msgspec.Struct, frozen=True):
    """One deviation to look into: `name` is what the user called it, `everyone` all who can be asked about it."""

    name: str
    question: Question
    fingerprint: Fingerprint
    deviating: tuple[Asked, ...]
    agreeing: tuple[Asked, ...]
    everyone: tuple[Asked, ...]
    reduced: bool = False

    @property
    def goal(self) -> Goal:
        """What a reduction of it has to keep: everybody stays where they stand."""
        return Goal(self.fingerprint, self.deviating, self.agreeing)


def find_cases(
    name: str, run: Path | None, targets: Sequence[str], subjects: str | None, levels: tuple[str, ...]
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
            f"{name!r} is no cluster (c0123abc), no probe (0123456789ab) and no file",
            "see: abiprobe triage RUN",
        )
    kept = tuple(case for case in found if not targets or case.fingerprint.target in targets)
    if not kept:
        raise Problem(
            f"{name} does not deviate", f"on {', '.join(targets)}" if targets else "nothing to look into"
        )
    return kept


def of_cluster(name: str, folder: Path) -> Case:
    """The smallest example of a cluster of a run that was triaged."""
    triaged = read_triage(folder)
    if triaged is None:
        raise Problem(f"the run at {folder} was not triaged", f"first: abiprobe triage {folder}")
    cluster = next((item for item in triaged.clusters if item.id == name), None)
    if cluster is None:
        known = ", ".join(item.id for item in triaged.clusters)
        raise Problem(
            f"the run at {folder} has no cluster {name}", f"it has {known}" if known else "it has none"
        )
    first = cluster.first
    level, target = first.level, first.fingerprint.target
    return Case(
        name,
        first.example,
        first.fingerprint,
        tuple((subject, level) for subject in first.blame.deviating),
        tuple((subject, level) for subject in first.blame.agreeing),
        everyone_in(read_run(folder), target, first.example),
        reduced=first.steady,
    )


def everyone_in(run: Run, target: str, question: Question) -> tuple[Asked, ...]:
    """Whom a run asked about questions like this."""
    plan = run.header.plan
    levels = plan.levels if isinstance(question, Prototype) else plan.levels[:1]
    subjects = dict.fromkeys(info.subject for info in run.header.subjects if info.target == target)
    return tuple((subject, level) for subject in subjects for level in levels)


def of_probe(identity: str, folder: Path) -> Iterator[Case]:
    """Every deviation of one probe of a run."""
    run = read_run(folder)
    question = next(
        (kept.question for batch in run.batches for kept in batch.kept if kept.probe == identity), None
    )
    if question is None:
        raise Problem(f"the run at {folder} keeps no probe {identity}", "only those that deviate are kept")
    seen: dict[str, dict[Asked, tuple[Verdict, ...]]] = {}
    for batch in run.batches:
        mine = tuple(verdict for verdict in batch.verdicts if verdict.probe == identity)
        if mine:
            seen.setdefault(batch.key.target, {})[batch.key.subject, batch.key.level] = mine
    for target, verdicts in seen.items():
        yield from of_verdicts(identity, target, question, verdicts)


def of_verdicts(
    name: str, target: str, question: Question, verdicts: dict[Asked, tuple[Verdict, ...]]
) -> Iterator[Case]:
    """A case for each fingerprint that a probe shows; those of several families at once are one."""
    merged: dict[Fingerprint, Case] = {}
    for fingerprint, _, member in members(target, probe(question).id, question, verdicts):
        before = merged.get(fingerprint)
        deviating = (*(before.deviating if before else ()), *member.deviating)
        merged[fingerprint] = Case(name, question, fingerprint, deviating, member.agreeing, member.everyone)
    yield from merged.values()


def of_file(
    name: str, targets: Sequence[str], subjects: str | None, levels: tuple[str, ...]
) -> Iterator[Case]:
    """Every deviation of every declaration in a file; a file that ends in `.json` holds one question as JSON."""
    if not targets:
        raise Problem(f"{name} is a file, and no target is named", "name one with --target")
    for target, spellings in offered(subjects, tuple(targets)).items():
        for question in questions_in(name, target):
            used = levels if isinstance(question, Prototype) else levels[:1]
            everyone = tuple((subject, level) for subject in spellings for level in used)
            seen = ask(target, (question,), everyone, tuple(WITNESSES.values()))
            yield from of_verdicts(name, target, question, on(seen, question))


def questions_in(name: str, target: str) -> tuple[Question, ...]:
    """The questions of a corpus file, or the declarations of C."""
    if not name.endswith(".json"):
        declared = declared_in_file(name, target)
        return (*declared.functions, *declared.records)
    try:
        return (decode(Path(name).read_bytes()),)
    except (OSError, msgspec.DecodeError) as error:
        raise Problem(f"{name} holds no question as JSON ({error})") from error


def families_of(case: Case) -> tuple[str, ...]:
    """The compiler families that deviate."""
    return tuple(dict.fromkeys(family(subject) for subject, _ in case.deviating))
