"""Bundles and exported tests about classes of C++: they fail for the compilers to blame, and for no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.cli.commands.export import export_command
from abiprobe.harness.cli.commands.repro import repro
from abiprobe.harness.observers.registry import observer_of
from abiprobe.harness.subjects.find import build, parse_subject
from abiprobe.harness.triage.cases import Case, find_cases
from abiprobe.harness.triage.exports.forms import Form
from abiprobe.oracles.language.question import probe
from abiprobe.oracles.registry import find_target

TARGET, SUBJECTS = "x86_64-sysv", "g++-12,clang++-22"
OVERLAPPING = "struct K { [[no_unique_address]] int a; char b; };"
NEARLY_EMPTY = """
    struct alignas(16) A {};
    struct B : A { virtual void v(); };
    struct C { virtual void w(); };
    struct D : B, virtual C {};
    struct E : virtual D {};
"""
BITS = "struct A {}; struct B { char a : 1; [[no_unique_address]] A b; char c : 1; };"
PACKED = """
    struct N { char c; int i; private: int j; };
    struct __attribute__((packed)) P { char a; N n[2]; };
"""
GUILTY = [
    (OVERLAPPING, "gxx_12-O1", "WRONG  member behind it as a base"),
    (NEARLY_EMPTY, "clangxx_22-O1", "WRONG  virtual base D"),
    (BITS, "clangxx_22-O1", "WRONG  all bits of c"),
    (PACKED, "clangxx_22-O1-beside-gxx_12-O1", "DIFFERS  alignof"),
]


@pytest.fixture(autouse=True)
def _installed() -> None:
    for subject in SUBJECTS.split(","):
        if build(parse_subject(subject), find_target(TARGET), "O1") is None:
            pytest.skip(f"{subject} is not installed")


def written(text: str, folder: Path) -> str:
    path = folder / "classes.hpp"
    path.write_text(text, "utf-8")
    return str(path)


@pytest.mark.parametrize(("text", "rule", "line"), GUILTY)
def test_a_bundle_fails_for_the_guilty_only(
    text: str, rule: str, line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "bundle"
    assert repro(written(text, tmp_path), out, None, TARGET, SUBJECTS, "O1") == 0
    said = capsys.readouterr().out
    assert f"make fails for {rule}, as expected" in said
    assert line in (out / "make-output.txt").read_text("utf-8")
    assert (out / "probe.cc").exists()


@pytest.mark.parametrize(("text", "guilty"), [(OVERLAPPING, "g++-12"), (NEARLY_EMPTY, "clang++-22")])
@pytest.mark.parametrize("form", ["gcc-dg", "filecheck"])
def test_an_exported_test_fails_for_the_guilty_only(
    text: str, guilty: str, form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    export_command(written(text, tmp_path), tmp_path / "out", None, TARGET, SUBJECTS, "O1", Form(form))
    said = capsys.readouterr().out
    (other,) = {*SUBJECTS.split(",")} - {guilty}
    assert f"fails for {guilty}\n" in said
    assert f"passes for {other}\n" in said


def cases(text: str, folder: Path) -> tuple[Case, ...]:
    return find_cases(written(text, folder), None, (find_target(TARGET),), SUBJECTS, ("O1",))


def test_what_no_text_decides_is_not_exported(tmp_path: Path) -> None:
    (case, *_) = cases(PACKED, tmp_path)
    with pytest.raises(Problem, match="leave this layout open"):
        observer_of(case.target, case.question).self_test(probe(case.question))


def test_other_languages_have_no_test_of_a_class(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="a class of C\\+\\+ cannot be shown by rustc"):
        export_command(
            written(OVERLAPPING, tmp_path), tmp_path / "out", None, TARGET, SUBJECTS, "O1", Form.RUSTC
        )


def test_a_file_of_cxx_is_read_as_such_where_no_compiler_is_named(tmp_path: Path) -> None:
    found = find_cases(written(OVERLAPPING, tmp_path), None, (find_target(TARGET),), None, ("O1",))
    assert all("++" in subject for case in found for subject, _ in case.everyone)
    assert any(subject == "g++-12" for case in found for subject, _ in case.deviating)
