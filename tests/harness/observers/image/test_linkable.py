"""Links that fail for a reason of ours are nobody's fault; those that fail for what a compiler made are its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from laboratory.jobs import spelled_job

from abiprobe.harness.observers.batch import run_job
from abiprobe.harness.observers.image.linkable import UNLIKE
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.oracles.language.lang import Kind, Param, Prototype, Scalar
from abiprobe.oracles.language.question import Sort
from abiprobe.oracles.registry import find_target
from abiprobe.results.verdicts.record import Outcome, Verdict
from tests.skipping import needs_executor

QUESTION = Prototype("f", None, (Param("a", Scalar(Kind.INT)),))
STRIPPED = """#!/bin/sh
for word; do case "$before" in -o) out=$word;; esac; before=$word; done
{real} "$@" || exit
case $* in *--version*|*-###*) exit;; esac
if nm "$out" | grep -q callee_; then {spoil} "$out"; fi
"""


def asked(subject: str, target: str) -> set[tuple[Outcome, str]]:
    def short(one: Verdict) -> tuple[Outcome, str]:
        return one.outcome, one.detail

    job = spelled_job(target, 0, Sort.PROTOTYPES, (QUESTION,), ((subject, "O0"),))
    return {short(one) for done in run_job(job) for one in done.verdicts}


def test_a_compiler_that_builds_for_another_variant_of_the_machine(tmp_path: Path) -> None:
    needs_executor("mipsel-o32")
    if not installed(parse_subject("clang-22"), (find_target("mipsel-o32"),)):
        pytest.skip("clang-22 is not installed for mipsel-o32")
    ((outcome, words),) = asked("clang-22 -march=mips3", "mipsel-o32")
    assert outcome is Outcome.UNSUPPORTED
    assert words.startswith(UNLIKE)
    assert words.endswith("the image: mips32r2, the compiler's file: mips3")


def test_one_whose_file_lacks_its_symbols_is_refused(tmp_path: Path) -> None:
    needs_executor("x86_64-sysv")
    if not installed(parse_subject("gcc-12"), (find_target("x86_64-sysv"),)):
        pytest.skip("gcc-12 is not installed")
    path = tmp_path / "stripped"
    path.write_text(STRIPPED.format(real="gcc-12", spoil="objcopy --prefix-symbols=x_"), "utf-8")
    path.chmod(0o755)
    ((outcome, words),) = asked(f"gcc:{path}", "x86_64-sysv")
    assert outcome is Outcome.REFUSED
    assert words.startswith("link: ")
