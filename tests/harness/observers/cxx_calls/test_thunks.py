"""Virtual calls through bases: thunks of one compiler, called by another, adjust `this` and covariant results."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.oracles.registry import find_target

BENCHMARKS = Path(__file__).parents[4] / "benchmarks"
NAMES = ("g++-12", "clang++-22")
LIES = (
    (
        "static_cast<Middle *>(&whole); return &whole;",
        "static_cast<Middle *>(&whole); return (Called *)(void *)&whole;",
    ),
    ("return &covariant;", "return (Covariant *)((char *)&covariant + 8);"),
    ("return covariant;", "return *(Covariant *)((char *)&covariant + 8);"),
    ("this == state.object", "(void *)this == (char *)state.object - 8"),
)
"""What the second half does otherwise: it does not adjust the object, or the result, or looks at another object."""


@pytest.fixture(autouse=True)
def needed() -> None:
    for name in NAMES:
        if not installed(parse_subject(name), (find_target("x86_64-sysv"),)):
            pytest.skip(f"{name} is not installed")


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(BENCHMARKS)
    return importlib.import_module("virtual_calls")


@pytest.mark.parametrize("level", ["O0", "O2"])
def test_calls_through_bases_arrive(level: str) -> None:
    asked = (sys.executable, str(BENCHMARKS / "virtual_calls.py"), ",".join(NAMES), "100", level)
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    rows = [line.split("\t") for line in done.stdout.splitlines()[1:]]
    assert done.returncode == 0
    assert len(rows) == len(NAMES) ** 2
    assert {tuple(row[2:4]) for row in rows} == {("100", "100")}


def test_the_program_has_thunks_of_every_kind(script: ModuleType, tmp_path: Path) -> None:
    source = tmp_path / "a.cc"
    source.write_text(script.program(100, 1), "utf-8")
    line = ("g++-12", "-DUNIT=second", "-w", "-S", str(source), "-o", str(tmp_path / "a.s"))
    subprocess.run(line, check=True)
    text = (tmp_path / "a.s").read_text("utf-8")
    assert all(
        f"\n{kind}" in text for kind in ("_ZThn", "_ZTv0_n", "_ZTch0_h", "_ZTch0_v", "_ZTchn", "_ZTcv0_n")
    )


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie[1][:40])
def test_a_half_that_does_otherwise_is_noticed(
    lie: tuple[str, str], script: ModuleType, tmp_path: Path
) -> None:
    text = script.program(60, 1)
    assert lie[0] in text
    source = tmp_path / "lying.cc"
    source.write_text(f"#ifdef MAIN\n{text}\n#else\n{text.replace(*lie)}\n#endif\n", "utf-8")
    assert script.exceptions.compared("g++-12", "60", "O1", str(source)) == 1
