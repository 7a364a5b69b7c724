"""A user's file of quirks: read, refused in one line, and in force where deviations are judged."""

from __future__ import annotations

from pathlib import Path

import pytest

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.subjects.own_quirks import VARIABLE, chosen, read
from abiprobe.oracles.engine.policies import TEXT, Argument
from abiprobe.oracles.quirks.in_force import EVERY, QUIRKS, in_force
from abiprobe.oracles.quirks.quirk import CALLEE, Side, under_all
from abiprobe.oracles.registry import find_target

ATOMICS = "clang does not look into what is atomic"
OWN = """
off = ["clang does not look into what is atomic"]

[[quirk]]
name = "mine"
subjects = ["clang>=30"]
targets = ["x86_64-*"]
policies = { aligned_nothing = ["unnamed"], unpadded_va_start = true }
sides = ["callee"]
status = "bug"
reason = "for this test"
link = "unreported"
since = 2026-11-28
example = "struct S {}; void f(int a, ...);"
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "quirks.toml"
    path.write_text(text)
    return path


def test_a_file_switches_off_and_adds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(written(tmp_path, OWN)))
    choice = chosen()
    names = {quirk.name for quirk in choice.quirks}
    assert names == {*QUIRKS, "mine"} - {ATOMICS}
    (mine,) = choice.added
    assert (mine.sides, mine.policies["aligned_nothing"]) == (CALLEE, frozenset({Argument.UNNAMED}))
    assert under_all([mine]).unpadded_va_start
    target = find_target("x86_64-sysv")
    there = in_force(target, "clang-30", "clang version 30.0.0", "O0", Side.CALLEE, choice)
    assert mine in there
    assert mine not in in_force(target, "clang-30", "clang version 30.0.0", "O0", Side.CALLER, choice)
    assert mine not in in_force(target, "clang-22", "clang version 22.1.8", "O0", Side.CALLEE, choice)


def test_without_a_file_all_shipped_ones_are_in_force(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert chosen().quirks == EVERY


def test_a_python_file_may_add_some(tmp_path: Path) -> None:
    lines = (
        "from datetime import date",
        "from abiprobe.oracles.quirks.quirk import Quirk, Status",
        "ABOUT = (Status.BUG, 'for this test', 'unreported', date(2026, 11, 28), 'struct S { _Atomic(float) a; };')",
        "QUIRKS = (Quirk('mine', ('gcc',), {'opaque_atomics': True}, *ABOUT),)",
    )
    (tmp_path / "mine.py").write_text("\n".join(lines))
    (mine,) = read(written(tmp_path, 'module = "mine.py"')).added
    assert under_all([mine]) != TEXT


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[", "quirks.toml"),
        ('off = ["clang does not look into what is atomik"]', "there is no quirk"),
        (OWN.replace("unpadded_va_start", "no_such_policy"), "mine: there is no policy no_such_policy"),
        (OWN.replace('["unnamed"]', '["nobody"]'), "quirks.toml"),
        (OWN.replace("clang>=30", "clang-30!"), "no range of versions"),
        (OWN.replace('status = "bug"', 'status = "odd"'), "quirks.toml"),
        ('module = "none.py"', "FileNotFoundError"),
    ],
)
def test_what_is_wrong_is_one_line(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(Problem, match=words) as raised:
        read(written(tmp_path, text))
    assert "\n" not in str(raised.value)
