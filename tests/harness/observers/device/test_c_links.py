"""C functions of two compilers that call each other: what nvlink says, and what arrives."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from laboratory.jobs import spelled_job

from abiprobe.harness.input import read
from abiprobe.harness.observers.batch import run_job
from abiprobe.harness.observers.device import observer
from abiprobe.harness.subjects.cuda_tools import Tool, find_tool
from abiprobe.oracles.language.question import ProbeKind, Sort
from abiprobe.results.journal.journal import Pairs
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict

TRIPLE = "nvptx64-nvidia-cuda"
SUBJECTS = ("clang-14", "clang-19")
LOWERED = "struct P { double d; } __attribute__((packed, aligned(4))); double f(float a, struct P p);"
PLAIN = "struct T { double d; char c[4]; }; struct T f(short a, _Bool b, struct T t, long c);"
LARGE = "struct L { char a[60]; } __attribute__((aligned(16))); struct L f(struct L a, int b);"


def need_subjects() -> None:
    """Skip where one of the compilers is not installed."""
    for subject in SUBJECTS:
        if shutil.which(subject) is None:
            pytest.skip(f"{subject} is not installed")


def pairs(source: str, *, wanted: Pairs = Pairs.ALL) -> dict[tuple[str, str], Verdict]:
    """The verdicts on pairs, by caller and callee."""
    need_subjects()
    functions = read(source, filename="f.h", triple=TRIPLE).functions
    subjects = tuple((subject, "O1") for subject in SUBJECTS)
    done = run_job(spelled_job("nvptx64-cuda", 0, Sort.PROTOTYPES, functions, subjects, pairs=wanted))
    return {
        (one.key.subject, verdict.partner): verdict
        for one in done
        for verdict in one.verdicts
        if verdict.kind is ProbeKind.PAIR
    }


@pytest.mark.parametrize("source", [PLAIN, LARGE])
def test_what_is_passed_arrives(ptxas: Tool, source: str) -> None:
    found = pairs(source)
    assert set(found) == {SUBJECTS, SUBJECTS[::-1]}
    assert {one.verdict for one in found.values()} == {Judgement.AGREES}, found


def test_a_lowered_alignment_breaks_the_call_silently(ptxas: Tool, nvlink: Tool) -> None:
    found = pairs(LOWERED)
    there = found["clang-14", "clang-19"]
    assert there.verdict is Judgement.DEVIATES
    assert "passed in R5, read from R6" in there.detail
    assert "nvlink says nothing" in there.detail
    assert "passed in R6, read from R5" in found["clang-19", "clang-14"].detail


def test_places_are_compared_without_a_linker(ptxas: Tool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observer, "find_tool", lambda name: find_tool(name) if name == "ptxas" else None)
    detail = pairs(LOWERED)["clang-14", "clang-19"].detail
    assert "passed in R5, read from R6" in detail
    assert "nvlink" not in detail


def faux_linker(tmp_path: Path, script: str) -> Callable[[str], Tool | None]:
    program = tmp_path / "nvlink"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return lambda name: Tool(name, str(program), "0.0.0") if name == "nvlink" else find_tool(name)


@pytest.mark.parametrize(
    ("script", "verdict", "outcome", "words"),
    [
        (
            "echo \"error   : Prototype doesn't match for 't_0'\" >&2; exit 1",
            Judgement.DEVIATES,
            None,
            "Prototype",
        ),
        ("kill -SEGV $$", Judgement.UNOBSERVED, Outcome.CRASHED, "SIGSEGV"),
    ],
)
def test_a_linker_that_refuses_or_dies(
    ptxas: Tool,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    script: str,
    verdict: Judgement,
    outcome: Outcome | None,
    words: str,
) -> None:
    monkeypatch.setattr(observer, "find_tool", faux_linker(tmp_path, script))
    found = pairs(PLAIN)["clang-14", "clang-19"]
    assert found.verdict is verdict
    assert found.outcome is (outcome or Outcome.OBSERVED)
    assert words in found.detail


def test_a_linker_that_refuses_one_function_costs_the_others_nothing(
    ptxas: Tool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    picky = 'for f; do case $f in *caller.cubin) case $(tr -d "\\0" <"$f") in *c_1*) exit 1;; esac;; esac; done; exit 0'
    need_subjects()
    monkeypatch.setattr(observer, "find_tool", faux_linker(tmp_path, picky))
    functions = read("int f(int a); int g(long b); int h(char c);", filename="f.h", triple=TRIPLE).functions
    subjects = tuple((subject, "O1") for subject in SUBJECTS)
    first, _ = run_job(spelled_job("nvptx64-cuda", 0, Sort.PROTOTYPES, functions, subjects, pairs=Pairs.ALL))
    judged = [one.verdict for one in first.verdicts if one.kind is ProbeKind.PAIR]
    assert judged == [Judgement.AGREES, Judgement.DEVIATES, Judgement.AGREES]
