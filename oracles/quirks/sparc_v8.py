"""Quirks of 32-bit SPARC: long double, and what the text does not have, before clang 24 placed it as gcc does."""

from __future__ import annotations

from datetime import date

from abiprobe.oracles.quirks.quirk import CALLEE, Quirk, Status

SPARC = ("sparc-sysv",)
SINCE = date(2026, 11, 30)

QUIRKS = (
    Quirk(
        name="clang before 22 has long double as double on 32-bit SPARC",
        subjects=("clang<22",),
        policies={"double_long_doubles": True},
        status=Status.BUG,
        reason="the table of types has 16 bytes, as clang 22 has",
        link="https://github.com/llvm/llvm-project/issues/41838",
        since=SINCE,
        example="""
            struct S { long double a; }; void f(long double a, int b); long double g(void);
            struct C { long double _Complex a; }; void h(long double _Complex a, struct C b);
        """,
        targets=SPARC,
    ),
    Quirk(
        name="clang 22 and 23 take an unnamed long double of 32-bit SPARC from the words of arguments",
        subjects=("clang>=22,<24",),
        policies={"va_arg_takes_quads": True},
        status=Status.BUG,
        reason="callers have passed its address, as the text has it; right in clang 24",
        link="unreported",
        since=SINCE,
        example="void f(int a, ...); static void calls_f(void) { f(*(int *)0, *(long double *)0, *(int *)0); }",
        targets=SPARC,
        sides=CALLEE,
    ),
    Quirk(
        name="clang before 24 passes the address of a complex integer on 32-bit SPARC",
        subjects=("clang<24",),
        policies={"complex_by_reference": True, "splits_complex_results": True},
        status=Status.AMBIGUOUS,
        reason="no text has complex integers; gcc and clang 24 have one of up to 8 bytes in words, and clang each part of a result in a register",
        link="unreported",
        since=SINCE,
        example="int _Complex f(int _Complex a); char _Complex g(int a);",
        targets=SPARC,
    ),
    Quirk(
        name="clang before 24 has each element of a vector in words of its own on 32-bit SPARC",
        subjects=("clang<24",),
        policies={"vectors_in_elements": True},
        status=Status.AMBIGUOUS,
        reason="the text has no vectors; clang left them to LLVM, and clang 24 passes and returns them as gcc does but for narrow integers",
        link="unreported",
        since=SINCE,
        example="float __attribute__((vector_size(8))) f(float __attribute__((vector_size(8))) a); int __attribute__((vector_size(16))) g(void);",
        targets=SPARC,
    ),
    Quirk(
        name="clang before 24 has an unimp instruction behind a call whose result has no bytes",
        subjects=("clang<24",),
        policies={"unimp_behind_nothing": True},
        status=Status.AMBIGUOUS,
        reason="C has no such result; gcc and clang 24 have none",
        link="unreported",
        since=SINCE,
        example="struct S { }; struct S f(int a); struct A { int a[0]; }; struct A g(int a); struct F { struct { } a; char b[]; }; struct F h(int a);",
        targets=SPARC,
    ),
)
