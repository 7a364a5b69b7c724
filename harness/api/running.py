"""`abiprobe.run`: random types and prototypes, as the command line runs them."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from abiprobe.harness.api.arguments import level_names, run_targets, workers
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.machines.render.declaration import declaration
from abiprobe.harness.runs import session
from abiprobe.harness.runs.preparation import prepare
from abiprobe.harness.runs.question_sorts import subjects_by_target, subjects_of, targets_of
from abiprobe.harness.runs.run_files import create_folder, registers_of
from abiprobe.harness.runs.working_subjects import usable
from abiprobe.harness.subjects.find import discover
from abiprobe.harness.subjects.selection import absent_programs, named_subjects
from abiprobe.harness.subjects.subject import Subject
from abiprobe.harness.triage.causes import SECONDS, find_first_causes
from abiprobe.harness.triage.known_files import read_known
from abiprobe.oracles.language.question import WITNESSES, ProbeKind
from abiprobe.oracles.model import Target
from abiprobe.results.causes.cluster import Cluster
from abiprobe.results.causes.traits import described
from abiprobe.results.coverage.differing import comparisons
from abiprobe.results.coverage.uncompared import coverage
from abiprobe.results.journal.journal import Header, Named, Pairs, Plan, WriteError, Writer, read
from abiprobe.results.journal.shell_words import shell_word
from abiprobe.results.known.deviations import Known

SEEDS = 1 << 32
CASES = 1000
"""Prototypes and records for each target, where neither their number nor a budget is given."""
TOURED = 250
"""Number of cases from which on a run includes tours; smaller runs are meant to be quick."""
TOUR_SECONDS = 30.0
"""The share of a budget from which on a target's tour comes first."""


class Cause(msgspec.Struct, frozen=True):
    """A cause of deviations that matches no known one: what it has in common, who shows it, and its smallest example.

    `id` is the name of the cause in every report of the run; `probes` counts the probes that show it.
    """

    id: str
    title: str
    symptom: str
    targets: tuple[str, ...]
    compilers: tuple[str, ...]
    clauses: tuple[str, ...]
    probes: int
    example: str

    def __str__(self) -> str:
        who = f"{', '.join(self.targets)}: {', '.join(self.compilers)}"
        return f"{self.id} {self.title}: {self.symptom} ({who})\n{self.example}"


class RunResult(msgspec.Struct, frozen=True):
    """A finished run. `folder` has its journal, which every command reads; `digest` is that of its verdicts.

    `known` has the probes of each known deviation, by its name. `not_compared` are the reasons why nothing was compared of a
    compiler or a target. `status` is the exit status of `abiprobe run`, as that of a `CheckResult`.
    """

    folder: Path
    seed: int
    digest: str
    status: int
    probes: int
    new: tuple[Cause, ...]
    known: dict[str, int]
    not_compared: tuple[str, ...]

    @property
    def agrees(self) -> bool:
        """Return whether all that was named was compared, and nothing new was found."""
        return self.status == 0


def run(
    targets: str | Sequence[str] = (),
    compilers: Sequence[str] | None = None,
    *,
    cases: int = CASES,
    seed: int | None = None,
    levels: Sequence[str] = ("O0", "O2"),
    pairs: str = "first",
    jobs: int | None = None,
    folder: Path | None = None,
    known: Known | None = None,
) -> RunResult:
    """Test compilers on random types and prototypes, `cases` of each for a target, and return what is new.

    Without targets those of `abiprobe run` are tested, without compilers all that are installed; without a seed it is drawn.
    `jobs` is the number of worker processes, `folder` a new one for the journal. Raises `Problem` where a target or compiler is
    not there, or the folder has a run.
    """
    names = run_targets((targets,) if isinstance(targets, str) else targets)
    named = None if compilers is None else named_subjects(",".join(compilers))
    plan = planned(
        names,
        chosen_subjects(named, names),
        cases=cases,
        seed=seed,
        levels=level_names(",".join(levels)),
        pairs=Pairs(pairs),
        tours=toured(cases, None, len(names)),
    )
    plan, wanted = usable_plan(plan, names if targets else (), named=named is not None)
    place = default_folder() if folder is None else folder
    head, writer = begin(place, plan, wanted)
    settings = session.Settings(workers(jobs))
    with closing(writer):
        prepare(plan, settings.jobs)
        session.run(head, settings, writer, (), lambda _: None)
    return result_of(place, read_known() if known is None else known, settings.jobs)


