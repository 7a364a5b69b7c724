"""`abiprobe ptx`: figures, JSON, and what is said when a tool is missing."""

from __future__ import annotations

import json

import pytest

from abiprobe.harness.cli.commands import ptx
from abiprobe.harness.cli.commands.ptx_report import Found, link_sentence, tolerated
from abiprobe.harness.cli.main import main
from abiprobe.harness.observers.device.assembler.assemble import Assembler
from abiprobe.harness.observers.device.assembler.gpu import skipped
from abiprobe.harness.ptxas.links import Linked, Pair, signature
from abiprobe.harness.ptxas.physical import Checked, Side
from abiprobe.harness.ptxas.rules import Ruled
from abiprobe.harness.subjects.cuda_tools import Tool
from abiprobe.oracles.abis.ptx.text.rules import NARROW_UNTYPED, Enforced
from abiprobe.results.verdicts.record import Judgement, Outcome


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["ptx", *arguments])
    captured = capsys.readouterr()
    return int(ended.value.code or 0), captured.out, captured.err


def test_json_counts_every_answer(ptxas: Tool, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("--functions", "6", "--kernels", "4", "--arch", "sm_75", "--opt", "O1", "--format", "json")
    status, out, _ = run(capsys, *arguments)
    value = json.loads(out)
    accepted = [rule for rule in value["rules"] if not rule["conforms"] and rule["seen"] == "accepted"]
    assert status == 0
    assert all(rule["clauses"] for rule in accepted)
    # Callers pass unnamed arguments, too: 8 to 252 bytes arrive, of 256 and more the return address is known to be lost.
    assert {row["side"]: row["agrees"] + row["crashed"] for row in value["signatures"]} == {
        "callee": 6,
        "caller": 6 + 3,
        "kernel": 4,
    }
    assert {one["known"] for one in value["others"]} <= {"X1", "X8"}
    assert sum(one["known"] == "X8" for one in value["others"]) == 4
    assert all(rule["agrees"] for rule in value["rules"])


def test_without_ptxas_one_line_says_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ptx, "find_tool", lambda _: None)
    status, out, err = run(capsys)
    assert (status, out) == (3, "")
    assert err.startswith("skipped: ptxas is not installed")
    assert "nvidia-cuda-nvcc" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--ptxas", "/nowhere/ptxas"), "no ptxas at /nowhere/ptxas"),
        (("--arch", "gfx90a"), "unknown architecture 'gfx90a'"),
        (("--arch", "sm_75,sm_1"), "no ptxas here knows the architecture sm_1"),
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


def pair(*, linked: bool, moved: tuple[str, ...] = ()) -> Linked:
    return Linked(
        Pair(signature("(b32)"), signature("(f32)")), expected=linked, linked=linked, words="", moved=moved
    )


def rule(seen: Enforced, *, conforms: bool = False, agrees: bool = True) -> Ruled:
    expected = seen if agrees else Enforced.REFUSED
    clauses = () if conforms else (NARROW_UNTYPED.clause,)
    return Ruled("a text", "13.0.88", conforms, expected, seen, "", agrees, (NARROW_UNTYPED.name,), clauses)


def checked(judgement: Judgement, outcome: Outcome = Outcome.OBSERVED) -> tuple[Assembler, Checked]:
    tool = Tool("ptxas", "/nowhere", "13.0.88")
    return Assembler(tool), Checked(signature("(b32)"), Side.CALLEE, judgement, outcome)


AGREED = checked(Judgement.AGREES)
CRASHED = checked(Judgement.UNOBSERVED, Outcome.CRASHED)


@pytest.mark.parametrize(
    ("answers", "ruled", "linked", "status"),
    [
        ([AGREED], [rule(Enforced.ACCEPTED, conforms=True)], [pair(linked=True)], 0),
        ([AGREED], [rule(Enforced.REFUSED)], [], 0),
        ([AGREED], [rule(Enforced.ACCEPTED)], [], 0),
        ([AGREED], [rule(Enforced.ACCEPTED, conforms=True, agrees=False)], [], 1),
        ([AGREED, checked(Judgement.DEVIATES)], [], [], 1),
        ([AGREED, CRASHED], [], [], 4),
        ([CRASHED, checked(Judgement.DEVIATES)], [], [], 1),
        ([], [], [], 3),
    ],
)
def test_the_exit_status_is_that_of_every_command(
    answers: list[tuple[Assembler, Checked]], ruled: list[Ruled], linked: list[Linked], status: int
) -> None:
    assert Found(1, 0.0, tuple(answers), tuple(ruled), tuple(linked), skipped("no GPU")).status == status


def test_accepted_breaches_are_listed_by_clause_with_an_example() -> None:
    (line,) = tolerated([rule(Enforced.ACCEPTED), rule(Enforced.ACCEPTED)])
    assert line.startswith(f"{NARROW_UNTYPED.clause}, 2 accepted, e.g. a text ({NARROW_UNTYPED.name}); ")


@pytest.mark.parametrize(
    ("one", "end"),
    [
        (
            pair(linked=False),
            "nvlink refuses to link a caller that declares (.b32) with a function defined as (.f32)",
        ),
        (pair(linked=True), "every argument arrives"),
        (
            pair(linked=True, moved=("argument 1 is passed in R5 and read from R6",)),
            "without a word, although argument 1 is passed in R5 and read from R6",
        ),
    ],
)
def test_a_pair_is_told_in_a_sentence(one: Linked, end: str) -> None:
    assert link_sentence(one).endswith(end)
