"""Memory and time of a long run, and of what is made of it. The compilers' answers are made up, everything else is real."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
from laboratory import said

from abiprobe.harness.base.table_file import Row
from abiprobe.harness.observers.batch import Job, by_probe, kept
from abiprobe.harness.runs import session
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import ProbeKind
from abiprobe.results.journal.journal import BatchDone, BatchKey, read_header
from abiprobe.results.verdicts.record import Verdict, from_differences

from .runs import FORMATS

TARGET = "x86_64-sysv"
SUBJECTS = "gcc-12,clang-16,clang-19,clang-22"
LEVELS = "O0,O1,O2,O3"
KINDS = ProbeKind.CALLER, ProbeKind.CALLEE, ProbeKind.RESULT, ProbeKind.PRESERVATION
ANSWERS = 4 * (4 * 4 + 1)
"""Verdicts on a prototype at each level, and on a record at the first."""
DEVIATING = 97
"""One of so many probes deviates, at one compiler."""
MEBI = 1 << 20


class Use(msgspec.Struct):
    """A line of the table: the largest process of a command, and CPU seconds of all."""

    what: str
    peak: int
    seconds: float

    @property
    def row(self) -> Row:
        """The line as a row of data."""
        return {
            "command": self.what,
            "largest process": f"{self.peak / MEBI:.0f} MiB",
            "CPU": f"{self.seconds:.1f} s",
        }


def made_up(job: Job) -> list[BatchDone]:
    """Answers to a job of which one in some deviates."""
    questions = by_probe(job.questions)
    done = []
    for asked in job.subjects:
        verdicts: list[Verdict] = []
        for probe, question in questions.items():
            wrong = int(probe, 16) % DEVIATING == 0 and asked.subject.name == "clang-16"
            shown = said.difference("callee", "a", "rdi", "10 11 12 13", "00 00 00 00", "x86_64:pass.integer")
            kinds = KINDS if isinstance(question, Prototype) else (ProbeKind.LAYOUT,)
            verdicts += [
                from_differences(probe, kind, (shown,) if wrong and kind is ProbeKind.CALLEE else ())
                for kind in kinds
            ]
        key = BatchKey(job.target.spelling, *asked.spelling, job.sort, job.number)
        clauses = {f"x86_64:made-up-{number}": (len(questions), 0) for number in range(40)}
        done.append(
            BatchDone(
                key, len(questions), tuple(verdicts), kept(questions, verdicts), clauses=clauses, compared=()
            )
        )
    return done


def used(what: str, work: Callable[[], None]) -> Use:
    """What a forked process needs for some work; its output is thrown away, but for a failure."""
    number = os.fork()
    if number == 0:
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            work()
        except SystemExit as ended:
            os._exit(ended.code if isinstance(ended.code, int) else 70)
        finally:
            os._exit(70)
    _, status, about = os.wait4(number, 0)
    if os.waitstatus_to_exitcode(status) not in {0, 1}:
        sys.stderr.write(f"{what}: exit status {os.waitstatus_to_exitcode(status)}\n")
    return Use(what, about.ru_maxrss << 10, about.ru_utime + about.ru_stime)


def command(*words: str) -> Callable[[], None]:
    """A command of abiprobe, in a process that has been forked."""

    def work() -> None:
        from abiprobe.harness.cli.main import main

        main(list(words))

    return work


def memory(times: int, folder: Path) -> Iterator[Use]:
    """A run of so many verdicts, and every report of it."""
    run = folder / "run"
    cases = max(1, times // ANSWERS)

    def long() -> None:
        session.run_job = made_up
        plan = ("--cc", SUBJECTS, "--opt", LEVELS, "--cases", str(cases), "--seed", "1", "--no-tours")
        options = ("--no-triage", "--pairs", "none", "--fresh", "--jobs", "2", "--out", str(run))
        command("run", TARGET, *plan, *options)()

    yield used(f"`run` of {cases} prototypes and records, {SUBJECTS}, {LEVELS}", long)
    assert read_header(run).plan.cases == cases
    yield used("`report`", command("report", str(run)))
    for form in FORMATS:
        out = ("--out", str(folder / f"report.{form}"))
        yield used(f"`report --format {form}`", command("report", str(run), "--format", form, *out))
    yield used("`triage`", command("triage", str(run), "--jobs", "1"))
    yield used("`diff` with itself", command("diff", str(run), str(run)))
    yield used("`coverage`", command("coverage", str(run)))
