"""`abiprobe ptx`: figures, JSON, and what is said when a tool is missing."""

from __future__ import annotations

import json

import pytest

from abiprobe.harness.cli import main
from abiprobe.harness.commands import ptx
from abiprobe.harness.ptx.tools import Tool


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["ptx", *arguments])
    captured = capsys.readouterr()
    return int(ended.value.code or 0), captured.out, captured.err


def test_json_counts_every_answer(ptxas: Tool, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("--functions", "6", "--kernels", "4", "--arch", "sm_75", "--opt", "O1", "--format", "json")
    status, out, _ = run(capsys, *arguments)
    value = json.loads(out)
    assert status == 0
    assert {row["side"]: row["agrees"] + row["crashed"] for row in value["signatures"]} == {
        "callee": 6,
        "caller": 6,
        "kernel": 4,
    }
    assert all(rule["agrees"] for rule in value["rules"])


def test_without_ptxas_one_line_says_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ptx, "find_tool", lambda _: None)
    status, out, err = run(capsys)
    assert (status, out) == (3, "")
    assert err.startswith("skipped: ptxas is not installed")
    assert "abiprobe[ptx]" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--ptxas", "/nowhere/ptxas"), "no ptxas at /nowhere/ptxas"),
        (("--arch", "gfx90a"), "unknown architecture 'gfx90a'"),
        (("--functions", "many"), "'many' is not a whole number"),
    ],
)
def test_a_mistake_is_one_line(
    ptxas: Tool, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], words: str
) -> None:
    status, _, err = run(capsys, *arguments)
    assert status == 2
    assert words in err
    assert err.count("\n") == 1
