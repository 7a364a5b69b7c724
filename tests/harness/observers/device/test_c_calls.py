"""From C to registers: what clang makes of prototypes, with and without ptxas."""

from __future__ import annotations

import shutil

import pytest
from laboratory.jobs import spelled_job

from abiprobe.harness.input import read
from abiprobe.harness.observers.batch import run_job
from abiprobe.harness.observers.device import observer
from abiprobe.harness.subjects.cuda_tools import Tool
from abiprobe.oracles.language.question import ProbeKind, Sort
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict

TRIPLE = "nvptx64-nvidia-cuda"
PLAIN = "struct T { double d; char c[4]; }; struct T f(short a, struct T t, unsigned char b, long c);"
LOWERED = "struct P { double d; } __attribute__((packed, aligned(4))); double f(float a, struct P p);"
KERNEL = "struct T { double d; char c[4]; }; __global__ void f(char a, struct T t, short b);"


def verdicts(
    source: str, target: str = "nvptx64-cuda", subject: str = "clang-19"
) -> dict[ProbeKind, Verdict]:
    if shutil.which(subject) is None:
        pytest.skip(f"{subject} is not installed")
    (function,) = read(source, filename="f.h", triple=TRIPLE).functions
    (done,) = run_job(spelled_job(target, 0, Sort.PROTOTYPES, (function,), ((subject, "O1"),)))
    return {verdict.kind: verdict for verdict in done.verdicts}


def test_a_plain_call_agrees_from_c_to_the_register(ptxas: Tool) -> None:
    found = verdicts(PLAIN)
    sides = {ProbeKind.CALLER, ProbeKind.CALLEE, ProbeKind.RESULT}
    assert set(found) == {ProbeKind.PARAM, *sides, ProbeKind.POINTER}
    assert {verdict.verdict for verdict in found.values()} == {Judgement.AGREES}, found


def test_a_lowered_alignment_moves_the_argument(ptxas: Tool) -> None:
    found = verdicts(LOWERED)
    assert found[ProbeKind.PARAM].verdict is Judgement.DEVIATES
    callee = found[ProbeKind.CALLEE]
    assert callee.verdict is Judgement.DEVIATES
    assert "R5" in callee.detail
    assert "R6" in callee.detail
    assert callee.clause == "ptx_guide:pass.aggregate"


def test_the_dialect_follows_clang(ptxas: Tool) -> None:
    found = verdicts(LOWERED, "nvptx64-cuda@clang-19")
    assert {verdict.verdict for verdict in found.values()} == {Judgement.AGREES}, found


def test_a_kernel_has_its_offsets_in_the_image(ptxas: Tool) -> None:
    assert verdicts(KERNEL)[ProbeKind.PARAM].verdict is Judgement.AGREES


def test_without_ptxas_declarations_are_still_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observer, "find_tool", lambda _: None)
    found = verdicts(PLAIN)
    assert found[ProbeKind.PARAM].verdict is Judgement.AGREES
    assert found[ProbeKind.CALLEE].outcome is Outcome.UNSUPPORTED
    assert found[ProbeKind.CALLEE].detail == "ptxas is not installed"
