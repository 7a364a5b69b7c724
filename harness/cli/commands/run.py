"""`abiprobe run`: a new run, or the rest of an interrupted one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

import msgspec

from abiprobe.harness.api.arguments import (
    EVERY,
    duration,
    only_names,
    run_targets,
    workers,
)
from abiprobe.harness.api.running import (
    begin,
    default_folder,
    usable_plan,
)
from abiprobe.harness.base import child
from abiprobe.harness.base.cache import warn_once
from abiprobe.harness.base.faults import machine_fault
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.progress import steps
from abiprobe.harness.cli.commands.console import asides
from abiprobe.harness.cli.commands.report import exit_of, show
from abiprobe.harness.cli.commands.run_plan import ENDLESS, Options, asked_plan, budget_of, keeps_raw
from abiprobe.harness.nights.corpus import corpus, corpus_digest, corpus_of, regressions
from abiprobe.harness.observers.registry import shortages
from abiprobe.harness.runs import schedule, session
from abiprobe.harness.runs.budget_sharing import batch_size
from abiprobe.harness.runs.compiler_guard import CompilerChangedError
from abiprobe.harness.runs.focus import targets_in
from abiprobe.harness.runs.preparation import prepare
from abiprobe.harness.runs.question_sorts import subjects_by_target, subjects_of, targets_of
from abiprobe.harness.runs.run_files import read_begun_run, registers_of
from abiprobe.harness.runs.schedule import NO_CORPUS
from abiprobe.harness.runs.working_subjects import left_out, told
from abiprobe.harness.subjects.triples import remarks as triple_remarks
from abiprobe.harness.triage.causes import SECONDS, find_first_causes
from abiprobe.results.coverage.uncompared import NOTHING_COMPARED
from abiprobe.results.journal.journal import (
    BatchDone,
    Header,
    JournalError,
    Plan,
    Run,
    WriteError,
    Writer,
    read,
)
from abiprobe.results.journal.shell_words import shell_word
from abiprobe.results.known.deviations import Known
from abiprobe.results.known.matches import match_known

INTERRUPTED = 130
SCREEN = 39
"""Lines that a run ends with; the seed before them is the fortieth."""
ENDINGS: Mapping[str, tuple[str, str]] = {
    "budget": ("the budget ended", "a longer --budget, or fewer targets"),
    "failures": ("new deviations ended the run", "a higher --max-failures"),
}
"""How a run ended before it was complete, and what lets it go further."""


class ReportOptions(msgspec.Struct, frozen=True):
    """The end of a run and its report: output format, known deviations, whether to reduce new causes, and `--strict`.

    After `most` probes that fail in a new way no batch is begun.
    """

    form: str
    known: Known
    reducing: bool = True
    strict: bool = False
    most: int | None = None


def start(
    targets: Sequence[str],
    subjects: str | None,
    levels: str,
    given: Sequence[str],
    ending: ReportOptions,
    options: Options,
) -> int:
    """Begin a run, do it, and print its report."""
    names, only = targets_in(run_targets(targets), only_names(given))
    seconds = budget_of(options)
    plan, kept = asked_plan(names, only, subjects, levels, options)
    settings = session.Settings(
        workers(options["jobs"]),
        seconds,
        keep=keeps_raw(options),
        corpus=kept,
        fresh=bool(options["fresh"]),
        dask=str(options["dask"] or ""),
    )
    if settings.dask and child.confines():
        raise Problem(
            "the workers of a Dask scheduler cannot be confined from here", "leave out --dask or --confine"
        )
    folder = Path(str(options["out"])) if options["out"] else default_folder()
    plan, named = usable_plan(
        plan, names if targets and EVERY not in targets else (), named=subjects is not None
    )
    if seconds is not None:
        size = batch_size(subjects_by_target(plan), seconds, settings.jobs)
        plan = msgspec.structs.replace(plan, batch=size)
    if not targets and names == run_targets(()):
        words = f"no target is named: testing the default ones, {', '.join(map(str, names))}"
        asides().print(f"{words}; abiprobe run {EVERY} tests every one that has a model", soft_wrap=True)
    head, writer = begin(folder, plan, named)
    return carry_out(
        folder,
        head,
        settings,
        writer,
        (),
        lambda done: end(folder, done, ending, settings.jobs),
        NewFailures(head, ending),
    )


def resume(folder: Path, jobs: object, budget: object, ending: ReportOptions) -> int:
    """Finish an interrupted run; a finished one is only reported."""
    found = read_begun_run(folder)
    if found.footer is not None and found.footer.ended == "complete":
        asides().print(f"the run at {folder} is complete")
        return end(folder, found, ending, workers(jobs))
    session.resumable(found.header.plan, found.header)
    seconds = None if budget is None else duration(str(budget))
    # As the corpus was when the run began, as far as it was written down.
    asked = corpus_of(found) if any(item.number < 0 for item in found.asked) else NO_CORPUS
    if corpus_digest(asked) != found.header.plan.corpus:
        read = regressions if found.header.plan.examples else corpus
        asked = read(targets_of(found.header.plan))
    if corpus_digest(asked) != found.header.plan.corpus:
        raise Problem(f"the corpus is not that which the run at {folder} began with", "start a new run")
    settings = session.Settings(
        workers(jobs), seconds, keep=any(batch.raw for batch in found.batches), corpus=asked
    )
    try:
        writer = Writer.extend(folder)
    except WriteError as error:
        raise Problem(str(error), "copy the run to where it can be written") from error
    return carry_out(
        folder,
        found.header,
        settings,
        writer,
        found.batches,
        lambda done: end(folder, done, ending, settings.jobs),
        NewFailures(found.header, ending),
    )


def carry_out(
    folder: Path,
    head: Header,
    settings: session.Settings,
    writer: Writer,
    finished: Sequence[BatchDone],
    report: Callable[[Run], int],
    failures: Failures | None = None,
) -> int:
    """Run what is left, with progress on a terminal, and `report` the finished run; its result is the exit status.

    Where `failures` are counted, enough of them end it.
    """
    warn_once()
    plan = head.plan
    aside = asides()
    aside.print(f"seed {plan.seed}, run folder {folder}", soft_wrap=True)
    for words in shortages(targets_of(plan)):
        aside.print(words, soft_wrap=True, markup=False)
    said = (
        *told(head.named.unusable),
        *remarks(plan, settings.budget),
        *triple_remarks(subjects_by_target(plan)),
    )
    for line in said:
        aside.print(line, soft_wrap=True, markup=False, highlight=False)
    try:
        with closing(writer):
            ask(head, settings, writer, finished, failures)
    except KeyboardInterrupt:
        aside.print(f"interrupted; {to_finish(folder)}", soft_wrap=True)
        return INTERRUPTED
    except CompilerChangedError as changed:
        kept = len(read(folder).batches)
        raise Problem(
            changed.message,
            f"{kept} batches are kept, all answered by the compiler before. Start a new run, or put that compiler "
            f"back and finish with: abiprobe run --resume {shell_word(folder)}",
        ) from changed
    except (WriteError, Problem, OSError, MemoryError) as error:
        fault = Problem(str(error)) if isinstance(error, WriteError) else machine_fault(error)
        if fault is None:
            raise
        raise Problem(fault.message, ". ".join(filter(None, (fault.hint, to_finish(folder))))) from error
    return report(read(folder, registers=registers_of))


def ask(
    head: Header,
    settings: session.Settings,
    writer: Writer,
    finished: Sequence[BatchDone],
    failures: Failures | None,
) -> None:
    """Ask what is left, behind the batches that are `finished`, with progress on a terminal; enough `failures` end it."""
    prepare(head.plan, settings.jobs)
    total = schedule.total_batches(head.plan, settings.corpus)
    many = total - len(finished) if total < ENDLESS >> 10 else None
    with steps("batches", many, seconds=settings.budget) as step:

        def advance(batch: BatchDone) -> None:
            step(f"{batch.key.target} {batch.key.subject} {batch.key.sort}")
            if failures is not None:
                failures.count(batch)

        enough = session.never if failures is None else failures.are_enough
        session.run(head, settings, writer, finished, advance, enough)


class Failures(Protocol):
    """A count of failures as batches end, which says when they are enough to end a run."""

    def count(self, batch: BatchDone) -> None:
        """Count the failures of a batch."""

    def are_enough(self) -> bool:
        """Return whether there are so many that the run ends."""


class NewFailures:
    """The probes of a run that fail in a new way, counted as batches end; nothing is counted where no number is too many.

    Batches are of one compiler, so what only differs between compilers is not among them.
    """

    def __init__(self, head: Header, ending: ReportOptions) -> None:
        self._most = ending.most
        self._known = ending.known.in_force(datetime.now(UTC).date())
        self._versions = {(info.target, info.subject): info.version for info in head.subjects}
        self._probes: set[tuple[str, str]] = set()

    def count(self, batch: BatchDone) -> None:
        """Count the new failures of a batch."""
        if self._most is None:
            return
        for group in match_known((batch,), self._known, self._versions).left:
            self._probes.update((group.fingerprint.target, member.probe) for member in group.members)

    def are_enough(self) -> bool:
        """Return whether there are so many that the run ends."""
        return self._most is not None and len(self._probes) >= self._most


def to_finish(folder: Path) -> str:
    """Return how much of a run is there, and how to finish it; empty if its journal is gone."""
    try:
        kept = len(read(folder).batches)
    except JournalError:
        return ""
    return f"{kept} batches are kept. Finish with: abiprobe run --resume {shell_word(folder)}"


def remarks(plan: Plan, budget: float | None) -> Iterator[str]:
    """Yield remarks printed before a run: subjects left out on a target, and the time for each target."""
    targets = plan.targets
    yield from left_out(subjects_of(plan), subjects_by_target(plan))
    if budget is not None and len(targets) > 1:
        share = budget / len(targets)
        yield f"{budget:g} s are shared by {len(targets)} targets: about {share:.1f} s each"


def unasked(run: Run) -> tuple[str, ...]:
    """Return the targets that a run did not reach before its budget, or too many failures, ended it."""
    asked = {batch.key.target for batch in run.batches}
    ended = run.footer is not None and run.footer.ended != "complete"
    could = {info.target for info in run.header.subjects}
    return tuple(target for target in run.header.plan.targets if ended and target in could - asked)


def end(folder: Path, found: Run, ending: ReportOptions, jobs: int) -> int:
    """Print the result of a run and return its exit status; an empty shard of a small run has nothing to print."""
    plan, footer = found.header.plan, found.footer
    if not found.batches and footer is not None and footer.ended == "complete" and plan.shard[1] > 1:
        part, parts = plan.shard
        asides().print(f"shard {part} of {parts} has no part of so small a run: it tested nothing")
        return NOTHING_COMPARED
    left = unasked(found)
    if left:
        words, do = ENDINGS[footer.ended if footer is not None else "budget"]
        asides().print(f"{words} before any test of {', '.join(left)}: {do}", soft_wrap=True)
    seconds = SECONDS if ending.reducing else 0.0
    causes = find_first_causes(folder, found, ending.known, jobs=jobs, seconds=seconds)
    show(found, causes, ending.form, folder, SCREEN)
    return exit_of(found, causes, strict=ending.strict)
