"""Quirks of `va_arg`, which takes an argument from elsewhere than it is put."""

from __future__ import annotations

from datetime import date

from abiprobe.oracles.quirks.quirk import CALLEE, Quirk, Status

POWERPC = ("powerpc-sysv",)

QUIRKS = (
    Quirk(
        name="clang's va_arg on 32-bit PowerPC takes a vector from the general registers",
        subjects=("clang",),
        policies={"va_arg_vectors_in_general": True},
        status=Status.BUG,
        reason="callers have it on the stack; as a count of registers va_arg adds one, and takes as many bytes as there are from there",
        link="unreported",
        since=date(2026, 11, 25),
        example="void f(int a, ...); static void calls_f(void) { f(*(int *)0, *(int __attribute__((vector_size(16))) *)0); }",
        targets=POWERPC,
        sides=CALLEE,
    ),
    Quirk(
        name="clang's va_arg on 32-bit PowerPC counts one register for a long double, which takes two",
        subjects=("clang",),
        policies={"va_arg_halves_long_doubles": True},
        status=Status.BUG,
        reason="the next real is read from the second half of the long double, and one that finds a single register left is read from it",
        link="unreported",
        since=date(2026, 11, 23),
        example="void f(int a, ...); static void calls_f(void) { f(*(int *)0, *(long double *)0, *(double *)0); }",
        targets=POWERPC,
        sides=CALLEE,
    ),
)
