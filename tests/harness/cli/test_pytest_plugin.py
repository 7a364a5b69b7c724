"""The plugin as a compiler project uses it: off by default, items for probes, spread over workers, shrunk."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from abiprobe.generators.local import smallest
from abiprobe.harness.input.declared import declared_in
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.oracles.language.lang import Kind, Prototype, Scalar
from abiprobe.oracles.language.question import Question, Sort, probe
from abiprobe.oracles.registry import find_target

# Its entry point loads it where abiprobe is installed.
INSTALLED = any(each.name == "abiprobe" for each in metadata.entry_points(group="pytest11"))
LOADED = () if INSTALLED else ("-p", "abiprobe.harness.cli.pytest_plugin")
TARGET = "x86_64-sysv"


def run(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """A session of its own, with the plugin loaded as its entry point does."""
    return subprocess.run(
        (
            sys.executable,
            "-m",
            "pytest",
            *LOADED,
            "-p",
            "no:cacheprovider",
            *options,
        ),
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env={key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")},
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pytest.ini").write_text("[pytest]\n", "utf-8")
    (tmp_path / "test_own.py").write_text("def test_own():\n    pass\n", "utf-8")
    return tmp_path


def needed(name: str, target: str = TARGET) -> str:
    if not installed(parse_subject(name), (find_target(target),)):
        pytest.skip(f"{name} is not installed for {target}")
    return name


def test_without_a_target_nothing_is_added(project: Path) -> None:
    done = run(project, "-q")
    assert (done.returncode, "1 passed" in done.stdout) == (0, True)


def test_probes_are_items_and_workers_share_them(project: Path) -> None:
    options = ("--abiprobe-target", TARGET, "--abiprobe-cc", needed("clang-16"), "--abiprobe-cases", "4")
    done = run(project, *options, "-n", "2", "-rf", "--abiprobe-no-known")
    assert done.returncode == 1, done.stdout
    assert "x86_64:pass.whole: " in done.stdout
    assert "__int128" in done.stdout
    assert "Traceback" not in done.stdout
    listed = run(project, *options, "--collect-only", "-q", "-m", "abiprobe")
    assert f"abiprobe::{TARGET}::clang-16::" in listed.stdout
    assert "test_own" not in listed.stdout


RISCV = "riscv64-lp64d"
ITEM = "abiprobe::riscv64-lp64d::clang-22::10d49a00ebad"
"""The example of a known deviation: a zero-width bit-field between two floats."""


def test_a_known_deviation_is_an_expected_failure_and_its_id_can_be_pasted_back(project: Path) -> None:
    options = (
        "--abiprobe-target",
        RISCV,
        "--abiprobe-cc",
        needed("clang-22", RISCV),
        "--abiprobe-cases",
        "0",
    )
    known = run(project, *options, ITEM, "-rx")
    assert (known.returncode, "1 xfailed" in known.stdout) == (0, True), known.stdout
    assert f"XFAIL {ITEM} - known (bug): clang does not flatten past a zero-width bit-field" in known.stdout
    new = run(project, *options, ITEM, "--abiprobe-no-known")
    assert (new.returncode, "1 failed" in new.stdout) == (1, True), new.stdout
    for words in ("compiled with: ", f"--target {RISCV}", "abiprobe explain 'struct S", "abiprobe repro - "):
        assert words in new.stdout
    missing = run(project, *options, "abiprobe::nothing")
    assert missing.returncode == pytest.ExitCode.USAGE_ERROR
    assert "no item 'abiprobe::nothing'" in missing.stderr


def test_an_example_that_agrees_passes_unexpectedly(project: Path) -> None:
    name = needed("gcc-12", TARGET)
    (project / "known.toml").write_text(FALSE, "utf-8")
    options = ("--abiprobe-target", TARGET, "--abiprobe-cc", name, "--abiprobe-cases", "0")
    (asked,) = declared_in("void f(long a, double b);", find_target(TARGET)).functions
    item = f"abiprobe::{TARGET}::gcc-12::{probe(asked).id}"
    done = run(project, *options, "--abiprobe-known-only", "known.toml", item, "-rX")
    assert "1 xpassed" in done.stdout, done.stdout
    assert "no longer occurs, remove or narrow the entry: gcc takes a long for a double" in done.stdout


FALSE = """
[[deviation]]
name = "gcc takes a long for a double"
targets = ["x86_64-sysv"]
subjects = ["gcc"]
shows.misplaced = ["x86_64:pass.integer"]
status = "bug"
reason = "it does not"
link = "unreported"
since = 2026-11-21
example = "void f(long a, double b);"
"""


def test_hypothesis_searches_as_an_item(project: Path) -> None:
    options = ("--abiprobe-target", TARGET, "--abiprobe-cc", needed("gcc-12"), "--abiprobe-cases", "0")
    done = run(project, *options, "--abiprobe-examples", "2", "-k", "smallest")
    assert done.returncode == 0, done.stdout
    assert "2 passed" in done.stdout


def test_what_is_found_is_the_simplest() -> None:
    def has_an_int128(question: Question) -> bool:
        return isinstance(question, Prototype) and any(
            isinstance(param.type, Scalar) and param.type.kind is Kind.INT128 for param in question.params
        )

    found = smallest(Sort.PROTOTYPES, has_an_int128, seed=0, examples=2000)
    assert isinstance(found, Prototype)
    assert [param.type for param in found.params] == [Scalar(Kind.INT128)]
    assert smallest(Sort.RECORDS, has_an_int128, seed=0, examples=20) is None


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--abiprobe-target", "z80"), "unknown target"),
        (("--abiprobe-target", TARGET), "no compiler is named"),
        (("--abiprobe-target", TARGET, "--abiprobe-cc", "gcc:nowhere"), "is not installed"),
    ],
)
def test_mistakes_are_told_in_one_line(project: Path, options: tuple[str, ...], words: str) -> None:
    done = run(project, *options)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert words in done.stderr
    assert "Traceback" not in done.stderr + done.stdout
