"""Exported tests fail for those to blame and for no other, by the runners of the suites that they are made for."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.table_file import read
from abiprobe.harness.triage.exports.forms import Form, export
from tests.conftest import USERS_CACHE
from tests.faux.putting import LIE, program

from . import suites, table

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "docs" / "findings" / "exports.tsv"
FINDINGS = table.findings()
FIRST = FINDINGS[0]
QUICK = [(FIRST, form) for form in (Form.FILECHECK, Form.GCC_DG, Form.C)]
SAID = [
    ("struct S { float a; int : 0; float b; }; void f(struct S a);", "f(float{{[^,()]*}}, float{{[^,()]*}})"),
    ("struct A { int a; float b[1]; }; struct A f(void);", "{ {{(i[0-9]+|ptr)}}, float } @f()"),
    ("struct S { long a[3]; }; void f(struct S a);", "@f(ptr{{[^,]*}})"),
    ("void f(short a, double b);", "@f(i16{{[^,()]*}}, double{{[^,()]*}})"),
]


@pytest.mark.parametrize(("finding", "form"), QUICK, ids=[form.value for _, form in QUICK])
def test_a_suite_blames_who_is_to_blame(finding: table.Finding, form: Form) -> None:
    names = [name for name in ("gcc-12", "clang-22") if name in table.here(finding)]
    if len(names) < 2:
        pytest.skip("gcc-12 or clang-22 is not installed")
    found = list(table.rows(finding, (form,), names))
    for row in found:
        if row.reason:
            pytest.skip(row.reason.removeprefix("not run: "))
        assert not row.wrong, row
    assert any(row.failed for row in found)


@pytest.mark.parametrize(("text", "line"), SAID)
def test_the_signature_that_a_clause_demands(text: str, line: str) -> None:
    finding = table.Finding("riscv64-lp64d", text, ("clang",), FIRST.clause)
    (made,) = export(finding.case(("clang-22", "gcc-12")), Form.FILECHECK).values()
    (check,) = [one for one in made.splitlines() if one.startswith("// CHECK")]
    assert line in check


@pytest.mark.parametrize(
    ("form", "words"), [(Form.RUSTC, "rust cannot say this: bit-field"), (Form.ZIG, "zig cannot")]
)
def test_what_a_language_cannot_say_is_told_in_a_line(form: Form, words: str) -> None:
    with pytest.raises(Problem, match=words):
        export(FIRST.case(("clang-22", "gcc-12")), form)


def test_a_test_that_demands_something_else_fails(tmp_path: Path) -> None:
    """A wrong demand is noticed by FileCheck, so that a right one means something."""
    if not any(map(shutil.which, suites.FILECHECKS)) or "clang-22" not in table.here(FIRST):
        pytest.skip("FileCheck or clang-22 is not installed")
    finding = table.Finding("riscv64-lp64d", "void f(float a);", ("clang",), FIRST.clause)
    ((name, text),) = export(finding.case(("clang-22", "gcc-12")), Form.FILECHECK).items()
    (tmp_path / name).write_text(text)
    (tmp_path / "wrong.c").write_text(text.replace("@f(float", "@f(double"))
    try:
        assert suites.lit("clang-22", tmp_path) == {name: False, "wrong.c": True}
    except suites.Missing as missing:
        pytest.skip(f"{missing} is not installed")


def test_a_gcc_that_dies_fails_its_own_suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """DejaGnu counts an internal compiler error as a failure, and the gcc behind the liar passes."""
    if "gcc-12" not in table.here(FIRST):
        pytest.skip("gcc-12 is not installed")
    liar = f"gcc:{program(tmp_path, suites.command('gcc-12', 'x86_64-sysv')[:1])}"
    question = "void f(_Complex double a);"
    words = "internal compiler error: in faux"
    finding = table.Finding("x86_64-sysv", question, (liar,), symptom="crashed", words=words)
    found = {}
    for lie in ("tells_the_truth", "crashes_on_complex"):
        monkeypatch.setenv(LIE, lie)
        (row,) = table.rows(finding, (Form.GCC_DG,), (liar,))
        if row.reason:
            pytest.skip(row.reason.removeprefix("not run: "))
        found[lie] = row.failed
    assert found == {"tells_the_truth": (), "crashes_on_complex": (liar,)}


def documented() -> dict[tuple[str, ...], tuple[str, str]]:
    """The rows of the table: by declaration, target and form, for whom it fails and for whom it passes."""
    return {
        (row["declaration"], row["target"], row["form"]): (row["fails for"], row["passes for"])
        for row in read(TABLE).rows
    }


def test_the_document_is_about_the_findings() -> None:
    assert {key[:2] for key in documented()} == {(f"`{one.c}`", one.target) for one in FINDINGS}


@pytest.mark.long
@pytest.mark.parametrize("finding", FINDINGS, ids=[f"{one.target}-{one.c}" for one in FINDINGS])
def test_the_document_has_what_the_suites_say(finding: table.Finding) -> None:
    """With the compilers in the user's own cache, since most of them come from later suites of Debian."""
    wanted = re.escape(f"{finding.target} {finding.c}")
    done = subprocess.run(
        (sys.executable, "-m", "tests.exports.table", f"^{wanted}$"),
        cwd=ROOT,
        env={**os.environ, "ABIPROBE_CACHE": os.environ[USERS_CACHE]},
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert rows, done.stdout
    told = documented()
    for *about, failed, passed in rows:
        if failed.startswith("not run: "):
            continue
        fails, passes = told[tuple(about)]
        assert set(failed.split(", ")) - {"-"} <= set(fails.split(", "))
        assert set(passed.split(", ")) - {"-", ""} <= set(passes.split(", "))
