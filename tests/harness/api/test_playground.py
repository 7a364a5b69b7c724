"""The playground's answers: those of `abiprobe explain`, for every target, and a line for what it cannot answer."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from abiprobe.harness.api.playground import answer, answered, targets
from abiprobe.harness.api.predicting import explain

C = "struct S { char a; double b; int c : 3; };\nstruct S f(struct S s, float z, int n);\n_Bool g(long double x);"
NAMES = json.loads(targets())


@pytest.mark.parametrize("target", NAMES)
def test_the_derivation_is_that_of_explain(target: str) -> None:
    found = answered(C, target)
    theirs = explain(C, target)
    assert found.derivation.rstrip() == theirs.text.rstrip()
    assert found.clauses == tuple(one.id for one in theirs.clauses)
    assert "struct S {" in found.places or "struct S is unspecified: struct S has a bit-field" in found.places
    assert (found.problem, found.skipped) == ("", ())


def test_a_dialect_has_its_own_answer() -> None:
    assert answered(C, "riscv64-lp64d@clang").derivation.startswith("riscv64-lp64d@clang")


@pytest.mark.parametrize(
    ("source", "target", "problem"),
    [
        ("", "x86_64-sysv", "no struct, union or function is declared"),
        ("int x;", "x86_64-sysv", "no struct, union or function is declared"),
        ("struct S {", "x86_64-sysv", "this is not C that can be read here"),
        ("int f(void) __attribute__((ms_abi));", "x86_64-sysv", "line 1: attribute ms_abi is not read here"),
        ("int f(void);", "vax", "there is no target 'vax'"),
    ],
)
def test_what_has_no_answer_has_a_line(source: str, target: str, problem: str) -> None:
    found = answered(source, target)
    assert problem in found.problem
    assert not found.places


def test_what_is_skipped_is_told_beside_the_rest() -> None:
    found = json.loads(answer("struct S { int x; };\nvoid f(struct T t);", "x86_64-sysv", 80))
    assert found["skipped"] == ["line 2: f: struct T is incomplete here"]
    assert "struct S {" in found["places"]


def test_the_derivation_fits_a_narrow_page() -> None:
    words = answered(C, "riscv64-lp64d", 64).derivation.splitlines()
    assert max(map(len, words)) < 100 < max(map(len, answered(C, "riscv64-lp64d").derivation.splitlines()))


def test_no_compiler_and_no_process_is_near() -> None:
    code = (
        "import sys, abiprobe.harness.api.playground;"
        "near = [n for n in sys.modules if n.startswith(('abiprobe.harness.subjects', 'abiprobe.harness.observers', 'clang'))];"
        "sys.exit(len(near))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
