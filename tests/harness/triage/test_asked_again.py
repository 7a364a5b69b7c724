"""What deviates is asked again, and a compiler that answers otherwise then is told to contradict itself."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from abiprobe.harness.observers.ask import Seen
from abiprobe.harness.triage.asked_again import TIMES, Unsteady, unsteady
from abiprobe.oracles.language.lang import Kind, Param, Prototype, Scalar
from abiprobe.oracles.language.question import ProbeKind, Question, probe
from abiprobe.oracles.model import Target
from abiprobe.results.causes.fingerprint import fingerprints
from abiprobe.results.causes.groups import Group, Member
from abiprobe.results.verdicts.record import Difference, Judgement, Outcome, Verdict, unobserved
from tests.faults.commands import called
from tests.skipping import needs_executor

TARGET, ASKED = "x86_64-sysv", ("gcc-12", "O2")
QUESTION = Prototype("f", None, (Param("a", Scalar(Kind.INT)),))
PROBE = probe(QUESTION).id


def deviates(clause: str) -> Verdict:
    difference = Difference("caller", "a", "rdi", "1", "2", clause)
    return Verdict(PROBE, ProbeKind.CALLER, Judgement.DEVIATES, Outcome.OBSERVED, clause, "", (difference,))


FIRST = deviates("x86_64:pass.integer")
AGREES = Verdict(PROBE, ProbeKind.CALLER, Judgement.AGREES, Outcome.OBSERVED)
OTHERWISE = deviates("x86_64:pass.sse")
KILLED = unobserved(PROBE, ProbeKind.CALLER, Outcome.NOT_RUN, "killed")


def group(verdict: Verdict) -> Group:
    (fingerprint,) = fingerprints(TARGET, (verdict,))
    return Group(fingerprint, ("gcc-12",), (Member(PROBE, QUESTION, (ASKED,), (ASKED,), ()),))


CASES = [
    ([FIRST, FIRST], False),
    ([AGREES, FIRST], True),
    ([FIRST, AGREES], True),
    ([FIRST, OTHERWISE], True),
    ([KILLED, FIRST], False),
    ([KILLED, KILLED], False),
]


@pytest.mark.parametrize(("answers", "told"), CASES)
def test_a_deviation_that_does_not_recur_each_time_is_told(answers: list[Verdict], *, told: bool) -> None:
    left: Iterator[Verdict] = iter(answers)

    def put(target: Target, questions: Sequence[Question], subjects: object, _kinds: object) -> Seen:
        assert (target.spelling, questions, subjects) == (TARGET, (QUESTION,), (ASKED,))
        return {ASKED: {PROBE: (next(left),)}}

    found = unsteady([group(FIRST)], (), put)
    assert found == ((Unsteady(TARGET, *ASKED, (PROBE,), 1),) if told else ())
    assert len(answers) == TIMES


def test_a_compiler_that_dies_is_not_asked_again() -> None:
    died = unobserved(PROBE, ProbeKind.CALLER, Outcome.CRASHED, "internal compiler error: in f, at f.c:1")

    def put(*_: object) -> Seen:
        pytest.fail("it was asked again")

    assert unsteady([group(died)], (), put) == ()


ONCE = """#!/bin/sh
for word; do
  case "$word" in *.c)
    if grep -q 'struct S' "$word" && mkdir {mark} 2>/dev/null; then exec {real} "$@" -fpack-struct=1; fi
  esac
done
exec {real} "$@"
"""
"""A compiler that packs the structs of the first unit that has any."""


@pytest.mark.parametrize("form", ["text", "json"])
def test_check_says_so(tmp_path: Path, form: str) -> None:
    needs_executor(TARGET)
    real = shutil.which("gcc-12") or shutil.which("gcc")
    if real is None:
        pytest.skip("gcc is not installed")
    program = tmp_path / "gcc-once"
    program.write_text(ONCE.format(real=real, mark=tmp_path / "mark"), "utf-8")
    program.chmod(0o755)
    header = tmp_path / "in.h"
    header.write_text("struct S { char a; int b; };\n", "utf-8")
    said = called(
        *("check", str(header), "--target", TARGET, "--cc", f"gcc:{program}", "--opt", "O0"),
        *("--format", form),
    )
    assert said.status == 1, said
    if form == "json":
        assert '"contradicts_itself":[{' in said.out.replace(" ", "").replace("\n", "")
    else:
        assert (
            f"gcc:{program} -O0 contradicts itself between two calls on {TARGET}: asked again, " in said.out
        )
