"""The commands of the CI recipes run as they stand in the documentation, on fewer questions."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from abiprobe.harness.subjects.find import installed, parse_subject

RECIPES = Path(__file__).parent.parent / "docs" / "ci.md"
SMALLER = {
    "riscv64-lp64d x86_64-sysv --corpus": "x86_64-sysv --cc gcc-12,clang-16 --opt O0 --no-tours",
    "--cases 3000": "--cases 10 --pairs none",
}


def scripts(part: str) -> list[str]:
    """The shell blocks of one recipe, in their order."""
    text = RECIPES.read_text("utf-8").split(f"## {part}")[1].split("```")[1]
    return [textwrap.dedent(block) for block in re.findall(r"run: \|\n((?: {10}.*\n)+)", text)]


def shell(script: str, folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """A step of a job, as the runner does it."""
    for long, short in SMALLER.items():
        script = script.replace(long, short)
    path = os.pathsep.join((str(folder / "bin"), os.environ["PATH"]))
    return subprocess.run(
        ("bash", "-e", "-o", "pipefail", "-c", script),
        cwd=folder,
        env={**os.environ, "PATH": path, **more},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def test_two_nights_on_github(tmp_path: Path) -> None:
    for name in ("gcc-12", "clang-16"):
        if not installed(parse_subject(name), ("x86_64-sysv",)):
            pytest.skip(f"{name} is not installed")
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "abiprobe"
    program.write_text(
        f'#!/bin/sh\nexec {sys.executable} -c "from abiprobe.harness.cli.main import main; main()" "$@"\n',
        "utf-8",
    )
    program.chmod(0o755)
    probe, report = scripts("GitHub Actions")
    summary = tmp_path / "summary.md"
    for _ in range(2):
        each = probe.replace("${{ github.run_number }}", "7").replace("${{ matrix.part }}/3", "1/1")
        done = shell(each.replace("${{ matrix.part }}", "1"), tmp_path)
        assert done.returncode == 0, done.stderr
        done = shell(report, tmp_path, GITHUB_STEP_SUMMARY=str(summary))
        assert done.returncode == 0, done.stderr
        subprocess.run(("rm", "-r", str(tmp_path / "shards")), check=True)
    found = {path.name for path in (tmp_path / "report").iterdir()}
    assert found == {"index.html", "junit.xml", "abiprobe.sarif", "summary.md", "diff.md", "accept.toml"}
    assert "0 causes of change" in (tmp_path / "report" / "diff.md").read_text("utf-8")
    assert summary.read_text("utf-8").count("## abiprobe") == 2
