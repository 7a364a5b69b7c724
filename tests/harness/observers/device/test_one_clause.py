"""Compilers for CUDA devices that are wrong on exactly one clause: the blame falls on that clause, and on the question that it decides.

Each takes a type for another one, wherever it is declared.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from laboratory.jobs import spelled_job

from abiprobe.harness.input import read
from abiprobe.harness.observers.batch import run_job
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.find import build, installed, parse_subject
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import Sort, probe
from abiprobe.oracles.registry import find_target
from abiprobe.results.verdicts.record import Judgement

HONEST = {
    "clang-22": "nvptx64-cuda@clang-22",
    "clang-19": "nvptx64-cuda@clang-19",
    "clang-16": "nvptx64-cuda@clang-16",
}
CALLS = """
    struct Three { int x3, y3, z3; };
    struct Tight { double d4; } __attribute__((packed, aligned(4)));
    struct Many { char m50[50]; };
    void narrow(signed char thin);
    void wide(long broad);
    void real(float solo);
    void address(void *where);
    void big(__int128 vast);
    void complex(float _Complex both);
    void bits(_BitInt(33) odd);
    void three(struct Three three);
    void tight(struct Tight tight);
    struct Three give_three(void);
    struct Many give_many(void);
    long double give_long(void);
"""
THREE = r"struct Three_(\d+) {[^}]*}"
LIES = [
    ("narrow", r"\bsigned char thin => long thin", "ptx_guide:pass.narrow"),
    ("wide", r"long( broad|\)) => int\1", "ptx_guide:pass.wide"),
    ("real", r"float( solo|\)) => double\1", "ptx_guide:pass.float"),
    ("address", r"void \* ?(where|\(\*where|\)) => int \1", "ptx_guide:pass.pointer"),
    ("big", r"__int128( vast|\)) => long\1", "ptx_guide:dialect.scalar"),
    ("complex", r"float _Complex( both|\)) => double\1", "ptx_guide:dialect.scalar"),
    ("bits", r"_BitInt\(33\) => _BitInt(31)", "ptx_guide:pass.bit-int"),
    ("three", rf"{THREE} => struct Three_\1 {{ long x3; int z3; }}", "ptx_guide:pass.aggregate"),
    ("give_three", rf"{THREE} => struct Three_\1 {{ long x3; int z3; }}", "ptx_guide:dialect.ir-result"),
    ("tight", r"struct Tight_(\d+) {[^}]*} => struct Tight_\1 { char d4[8]; }", "ptx_guide:dialect.ir-param"),
    ("give_many", r"m50\[50\] => m50[40]", "ptx_guide:dialect.ir-result"),
    ("give_long", r"long double => float", "ptx_guide:dialect.long-double"),
]
LIAR = """\
import os, re, sys
was, instead = {lie!r}.split(" => ")
arguments = sys.argv[1:]
for number, argument in enumerate(arguments):
    if argument.endswith((".c", ".cu")):
        told = argument + ".told.c"
        with open(argument) as honest, open(told, "w") as changed:
            changed.write(re.sub(was, instead, honest.read()))
        arguments[number] = told
command = {command!r}
os.execv(command[0], [*command, *arguments])
"""


@pytest.fixture(scope="module")
def honest() -> tuple[str, str]:
    """An honest clang with device code, and the target whose dialect it follows."""
    for name, target in HONEST.items():
        if installed(parse_subject(name), (find_target(target),)):
            return name, target
    pytest.skip(f"none of {', '.join(HONEST)} is installed for nvptx64-cuda")


def liar(folder: Path, honest: str, target: str, lie: str) -> str:
    """A compiler that takes what a lie says for something else."""
    built = build(parse_subject(honest), find_target(target), "O1")
    assert built is not None
    path = folder / "faux"
    path.write_text(f"#!{sys.executable} -IS\n" + LIAR.format(lie=lie, command=[built.command[0]]))
    path.chmod(0o755)
    return f"clang:{path}"


def blamed(subject: str, target: str, asked: tuple[Prototype, ...]) -> dict[str, set[str]]:
    """The clauses blamed for the declaration of each function."""
    (done,) = run_job(spelled_job(target, 0, Sort.PROTOTYPES, asked, ((subject, "O1"),), Limits()))
    names = {probe(one).id: one.name for one in asked}
    found: dict[str, set[str]] = {}
    for verdict in done.verdicts:
        if verdict.verdict is Judgement.DEVIATES:
            found.setdefault(names[verdict.probe], set()).add(verdict.clause)
    return found


def functions() -> tuple[Prototype, ...]:
    """All that is asked."""
    return read(CALLS, filename="t.h", triple="nvptx64-nvidia-cuda").functions


def test_an_honest_compiler_is_blamed_for_nothing(honest: tuple[str, str]) -> None:
    assert blamed(*honest, functions()) == {}


@pytest.mark.parametrize(("name", "lie", "clause"), LIES)
def test_a_declaration_wrong_by_one_clause(
    tmp_path: Path, honest: tuple[str, str], name: str, lie: str, clause: str
) -> None:
    compiler, target = honest
    asked = tuple(one for one in functions() if one.name in {name, "narrow", "wide"})
    assert blamed(liar(tmp_path, compiler, target, lie), target, asked) == {name: {clause}}
