"""Compilers whose functions do not leave their caller what it had: its frame, an empty x87 stack, x87 mode."""

from __future__ import annotations

import pytest

from abiprobe.harness.input import read
from abiprobe.harness.subjects.compile import Limits
from abiprobe.oracles.language.question import Question
from abiprobe.results.verdicts.record import Judgement
from abiprobe.results.verdicts.values import InUse
from abiprobe.results.verdicts.wording import where_text

from .putting import Ask

X86, I386, WINDOWS = "x86_64-sysv", "i386-sysv", "x86_64-windows-gnu"
ALONE: tuple[Question, ...] = read(
    "int alone(long odd); void nothing(void);", filename="alone.h", triple="x86_64-linux-gnu"
).functions

CASES = [
    ("writes_above_its_arguments", X86, "preservation", "x86_64:stack.frame", "stack+8"),
    ("writes_above_its_arguments", I386, "preservation", "i386:call.frame", "stack+8"),
    ("writes_above_its_arguments", WINDOWS, "preservation", "ms:stack.frame", "stack+40"),
    ("writes_above_its_arguments", "riscv64-lp64d", "preservation", "riscv:int.stack-persistence", "stack+0"),
    ("writes_above_its_arguments", "aarch64-aapcs64", "preservation", "aapcs64:stack.frame", "stack+0"),
    ("writes_above_its_arguments", "arm-aapcs-vfp", "preservation", "aapcs32:stack.frame", "stack+0"),
    ("writes_above_its_arguments", "s390x", "preservation", "lzsabi:stack.frame", "stack+160"),
    ("writes_above_its_arguments", "powerpc64le-elfv2", "preservation", "elfv2:stack.frame", "stack+32"),
    ("writes_above_its_arguments", "powerpc64-elfv1", "preservation", "elfv1:stack.frame", "stack+112"),
    ("writes_above_its_arguments", "powerpc-sysv", "preservation", "ppc32:stack.frame", "stack+8"),
    ("writes_above_its_arguments", "loongarch64-lp64d", "preservation", "lapcs:stack.frame", "stack+0"),
    ("writes_above_its_arguments", "sparc64", "preservation", "scd:stack.frame", "stack+176"),
    ("writes_above_its_arguments", "sparc-sysv", "preservation", "sparc32:stack.frame", "stack+92"),
    ("writes_above_its_arguments", "hexagon", "preservation", "hexagon:stack.frame", "stack+0"),
    ("writes_a_kept_word", "s390x", "preservation", "lzsabi:stack.back-chain", "stack+0"),
    ("writes_a_kept_word", "powerpc64le-elfv2", "preservation", "elfv2:stack.header", "stack+0"),
    ("writes_above_itself_to_call", X86, "preservation", "x86_64:stack.frame", "stack+8"),
    ("writes_above_itself_to_call", I386, "preservation", "i386:call.frame", "stack+4"),
    ("writes_above_itself_to_call", "aarch64-aapcs64", "preservation", "aapcs64:stack.frame", "stack+0"),
    ("leaves_a_real_in_x87", X86, "preservation", "x86_64:stack.x87-empty", "x87_tags"),
    ("leaves_a_real_in_x87", I386, "preservation", "i386:call.x87-empty", "x87_tags"),
    ("calls_with_a_real_in_x87", X86, "caller", "x86_64:stack.x87-empty", "x87_tags"),
    ("calls_with_a_real_in_x87", I386, "caller", "i386:call.x87-empty", "x87_tags"),
    ("returns_from_a_call_with_x87_in_use", X86, "preservation", "x86_64:stack.x87-empty", "x87_tags"),
    ("returns_from_a_call_with_x87_in_use", I386, "preservation", "i386:call.x87-empty", "x87_tags"),
    ("stays_in_mmx", X86, "preservation", "x86_64:stack.x87-mode", "x87_tags"),
    ("stays_in_mmx", I386, "preservation", "i386:call.x87-mode", "x87_tags"),
    ("calls_in_mmx", X86, "caller", "x86_64:stack.x87-mode", "x87_tags"),
    ("calls_in_mmx", I386, "caller", "i386:call.x87-mode", "x87_tags"),
]


@pytest.mark.parametrize(("lie", "target", "kind", "clause", "place"), CASES)
def test_what_a_function_does_to_its_caller(
    lied: Ask, lie: str, target: str, kind: str, clause: str, place: str
) -> None:
    verdicts = lied(lie, target, ALONE, Limits())
    assert list(verdicts) == [("alone", kind)]
    verdict = verdicts["alone", kind]
    assert verdict.verdict is Judgement.DEVIATES
    assert (verdict.clause, where_text(verdict.differences[0].place)) == (clause, place)


@pytest.mark.parametrize(
    "target", [WINDOWS, "s390x", "powerpc64le-elfv2", "powerpc-sysv", "sparc64", "sparc-sysv"]
)
def test_what_is_for_the_called_function_may_be_written(lied: Ask, target: str) -> None:
    assert not lied("writes_at_home", target, ALONE, Limits())


def test_a_result_is_no_number_left_over(lied: Ask) -> None:
    real = read("long double real(long odd);", filename="r.h", triple="x86_64-linux-gnu").functions
    assert not lied("tells_the_truth", I386, real, Limits())
    (verdict,) = lied("leaves_a_real_in_x87", I386, real, Limits()).values()
    assert [(one.expected, one.seen) for one in verdict.differences] == [(InUse(1), InUse(2))]
