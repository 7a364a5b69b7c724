"""Quirks about bit-fields without a name, of width zero or not."""

from __future__ import annotations

from datetime import date

from abiprobe.oracles.quirks.quirk import CALLEE, Quirk, Status

QUIRKS = (
    Quirk(
        name="clang before 24 gives a bit-field without a name no class",
        subjects=("clang<24",),
        policies={"skips_unnamed_bit_fields": True},
        status=Status.AMBIGUOUS,
        reason="the text says NO_CLASS of the one of width zero alone; clang 24 counts the others as gcc does",
        link="unreported",
        since=date(2026, 11, 28),
        example="struct S { int : 12; }; void f(struct S a, int b); struct T { long : 11; long b; }; void g(struct T a);",
        targets=("x86_64-sysv",),
    ),
    Quirk(
        name="gcc's va_arg skips the bytes of a struct of unnamed bit-fields that its callers do not pass",
        subjects=("gcc",),
        policies={"va_list_counts_unnamed": True},
        status=Status.BUG,
        reason="where registers are used up its callers pass nothing, and va_arg begins behind it; C17 leaves such records undefined",
        link="unreported",
        since=date(2026, 11, 22),
        example="""
            struct S { char : 7; };
            int f(long a, long b, long c, long d, long e, long g, struct S h, ...);
            static void calls_f(void) { f(*(long *)0, *(long *)0, *(long *)0, *(long *)0, *(long *)0, *(long *)0, *(struct S *)0, *(long *)0); }
            struct E { int : 12; }; struct L { struct E a[9]; };
            int k(struct L a, long double b, ...);
            static void calls_k(void) { k(*(struct L *)0, *(long double *)0, *(long *)0); }
        """,
        targets=("x86_64-sysv",),
        sides=CALLEE,
    ),
)
