"""Quirks of Hexagon: what clang has on the stack as integers, and where its va_arg looks."""

from __future__ import annotations

from datetime import date

from abiprobe.oracles.quirks.quirk import CALLEE, Quirk, Status

TARGETS = ("hexagon",)
SINCE = date(2026, 11, 30)

QUIRKS = (
    Quirk(
        name="clang extends narrow integers of Hexagon and relies on it",
        subjects=("clang",),
        policies={"extended_arguments": 4, "extended_results": 4},
        status=Status.AMBIGUOUS,
        reason="the text has the register, and does not say who extends what is in it",
        link="unreported",
        since=SINCE,
        example="short f(void); void g(signed char a);",
        targets=TARGETS,
    ),
    Quirk(
        name="clang has a small record on the stack of Hexagon as an integer",
        subjects=("clang",),
        policies={"small_records_as_integers": True},
        status=Status.BUG,
        reason="it is aligned as its type; clang also counts registers for unnamed arguments, and none for the address of a result",
        link="unreported",
        since=SINCE,
        example="""
            struct S { int a, b; };
            void f(int a, ...);
            static void calls_f(void) { f(*(int *)0, *(int *)0, *(struct S *)0); }
        """,
        targets=TARGETS,
    ),
    Quirk(
        name="clang leaves R5 to a later argument where a record of Hexagon finds no pair",
        subjects=("clang",),
        policies={"last_register_after_records": True},
        status=Status.BUG,
        reason="a skipped register is not filled with what follows; clang keeps to that behind a long long or double",
        link="unreported",
        since=SINCE,
        example="struct S { int a, b; }; void f(int a, int b, int c, int d, int e, struct S g, int h);",
        targets=TARGETS,
    ),
    Quirk(
        name="clang takes at least two words of the stack of Hexagon for a record",
        subjects=("clang",),
        policies={"records_of_two_words": True},
        status=Status.BUG,
        reason="what follows is at the next address to which it is aligned",
        link="unreported",
        since=SINCE,
        example="struct S { char a[3]; }; void f(long long a, long long b, long long c, struct S d, int e);",
        targets=TARGETS,
    ),
    Quirk(
        name="clang's va_arg on Hexagon takes whole words",
        subjects=("clang",),
        policies={"va_arg_in_words": True},
        status=Status.BUG,
        reason="an argument is aligned as its type, and so clang's callers have it; what is behind a record of less than a word is not found",
        link="unreported",
        since=SINCE,
        example="""
            struct S { char a[9]; };
            void f(struct S a, ...);
            static void calls_f(void) { f(*(struct S *)0, *(int *)0); }
        """,
        targets=TARGETS,
        sides=CALLEE,
    ),
)
