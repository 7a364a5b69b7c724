"""`abiprobe run`: a new run, or the rest of an interrupted one."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from abiprobe.harness import schedule, session
from abiprobe.harness.commands.arguments import (
    WITNESSES,
    duration,
    level_names,
    shard,
    subject_names,
    target_name,
    whole_number,
    witness_names,
)
from abiprobe.harness.commands.console import asides
from abiprobe.harness.commands.report import print_report
from abiprobe.harness.dispatch import misses_ptxas
from abiprobe.harness.nights.corpus import corpus, corpus_digest, corpus_of
from abiprobe.harness.offers import offered
from abiprobe.harness.prepare import OBJECT
from abiprobe.harness.problem import Problem
from abiprobe.harness.ptx.tools import SKIPPED
from abiprobe.harness.runs import create_folder
from abiprobe.harness.schedule import NO_CORPUS
from abiprobe.harness.toolchains.find import discover
from abiprobe.oracles.registry import TARGETS
from abiprobe.results.journal import BatchDone, Header, JournalError, Pairs, Plan, Run, Writer, read
from abiprobe.results.summary import exit_status

INTERRUPTED = 130
SEEDS = 1 << 32
CASES = 1000
"""So many without `--cases` and `--budget`."""
TOURED = 250
"""From so many cases on, tours come first: whoever asks fewer wants a quick answer."""
ENDLESS = 1 << 40
PROFILES: Mapping[str | None, Mapping[str, str]] = {
    "quick": {"cases": "250", "levels": "O0"},
    "nightly": {"cases": str(ENDLESS), "budget": "30m"},
    None: {},
}


def start(
    targets: Sequence[str], subjects: str | None, levels: str, form: str, options: Mapping[str, object]
) -> int:
    """Begin a run, do it, and print its report."""
    chosen = PROFILES[str(options["profile"]) if options["profile"] else None]
    names = tuple(dict.fromkeys(target_name(name) for name in targets)) or tuple(TARGETS)
    budget = options["budget"] or chosen.get("budget")
    asked = options["cases"] or chosen.get("cases") or (ENDLESS if budget else CASES)
    cases = whole_number(str(asked), "the number of cases", 1)
    seed, witnesses = options["seed"], options["witnesses"]
    plan = Plan(
        seed=secrets.randbelow(SEEDS) if seed is None else whole_number(str(seed), "the seed", 0),
        cases=cases,
        targets=names,
        subjects=chosen_subjects(subjects, names),
        levels=level_names(chosen.get("levels", levels)),
        shard=shard(str(options["shard"])),
        witnesses=OBJECT if witnesses is None else witness_names(str(witnesses)),
        sampled=tuple(WITNESSES.values()) if witnesses is None else (),
        pairs=Pairs(str(options["pairs"])),
        tours=cases >= TOURED if options["tours"] is None else bool(options["tours"]),
    )
    keep = options["raw"] if options["raw"] is not None else options["profile"] == "nightly"
    asked = corpus(names) if options["profile"] == "nightly" or options["corpus"] else NO_CORPUS
    plan = msgspec.structs.replace(plan, corpus=corpus_digest(asked))
    seconds = None if budget is None else duration(str(budget))
    settings = session.Settings(
        workers(options["jobs"]),
        seconds,
        keep=bool(keep),
        corpus=asked,
        fresh=bool(options["fresh"]),
        dask=str(options["dask"] or ""),
    )
    folder = Path(str(options["out"])) if options["out"] else default_folder()
    offered(plan)
    create_folder(folder)
    head = session.header(plan)
    try:
        writer = Writer.create(folder, head)
    except FileExistsError as error:
        raise Problem(
            f"{folder} already has a run", f"choose another --out, or finish it with --resume {folder}"
        ) from error
    return carry_out(folder, head, settings, writer, (), form)


def resume(folder: Path, jobs: object, budget: object, form: str) -> int:
    """Finish an interrupted run; a finished one is only reported."""
    try:
        found: Run = read(folder)
    except JournalError as error:
        raise Problem(str(error)) from error
    if found.footer is not None and found.footer.ended == "complete":
        asides().print(f"the run at {folder} is complete")
        print_report(found, form)
        return exit_status(found.batches)
    session.resumable(found.header.plan, found.header)
    seconds = None if budget is None else duration(str(budget))
    # As the corpus was when the run began, as far as it was written down.
    asked = corpus_of(found) if any(item.number < 0 for item in found.asked) else NO_CORPUS
    if corpus_digest(asked) != found.header.plan.corpus:
        asked = corpus(found.header.plan.targets)
    if corpus_digest(asked) != found.header.plan.corpus:
        raise Problem(f"the corpus is not that which the run at {folder} began with", "start a new run")
    settings = session.Settings(
        workers(jobs), seconds, keep=any(batch.raw for batch in found.batches), corpus=asked
    )
    writer = Writer.extend(folder)
    return carry_out(folder, found.header, settings, writer, found.batches, form)


def carry_out(
    folder: Path,
    head: Header,
    settings: session.Settings,
    writer: Writer,
    finished: Sequence[BatchDone],
    form: str,
) -> int:
    """Run what is left, with progress on a terminal, and report."""
    plan = head.plan
    aside = asides()
    aside.print(f"seed {plan.seed}, run folder {folder}", soft_wrap=True)
    if any(map(misses_ptxas, plan.targets)):
        aside.print(SKIPPED, soft_wrap=True, markup=False)
    for target, spellings in offered(plan).items():
        lacking = [name for name in plan.subjects if name not in spellings]
        if lacking:
            aside.print(f"{target}: not offered by {', '.join(lacking)}", soft_wrap=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=aside, transient=True, disable=not aside.is_terminal) as bar:
        total = schedule.total_batches(plan, settings.corpus)
        task = bar.add_task(
            "batches", total=total if total < ENDLESS >> 10 else None, completed=len(finished)
        )

        def advance(batch: BatchDone) -> None:
            bar.update(
                task, advance=1, description=f"{batch.key.target} {batch.key.subject} {batch.key.sort}"
            )

        try:
            session.run(plan, settings, writer, finished, advance)
        except KeyboardInterrupt:
            kept = len(read(folder).batches)
            aside.print(
                f"interrupted; {kept} batches are kept. Finish with: abiprobe run --resume {folder}",
                soft_wrap=True,
            )
            return INTERRUPTED
    found = read(folder)
    print_report(found, form)
    return exit_status(found.batches)


def chosen_subjects(text: str | None, targets: Sequence[str]) -> tuple[str, ...]:
    """The subjects named, or every one that is installed."""
    found = subject_names(text) if text is not None else tuple(item.spelling for item in discover(targets))
    if not found:
        raise Problem(
            "no compiler is installed for these targets", "pip install ziglang; see: abiprobe doctor"
        )
    return found


def workers(jobs: object) -> int:
    """How many batches are worked on at a time."""
    return len(os.sched_getaffinity(0)) if jobs is None else whole_number(str(jobs), "the number of jobs", 1)


def default_folder() -> Path:
    """A folder for a run that was given none."""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
    return Path(".abiprobe", "runs", stamp)
