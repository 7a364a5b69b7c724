"""Quirks of m68k: records that gcc returns as numbers, and what clang does not know of the ABI."""

from __future__ import annotations

from datetime import date

from abiprobe.oracles.quirks.quirk import CALLEE, Quirk, Status

TARGETS = ("m68k",)
SINCE = date(2026, 11, 30)

QUIRKS = (
    Quirk(
        name="gcc returns a small record of m68k in registers",
        subjects=("gcc",),
        policies={"small_records_in_registers": True},
        status=Status.DOCUMENTED,
        reason="the page has every aggregate in memory; of gcc's -freg-struct-return and -fpcc-struct-return the first is the default on Linux",
        link="https://gcc.gnu.org/onlinedocs/gcc/Code-Gen-Options.html",
        since=SINCE,
        example="struct S { int a; }; struct S f(void); struct T { double a; }; struct T g(void); struct U { short a, b, c, d; }; struct U h(void);",
        targets=TARGETS,
    ),
    Quirk(
        name="gcc passes a narrow record of m68k at the end of its word",
        subjects=("gcc",),
        policies={"narrow_records_at_end": True},
        status=Status.BUG,
        reason="an aggregate is aligned to 32 bits, so that it begins with its word; clang follows the page",
        link="unreported",
        since=SINCE,
        example="struct S { char a; }; void f(struct S a); struct T { char a[3]; }; void g(int a, struct T b);",
        targets=TARGETS,
    ),
    Quirk(
        name="clang passes the address of a result of m68k on the stack",
        subjects=("clang",),
        policies={"result_address_on_stack": True},
        status=Status.BUG,
        reason="it is in a1; here it is the first argument, which the called function takes off the stack, and comes back in d0",
        link="unreported",
        since=SINCE,
        example="struct S { int a, b, c; }; struct S f(int a); struct T { char a; }; struct T g(void);",
        targets=TARGETS,
    ),
    Quirk(
        name="clang aligns a record on the stack of m68k as its type",
        subjects=("clang",),
        policies={"aligned_records_on_stack": True},
        status=Status.BUG,
        reason="an aggregate is aligned to 32 bits, whatever its alignment is",
        link="unreported",
        since=SINCE,
        example="struct S { int a __attribute__((aligned(8))); }; void f(int a, struct S b);",
        targets=TARGETS,
    ),
    Quirk(
        name="clang's va_arg on m68k takes an aggregate by its address",
        subjects=("clang",),
        policies={"va_arg_of_references": True},
        status=Status.BUG,
        reason="its callers, as gcc's, have the aggregate itself on the stack",
        link="unreported",
        since=SINCE,
        example="""
            struct S { int a, b; };
            void f(int a, ...);
            static void calls_f(void) { f(*(int *)0, *(struct S *)0); }
        """,
        targets=TARGETS,
        sides=CALLEE,
    ),
    Quirk(
        name="clang aligns reals of m68k to their size",
        subjects=("clang",),
        policies={"naturally_aligned_reals": True},
        status=Status.BUG,
        reason="float and double are aligned to 2 bytes by the page's column of the GCC ABI, as by gcc",
        link="unreported",
        since=SINCE,
        example="struct S { short a; float b; }; struct T { char a; double b; };",
        targets=TARGETS,
    ),
    Quirk(
        name="clang up to 19 aligns words of m68k to their size",
        subjects=("clang<20",),
        policies={"naturally_aligned_words": True},
        status=Status.BUG,
        reason="int, long and pointers are aligned to 2 bytes by the page's column of the GCC ABI, as by gcc and clang 22",
        link="unreported",
        since=SINCE,
        example="struct S { short a; int b; }; struct T { char a; void *b; };",
        targets=TARGETS,
    ),
)
