"""Compilers that do not mark the functions of a variant of the calling convention."""

from __future__ import annotations

from abiprobe.harness.input import read
from abiprobe.harness.subjects.compile import Limits
from abiprobe.oracles.question import Question
from abiprobe.results.fingerprint import Symptom, fingerprints
from abiprobe.results.record import Judgement

from .putting import Ask, Honest

TARGET, CLAUSE = "riscv64-lp64d-vector", "riscv:vector.mark"
MARKED: tuple[Question, ...] = read(
    "__rvv_int32m1_t vector(__rvv_int32m1_t a); __rvv_bool1_t mask(void);", filename="marks.h", triple=TARGET
).functions


def test_a_function_without_its_mark_is_blamed_for_that_alone(lied: Ask) -> None:
    told = lied("forgets_its_marks", TARGET, MARKED, Limits())
    assert set(told) == {("vector", "symbol"), ("mask", "symbol")}
    for verdict in told.values():
        assert (verdict.verdict, verdict.clause) == (Judgement.DEVIATES, CLAUSE)
        assert "expected STO_RISCV_VARIANT_CC (0x80), saw 0x0" in verdict.detail
        assert [one.symptom for one in fingerprints(TARGET, [verdict])] == [Symptom.UNMARKED]


def test_an_honest_compiler_marks_what_has_a_vector(honest: Honest) -> None:
    told = honest(TARGET, MARKED)
    assert told["vector", "symbol"].verdict is Judgement.AGREES
    assert told["mask", "symbol"].verdict is Judgement.AGREES
