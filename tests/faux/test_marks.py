"""Compilers that do not mark the functions of a variant of the calling convention."""

from __future__ import annotations

import pytest

from abiprobe.harness.input.declared import declared_in_each
from abiprobe.harness.subjects.compile import Limits
from abiprobe.oracles.language.question import Question
from abiprobe.oracles.registry import find_target
from abiprobe.results.causes.fingerprint import Symptom, fingerprints
from abiprobe.results.verdicts.record import Judgement

from .putting import Ask, Honest

CASES = [
    ("riscv64-lp64d-vector", "__rvv_int32m1_t", "riscv:vector.mark", "STO_RISCV_VARIANT_CC"),
    ("aarch64_sve-aapcs64", "svint32_t", "aapcs64:registers.mark", "STO_AARCH64_VARIANT_PCS"),
]


def asked(target: str, vector: str) -> tuple[Question, ...]:
    """A function that takes a vector, and one that returns one."""
    (found,) = declared_in_each([f"void taken({vector} a); {vector} returned(void);"], find_target(target))
    return found.functions


@pytest.mark.parametrize(("target", "vector", "clause", "mark"), CASES)
def test_a_function_without_its_mark_is_blamed_for_that_alone(
    lied: Ask, target: str, vector: str, clause: str, mark: str
) -> None:
    told = lied("forgets_its_marks", target, asked(target, vector), Limits())
    assert set(told) == {("taken", "symbol"), ("returned", "symbol")}
    for verdict in told.values():
        assert (verdict.verdict, verdict.clause) == (Judgement.DEVIATES, clause)
        assert f"expected {mark} (0x80), saw 0x0" in verdict.detail
        assert [one.symptom for one in fingerprints(target, [verdict])] == [Symptom.UNMARKED]


@pytest.mark.parametrize(("target", "vector", "_clause", "_mark"), CASES)
def test_an_honest_compiler_marks_what_has_a_vector(
    honest: Honest, target: str, vector: str, _clause: str, _mark: str
) -> None:
    told = honest(target, asked(target, vector))
    assert told["taken", "symbol"].verdict is Judgement.AGREES
    assert told["returned", "symbol"].verdict is Judgement.AGREES


def test_what_has_no_vector_needs_no_mark_on_aarch64(honest: Honest) -> None:
    (found,) = declared_in_each(["int plain(int a);"], find_target("aarch64_sve-aapcs64"))
    assert ("plain", "symbol") not in honest("aarch64_sve-aapcs64", found.functions)
