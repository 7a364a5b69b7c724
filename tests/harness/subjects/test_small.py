"""tcc and pcc: compilers that were not written after gcc, put to the same questions."""

from __future__ import annotations

from pathlib import Path

import pytest
from laboratory.jobs import spelled_job

from abiprobe.harness.observers.batch import run_job
from abiprobe.harness.subjects.families import pcc, tcc
from abiprobe.harness.subjects.find import build, command, discover, identity, installed, parse_subject
from abiprobe.oracles.language.lang import Kind, Member, Param, Prototype, Record, Scalar
from abiprobe.oracles.language.question import Question, Sort
from abiprobe.oracles.registry import find_target
from abiprobe.results.verdicts.record import Judgement

X86_64, I386, RISCV = "x86_64-sysv", "i386-sysv", "riscv64-lp64d"
PAIR = Record("S", (Member(Scalar(Kind.CHAR), "a"), Member(Scalar(Kind.LONG), "b")))
BITS = Record("S", (Member(Scalar(Kind.INT), "a", 3), Member(Scalar(Kind.INT), "b", 7)))
SUM = Prototype("f", Scalar(Kind.LONG), (Param("a", Scalar(Kind.LONG)), Param("b", Scalar(Kind.DOUBLE))))


def present(name: str, target: str) -> None:
    if not installed(parse_subject(name), (find_target(target),)):
        pytest.skip(f"{name} is not installed")


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH with nothing but what a test puts there, on a machine that runs x86-64 programs."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    return tmp_path


def program(folder: Path, name: str) -> str:
    path = folder / name
    path.write_text("#!/bin/sh\necho faux 1.0\n")
    path.chmod(0o755)
    return str(path)


def test_tcc_has_a_program_per_instruction_set(programs: Path) -> None:
    assert tcc.find("tcc", X86_64) is None
    native = program(programs, "tcc")
    assert tcc.find("tcc", X86_64) == (native,)
    assert tcc.find("tcc", I386) is None
    other = program(programs, "i386-tcc")
    assert tcc.find("tcc", I386) == (other,)


def test_pcc_serves_another_target_with_its_compiler_proper(programs: Path) -> None:
    native = program(programs, "pcc")
    assert pcc.find("pcc", X86_64) == (native,)
    assert pcc.find("pcc", I386) is None
    program(programs, "ccom_i386")
    assert pcc.find("pcc", I386) == (native,)


def test_neither_is_native_elsewhere(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    program(programs, "tcc")
    program(programs, "pcc")
    assert tcc.find("tcc", X86_64) is None
    assert pcc.find("pcc", X86_64) is None


@pytest.mark.parametrize("name", ["tcc", "pcc"])
def test_they_are_discovered_and_have_no_riscv(programs: Path, name: str) -> None:
    program(programs, name)
    assert name in {subject.spelling for subject in discover(tuple(map(find_target, (X86_64, RISCV))))}
    assert command(parse_subject(name), find_target(RISCV)) is None


@pytest.mark.parametrize("name", ["tcc", "pcc"])
def test_a_program_can_be_named(tmp_path: Path, name: str) -> None:
    path = program(tmp_path, "cc")
    words = command(parse_subject(f"{name}:{path} -DX"), find_target(X86_64))
    assert words is not None
    assert (words[0], words[-1]) == (path, "-DX")


@pytest.mark.parametrize(("level", "spelt"), [("O2", "-O2"), ("Og", "-O1"), ("Oz", "-Os"), ("Ofast", "-O3")])
def test_pcc_is_given_levels_that_it_knows(tmp_path: Path, level: str, spelt: str) -> None:
    built = build(parse_subject(f"pcc:{program(tmp_path, 'cc')}"), find_target(X86_64), level)
    assert built is not None
    assert built.command[-1] == spelt


@pytest.mark.parametrize(
    ("name", "target", "version"),
    [("tcc", X86_64, "tcc version"), ("tcc", I386, "tcc version"), ("pcc", X86_64, "Portable C Compiler")],
)
def test_they_say_what_they_are(name: str, target: str, version: str) -> None:
    present(name, target)
    words = command(parse_subject(name), find_target(target))
    assert words is not None
    assert identity(words).version.startswith(version)


@pytest.mark.parametrize("level", ["O0", "O2", "Oz"])
@pytest.mark.parametrize(
    ("name", "target", "sort", "questions"),
    [
        ("tcc", X86_64, Sort.RECORDS, (PAIR, BITS)),
        ("tcc", X86_64, Sort.PROTOTYPES, (SUM,)),
        ("tcc", I386, Sort.RECORDS, (PAIR, BITS)),
        ("pcc", X86_64, Sort.RECORDS, (PAIR, BITS)),
        ("pcc", X86_64, Sort.PROTOTYPES, (SUM,)),
    ],
)
def test_plain_questions_agree(
    name: str, target: str, sort: Sort, questions: tuple[Question, ...], level: str
) -> None:
    present(name, target)
    (batch,) = run_job(spelled_job(target, 0, sort, questions, ((name, level),)))
    assert {verdict.verdict for verdict in batch.verdicts} == {Judgement.AGREES}
