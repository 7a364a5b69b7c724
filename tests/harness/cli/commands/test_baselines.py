"""Baselines without a compiler: what is written, what is told, and exit statuses that promise nothing false."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .calling import TARGET, abiprobe

TARGETS = f"riscv64-lp64d,{TARGET}"
OTHER = 'struct __attribute__((scalar_storage_order("big-endian"))) S { int a; };\n'


def compared(folder: Path, old: str, new: str, *options: str, targets: str = TARGETS) -> Any:
    """What `predict` says of new declarations, with the baseline of the old ones."""
    (folder / "a.h").write_text(old, "utf-8")
    asked = ("predict", "a.h", "-t", targets)
    written = abiprobe(*asked, "--write-baseline", "abi.json", cwd=folder)
    assert (written.returncode, written.stderr) == (0, "")
    (folder / "a.h").write_text(new, "utf-8")
    return abiprobe(*asked, "--baseline", "abi.json", *options, cwd=folder)


def test_the_same_declarations_have_not_changed(tmp_path: Path) -> None:
    text = "struct S { int a; };\nvoid f(struct S *);\nextern int v;\nenum E { A };\n"
    ended = compared(tmp_path, text, text)
    assert ended.stdout.endswith(f"\nsince abi.json, on riscv64-lp64d, {TARGET}: no change\n")
    assert ended.returncode == 0


def test_a_break_is_told_once_for_all_targets(tmp_path: Path) -> None:
    ended = compared(tmp_path, "int f(int);\n", "int f(int, int);\nint g(void);\n")
    told = ended.stdout.partition("\nsince ")[2].splitlines()
    assert told == [
        f"abi.json, on riscv64-lp64d, {TARGET}: 1 ABI break, 1 addition",
        "  ABI break: f(): parameter 2 (int) is new",
        "  addition: g(): it is new",
    ]
    assert ended.returncode == 1


def test_a_change_has_causes_and_targets_in_json(tmp_path: Path) -> None:
    ended = compared(tmp_path, "int f(int);\n", "int f(int, ...);\n", "--format", "json")
    values = json.loads(ended.stdout)
    assert ended.returncode == 1
    assert [value["changed"] for value in values] == [
        [
            {
                "effect": "ABI break",
                "declaration": "f()",
                "causes": ["... is new"],
                "consequences": consequences,
                "targets": [target],
                "breaks": True,
            }
        ]
        for target, consequences in (
            ("riscv64-lp64d", []),
            (TARGET, ["vector count is new: bytes 0 to 1 in rax"]),
        )
    ]


def test_a_function_of_another_convention_is_compared_where_it_is_declared(tmp_path: Path) -> None:
    text = "__attribute__((ms_abi)) void f(int);\n"
    ended = compared(tmp_path, text, text.replace("int", "int, int"), "--format", "json", targets=TARGET)
    value = json.loads(ended.stdout)
    assert (ended.returncode, value["target"], len(value["changed"])) == (1, "x86_64-ms", 1)


def test_what_cannot_be_read_is_not_compared(tmp_path: Path) -> None:
    ended = compared(tmp_path, OTHER + "int f(void);\n", OTHER + "int f(void);\n")
    assert f"on riscv64-lp64d, {TARGET}: no change in what was compared; 1 not compared\n" in ended.stdout
    assert "  not compared: struct S: layout: it cannot be read: " in ended.stdout
    assert ended.returncode == 3


def test_a_header_of_objects_and_constants_alone_has_a_baseline(tmp_path: Path) -> None:
    ended = compared(tmp_path, "extern int v;\nenum { A = 1 };\n", "extern float v;\nenum { A = 2 };\n")
    assert "  change of meaning: v: int -> float\n" in ended.stdout
    assert "  change of meaning: enum (unnamed): enumerator A: 1 -> 2\n" in ended.stdout
    assert ended.returncode == 1


def test_two_files_that_contradict_each_other_are_not_compared(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text(
        "struct S { int a; };\nstruct O;\nvoid f(struct O *);\nenum { A };\n", "utf-8"
    )
    (tmp_path / "b.h").write_text("struct S { long a; };\nstruct O { int o; };\nenum { B };\n", "utf-8")
    asked = ("predict", "a.h", "b.h", "-t", TARGET)
    written = abiprobe(*asked, "--write-baseline", "abi.json", cwd=tmp_path)
    assert (written.returncode, written.stderr) == (0, "")
    facts = json.loads((tmp_path / "abi.json").read_text("utf-8"))["targets"][TARGET]
    assert facts["unread"] == {"struct S": "two files declare it otherwise"}
    assert facts["records"]["struct O"]["size"] == 4
    assert facts["enums"]["enum (unnamed)"]["enumerators"] == {"A": 0, "B": 0}
    again = abiprobe(*asked, "--baseline", "abi.json", cwd=tmp_path)
    assert (again.returncode, "  not compared: struct S: " in again.stdout) == (3, True)


def test_what_another_file_declares_is_compared_where_it_is_used(tmp_path: Path) -> None:
    inner = tmp_path / "inner.h"
    inner.write_text("struct In { int a; };\nstruct Unused { int a; };\n", "utf-8")
    text = '#include "inner.h"\nvoid f(struct In *);\n'
    (tmp_path / "a.h").write_text(text, "utf-8")
    asked = ("predict", "a.h", "-t", TARGET)
    abiprobe(*asked, "--write-baseline", "abi.json", cwd=tmp_path)
    inner.write_text("struct In { int a, b; };\nstruct Unused { long a; };\n", "utf-8")
    ended = abiprobe(*asked, "--baseline", "abi.json", cwd=tmp_path)
    assert ended.returncode == 1
    assert ended.stdout.endswith(
        "  ABI break: struct In: member b (int) added at byte 4; size 4 -> 8 bytes\n"
    )


@pytest.mark.parametrize(
    ("written", "line"),
    [
        ('{"schema": 1, "targets": {}}', "a baseline of schema 1, which has no types to compare"),
        ('{"schema": 3, "targets": {}}', "a baseline of schema 3; this abiprobe reads 2"),
        ('{"schema": 2, "targets": {}}', f"has nothing about {TARGET}"),
        ("[]", "no baseline"),
        (
            '{"schema": 2, "targets": {"T": {"records": {"struct S": {"members": {"a": "3"}}}}}}',
            "no baseline",
        ),
    ],
)
def test_another_file_is_no_baseline(tmp_path: Path, written: str, line: str) -> None:
    (tmp_path / "abi.json").write_text(written, "utf-8")
    (tmp_path / "a.h").write_text("int f(int);\n", "utf-8")
    ended = abiprobe("predict", "a.h", "-t", TARGET, "--baseline", "abi.json", cwd=tmp_path)
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert line in ended.stderr
