"""A user's C may be anything: it is read apart, and its names are not taken for ours."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from abiprobe.harness.base.apart import apart
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input.declared import declared_in, declared_in_file
from abiprobe.harness.observers.batch import Job, run_job
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.results.record import Judgement

TARGET = "x86_64-sysv"


def killed() -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def hungry() -> int:
    return len(bytearray(64 << 20))


def wrong() -> None:
    raise ZeroDivisionError


def mistaken() -> None:
    raise Problem("what", "hint")


@pytest.mark.parametrize(
    ("work", "told"),
    [
        (killed, "f.c cannot be read: the reader ended with SIGSEGV"),
        (hungry, "there is not enough memory to read it"),
        (wrong, r"it cannot be read \(ZeroDivisionError"),
        (mistaken, "^what: hint$"),
    ],
)
def test_what_happens_to_the_reader_is_a_line(work: object, told: str) -> None:
    assert callable(work)
    with pytest.raises(Problem, match=told):
        apart(work, "f.c", memory=16 << 20)


def test_what_is_read_comes_back() -> None:
    assert apart(lambda: list(range(100_000)), "f.c") == list(range(100_000))


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Problem, match=r"f\.c cannot be read within 0\.2 s"):
        apart((tmp_path / "pipe").read_bytes, "f.c", seconds=0.2)


@pytest.mark.parametrize("include", ["/dev/zero", "sparse.h"])
def test_an_endless_header_is_refused(tmp_path: Path, include: str) -> None:
    (tmp_path / "sparse.h").touch()
    os.truncate(tmp_path / "sparse.h", 20 << 30)
    (tmp_path / "f.c").write_text(f'#include "{include}"\nstruct S {{ int a; }};\n', "utf-8")
    with pytest.raises(Problem):
        declared_in_file(str(tmp_path / "f.c"), TARGET)


COLLIDING = (
    "struct T { int abi_in, abi_out, callee; };"
    "int f(int abi_in, struct T ap, int word0, double real0);"
    "int callee_0(int abi_out, long abi_target);"
    "typedef int callee; callee g(callee x, int memcpy);"
    "enum caller { abi_layout, call_0 }; int h(enum caller c);"
    "int v(int own_abi_in, int abi_functions);"
)


def test_names_that_are_ours_change_no_verdict() -> None:
    if not installed(parse_subject("gcc-12"), (TARGET,)):
        pytest.skip("gcc-12 is not installed")
    found = declared_in(COLLIDING, TARGET)
    for sort, questions in (("records", found.records), ("prototypes", found.functions)):
        (done,) = run_job(Job(TARGET, 0, sort, questions, (("gcc-12", "O0"),)))
        assert {verdict.verdict for verdict in done.verdicts} == {Judgement.AGREES}
