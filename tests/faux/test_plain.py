"""A compiler that takes nothing but `-c FILE -o FILE`: it is asked for nothing else, and is not asked for what needs an option."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from laboratory.jobs import spelled_job

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input import read
from abiprobe.harness.observers.batch import run_job
from abiprobe.harness.runs.working_subjects import usable
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.find import parse_subject
from abiprobe.oracles.language.question import ProbeKind, Sort
from abiprobe.oracles.registry import find_target
from abiprobe.results.journal.journal import Pairs
from abiprobe.results.verdicts.record import Judgement, Outcome

from .putting import real_clang

TARGET = "x86_64-sysv"
WITNESSES = (ProbeKind.LAYOUT, ProbeKind.DEBUG_INFO, ProbeKind.VALUES)
ASKED = read(
    "struct S { char a; long b : 5; }; struct B { long a, b, c; }; struct B f(struct B a, short b, double c);",
    filename="plain.h",
    triple="x86_64-linux-gnu",
)
SCRIPT = """#!/bin/sh
if [ $# != 4 ] || [ "$1" != -c ] || [ "$3" != -o ]; then
  echo "plain: unknown option: $*" >&2
  exit 1
fi
exec {real} --target=x86_64-linux-gnu {options} "$@"
"""


WITHOUT_EXTENSIONS = """#!/bin/sh
case $1 in -c) ;; *) echo "small: unknown option: $*" >&2; exit 1;; esac
real="{real} --target=x86_64-linux-gnu -w -U__GNUC__ -U__clang__"
if $real -E -P "$2" | grep "__attribute__\\|__builtin_offsetof" >&2; then
  echo "small: expected ','" >&2
  exit 1
fi
exec $real "$@"
"""
"""One that has no attributes, as small compilers have none, and does not say that it is like gcc."""


def plain(folder: Path, options: str = "-w") -> str:
    """A subject whose program refuses every option but those two."""
    path = folder / "plain"
    path.write_text(SCRIPT.format(real=shlex.join(real_clang()), options=options), "utf-8")
    path.chmod(0o755)
    return f"cc:{path}"


def test_it_is_asked_for_layouts_values_and_calls(tmp_path: Path) -> None:
    subject = ((plain(tmp_path), "O2"),)
    (records,) = run_job(
        spelled_job(TARGET, 0, Sort.RECORDS, ASKED.records, subject, Limits(), witnesses=WITNESSES)
    )
    (calls,) = run_job(spelled_job(TARGET, 0, Sort.PROTOTYPES, ASKED.functions, subject, Limits()))
    told = {(one.kind, one.verdict, one.outcome) for one in (*records.verdicts, *calls.verdicts)}
    unasked = (ProbeKind.DEBUG_INFO, Judgement.UNOBSERVED, Outcome.UNSUPPORTED)
    assert unasked in told
    assert {(judgement, outcome) for _, judgement, outcome in told - {unasked}} == {
        (Judgement.AGREES, Outcome.OBSERVED)
    }
    assert {ProbeKind.LAYOUT, ProbeKind.VALUES, ProbeKind.CALLER, ProbeKind.CALLEE, ProbeKind.RESULT} <= {
        kind for kind, _, _ in told
    }


def test_it_calls_others_and_is_called(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    subjects = ((plain(tmp_path), "O0"), (plain(other), "O0"))
    done = run_job(
        spelled_job(TARGET, 0, Sort.PROTOTYPES, ASKED.functions, subjects, Limits(), pairs=Pairs.ALL)
    )
    pairs = [one for batch in done for one in batch.verdicts if one.kind is ProbeKind.PAIR]
    assert len(pairs) == 2
    assert {one.verdict for one in pairs} == {Judgement.AGREES}


def test_one_that_lays_records_out_otherwise_deviates(tmp_path: Path) -> None:
    subject = ((plain(tmp_path, "-w -fpack-struct"), "O0"),)
    (records,) = run_job(spelled_job(TARGET, 0, Sort.RECORDS, ASKED.records, subject, Limits()))
    assert Judgement.DEVIATES in {one.verdict for one in records.verdicts}


def test_one_that_takes_not_even_these_is_told_in_a_line(tmp_path: Path) -> None:
    subject = plain(tmp_path, "--no-such-option")
    with pytest.raises(Problem, match="compiles nothing for x86_64-sysv"):
        usable((parse_subject(subject),), {find_target(TARGET): (parse_subject(subject),)}, everywhere=True)


def test_one_without_attributes_is_asked_in_plain_c(tmp_path: Path) -> None:
    path = tmp_path / "small"
    path.write_text(WITHOUT_EXTENSIONS.format(real=shlex.join(real_clang())), "utf-8")
    path.chmod(0o755)
    subject = ((f"cc:{path}", "O2"),)
    (records,) = run_job(spelled_job(TARGET, 0, Sort.RECORDS, ASKED.records, subject, Limits()))
    (calls,) = run_job(spelled_job(TARGET, 0, Sort.PROTOTYPES, ASKED.functions, subject, Limits()))
    assert {(one.verdict, one.outcome) for one in (*records.verdicts, *calls.verdicts)} == {
        (Judgement.AGREES, Outcome.OBSERVED)
    }
