"""Exceptions that one compiler's functions throw and another's catch, across frames of both: no object is lost."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.oracles.registry import find_target

SCRIPT = Path(__file__).parents[4] / "benchmarks" / "exceptions.py"
NAMES = ("g++-12", "clang++-22")
LIES = (
    ("Counted local(depth);", "Counted &local = *new Counted(depth);"),
    (".value);\n        throw;", ".value);\n        return ended(0);"),
    ("catch (Left &left)", "catch (Right &left)"),
)
"""What one half does otherwise: it keeps an object, ends an exception that it should throw on, catches another type."""


@pytest.fixture(autouse=True)
def needed() -> None:
    for name in NAMES:
        if not installed(parse_subject(name), (find_target("x86_64-sysv"),)):
            pytest.skip(f"{name} is not installed")


def tried(*words: str) -> tuple[int, list[list[str]]]:
    asked = (sys.executable, str(SCRIPT), *words)
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    return done.returncode, [line.split("\t") for line in done.stdout.splitlines()[1:]]


@pytest.mark.parametrize("level", ["O0", "O2"])
def test_a_thousand_throws_end_and_lose_nothing(level: str) -> None:
    status, rows = tried(",".join(NAMES), "1000", level)
    assert status == 0
    assert len(rows) == len(NAMES) ** 2
    assert {(row[2], row[3], row[5]) for row in rows} == {("1000", "1000", "0")}


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie[1][:24])
def test_a_half_that_does_otherwise_is_noticed(lie: tuple[str, str], tmp_path: Path) -> None:
    text = SCRIPT.with_suffix(".cc").read_text("utf-8")
    assert lie[0] in text
    source = tmp_path / "lying.cc"
    source.write_text(f"#ifdef MAIN\n{text}\n#else\n{text.replace(*lie)}\n#endif\n", "utf-8")
    status, rows = tried(",".join(NAMES), "1000", "O1", str(source))
    honest = tried(",".join(NAMES), "1000", "O1")[1]
    assert status == 1 or {row[6] for row in rows} != {row[6] for row in honest}
