"""A compiler that leaves a very deep folder behind costs its own probes at most, and no command after it anything."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.oracles.registry import find_target

from .commands import CONTROL
from .compilers import program

TARGET = "x86_64-sysv"
NESTING = """
import os, sys
os.chdir(sys.argv[1])
for _ in range(int(sys.argv[2])):
    os.mkdir(f"d{os.getpid()}")
    os.chdir(f"d{os.getpid()}")
"""
HEADER = "union U { int a; long b; };\nint f(long);\nvoid g(union U);\n"
LATER = (
    ("predict", "a.h", "-t", TARGET),
    ("check", "a.h", "-t", TARGET, "--cc", "{real}", "--opt", "O0"),
    (
        "run",
        TARGET,
        "--cc",
        "{real}",
        "--cases",
        "2",
        "--seed",
        "1",
        "--opt",
        "O0",
        "--no-tours",
        "--out",
        "run",
    ),
    ("report", "run"),
    ("explain", "a.h", "-t", TARGET),
)
"""Commands that each begin by sweeping what earlier ones have left; a run's report needs the run before it."""


@pytest.fixture(scope="module")
def real() -> str:
    for name in ("gcc-12", "gcc"):
        if installed(parse_subject(name), (find_target(TARGET),)):
            return name
    pytest.skip("gcc is not installed")


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    """A folder to work in, with one for temporary files; pytest, which removes by recursion, does not have to."""
    (tmp_path / "temporary").mkdir()
    (tmp_path / "a.h").write_text(HEADER, "utf-8")
    yield tmp_path
    subprocess.run(("rm", "-rf", tmp_path / "temporary"), check=True)


def call(place: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A command as a user starts it, with temporary files in a folder of the test's own."""
    start = "from abiprobe.harness.cli.main import main; main()"
    return subprocess.run(
        (sys.executable, "-c", start, *words),
        cwd=place,
        env={**os.environ, "TMPDIR": str(place / "temporary")},
        capture_output=True,
        text=True,
        check=False,
    )


def nesting(place: Path, real: str, levels: int) -> str:
    """A compiler that leaves that many levels beside each object with a union; asked for by its path."""
    script = place / "nest.py"
    script.write_text(NESTING, "utf-8")
    leaving = f'{sys.executable} -S "{script}" "$(dirname "$out")" {levels} || exit 1'
    return f"gcc:{program(place, real, leaving)}"


@pytest.mark.parametrize("levels", [1100, pytest.param(5000, marks=pytest.mark.long)])
def test_no_command_suffers_from_what_a_compiler_left(place: Path, real: str, levels: int) -> None:
    odd = nesting(place, real, levels)
    first = call(place, "check", "a.h", "-t", TARGET, "--cc", f"{odd},{real}", "--opt", "O0")
    left = [path.name for path in (place / "temporary").iterdir()]
    assert (left, first.stderr) == ([], "")
    assert first.returncode == 0, first.stdout
    for words in LATER:
        done = call(place, *(word.format(real=real) for word in words))
        assert done.returncode == 0, (words, done.stderr)
        assert "Traceback" not in done.stderr
        assert not CONTROL.search(done.stderr)
        assert [*(place / "temporary").iterdir()] == []
