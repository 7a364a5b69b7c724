"""A run is read on a machine that has not its compilers, or has others by their names."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from abiprobe.harness.runs.run_files import TRIAGE
from tests.faux.putting import LIE, program

from .calling import TARGET, abiprobe

SUBJECT = "clang:./faux"
LYING = {LIE: "rewrites", "ABIPROBE_TESTS_REWRITE": r"sizeof\(union \w+\) => (\g<0> + 8)"}
"""Unions are 8 bytes too large."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a compiler that makes unions too large, and a run of it that was triaged."""
    folder = tmp_path_factory.mktemp("ci")
    program(folder)
    done = abiprobe(
        *("run", TARGET, "--cc", SUBJECT, "--opt", "O0", "--cases", "24", "--seed", "3", "--raw"),
        *("--no-tours", "--out", "run"),
        cwd=folder,
        env=LYING,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    done = abiprobe("triage", "run", "--no-known", cwd=folder, env=LYING)
    assert done.returncode == 1, done.stderr
    return folder


@pytest.fixture
def desk(made: Path, tmp_path: Path) -> Path:
    """A copy of the run, in a folder without the compiler."""
    shutil.copytree(made / "run", tmp_path / "run")
    return tmp_path


def found_in(run: Path) -> list[dict[str, str]]:
    kept = json.loads((run / TRIAGE).read_text("utf-8"))["clusters"]
    assert isinstance(kept, list)
    return kept


COMMANDS = {
    "triage": (("triage", "run", "--no-known"), 1, "clang:./faux is not installed"),
    "accept": (("accept", "run"), 0, "clang:./faux is not installed"),
    "report": (("report", "run"), 1, ""),
    "html": (("report", "run", "--format", "html", "--out", "page.html"), 1, "clang:./faux is not installed"),
    "markdown": (("report", "run", "--format", "markdown"), 1, ""),
    "junit": (("report", "run", "--format", "junit"), 1, ""),
    "sarif": (("report", "run", "--format", "sarif"), 1, ""),
    "diff": (("diff", "run", "run"), 0, ""),
    "abi-breaks": (("diff", "run", "run", "--abi-breaks"), 0, ""),
    "coverage": (("coverage", "run"), 0, ""),
    "rejudge": (("rejudge", "run"), 0, "changed for 0 probes"),
    "corpus add": (("corpus", "add", "run"), 0, "questions added"),
    "corpus prune": (("corpus", "prune", "run", "--dry-run"), 0, ""),
    "reduce": (("reduce", "CLUSTER", "--run", "run"), 2, "clang:./faux is not installed"),
    "repro": (("repro", "CLUSTER", "--run", "run", "--out", "bundle"), 2, "clang:./faux is not installed"),
}


@pytest.mark.parametrize(("arguments", "status", "words"), COMMANDS.values(), ids=COMMANDS)
def test_what_was_kept_is_told_without_the_compiler(
    desk: Path, arguments: tuple[str, ...], status: int, words: str
) -> None:
    first = str(found_in(desk / "run")[0]["id"])
    done = abiprobe(*(first if one == "CLUSTER" else one for one in arguments), cwd=desk)
    assert "Traceback" not in done.stderr
    assert done.returncode == status, done.stdout + done.stderr
    assert words in done.stderr
    assert not words or len([line for line in done.stderr.splitlines() if words in line]) == 1


def test_the_causes_are_those_that_were_kept(made: Path, desk: Path) -> None:
    here, there = (
        json.loads(abiprobe("triage", "run", "--no-known", "--format", "json", cwd=one, env=LYING).stdout)
        for one in (made, desk)
    )
    assert there["clusters"] == here["clusters"]


def test_a_run_that_was_not_triaged_is_told_as_it_was_recorded(desk: Path) -> None:
    (desk / "run" / TRIAGE).unlink()
    (desk / "run" / "first.json").unlink(missing_ok=True)
    done = abiprobe("triage", "run", "--no-known", "--top", "0", cwd=desk)
    assert done.returncode == 1, done.stderr
    assert "as the run saw it, not reduced" in done.stdout
    assert found_in(desk / "run")
    again = abiprobe("triage", "run", "--no-known", "--top", "0", cwd=desk)
    assert again.stdout == done.stdout


def test_what_another_compiler_of_that_name_says_is_not_told_as_the_runs(made: Path, desk: Path) -> None:
    """The honest compiler here follows the text, so asking it would refute what the run saw."""
    text = (made / "faux").read_text("utf-8")
    (desk / "faux").write_text(
        text.replace("#!/bin/sh\n", "#!/bin/sh\ncase $* in *--version*) echo another; exit ;; esac\n")
    )
    (desk / "faux").chmod(0o755)
    (desk / "run" / TRIAGE).unlink()
    (desk / "run" / "first.json").unlink(missing_ok=True)
    triage = ("triage", "run", "--no-known", "--top", "0")
    done = abiprobe(*triage, cwd=desk, env={LIE: "tells_the_truth"})
    assert "'clang:./faux' was named here before, but means other files now" in done.stderr
    (desk / "in.h").write_text("void f(int a);\n", "utf-8")
    abiprobe(
        *("check", "in.h", "--target", TARGET, "--cc", SUBJECT, "--opt", "O0"),
        cwd=desk,
        env={LIE: "tells_the_truth"},
    )
    done = abiprobe(*triage, cwd=desk, env={LIE: "tells_the_truth"})
    assert done.returncode == 1, done.stdout + done.stderr
    assert "clang:./faux is 'another' here and was" in done.stderr
    assert "fresh runs" not in done.stdout
    asked = abiprobe(
        "rejudge", "run", "--as", f"{TARGET}={TARGET}@clang-reading", "--ask", cwd=desk, env=dict(os.environ)
    )
    assert asked.returncode == 2
    assert "is not the compiler that this run began with" in asked.stderr
