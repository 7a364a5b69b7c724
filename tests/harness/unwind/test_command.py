"""`abiprobe unwind`: exit statuses, what is printed, and JSON."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from faux.putting import LIE, real_clang

from abiprobe.harness.base import child
from abiprobe.harness.cli.commands import unwind
from abiprobe.harness.cli.main import main
from abiprobe.harness.runs.run_files import read_frames
from abiprobe.harness.subjects.find import parse_subject
from abiprobe.harness.unwind import instructions, timeline
from tests.skipping import needs_executor

pytest.importorskip("capstone", reason="capstone is not installed")
pytest.importorskip("unicorn", reason="unicorn is not installed")

TARGET = "x86_64-sysv"
FEW = ("--cases", "3", "--opt", "O1", "--jobs", "1", "--reduce", "0s")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["unwind", *arguments])
    captured = capsys.readouterr()
    return int(ended.value.code or 0), captured.out, captured.err


def test_nothing_wrong(liar: Path, capsys: pytest.CaptureFixture[str]) -> None:
    needs_executor(TARGET)
    status, out, _ = run(capsys, TARGET, "--cc", f"clang:{liar}", *FEW, "--format", "json")
    value = json.loads(out)
    (row,) = value["subjects"]
    assert (status, value["causes"], row["wrong"]) == (0, [], 0)
    assert row["functions"] == 9
    assert row["facts"] == row["steps"] * 8
    assert 0 < row["stepped_bytes"] <= row["code_bytes"]
    assert row["instructions"] <= row["steps"]


def test_a_wrong_row_is_told(
    liar: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    needs_executor(TARGET)
    monkeypatch.setenv(LIE, "shifts_an_offset")
    status, out, _ = run(capsys, TARGET, "--cc", f"clang:{liar}", *FEW)
    assert status == 1
    assert "a register (*(CFA)), after push" in out
    assert "dwarf:offset (6.4.1 Structure of Call Frame Information: offset(N))" in out
    assert "not fully reduced (--reduce gives more time)" in out


def test_a_cause_has_its_versions(
    liar: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    needs_executor(TARGET)
    monkeypatch.setenv(LIE, "shifts_an_offset")
    honest = tmp_path / "honest"
    honest.write_text(f'#!/bin/sh\nexec {shlex.join(real_clang())} "$@"\n', "utf-8")
    honest.chmod(0o755)
    versions = [parse_subject(f"clang:{one}") for one in (liar, honest)]
    monkeypatch.setattr(timeline, "discover", lambda _: versions)
    monkeypatch.setattr(timeline, "release_numbers", [one.spelling for one in versions].index)
    _, out, _ = run(capsys, TARGET, "--cc", f"clang:{liar}", *FEW, "--bisect", "--format", "json")
    shown = [one["versions"] for one in json.loads(out)["causes"]]
    assert shown, out
    assert all(one[f"clang:{liar}"] == "bad" for one in shown)
    assert [one[f"clang:{honest}"] for one in shown] == ["good"] * len(shown)


KNOWN = """
[[unwinding]]
name = "shifted"
targets = ["x86_64-sysv"]
subjects = ["clang"]
wrong = ["a register (*(CFA)), after pushq", "a register (*(CFA)), after movq"]
status = "bug"
reason = "it lies"
link = "unreported"
since = 2026-11-29
example = "long call1(long); long f0(long n) { return n + call1(n); }"
"""


def test_a_known_bug_is_told_as_known(
    liar: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    needs_executor(TARGET)
    monkeypatch.setenv(LIE, "shifts_an_offset")
    known = tmp_path / "known.toml"
    known.write_text(KNOWN, "utf-8")
    asked = (TARGET, "--cc", f"clang:{liar}", *FEW, "--known-only", str(known))
    status, out, _ = run(capsys, *asked)
    assert status == 0
    assert f"shifted (bug; clang:{liar} {TARGET})  unreported" in out
    status, out, _ = run(capsys, *asked, "--strict", "--format", "json")
    value = json.loads(out)
    (one,) = value["known"]
    assert (status, value["causes"], value["gone"], one["name"]) == (1, [], [], "shifted")
    assert one["functions"][0]["subject"] == f"clang:{liar}"
    monkeypatch.delenv(LIE)
    status, out, _ = run(capsys, *asked)
    assert status == 1
    assert "known, but no longer occurs: shifted" in out


def test_a_bundle_shows_it_without_abiprobe(
    liar: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    needs_executor(TARGET)
    monkeypatch.setenv(LIE, "shifts_an_offset")
    out = tmp_path / "bundles"
    status, _, _ = run(capsys, TARGET, "--cc", f"clang:{liar}", *FEW, "--out", str(out))
    assert status == 1
    folder = out / f"01-{TARGET}"
    assert sorted(path.name for path in folder.iterdir()) == ["f.c", "issue.md", "main.c", "show.gdb"]
    for name in ("f.c", "main.c"):
        words = (
            *real_clang(),
            "-std=c2x",
            "-Wall",
            "-Wno-unused",
            "-Werror",
            "-fsyntax-only",
            str(folder / name),
        )
        done = child.run(words, timeout=60)
        assert done.ok, done.stderr.decode()
    issue = (folder / "issue.md").read_text("utf-8")
    assert issue.startswith(f"# Wrong unwind table on {TARGET}: a register (*(CFA)), after push")
    assert f"{liar} --target=x86_64-linux-gnu" in issue
    assert (folder / "f.c").read_text("utf-8") in issue
    assert re.search(r"^break \*\(f0\+\d+\)$", (folder / "show.gdb").read_text("utf-8"), re.MULTILINE)
    report = read_frames(out)
    assert report is not None
    assert "a register (*(CFA)), after push" in report.causes[0][0]
    status, _, err = run(capsys, TARGET, "--cc", f"clang:{liar}", *FEW, "--out", str(out))
    assert status == 2
    assert "is not empty" in err


def test_a_compiler_that_fails_is_not_compared(liar: Path, capsys: pytest.CaptureFixture[str]) -> None:
    needs_executor(TARGET)
    subject = f"clang:{liar} -fno-such-option"
    status, out, _ = run(capsys, TARGET, "--cc", subject, *FEW)
    assert status == 3
    assert "9 functions not compared, refused: " in out
    assert "-fno-such-option" in out


def test_a_compiler_that_is_not_there_for_a_target_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    needs_executor(TARGET)
    monkeypatch.setattr(unwind, "select_subjects", lambda _named, targets: dict.fromkeys(targets, ()))
    status, out, _ = run(capsys, TARGET, "--cc", "gcc-12", *FEW)
    assert status == 3
    assert f"gcc-12 {TARGET}: 3 functions not compared, it is not installed for it" in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("x86-64",), "unknown target 'x86-64'"),
        (("nvptx64-cuda",), "no functions of nvptx64-cuda run"),
        (("powerpc-sysv",), "unwinding is not tested on powerpc-sysv"),
        ((TARGET, "--cases", "0"), "--cases 0 is too small"),
        ((TARGET, "--cc", "cc:true"), "cc:true has no options for unwind tables"),
        ((TARGET, "--out", "/dev/null"), "cannot write /dev/null"),
        ((TARGET, "--opt", "O9"), "unknown optimisation level 'O9'"),
        ((TARGET, "--cc", "gcc:nonsense"), "compiler 'gcc:nonsense' is not installed"),
    ],
)
def test_mistakes_are_usage_errors(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], words: str
) -> None:
    needs_executor(TARGET)
    status, out, err = run(capsys, *arguments)
    assert (status, out) == (2, "")
    assert words in err
    assert "Traceback" not in err


def test_without_a_disassembler(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(instructions, "is_installed", lambda: False)
    status, _, err = run(capsys, TARGET)
    assert status == 2
    assert "pip install capstone" in err
