"""`abiprobe promise`: subjects that do the same, that do not, and that cannot be compared."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from abiprobe.harness.runs.run_files import read_matrix
from abiprobe.harness.subjects.promises import releases
from abiprobe.oracles.registry import find_target
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


def test_no_more_is_asked_once_one_batch_shows_a_difference(tmp_path: Path) -> None:
    asked = (
        "promise",
        "zig",
        "zig -fpack-struct=1",
        TARGET,
        "--seed",
        "1",
        "--opt",
        "O0",
        "--format",
        "json",
    )
    done = abiprobe(*asked, "--cases", "750", "--first", "--reduce", "0s", "--out", "run", cwd=tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr
    found = json.loads(done.stdout)
    assert found["broken"]
    # The run would have three batches of records, with those of the small scope behind them.
    assert sum(part["held"] + part["broken"] for part in found["parts"]) < 750


def test_standards_are_asked_first_about_classes_on_which_they_disagree(tmp_path: Path) -> None:
    one = needed("g++-12", TARGET)
    both = (f"{one} -std=c++17", f"{one} -std=c++20")
    done = abiprobe(
        *("promise", *both, TARGET, "--seed", "3", "--first", "--reduce", "10s", "--format", "json"),
        cwd=tmp_path,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    # GCC PR120012: what may be in the tail padding of an aggregate with a defaulted or deleted constructor.
    parts = {cause["blame"]["what"] for cause in json.loads(done.stdout)["causes"]}
    assert "member behind it as a base" in parts


def test_a_promise_is_a_junit_report_and_is_bisected_with_the_options_of_both_sides(tmp_path: Path) -> None:
    one = needed("clang-22", TARGET)
    asked = ("promise", f"{one} -fpack-struct=1", f"{one} -fpack-struct=2", TARGET, *SMALL)
    done = abiprobe(*asked, "--format", "junit", cwd=tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr
    suite = ET.fromstring(done.stdout)[0]
    cases = {case.get("name"): case for case in suite}
    assert set(cases) == {"calls", "layouts"}
    failure = cases["layouts"].find("failure")
    assert failure is not None
    assert "struct" in (failure.text or "")
    run = tmp_path / "run"
    name = json.loads((run / "triage.json").read_text("utf-8"))["clusters"][0]["id"]
    line = abiprobe("bisect", name, "--run", "run", "--cc", one, "--format", "json", cwd=tmp_path)
    (found,) = json.loads(line.stdout)
    assert found["versions"] == [{"subject": one, "shown": {"O0": "bad"}}]
    assert found["against"] == [{"subject": f"{one} -fpack-struct=2", "opt": "O0"}]


def test_a_matrix_is_a_page_with_a_counter_example_of_each_broken_promise(tmp_path: Path) -> None:
    needed("gcc-12", TARGET)
    if len(releases("gcc", (find_target(TARGET),))) < 2:
        pytest.skip("gcc-12 and another release are not installed")
    done = abiprobe("promise", "--matrix", "gcc", TARGET, *SMALL, "--format", "html", cwd=tmp_path)
    assert done.returncode in {0, 1, 3}, done.stdout + done.stderr
    kept = read_matrix(tmp_path / "run")
    assert kept is not None
    assert kept.cpu_seconds > 0
    assert {row.heading for row in kept.rows} >= {"From one release to the next", "Under another standard"}
    assert all(bool(row.found.examples) is bool(row.tested.broken) for row in kept.rows)
    assert all(f">{row.name}<" in done.stdout for row in kept.rows)
    assert kept.summary in done.stdout


def test_levels_can_be_held_against_each_other(tmp_path: Path) -> None:
    done = abiprobe("promise", "zig -O0", "zig -O2", TARGET, *SMALL, "--format", "json", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)
    assert found["subjects"] == ["zig -O0", "zig -O2"]
    assert [part["part"] for part in found["parts"]] == ["calls"]
    assert found["held"] > 0


def test_vector_functions_are_compared(tmp_path: Path) -> None:
    one, other = needed("gcc-12", "x86_64-vfabi"), needed("clang-22", "x86_64-vfabi")
    done = abiprobe("promise", one, f"{one} -g", "x86_64-vfabi", *SMALL, cwd=tmp_path)
    assert (done.returncode, "calls: held on 12" in done.stdout) == (0, True), done.stdout + done.stderr
    # clang has variants of its own for what gcc refuses, and names others.
    asked = ("promise", one, other, "x86_64-vfabi", "--cases", "40", "--seed", "1", "--reduce", "0s")
    assert abiprobe(*asked, "--opt", "O0", cwd=tmp_path).returncode == 1


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
        (("zig", "zig -O9x", f"{TARGET}@clang-reading"), "is a dialect"),
        (("zig", "nothing-3"), "unknown compiler 'nothing-3'"),
        (("zig", "--as", "clang-14", TARGET), "zig cannot be told to do as clang-14 does"),
        (("--matrix", "clang", "--as", "clang-14"), "leave out --as"),
        (("--matrix", "clang", "--first"), "leave out --first"),
        (("zig", "zig -g", TARGET, "--format", "html"), "html is the page of a --matrix"),
        (("zig", "zig -g", TARGET, "--cases", "0"), "the number of cases 0 is too small"),
    ],
)
def test_a_mistake_is_a_line(arguments: tuple[str, ...], words: str, tmp_path: Path) -> None:
    done = abiprobe("promise", *arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
