"""`abiprobe promise`: whether two subjects that are said to do the same do it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from abiprobe.harness.api.arguments import duration, level_names, run_targets, whole_number, workers
from abiprobe.harness.api.running import begin, default_folder, planned, toured, usable_plan
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.cli.commands.console import asides, print_json, print_lines
from abiprobe.harness.cli.commands.run import carry_out
from abiprobe.harness.machines.render.declaration import declaration
from abiprobe.harness.nights.corpus import corpus_digest
from abiprobe.harness.nights.corpus import promised as promised_first
from abiprobe.harness.runs import session
from abiprobe.harness.runs.run_files import keep_triage
from abiprobe.harness.runs.schedule import NO_CORPUS
from abiprobe.harness.subjects.find import parse_subject
from abiprobe.harness.subjects.promises import as_release, with_own_level
from abiprobe.harness.subjects.trust import allow
from abiprobe.harness.triage.promise_causes import broken_promises
from abiprobe.oracles.language.question import ProbeKind
from abiprobe.oracles.model import Target
from abiprobe.oracles.registry import find_target
from abiprobe.oracles.unmodelled.opened import OPEN
from abiprobe.results.causes.promises import BrokenPromise
from abiprobe.results.coverage.promises import Promise, Tested, answered, tested
from abiprobe.results.coverage.uncompared import NOTHING_COMPARED, of_named
from abiprobe.results.journal.journal import BatchDone, Pairs, Run
from abiprobe.results.journal.shell_words import shell_word
from abiprobe.results.report.promise_junit import promises_junit
from abiprobe.results.report.promise_text import (
    cause_lines,
    part_lines,
    release_notes,
    tested_json,
    verdict_line,
)

LEAST = 50
"""Number of cases from which on known deviations are asked about first; smaller runs are meant to be quick."""


class Asked(msgspec.Struct, frozen=True):
    """The request of a user about promises: the targets with every question open, levels, and how much of what is drawn."""

    targets: tuple[Target, ...]
    levels: tuple[str, ...]
    cases: int
    seed: int | None
    seconds: float | None
    jobs: int
    reducing: float
    fresh: bool
    folder: Path

    @classmethod
    def of(cls, targets: Sequence[str], levels: str, options: Mapping[str, object]) -> Asked:
        """Read a request; raises `Problem`."""
        seed, budget = options["seed"], options["budget"]
        return cls(
            opened_targets(targets),
            level_names(levels),
            whole_number(str(options["cases"]), "the number of cases", 1),
            None if seed is None else whole_number(str(seed), "the seed", 0),
            None if budget is None else duration(str(budget)),
            workers(options["jobs"]),
            duration(str(options["reducing"])),
            bool(options["fresh"]),
            Path(str(options["out"])) if options["out"] else default_folder(),
        )


def promise(
    names: Sequence[str], release: str | None, levels: str, form: str, options: Mapping[str, object]
) -> int:
    """Put a promise to the test and print what became of it: 0 if it held on all that was compared, 1 if not, 3 if nothing was."""
    said, targets = promised(names, release)
    asked = Asked.of(targets, levels, options)
    named = tuple(dict.fromkeys((said.subject, said.other)))
    own = tuple(dict.fromkeys(filter(None, (said.level, said.other_level))))
    at = own if said.level and said.other_level else tuple(dict.fromkeys((*asked.levels, *own)))
    asked = msgspec.structs.replace(asked, levels=at)
    until = FirstBroken(said, at) if options["first"] else None
    return run_asked(asked, named, lambda run: told(asked, run, said, form), named=bool(targets), until=until)


def promised(names: Sequence[str], release: str | None) -> tuple[Promise, tuple[str, ...]]:
    """Read the two subjects, and the targets behind them; raises `Problem`."""
    subjects = names[:1] if release is not None else names[:2]
    if len(subjects) < (1 if release is not None else 2):
        raise Problem(
            "a promise is between two compilers",
            "name both, as in: abiprobe promise 'clang-22 -fclang-abi-compat=14' clang-14",
        )
    found = [parse_subject(name) for name in (*subjects, *((release,) if release is not None else ()))]
    for one in found:
        allow(one)
    one, other = found
    if release is not None:
        one = as_release(one, other)
    (subject, level), (second, other_level) = with_own_level(one), with_own_level(other)
    if (subject, level) == (second, other_level):
        raise Problem(f"{one} is named twice", "two that differ in a version or an option can be compared")
    return Promise(subject.spelling, second.spelling, level, other_level), tuple(names[len(subjects) :])


def opened_targets(named: Sequence[str]) -> tuple[Target, ...]:
    """The targets with every question open; raises `Problem` for a dialect."""
    found = []
    for target in run_targets(named):
        if target.dialect:
            raise Problem(f"{target} is a dialect", f"no text decides a promise: name {target.name}")
        found.append(find_target(f"{target.name}@{OPEN}") if target.modelled else target)
    return tuple(found)


class FirstBroken:
    """The end of a run by the first batch on which a promise is broken."""

    def __init__(self, said: Promise, levels: Sequence[str]) -> None:
        self._said, self._levels = said, levels
        self._waiting: dict[tuple[str, str, int], list[BatchDone]] = {}
        self._broken = False

    def count(self, batch: BatchDone) -> None:
        """Compare a batch with what the other subject and other levels were asked before."""
        same = self._waiting.setdefault((batch.key.target, batch.key.sort, batch.key.number), [])
        same.append(batch)
        self._broken = self._broken or bool(tested(self._said, answered(same), self._levels).broken)

    def are_enough(self) -> bool:
        """Return whether the promise is broken."""
        return self._broken


def run_asked(
    asked: Asked,
    subjects: Sequence[str],
    report: Callable[[Run], int],
    *,
    named: bool,
    until: FirstBroken | None = None,
) -> int:
    """Ask subjects the same with every question open, and `report` the run; `named` says that the user named the targets."""
    plan = planned(
        asked.targets,
        tuple(map(parse_subject, subjects)),
        cases=asked.cases,
        seed=asked.seed,
        levels=asked.levels,
        pairs=Pairs.FIRST if len(subjects) == 2 else Pairs.NONE,
        tours=toured(asked.cases, asked.seconds, len(asked.targets)),
        witnesses=(ProbeKind.LAYOUT,),
    )
    some = asked.cases >= LEAST
    examples = promised_first(asked.targets, plan.seed) if some else NO_CORPUS
    plan = msgspec.structs.replace(plan, corpus=corpus_digest(examples), examples=some)
    # What is asked beside the first batch that shows a difference is asked for nothing.
    jobs = asked.jobs if until is None else 1
    settings = session.Settings(jobs, asked.seconds, corpus=examples, fresh=asked.fresh)
    plan, wanted = usable_plan(plan, asked.targets if named else (), named=True)
    head, writer = begin(asked.folder, plan, wanted)
    return carry_out(asked.folder, head, settings, writer, (), report, until)


def told(asked: Asked, run: Run, said: Promise, form: str) -> int:
    """Print what became of a promise in a run, and return the exit status; its causes are kept with the run."""
    found = tested(said, answered(run.batches), asked.levels)
    causes = broken_promises(
        found, run.batches, said.configurations(asked.levels), asked.jobs, asked.reducing
    )
    keep_triage(asked.folder, run, tuple(one.cause for one in causes))
    if form == "json":
        print_json(tested_json(found, causes, declaration))
    elif form == "markdown":
        print_lines(release_notes(found, causes, declaration))
    elif form == "junit":
        print_lines((promises_junit(((found, causes),), declaration),))
    else:
        print_tested(found, causes, asked.folder)
    lines = unasked(found, run)
    for line in lines:
        asides().print(line, soft_wrap=True, markup=False, highlight=False)
    return int(bool(found.broken)) or (NOTHING_COMPARED if lines else 0)


def print_tested(found: Tested, causes: Sequence[BrokenPromise], folder: Path) -> None:
    """Print what became of a promise: each cause in full, the numbers, and what can be done next."""
    for number, one in enumerate(causes, 1):
        print_lines((*cause_lines(number, one, declaration), ""))
    print_lines((*part_lines(found), verdict_line(found, len(causes))))
    where = shell_word(folder)
    print_lines((f"run folder: {folder}",))
    if causes:
        first = causes[0].cause.id
        print_lines(
            (
                f"next: abiprobe repro {first} --run {where} --out bundle    # shows it by itself",
                f"      abiprobe bisect {first} --run {where}    # which releases differ",
            )
        )


def unasked(found: Tested, run: Run) -> tuple[str, ...]:
    """A line for each thing that was named and of which nothing was compared."""
    silent = (
        f"nothing was compared of the {part.part} on {part.target}: {'; '.join(part.reasons)}"
        for part in found.parts
        if not part.compared
    )
    asked = {(one.key.target, one.key.subject, one.key.level) for one in run.batches}
    whole = map(str, of_named(run.header.named, asked))
    tested_on = {part.target for part in found.parts}
    nowhere = (f"nothing was compared on {one}" for one in run.header.plan.targets if one not in tested_on)
    return tuple(dict.fromkeys((*silent, *whole, *nowhere)))
