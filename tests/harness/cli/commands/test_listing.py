"""`list` and `doctor`: nothing is cut in a pipe, lists can be filtered, and advice is given once and helps."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from abiprobe.harness.cli.commands.doctor import advised, in_short
from abiprobe.harness.cli.commands.target_families import FAMILIES, family_names, family_of
from abiprobe.harness.observers.capabilities import executor_advice
from abiprobe.oracles.registry import TARGETS, find_target
from abiprobe.oracles.text.clause import sheets

from .calling import abiprobe


def listed(tmp_path: Path, *words: str) -> list[dict[str, Any]]:
    done = abiprobe("list", *words, "--format", "json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)[words[0]]
    return found


@pytest.mark.parametrize("columns", ["", "80"])
def test_a_list_in_a_pipe_is_never_cut(tmp_path: Path, columns: str) -> None:
    done = abiprobe("list", "clauses", cwd=tmp_path, env={"COLUMNS": columns} if columns else None)
    lines = done.stdout.splitlines()
    assert len(lines) == 1 + sum(len(sheet.clauses) for sheet in sheets())
    assert "…" not in done.stdout
    for sheet in sheets():
        for clause in sheet.clauses.values():
            assert any(line.startswith(clause.id) and clause.says in line for line in lines), clause.id


def test_targets_are_listed_by_family_and_text(tmp_path: Path) -> None:
    lines = abiprobe("list", "targets", cwd=tmp_path).stdout.splitlines()
    assert [line for line in lines if line and not line.startswith(" ")] == list(FAMILIES)
    family = text = age = ""
    places: dict[str, tuple[str, str, str]] = {}
    items = listed(tmp_path, "targets")
    ages = {item["age"] for item in items} - {""}
    for line in filter(None, lines):
        if line.startswith("    "):
            places[line.split()[0]] = family, text, age
        elif line.strip() in ages:
            age = line.strip()
        elif line.startswith("  "):
            text, age = line.strip(), ""
        else:
            family = line
    assert places == {item["target"]: (item["family"], item["text"], item["age"]) for item in items}
    assert set(places) == set(TARGETS)
    assert any("superseded by v2.40" in one for one in ages)


def test_languages_and_libraries_are_listed_with_the_targets_they_reach(tmp_path: Path) -> None:
    found = {item["toolchain"]: item for item in listed(tmp_path, "toolchains", "-t", "x86_64-sysv")}
    assert {"rustc", "zig-lang", "ctypes", "libffi", "go"} <= found.keys()
    assert all(item["targets"] == ["x86_64-sysv"] for item in found.values())
    assert {item["version"] for item in found.values() if not item["installed"]} <= {"not installed"}
    elsewhere = {item["toolchain"] for item in listed(tmp_path, "toolchains", "-t", "wasm32")}
    assert "rustc" in elsewhere
    assert "ctypes" not in elsewhere


def test_a_target_says_its_family_itself() -> None:
    assert [one.name for one in TARGETS.values() if not one.family.strip()] == []
    assert {family_of(target) for target in TARGETS} == set(FAMILIES)


def test_clauses_by_sheet_target_and_pattern(tmp_path: Path) -> None:
    (ms,) = (sheet for sheet in sheets() if sheet.name == "ms")
    assert [item["clause"] for item in listed(tmp_path, "clauses", "--sheet", "ms")] == [
        clause.id for clause in ms.clauses.values()
    ]
    mine = {item["clause"].partition(":")[0] for item in listed(tmp_path, "clauses", "-t", "riscv64-lp64d")}
    assert {"riscv", "gnu"} <= mine
    assert not {"x86_64", "ptx"} & mine
    found = listed(tmp_path, "clauses", "riscv:fp.flatten*")
    assert found
    assert all(item["clause"].startswith("riscv:fp.flatten") for item in found)
    assert "riscv:fp.nan-box" in {item["clause"] for item in listed(tmp_path, "clauses", "NaN-box")}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("list", "clauses", "fp.flaten"), "did you mean fp.flatten"),
        (("list", "clauses", "--sheet", "risc"), "did you mean riscv"),
        (("list", "targets", "--sheet", "riscv"), "use --sheet with"),
        (("list", "targets", "-t", "x86-64-sysv"), "did you mean x86_64-sysv?"),
        (("traige",), "Did you mean triage?"),
        (("explain", "int f(void);", "-t", "riscv64_lp64d"), "did you mean riscv64-lp64d"),
        (("check", "x.h", "-t", "i386-sysv", "--cc", "clnag-19"), "did you mean clang?"),
    ],
)
def test_a_mistyped_name_is_answered_with_the_right_one(
    tmp_path: Path, words: tuple[str, ...], told: str
) -> None:
    (tmp_path / "x.h").write_text("int f(void);")
    done = abiprobe(*words, cwd=tmp_path)
    assert done.returncode == 2
    assert told in done.stderr


def test_doctor_has_a_line_for_each_group_and_more_on_request(tmp_path: Path) -> None:
    short = abiprobe("doctor", cwd=tmp_path).stdout
    long = abiprobe("doctor", "--verbose", cwd=tmp_path).stdout
    head = short.split("\n\n")[0].splitlines()
    assert [re.split(r"  | \(", line)[0] for line in head[1 : 1 + len(FAMILIES)]] == [
        title.split(" (")[0] for title in FAMILIES
    ]
    assert "riscv64-lp64q: no compiler or emulator supports LP64Q" in short
    assert "riscv32-ilp32e" in long
    assert "riscv32-ilp32e" not in head


def test_each_advice_is_given_once_and_names_the_targets() -> None:
    here = {
        "riscv64-lp64d": (),
        "riscv64-lp64": (),
        "riscv64-lp64d-vector": (),
        "i386-sysv": ("unicorn",),
        "x86_64-sysv": ("native",),
    }
    found = advised(
        {target: executor_advice(find_target(target), executors) for target, executors in here.items()}
    )
    assert [item["what"] for item in found] == [
        "an executor for riscv64-lp64d, riscv64-lp64",
        "an executor for riscv64-lp64d-vector",
        "qemu-user for i386-sysv",
    ]


def test_unicorn_is_no_advice_for_what_it_does_not_run() -> None:
    assert "unicorn" in executor_advice(find_target("riscv64-lp64d"), ())[0].install
    assert "unicorn" not in executor_advice(find_target("riscv64-lp64d-vector"), ())[0].install


def test_a_wheel_has_the_engine_of_webassembly() -> None:
    assert executor_advice(find_target("wasm32"), ())[0].install == "pip install wasmtime"
    assert executor_advice(find_target("wasm32"), ("wasmtime",)) == ()


def test_compilers_in_short() -> None:
    names = (
        "zig",
        "clang-22",
        "clang-9",
        "gcc-12",
        "standin-arc",
        "standin-arm-gcc",
        "riscv64-linux-gnu-gcc",
    )
    assert in_short(names) == "zig, clang-9, 22, gcc-12, riscv64-linux-gnu-gcc, 2 stand-ins"
    assert family_names(("x86_64-ms", "riscv64-lp64")) == "RISC-V, x86-64"
