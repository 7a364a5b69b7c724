"""`abiprobe explain CLAUSE`: what is known of a clause, for people and for programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from abiprobe.generators.boundary import Edge
from abiprobe.harness.cli.commands import explain_clause as command
from abiprobe.harness.runs import clause_edges
from abiprobe.oracles.language.lang import Kind, Member, Record, Scalar
from abiprobe.oracles.registry import TARGETS
from abiprobe.oracles.text.clause import find_clause, is_clause_name, sheets

from .calling import abiprobe

CLAUSE = "riscv:fp.flatten-zero-width"
INSIDE = Record("S", (Member(Scalar(Kind.FLOAT), "a"), Member(Scalar(Kind.INT), "", width=0)))
OUTSIDE = Record("S", (Member(Scalar(Kind.FLOAT), "a"),))


@pytest.mark.parametrize("step", [16, pytest.param(1, marks=pytest.mark.long)])
def test_every_clause_can_be_explained(step: int) -> None:
    names = [clause.id for sheet in sheets() for clause in sheet.clauses.values()]
    assert len(names) > 300
    for name in names[::step]:
        assert is_clause_name(name)
        text = list(command.lines(find_clause(name), {}))
        assert text[0] == name
        assert all(word in " ".join(text) for word in find_clause(name).says.split())


@pytest.mark.parametrize(
    "text", ["int f(int);", "s.h", "struct S { int a : 3; };", "-", "C:/headers/s.h", "a::b"]
)
def test_what_is_no_clause(text: str) -> None:
    assert not is_clause_name(text)


def test_a_clause_names_its_deviations_and_targets(tmp_path: Path) -> None:
    done = abiprobe("explain", CLAUSE, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "clang does not flatten past a zero-width bit-field" in done.stdout
    assert "riscv64-lp64d" in done.stdout
    assert "x86_64-sysv" not in done.stdout
    found = json.loads(abiprobe("explain", CLAUSE, "--format", "json", cwd=tmp_path).stdout)
    assert found["clause"] == CLAUSE
    assert found["edges"] == {}
    assert set(found["targets"]) == {name for name, one in TARGETS.items() if one.sheet == "riscv"}


def test_examples_stand_on_both_sides_of_the_edge(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(clause_edges, "edges_of", lambda _base: (Edge(CLAUSE, (INSIDE,), (OUTSIDE,)),))
    assert command.explain_clause(CLAUSE, "riscv64-lp64d", "text") == 0
    _, inside, outside = (
        capsys.readouterr().out.partition("decided by this clause:\n")[2].partition("struct S")
    )
    assert inside == "struct S"
    assert outside.index("int : 0;") < outside.index("not decided by it:") < outside.index("struct S")


def test_a_clause_on_which_nothing_depends_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(clause_edges, "edges_of", lambda _base: ())
    assert command.explain_clause(CLAUSE, "riscv64-lp64d@clang-reading", "text") == 0
    assert "riscv64-lp64d: nothing that is compared depends on this clause alone" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("riscv:fp.flatten-zero-widt",), f"did you mean {CLAUSE}"),
        (("nowhere:x",), "unknown clause 'nowhere:x'"),
        ((CLAUSE, "-t", "x86_64-sysv"), "x86_64-sysv does not follow riscv:fp.flatten-zero-width"),
        (("int f(int);",), "Missing option '--target'"),
    ],
)
def test_mistakes_are_told_in_a_line(arguments: tuple[str, ...], words: str, tmp_path: Path) -> None:
    done = abiprobe("explain", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr
