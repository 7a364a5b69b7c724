"""The dossier: bugs that a compiler shows now, as issues, and a table that keeps what was entered in it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from abiprobe.harness.api.checking import Answer
from abiprobe.harness.base.table_file import read
from abiprobe.harness.cli.commands import dossier
from abiprobe.harness.cli.commands.dossier import (
    Compiler,
    Report,
    by_importance,
    file_name,
    installed,
    options,
    text,
    write,
)
from abiprobe.harness.cli.commands.dossier_program import program
from abiprobe.harness.cli.main import main
from abiprobe.harness.triage.known_files import read_known
from abiprobe.oracles.language.question import ProbeKind
from abiprobe.oracles.quirks.versions import families_of
from abiprobe.oracles.registry import TARGETS
from abiprobe.results.known.importance import open_ended
from abiprobe.results.verdicts.record import Judgement, Verdict

ROOT = Path(__file__).parents[4]


def status_of(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["dossier", *arguments])
    assert isinstance(ended.value.code, int)
    return ended.value.code


def test_an_issue_says_what_the_compiler_shows_now(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if not any(True for name in ("x86_64-sysv", "i386-sysv") for _ in installed(name)):
        pytest.skip("no compiler is installed")
    assert status_of("--count", "2", "--out", str(tmp_path), "--format", "json") == 0
    found = json.loads(capsys.readouterr().out)["reports"]
    assert [one["number"] for one in found] == [1, 2]
    for one, path in zip(found, sorted(tmp_path.glob("*.md")), strict=True):
        text = path.read_text("utf-8")
        assert text == one["text"]
        # The release by its developers' name, and what was seen, not what is remembered.
        assert one["compiler"] in text
        assert not one["compiler"].startswith("zig")
        assert "expected" in text or "the program died" in text
        assert one["target"] in TARGETS
        assert one["bug"] in text


def test_only_what_is_not_reported_and_not_fixed_is_there() -> None:
    bugs = by_importance(read_known())
    assert len(bugs) > 40
    assert {one.link for one in bugs} == {"unreported"}
    assert {one.status.value for one in bugs} == {"bug"}


def test_a_bug_that_no_compiler_shows_is_left_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(dossier, "installed", lambda _: [Compiler("gcc-12", "gcc-12 12.2.0", "gcc 12.2.0")])
    monkeypatch.setattr(dossier, "seen", lambda *_: ())
    assert status_of() == 2
    assert "no installed compiler shows a bug" in capsys.readouterr().err


def test_an_issue_says_how_the_compiler_was_called_and_what_else_may_take_part() -> None:
    command = ("/usr/bin/clang", "--target=riscv64-linux-gnu", "-march=rv64gc", "-w", "-fno-pic", "-O0")
    called = options(command)
    assert called == "--target=riscv64-linux-gnu -march=rv64gc"
    bug = by_importance(read_known())[0]
    broken = Verdict("f", ProbeKind.CALLER, Judgement.DEVIATES, clause="riscv:fp.real-and-integer")
    answer = Answer("riscv64-lp64d", "clang-24", "O0", "f", broken, (bug.name, "another"))
    found = text(bug, "riscv64-lp64d", Compiler("clang-24", "clang 24", "clang 24.0.0", called), [answer])
    assert f"with `{called}`, target riscv64-lp64d" in found
    assert "another known deviation: another.\n" in found


def test_the_table_keeps_what_was_entered(tmp_path: Path) -> None:
    one, other = (
        Report(n, name, "gcc 16.2.0", "x86_64-sysv", "x86_64:pass.sse", "text")
        for n, name in ((1, "a b"), (2, 'c "d"'))
    )
    write(tmp_path, [one, other])
    table = tmp_path / "reports.tsv"
    text = table.read_text("utf-8")
    assert text.count("not yet") == 2
    table.write_text(text.replace('c "d"\tnot yet\t-', 'c "d"\thttps://example.org/1\tfixed'), "utf-8")
    write(tmp_path, [Report(1, other.bug, "gcc 16.3.0", "i386-sysv", "", "text"), one])
    rows = read(table).rows
    assert [(row["number"], row["bug"], row["compiler"], row["report"], row["answer"]) for row in rows] == [
        ("1", 'c "d"', "gcc 16.3.0", "https://example.org/1", "fixed"),
        ("1", "a b", "gcc 16.2.0", "not yet", "-"),
    ]


def test_an_issue_has_a_program_where_one_compiler_shows_the_bug_in_c(tmp_path: Path) -> None:
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    gcc = next((one for one in installed("x86_64-sysv") if one.subject.startswith("gcc")), None)
    if gcc is None:
        pytest.skip("no compiler is installed")
    example = "struct S { double a; float b; int c[0]; }; void f(struct S a); void g(int a);"
    files = program(example, ["f"], "x86_64-sysv", gcc.subject, ("O0",))
    report = Report(1, "a bug", gcc.release, "x86_64-sysv", "", "text", files)
    write(tmp_path, [report])
    made = subprocess.run(
        ("make", "text"),
        cwd=(tmp_path / file_name(report)).with_suffix(""),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (made.returncode, "WRONG: caller" in made.stdout) == (2, True)
    # A declaration of which the issue does not tell, and one that nobody gets wrong.
    assert program(example, ["h"], "x86_64-sysv", gcc.subject, ("O0",)) == {}
    assert program("void g(int a);", ["g"], "x86_64-sysv", gcc.subject, ("O0",)) == {}


def test_the_readme_says_no_more_than_is_known() -> None:
    text = " ".join((ROOT / "README.md").read_text("utf-8").split())
    said = re.search(
        r"found more than (\d+) bugs of released compilers, over (\d+) of them of clang and (\d+) of gcc\. Over (\d+) of those two have not"
        r" been fixed by any release, and some (\d+) were known upstream\.",
        text,
    )
    assert said is not None
    known = read_known()
    bugs = [one for one in (*known.quirks, *known.entries) if one.status.value == "bug"]
    of = {name: [one for one in bugs if name in families_of(one.subjects)] for name in ("clang", "gcc")}
    there = (
        len(bugs),
        len(of["clang"]),
        len(of["gcc"]),
        len({one.name for each in of.values() for one in each if open_ended(one)}),
        sum(one.link != "unreported" for one in bugs),
    )
    assert all(number < count for number, count in zip(map(int, said.groups()), there, strict=True)), there
