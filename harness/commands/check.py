"""`abiprobe check`: the declarations in a file, put to compilers."""

from __future__ import annotations

from typing import Any

import msgspec

from abiprobe.harness.batch import Job
from abiprobe.harness.commands.arguments import (
    WITNESSES,
    level_names,
    subject_names,
    target_names,
    witness_names,
)
from abiprobe.harness.commands.console import answers, asides, print_json
from abiprobe.harness.commands.reading import Declared, declared_in_file
from abiprobe.harness.commands.report import declaration
from abiprobe.harness.dispatch import misses_ptxas, run_job
from abiprobe.harness.problem import Problem
from abiprobe.harness.ptx.tools import SKIPPED
from abiprobe.harness.toolchains.find import discover, installed, parse_subject
from abiprobe.oracles.lang import Record
from abiprobe.oracles.question import ProbeKind, Question, probe
from abiprobe.oracles.registry import find_model
from abiprobe.results.journal import BatchDone, Pairs
from abiprobe.results.report.prediction import prediction
from abiprobe.results.report.terminal import report
from abiprobe.results.summary import exit_status

RECORDS, PROTOTYPES = "records", "prototypes"


def check(
    file: str,
    target: str,
    subjects: str | None,
    levels: str,
    form: str,
    witnesses: str | None = None,
    pairs: str = "first",
) -> int:
    """Put every record and prototype declared in `file` to the subjects of each target, and print the verdicts."""
    chosen = level_names(levels)
    asked = tuple(WITNESSES.values()) if witnesses is None else witness_names(witnesses)
    declared = [declared_in_file(file, name) for name in target_names(target)]
    spellings = offered(subjects, tuple(item.target for item in declared))
    if any(map(misses_ptxas, (item.target for item in declared))):
        asides().print(SKIPPED, soft_wrap=True, markup=False)
    checked = [
        (item, put(item, spellings[item.target], chosen, asked, Pairs(pairs), observe=form == "json"))
        for item in declared
    ]
    batches = tuple(batch for _, done in checked for batch in done)
    if form == "json":
        values = [as_json(item, done) for item, done in checked]
        print_json(values[0] if len(values) == 1 else values)
    else:
        report(answers(), batches, declaration)
    return exit_status(batches)


def offered(text: str | None, targets: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """The subjects for each target: those named, or all that are installed; raises `Problem` for a missing one."""
    named = None if text is None else subject_names(text)
    for spelling in named or ():
        if not installed(parse_subject(spelling), targets):
            raise Problem(
                f"compiler {spelling!r} is not installed for {', '.join(targets)}",
                "see: abiprobe list toolchains",
            )
    found = named or tuple(subject.spelling for subject in discover(targets))
    if not found:
        raise Problem(
            f"no compiler is installed for {', '.join(targets)}", "pip install ziglang; see: abiprobe doctor"
        )
    return {
        target: tuple(one for one in found if installed(parse_subject(one), (target,))) for target in targets
    }


def put(
    declared: Declared,
    subjects: tuple[str, ...],
    levels: tuple[str, ...],
    witnesses: tuple[ProbeKind, ...],
    pairs: Pairs,
    *,
    observe: bool,
) -> list[BatchDone]:
    """Ask the subjects of one target about what was declared."""
    jobs = (
        Job(
            declared.target,
            0,
            sort,
            questions,
            tuple(
                (subject, level)
                for subject in subjects
                for level in (levels[:1] if sort == RECORDS else levels)
            ),
            observe=observe,
            witnesses=witnesses,
            pairs=pairs if sort == PROTOTYPES else Pairs.NONE,
        )
        for sort, questions in ((RECORDS, declared.records), (PROTOTYPES, declared.functions))
        if questions
    )
    return [batch for job in jobs for batch in run_job(job)]


def as_json(declared: Declared, batches: list[BatchDone]) -> dict[str, Any]:
    """The prediction, and beside it what was observed and judged."""
    questions: tuple[Question, ...] = (*declared.records, *declared.functions)
    names = {probe(question).id: name_of(question) for question in questions}
    value = prediction(declared.target, find_model(declared.target), declared.records, declared.functions)
    value["observations"] = [
        {
            "subject": batch.key.subject,
            "opt": batch.key.level,
            "name": names[note.probe],
            **msgspec.to_builtins(note),
        }
        for batch in batches
        for note in batch.observed
    ]
    value["verdicts"] = [
        {
            "subject": batch.key.subject,
            "opt": batch.key.level,
            "name": names[verdict.probe],
            "clause": "",
            "detail": "",
            **msgspec.to_builtins(verdict),
        }
        for batch in batches
        for verdict in batch.verdicts
    ]
    return value


def name_of(question: Question) -> str:
    """The name by which a file declares a question."""
    return f"{question.keyword} {question.tag}" if isinstance(question, Record) else question.name
