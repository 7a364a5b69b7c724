"""Quirks of `va_arg`, which takes an argument from elsewhere than it is put."""

from __future__ import annotations

from datetime import date

from abiprobe.oracles.quirks.quirk import CALLEE, Quirk, Status

POWERPC = ("powerpc-sysv",)

QUIRKS = (
    Quirk(
        name="clang's va_arg takes nothing for a record without members of a name on LoongArch",
        subjects=("clang",),
        policies={"va_arg_skips_unnamed_members": True},
        status=Status.BUG,
        reason="callers pass the record, as the text has it of any with a size; va_arg takes it for an empty one",
        link="unreported",
        since=date(2026, 11, 25),
        example="""
struct S { int : 7; };
void f(int a, ...);
static void calls_f(void) { f(*(int *)0, *(struct S *)0, *(int *)0); }
""",
        targets=("loongarch*",),
        sides=CALLEE,
    ),
    Quirk(
        name="clang's va_arg aligns the stack for a record of no bytes that is aligned to 16",
        subjects=("clang<19",),
        policies={"va_arg_moves_for_no_bytes": True},
        status=Status.BUG,
        reason="nothing is passed, so nothing may be passed over; right since clang 19",
        link="unreported",
        since=date(2026, 11, 26),
        example="""
struct S { } __attribute__((aligned(16)));
void f(long a, long b, long c, long d, long e, long g, long h, ...);
static void calls_f(void) { f(1, 2, 3, 4, 5, 6, 7, *(struct S *)0, *(int *)0); }
""",
        targets=("x86_64-sysv",),
        sides=CALLEE,
    ),
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
        name="clang's va_arg on 32-bit PowerPC aligns the address of a record on the stack as the record",
        subjects=("clang",),
        policies={"va_arg_aligns_addresses": True},
        status=Status.BUG,
        reason="a record travels by reference, and its address is in the next word; va_arg skips a word where the record is aligned to 8",
        link="unreported",
        since=date(2026, 11, 23),
        example="""
struct E {} __attribute__((aligned(32)));
void g(int a, int b, int c, int d, int e, int g, int h, int i, int j, ...);
static void calls_g(void) { g(1, 2, 3, 4, 5, 6, 7, 8, 9, *(struct E *)0, *(int *)0); }
""",
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
