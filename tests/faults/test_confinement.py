"""A run with `--confine` answers as one without, and a compiler that reaches out gets nowhere."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from abiprobe.harness.base import child
from abiprobe.harness.base.confinement import Confinement
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.cli.main import main
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.oracles.registry import find_target
from tests.harness.cli.commands.calling import abiprobe

from .compilers import program

TARGET = "x86_64-sysv"
REACHING = 'echo x >> "{outside}/$(basename "$src")"; \
for n in 2 3 4 5 6; do ln -sf "{outside}/next" "$(dirname "$out")/unit$n.c"; done'
"""A compiler that writes outside, and lays a link where the next units will be written."""


@pytest.fixture(scope="module")
def real() -> str:
    if shutil.which("bwrap") is None:
        pytest.skip("bwrap is not installed")
    try:
        child.confine(Confinement.here())
    except Problem as problem:
        pytest.skip(f"programs cannot be confined here: {problem.message}")
    child.unconfine()
    for name in ("gcc-12", "gcc"):
        if installed(parse_subject(name), (find_target(TARGET),)):
            return name
    pytest.skip("gcc is not installed")


def run(out: Path, subject: str, *options: str) -> str:
    words = ("run", TARGET, "--cc", subject, "--cases", "2", "--seed", "5", "--opt", "O0", "--no-triage")
    with pytest.raises(SystemExit) as ended:
        main([*words, "--jobs", "1", "--fresh", "--out", str(out), *options])
    assert ended.value.code == 0
    lines = (out / "journal.jsonl").read_text("utf-8").splitlines()
    return str(json.loads(lines[-1])["digest"])


def test_a_confined_run_is_the_run(real: str, tmp_path: Path) -> None:
    assert run(tmp_path / "confined", real, "--confine") == run(tmp_path / "free", real)
    assert not child.confines()


@pytest.mark.parametrize("confined", [True, False])
def test_a_compiler_that_writes_outside(real: str, tmp_path: Path, *, confined: bool) -> None:
    tools, outside = tmp_path / "tools", tmp_path / "outside"
    tools.mkdir()
    outside.mkdir()
    odd = program(tools, real, REACHING.format(outside=outside), when="int")
    run(tmp_path / "run", f"gcc:{odd}", *(("--confine",) if confined else ()))
    assert bool([*outside.iterdir()]) is not confined
    # Not even what abiprobe itself writes goes through a link of the compiler's.
    assert not (outside / "next").exists()


COMMANDS = (
    ("check", "u.h", "--target", TARGET, "--opt", "O0"),
    ("reduce", "u.h", "--target", TARGET, "--opt", "O0"),
    ("bisect", "u.h", "--target", TARGET, "--opt", "O0"),
    ("repro", "u.h", "--target", TARGET, "--opt", "O0", "--out", "{out}"),
)


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_a_confined_command_is_the_command(real: str, tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "u.h").write_text("union U { float a; int : 0; };\nvoid f(union U);\n", "utf-8")
    # `repro` writes to a relative path in a folder that is hidden.
    confined, free = (
        abiprobe(*(word.format(out=name) for word in words), "--cc", real, *options, cwd=tmp_path)
        for name, options in (("confined", ("--confine",)), ("free", ()))
    )
    assert free.returncode == 0, free.stderr
    assert confined.returncode == 0, confined.stderr
    assert confined.stdout.replace("confined", "free") == free.stdout
    bundles = [
        {path.name: path.read_bytes() for path in tmp_path.joinpath(name).glob("*")}
        for name in ("confined", "free")
    ]
    assert bundles[0] == bundles[1]
    assert bool(bundles[0]) is (words[0] == "repro")


@pytest.mark.long
def test_a_run_that_was_kept_is_looked_into_confined(real: str, tmp_path: Path) -> None:
    odd = program(tmp_path, f"{real} -fpack-struct=1", ":")
    folder = str(tmp_path / "run")
    made = abiprobe(
        *("run", TARGET, "--cc", f"gcc:{odd}", "--cases", "3", "--seed", "5", "--opt", "O0", "--no-triage"),
        *("--raw", "--jobs", "1", "--out", folder, "--confine"),
        cwd=tmp_path,
    )
    assert made.returncode == 1, made.stderr
    for words in (("rejudge", folder), ("accept", folder, "--no-known"), ("triage", folder)):
        confined, free = (abiprobe(*words, *options, cwd=tmp_path) for options in (("--confine",), ()))
        assert confined.stdout, confined.stderr
        assert confined.returncode == free.returncode
        assert confined.stdout == free.stdout


def test_a_cluster_is_not_confined_from_here(
    real: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["run", TARGET, "--confine", "--dask", "tcp://nowhere:1", "--out", str(tmp_path / "run")])
    assert ended.value.code == 2
    assert "leave out --dask or --confine" in capsys.readouterr().err
