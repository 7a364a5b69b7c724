"""`abiprobe promise`: subjects that do the same, that do not, and that cannot be compared."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.faux.putting import LIE, program, real_clang
from tests.skipping import needs_executor

from .calling import TARGET, abiprobe, needed

SMALL = ("--cases", "12", "--seed", "1", "--opt", "O0", "--out", "run")


@pytest.fixture(autouse=True)
def compilers() -> None:
    needed("zig", TARGET)
    needs_executor(TARGET)


def test_a_compiler_does_as_it_does_under_another_name(tmp_path: Path) -> None:
    honest = f"clang:{program(tmp_path)}"
    done = abiprobe("promise", "zig", honest, TARGET, *SMALL, cwd=tmp_path, env={LIE: "tells_the_truth"})
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith(f"{TARGET} calls: held on ")
    assert lines[-2].startswith(f"zig and {honest}: held on ")


def test_who_does_otherwise_is_told_with_the_clause_and_who_follows_the_text(tmp_path: Path) -> None:
    # It packs records to two bytes, and nobody is told.
    liar = f"clang:{program(tmp_path, (*real_clang(), '-fpack-struct=2'))}"
    env = {LIE: "tells_the_truth"}
    # Every record has another layout, and each is a cause to reduce.
    asked = ("promise", "zig", liar, TARGET, "--cases", "4", *SMALL[2:])
    done = abiprobe(*asked, "--format", "json", cwd=tmp_path, env=env)
    assert done.returncode == 1, done.stdout + done.stderr
    found = json.loads(done.stdout)
    layouts = {part["part"]: part for part in found["parts"]}["layouts"]
    assert layouts["broken"]
    cause = next(one for one in found["causes"] if one["symptom"] == "differs")
    assert cause["clause"]
    assert {one["subject"]: one["follows"] for one in cause["by_text"]} == {"zig": True, liar: False}
    # The folder is that of a run like any other.
    bundle = abiprobe("repro", cause["id"], "--run", "run", "--out", "bundle", cwd=tmp_path, env=env)
    assert bundle.returncode == 0, bundle.stdout + bundle.stderr


def test_options_that_change_layouts_break_it_and_make_release_notes(tmp_path: Path) -> None:
    asked = ("promise", "zig", "zig -fpack-struct=1", TARGET, *SMALL)
    done = abiprobe(*asked, "--format", "markdown", cwd=tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "# ABI changes from zig to zig -fpack-struct=1"
    assert lines[2].startswith(f"Compared on {TARGET}: ")
    assert any(line.startswith("## ") for line in lines)
    assert "```c" in lines


def test_levels_can_be_held_against_each_other(tmp_path: Path) -> None:
    done = abiprobe("promise", "zig -O0", "zig -O2", TARGET, *SMALL, "--format", "json", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)
    assert found["subjects"] == ["zig -O0", "zig -O2"]
    assert [part["part"] for part in found["parts"]] == ["calls"]
    assert found["held"] > 0


def test_classes_are_compared(tmp_path: Path) -> None:
    one = needed("clang++-22", TARGET)
    done = abiprobe("promise", f"{one} -std=c++17", f"{one} -std=c++14", TARGET, *SMALL, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "layouts: held on 12" in done.stdout


def test_nothing_is_held_where_nothing_was_compared(tmp_path: Path) -> None:
    one = needed("clang++-22", TARGET)
    done = abiprobe("promise", one, "zig", TARGET, *SMALL, cwd=tmp_path)
    assert done.returncode == 3, done.stdout + done.stderr
    assert "nothing was compared" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "a promise is between two compilers"),
        (("zig",), "a promise is between two compilers"),
        (("zig", "zig"), "zig is named twice"),
        (("zig", "zig -O9x", f"{TARGET}@clang"), "is a dialect"),
        (("zig", "zig -g", "x86_64-vfabi"), "promises about x86_64-vfabi cannot be tested"),
        (("zig", "nothing-3"), "unknown compiler 'nothing-3'"),
        (("zig", "--as", "clang-14", TARGET), "zig cannot be told to do as clang-14 does"),
        (("--matrix", "clang", "--as", "clang-14"), "leave out --as"),
        (("zig", "zig -g", TARGET, "--cases", "0"), "the number of cases 0 is too small"),
    ],
)
def test_a_mistake_is_a_line(arguments: tuple[str, ...], words: str, tmp_path: Path) -> None:
    done = abiprobe("promise", *arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
