"""The plugin as a compiler project uses it: off by default, items for probes, spread over workers, shrunk."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from abiprobe.generators.local import smallest
from abiprobe.generators.pool import PoolKind
from abiprobe.harness.toolchains.find import installed, parse_subject
from abiprobe.oracles.lang import Kind, Prototype, Scalar
from abiprobe.oracles.question import Question

# Its entry point loads it where abiprobe is installed.
INSTALLED = any(each.name == "abiprobe" for each in metadata.entry_points(group="pytest11"))
LOADED = () if INSTALLED else ("-p", "abiprobe.harness.pytest_plugin")
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


def needed(name: str) -> str:
    if not installed(parse_subject(name), (TARGET,)):
        pytest.skip(f"{name} is not installed")
    return name


def test_without_a_target_nothing_is_added(project: Path) -> None:
    done = run(project, "-q")
    assert (done.returncode, "1 passed" in done.stdout) == (0, True)


def test_probes_are_items_and_workers_share_them(project: Path) -> None:
    options = ("--abiprobe-target", TARGET, "--abiprobe-cc", needed("clang-16"), "--abiprobe-cases", "4")
    done = run(project, *options, "-n", "2", "-rf")
    assert done.returncode == 1, done.stdout
    assert "x86_64:pass.whole: " in done.stdout
    assert "__int128" in done.stdout
    assert "Traceback" not in done.stdout
    listed = run(project, *options, "--collect-only", "-q", "-m", "abiprobe")
    assert f"abiprobe[{TARGET}-clang-16-" in listed.stdout
    assert "test_own" not in listed.stdout


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

    found = smallest(PoolKind.PROTOTYPES, has_an_int128, seed=0, examples=2000)
    assert isinstance(found, Prototype)
    assert [param.type for param in found.params] == [Scalar(Kind.INT128)]
    assert smallest(PoolKind.RECORDS, has_an_int128, seed=0, examples=20) is None


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
