"""Puts questions in C to the library of a language, as the tests of each do."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from laboratory.jobs import spelled_job

from abiprobe.harness.input import read
from abiprobe.harness.machines.targets import platform_named
from abiprobe.harness.observers.batch import run_job
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.harness.subjects.subject import Family
from abiprobe.oracles.language.question import Question, Sort
from abiprobe.oracles.registry import find_target
from abiprobe.results.verdicts.record import Verdict

TARGET = "x86_64-sysv"


WRAPPER = """#!/bin/sh
shift {arguments}
exec {python} -P {program} "$@"
"""


def wrapper(folder: Path, text: str, library: Family) -> Path:
    """Write a program of Python in the place of the one that asks a library, and the interpreter that runs it."""
    program, found = folder / "liar.py", folder / library.name
    program.write_text(text)
    found.write_text(WRAPPER.format(arguments=len(library.common), python=sys.executable, program=program))
    found.chmod(0o755)
    return found


def need(library: str, target: str = TARGET) -> None:
    """Skip the test where a library cannot be asked."""
    if not installed(parse_subject(library), (find_target(target),)):
        pytest.skip(f"{library} is not installed for {target}")


def calls(source: str, subject: str, target: str = TARGET) -> dict[str, Verdict]:
    """The verdicts on the functions that `source` declares, by the kind of probe."""
    triple = platform_named(target).triple
    functions: tuple[Question, ...] = read(source, filename="t.c", triple=triple).functions
    return asked(functions, Sort.PROTOTYPES, subject, target)


def layout(source: str, subject: str, target: str = TARGET) -> Verdict:
    """The verdict on the layout of the last record that `source` declares."""
    triple = platform_named(target).triple
    records: tuple[Question, ...] = read(source, filename="t.c", triple=triple).records
    return asked(records[-1:], Sort.RECORDS, subject, target)["layout"]


def asked(about: tuple[Question, ...], sort: Sort, subject: str, target: str) -> dict[str, Verdict]:
    """The verdicts of a subject, by the kind of probe."""
    (answer,) = run_job(spelled_job(target, 0, sort, about, ((subject, "O0"),)))
    return {verdict.kind.value: verdict for verdict in answer.verdicts}
