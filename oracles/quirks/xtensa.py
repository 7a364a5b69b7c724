"""Quirks of Xtensa: what gcc extends by zeros, and what clang, whose ABI is new in 24, and LLVM do not keep to."""

from __future__ import annotations

from datetime import date

from abiprobe.oracles.engine.policies import ValueKind
from abiprobe.oracles.quirks.quirk import CALLEE, CALLER, Quirk, Status

XTENSA = ("xtensa-call0",)
SINCE = date(2026, 11, 30)
SMALL_RESULTS = "https://github.com/llvm/llvm-project/issues/219811"

QUIRKS = (
    Quirk(
        name="clang places nothing on Xtensa by what a name asks for",
        subjects=("clang",),
        policies={"unaligned_names": frozenset({ValueKind.SCALAR, ValueKind.RECORD})},
        status=Status.AMBIGUOUS,
        reason="no sentence that was read is about a name that asks for another alignment than its type",
        link="unreported",
        since=SINCE,
        example="""
            typedef long long T __attribute__((aligned(4))); void f(int a, T b);
            typedef struct { int a, b; } S __attribute__((aligned(8))); void g(int a, S b);
        """,
        targets=XTENSA,
    ),
    Quirk(
        name="gcc's callers on Xtensa place no scalar by what a name asks for",
        subjects=("gcc",),
        policies={"unaligned_names": frozenset({ValueKind.SCALAR})},
        status=Status.BUG,
        reason="the functions that they call go by the name",
        link="unreported",
        since=SINCE,
        example="typedef long long T __attribute__((aligned(4))); void f(int a, T b); typedef int U __attribute__((aligned(16))); void g(int a, U b);",
        targets=XTENSA,
        sides=CALLER,
    ),
    Quirk(
        name="gcc returns a signed char of Xtensa with zeros above it",
        subjects=("gcc",),
        policies={"zero_extended_bytes": True},
        status=Status.BUG,
        reason="a result is extended by its signedness, as Tensilica's libffi has it; PROMOTE_MODE has every byte unsigned, as it is loaded",
        link="https://github.com/espressif/llvm-project/issues/102",
        since=SINCE,
        example="signed char f(int a);",
        targets=XTENSA,
    ),
    Quirk(
        name="clang returns an aggregate of up to a word of Xtensa in memory",
        subjects=("clang",),
        policies={"word_aggregates_in_memory": True},
        status=Status.BUG,
        reason="values of four words or less are returned in registers",
        link=SMALL_RESULTS,
        since=SINCE,
        example="struct S { char a; }; struct S f(void); union U { int a; char b; }; union U g(int a);",
        targets=XTENSA,
    ),
    Quirk(
        name="clang returns what is aligned to 16 bytes on Xtensa in memory",
        subjects=("clang",),
        policies={"quad_aligned_in_memory": True},
        status=Status.BUG,
        reason="values of four words or less are returned in registers; the test that a first argument must pass is made of a result, too",
        link="unreported",
        since=SINCE,
        example="struct S { int a __attribute__((aligned(16))); }; struct S f(void);",
        targets=XTENSA,
    ),
    Quirk(
        name="clang does not count the address of a result of Xtensa among the arguments",
        subjects=("clang",),
        policies={"uncounted_result_address": True},
        status=Status.BUG,
        reason="six words are in registers, and none is half there: the last words of the one that is counted too much are on the stack",
        link="unreported",
        since=SINCE,
        example="struct S { int a[5]; }; struct T { int a[6]; }; struct S f(struct T a); struct U { int a, b; }; struct S g(int a, int b, int c, int d, struct U e);",
        targets=XTENSA,
    ),
    Quirk(
        name="clang does not extend what is on the stack of Xtensa",
        subjects=("clang",),
        policies={"open_on_stack": True},
        status=Status.BUG,
        reason="an integer narrower than a word is extended, wherever it is; here it is a byval argument of its own size",
        link="unreported",
        since=SINCE,
        example="void f(int a, int b, int c, int d, int e, int g, signed char h, unsigned short i);",
        targets=XTENSA,
        sides=CALLER,
    ),
    Quirk(
        name="clang's va_arg on Xtensa skips as many registers as named arguments have",
        subjects=("clang",),
        policies={"va_arg_counts_named_twice": True},
        status=Status.BUG,
        reason="it saves the registers behind the named ones and counts in what it saved from the first of all; on the stack it aligns from where the named ones end",
        link="unreported",
        since=SINCE,
        example="""
            void f(int a, ...);
            static void calls_f(void) { f(*(int *)0, *(int *)0); }
            void g(int a, int b, int c, int d, int e, int h, int i, ...);
            static void calls_g(void) { g(*(int *)0, *(int *)0, *(int *)0, *(int *)0, *(int *)0, *(int *)0, *(int *)0, *(double *)0); }
        """,
        targets=XTENSA,
        sides=CALLEE,
    ),
    Quirk(
        name="gcc's va_arg on Xtensa looks 8 bytes too far behind an argument on the stack that is aligned to 16",
        subjects=("gcc",),
        policies={"va_arg_aligns_by_words": True},
        status=Status.BUG,
        reason="it counts words from the first register on and aligns by that, six words before the stack",
        link="unreported",
        since=SINCE,
        example="""
            struct S { int a __attribute__((aligned(16))); };
            void f(int a, int b, int c, int d, int e, struct S g, ...);
            static void calls_f(void) { f(*(int *)0, *(int *)0, *(int *)0, *(int *)0, *(int *)0, *(struct S *)0, *(int *)0); }
        """,
        targets=XTENSA,
        sides=CALLEE,
    ),
    Quirk(
        name="clang does not align the stack of Xtensa to 16",
        subjects=("clang",),
        policies={"stack_in_words": True},
        status=Status.BUG,
        reason="arguments are pushed without padding, so that the called function, which keeps its stack aligned, starts with another one",
        link="unreported",
        since=SINCE,
        example="void f(long long a, long long b, long long c, int d);",
        targets=XTENSA,
        sides=CALLER,
    ),
)
