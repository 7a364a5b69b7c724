"""Stand-ins that are wrong on exactly one clause of the device that they stand in for: the blame falls on it, and on what it decides."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import pytest
from laboratory.jobs import spelled_job

from abiprobe.harness.input import read
from abiprobe.harness.input.front_end import front_end
from abiprobe.harness.observers.batch import run_job
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.families.standin import LINES
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import Question, Sort, probe
from abiprobe.oracles.registry import find_target
from abiprobe.results.verdicts.record import Judgement

CALLS = """
    struct Two { int x2, y2; };
    void narrow(signed char thin, int a);
    void word(int a, int broad);
    void pair(int a, double real);
    void wide(long long vast, int b);
    void address(int a, char *where);
    struct Two give_two(int a);
    long long give_wide(void);
    short give_narrow(void);
"""
RECORDS = """
    struct Plain { char r1; int r2; };
    union Either { char u1; int u2; };
    struct Fields { int f1 : 3; int f2 : 20; };
    struct Typed { char t1; double t2; };
"""
IPU, SUPERVISOR, DPU = "colossus-ipu@compiler", "colossus-ipu-supervisor@compiler", "upmem-dpu@compiler"
LIES = [
    (SUPERVISOR, "standin-xcore", "word", r"int broad => double broad", "ipu:pass.integer"),
    (SUPERVISOR, "standin-xcore", "wide", r"long long vast => int vast", "ipu:dialect.loose-words"),
    (SUPERVISOR, "standin-xcore", "narrow", r"signed char thin => unsigned char thin", "ipu:pass.extend"),
    (DPU, "standin-powerpc", "pair", r"double real => float real", "dpu:pass.double-word"),
    (DPU, "standin-powerpc", "wide", r"long long vast => int vast", "dpu:pass.double-word"),
    (DPU, "standin-powerpc", "narrow", r"signed char thin => unsigned char thin", "dpu:pass.promote"),
    (IPU, "standin-arc", "Plain", r"int r2; => long long r2;", "ipu:record.struct"),
    (IPU, "standin-arc", "Either", r"int u2; => int u2[2];", "ipu:record.union"),
    (IPU, "standin-arc", "Fields", r"int f2 ?: ?20 => int : 2; int f2 : 20", "ipu:bits.packing"),
    (DPU, "standin-spirv32", "Plain", r"int r2; => long long r2;", "dpu:record.struct"),
    (DPU, "standin-spirv32", "Either", r"int u2; => int u2[2];", "dpu:record.union"),
    (DPU, "standin-spirv32", "Fields", r"int f2 ?: ?20 => int : 2; int f2 : 20", "dpu:bits.packing"),
    (DPU, "standin-spirv32", "Typed", r"double t2 => float t2", "dpu:record.struct"),
]
LIE = "ABIPROBE_TESTS_REWRITE"
LIAR = """\
import os, re, sys
arguments = sys.argv[1:]
for number, argument in enumerate(arguments):
    if {lie!r} in os.environ and argument.endswith(".c"):
        was, instead = os.environ[{lie!r}].split(" => ")
        told = argument + ".told.c"
        with open(argument) as honest, open(told, "w") as changed:
            changed.write(re.sub(was, instead, honest.read()))
        arguments[number] = told
os.execv({words[0]!r}, [*{words!r}, *arguments])
"""


@cache
def liar(folder: Path, subject: str, target: str) -> str:
    """A stand-in that takes what `LIE` says for something else, and is asked for its features while it is honest."""
    words = LINES[subject].find()
    assert words is not None
    path = folder / f"faux-clang-{subject}"
    path.write_text(f"#!{sys.executable} -IS\n" + LIAR.format(lie=LIE, words=words))
    path.chmod(0o755)
    return f"{subject}:{path}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the liars are."""
    return tmp_path_factory.mktemp("liars")


def questions(target: str, name: str) -> tuple[Question, ...]:
    """What is asked with a question of this name: all of its sort."""
    as_if = front_end(find_target(target))
    found = read(CALLS + RECORDS, filename="t.h", triple=as_if.triple, options=as_if.options)
    return found.records[1:] if name[0].isupper() else found.functions


def blamed(subject: str, target: str, asked: tuple[Question, ...]) -> dict[str, set[str]]:
    """The clauses blamed for each question."""
    sort = Sort.PROTOTYPES if isinstance(asked[0], Prototype) else Sort.RECORDS
    (done,) = run_job(spelled_job(target, 0, sort, asked, ((subject, "O0"),), Limits()))
    names = {probe(one).id: one.name if isinstance(one, Prototype) else one.tag for one in asked}
    found: dict[str, set[str]] = {}
    for verdict in done.verdicts:
        if verdict.verdict is Judgement.DEVIATES:
            found.setdefault(names[verdict.probe], set()).add(verdict.clause)
    return found


@cache
def honestly(subject: str, target: str, asked: tuple[Question, ...]) -> dict[str, set[str]]:
    """What an honest stand-in is blamed for."""
    return blamed(subject, target, asked)


@pytest.mark.parametrize(("target", "subject", "name", "lie", "clause"), LIES)
def test_a_stand_in_wrong_by_one_clause(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    target: str,
    subject: str,
    name: str,
    lie: str,
    clause: str,
) -> None:
    if not installed(parse_subject(subject), (find_target(target),)):
        pytest.skip(f"{subject} is not installed for {target}")
    asked, faux = questions(target, name), liar(folder, subject, target)
    assert honestly(faux, target, asked) == {}
    monkeypatch.setenv(LIE, lie)
    assert blamed(faux, target, asked) == {name: {clause}}
