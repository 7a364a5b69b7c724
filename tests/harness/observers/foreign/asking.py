"""Puts questions in C to the library of a language, as the tests of each do."""

from __future__ import annotations

import pytest
from laboratory.jobs import spelled_job

from abiprobe.harness.input import read
from abiprobe.harness.observers.batch import run_job
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.oracles.language.question import Question, Sort
from abiprobe.oracles.registry import find_target
from abiprobe.results.verdicts.record import Verdict

TARGET = "x86_64-sysv"


def need(library: str) -> None:
    """Skip the test where a library cannot be asked."""
    if not installed(parse_subject(library), (find_target(TARGET),)):
        pytest.skip(f"{library} is not installed for this machine")


def calls(source: str, subject: str) -> dict[str, Verdict]:
    """The verdicts on the functions that `source` declares, by the kind of probe."""
    functions: tuple[Question, ...] = read(source, filename="t.c", triple="x86_64-linux-gnu").functions
    return asked(functions, Sort.PROTOTYPES, subject)


def layout(source: str, subject: str) -> Verdict:
    """The verdict on the layout of the last record that `source` declares."""
    records: tuple[Question, ...] = read(source, filename="t.c", triple="x86_64-linux-gnu").records
    return asked(records[-1:], Sort.RECORDS, subject)["layout"]


def asked(about: tuple[Question, ...], sort: Sort, subject: str) -> dict[str, Verdict]:
    """The verdicts of a subject, by the kind of probe."""
    (answer,) = run_job(spelled_job(TARGET, 0, sort, about, ((subject, "O0"),)))
    return {verdict.kind.value: verdict for verdict in answer.verdicts}
