"""A compiler whose witnesses contradict each other, and the batch put to it."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
from laboratory.jobs import spelled_job

from abiprobe.harness.input import read
from abiprobe.harness.observers.batch import run_job
from abiprobe.harness.subjects.families import zig
from abiprobe.oracles.language.lang import Record
from abiprobe.oracles.language.question import ProbeKind, Sort, probe
from abiprobe.results.verdicts.record import Verdict

WITNESSES = (ProbeKind.LAYOUT, ProbeKind.DEBUG_INFO, ProbeKind.VALUES)
X86 = "x86_64-sysv"

Verdicts: TypeAlias = "dict[tuple[str, str], Verdict]"
"""Verdicts by tag and kind of probe."""

LIAR = """\
#!{python} -IS
import os, sys
real, old, new, units = {real!r}, {old!r}, {new!r}, {units!r}
arguments = sys.argv[1:]
for number, argument in enumerate(arguments):
    if argument.endswith(".c"):
        text = open(argument).read()
        unit = "debug" if "-g" in arguments else "values" if "values_0(void)" in text else "object"
        if unit in units:
            text = text.replace(old, new)
        arguments[number] = argument + ".faux.c"
        open(arguments[number], "w").write(text)
if "-g" in arguments and "stripped" in units:
    arguments.remove("-g")
os.execv(real[0], [*real, *arguments])
"""


def clang() -> list[str]:
    """The command of an honest clang."""
    program = zig.program()
    path = next(filter(None, map(shutil.which, ("clang", "clang-22", "clang-19", "clang-14"))), None)
    if program is None and path is None:
        pytest.skip("neither zig nor clang is installed")
    return [program, "clang"] if program is not None else [str(path)]


def records(text: str) -> tuple[Record, ...]:
    """The records that C declares."""
    return read(text, filename="records.h", triple="x86_64-linux-gnu").records


def put(
    subject: str, asked: tuple[Record, ...], target: str = X86, witnesses: tuple[ProbeKind, ...] = WITNESSES
) -> Verdicts:
    """The verdicts of all witnesses; every record is accounted for, once for each."""
    (done,) = run_job(spelled_job(target, 0, Sort.RECORDS, asked, ((subject, "O0"),), witnesses=witnesses))
    tags = {probe(record).id: record.tag for record in asked}
    verdicts = {(tags[verdict.probe], verdict.kind.value): verdict for verdict in done.verdicts}
    assert set(verdicts) == {(record.tag, kind.value) for record in asked for kind in witnesses}
    assert len(done.verdicts) == len(verdicts)
    return verdicts


@pytest.fixture
def lied(tmp_path: Path) -> Callable[..., Verdicts]:
    """Asks a clang that compiles `new` for `old` in the units named: `object`, `debug`, `values`.

    Where `stripped` is named, it forgets `-g`.
    """

    def ask(text: str, old: str, new: str, *units: str) -> Verdicts:
        program = tmp_path / "cc"
        program.write_text(LIAR.format(python=sys.executable, real=clang(), old=old, new=new, units=units))
        program.chmod(0o755)
        return put(f"clang:{program}", records(text))

    return ask