def result_of(folder: Path, known: Known, jobs: int) -> RunResult:
    """Return what the finished run in a folder came to; new causes are reduced for some seconds."""
    found = read(folder, registers=registers_of)
    causes = find_first_causes(folder, found, known, jobs=jobs, seconds=SECONDS)
    return RunResult(
        folder,
        found.header.plan.seed,
        found.digest,
        causes.status,
        sum(len(batch.verdicts) for batch in found.batches),
        tuple(map(cause_of, causes.new)),
        {one.entry.name: one.probes for one in causes.known},
        coverage(found.batches, comparisons(found.batches), found.header.named).lines,
    )


def cause_of(item: Cluster) -> Cause:
    """Return a cause with its smallest example as C."""
    return Cause(
        item.id,
        described(item.traits),
        item.symptom.value,
        item.targets,
        tuple(item.subjects),
        item.clauses,
        item.probes,
        declaration(item.first.example),
    )


def planned(
    targets: tuple[Target, ...],
    subjects: tuple[Subject, ...],
    *,
    cases: int,
    seed: int | None,
    levels: tuple[str, ...],
    pairs: Pairs,
    tours: bool,
    shard: tuple[int, int] = (1, 1),
    witnesses: tuple[ProbeKind, ...] | None = None,
) -> Plan:
    """Return the plan of a run. Without a seed one is drawn, without `witnesses` all are asked about a sample of the records."""
    return Plan(
        seed=secrets.randbelow(SEEDS) if seed is None else seed,
        cases=cases,
        targets=tuple(map(str, targets)),
        subjects=tuple(map(str, subjects)),
        levels=levels,
        shard=shard,
        witnesses=(ProbeKind.LAYOUT,) if witnesses is None else witnesses,
        sampled=tuple(WITNESSES.values()) if witnesses is None else (),
        pairs=pairs,
        tours=tours,
    )


def begin(folder: Path, plan: Plan, named: Named) -> tuple[Header, Writer]:
    """Create the folder of a new run, and its journal; raises `Problem` where it has a run, or cannot be written."""
    create_folder(folder)
    head = msgspec.structs.replace(session.header(plan), named=named)
    try:
        return head, Writer.create(folder, head)
    except FileExistsError as error:
        raise Problem(
            f"{folder} already has a run",
            f"choose another --out, or finish it with --resume {shell_word(folder)}",
        ) from error
    except WriteError as error:
        raise Problem(str(error), "choose another --out, or make room there") from error


def usable_plan(plan: Plan, targets: Sequence[Target], *, named: bool) -> tuple[Plan, Named]:
    """Return a plan without the subjects that do not work, and what a user named of it: `targets`, and all subjects if `named`.

    Raises `Problem` when no subject is left, and for one that is not installed.
    """
    wanted = tuple(dict.fromkeys(map(str, targets)))
    if not named:
        return plan, Named(wanted)
    subjects = subjects_of(plan)
    absent = {one.spelling for one in absent_programs(subjects, targets_of(plan))}
    there = msgspec.structs.replace(plan, subjects=tuple(one for one in plan.subjects if one not in absent))
    found = usable(subjects, subjects_by_target(there), everywhere=False)
    left = {one.spelling for here in found.subjects.values() for one in here}
    kept = msgspec.structs.replace(plan, subjects=tuple(one for one in plan.subjects if one in left))
    unusable = tuple(one for one in found.unusable if one.subject or one.target in wanted)
    return kept, Named(wanted, plan.subjects, unusable)


def toured(cases: int, seconds: float | None, targets: int) -> bool:
    """Return whether a run includes tours by default; deriving them takes seconds for each target."""
    return cases >= TOURED and (seconds is None or seconds / targets >= TOUR_SECONDS)


def chosen_subjects(named: Sequence[Subject] | None, targets: Sequence[Target]) -> tuple[Subject, ...]:
    """Return the subjects that are named, or every one that is installed; raises `Problem` when there is none."""
    found = tuple(named) if named is not None else discover(targets)
    if not found:
        raise Problem(
            "no compiler is installed for these targets", "pip install ziglang; see: abiprobe doctor"
        )
    return found


def default_folder() -> Path:
    """A folder for a run that was given none."""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
    return Path(".abiprobe", "runs", stamp)
