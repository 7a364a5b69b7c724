"""Targets without a model: one clear line where something would be predicted, and compilers compared with each other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from abiprobe.harness.cli.commands.doctor import what_runs
from abiprobe.harness.cli.commands.target_families import without_model
from abiprobe.oracles.registry import TARGETS
from tests.skipping import needs_executor

from .calling import abiprobe, needed

UNMODELLED = [name for name, target in TARGETS.items() if not target.modelled]
NOBODY = "mips64el-n64"
LAYOUTS_ONLY = "bpf"
NONE = "no model, so nothing is predicted; abiprobe check compares its compilers with each other"
PARTS = (
    "struct S { float __attribute__((vector_size(8))) a; }; void f(struct S); void g(float, double, char);"
)


@pytest.mark.parametrize("command", ["predict", "explain"])
def test_nothing_is_predicted_in_one_line(command: str, tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text(PARTS, "utf-8")
    done = abiprobe(command, "a.h", "--target", NOBODY, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, f"{NOBODY}: {NONE}\n")


def test_the_list_says_that_there_is_no_model(tmp_path: Path) -> None:
    done = abiprobe("list", "targets", "--format", "json", cwd=tmp_path)
    told = {one["target"]: one["text"] for one in json.loads(done.stdout)["targets"]}
    assert {name for name, text in told.items() if text.startswith("no model")} == {*UNMODELLED}


def test_doctor_says_that_they_are_compared() -> None:
    assert what_runs({"target": NOBODY, "runs": True, "calls": True}) == "compared"


@pytest.mark.parametrize(
    ("targets", "words"),
    [
        (["powerpc64le-elfv2"], ""),
        ([NOBODY], " (no model)"),
        (["powerpc64le-elfv2", "powerpc64-elfv1", NOBODY], " (1 without a model)"),
    ],
)
def test_doctor_says_of_a_group_which_have_no_model(targets: list[str], words: str) -> None:
    assert without_model(targets) == words


@pytest.mark.parametrize("target", [name for name in UNMODELLED if name != LAYOUTS_ONLY])
def test_compilers_are_compared_and_nobody_is_judged(target: str, tmp_path: Path) -> None:
    subjects = ",".join(needed(name, target) for name in ("gcc-12", "clang-22"))
    needs_executor(target)
    assert verdicts(target, subjects, tmp_path) == {
        ("unspecified", "no_model:calls"),
        ("unspecified", "no_model:layouts"),
    }


def test_only_layouts_are_compared_where_nothing_runs(tmp_path: Path) -> None:
    subjects = ",".join(needed(name, LAYOUTS_ONLY) for name in ("gcc", "clang-22"))
    assert verdicts(LAYOUTS_ONLY, subjects, tmp_path) == {
        ("unspecified", "no_model:layouts"),
        ("unobserved", ""),
    }


def verdicts(target: str, subjects: str, folder: Path) -> set[tuple[str, str]]:
    """The verdicts on a record and a function that passes one, with their clauses, but for those on pairs."""
    (folder / "a.h").write_text("struct T { char a; double b; }; double f(struct T, float, char *);", "utf-8")
    done = abiprobe(
        "check", "a.h", "--target", target, "--cc", subjects, "--opt", "O2", "--format", "json", cwd=folder
    )
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)["verdicts"]
    return {(one["verdict"], one["clause"]) for one in found if one["kind"] != "pair"}
