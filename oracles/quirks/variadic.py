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
    Quirk(
        name="gcc's va_arg on 32-bit PowerPC takes a vector of doublewords from the general registers",
        subjects=("gcc",),
        policies={"va_arg_doublewords_in_general": True},
        status=Status.BUG,
        reason="callers have it on the stack; without a vector unit that knows doublewords va_arg reads it by the registers that four words would have",
        link="unreported",
        since=date(2026, 11, 23),
        example="void f(int a, ...); static void calls_f(void) { f(*(int *)0, *(long long __attribute__((vector_size(16))) *)0); }",
        targets=POWERPC,
        sides=CALLEE,
    ),
    Quirk(
        name="clang's va_arg on 32-bit PowerPC takes a narrow _BitInt from the left end of its word",
        subjects=("clang>=14",),
        policies={"va_arg_takes_left_end": True},
        status=Status.BUG,
        reason="callers have it at the right end",
        link="unreported",
        since=date(2026, 11, 23),
        example="void f(int a, ...); static void calls_f(void) { f(*(int *)0, *(unsigned _BitInt(15) *)0); }",
        targets=POWERPC,
        sides=CALLEE,
    ),
    Quirk(
        name="clang's va_arg on 32-bit PowerPC takes a fixed-point number for no integer",
        subjects=("clang",),
        policies={"va_arg_of_fixed_points": True},
        status=Status.BUG,
        reason="callers have a narrow one at the right end of its word, and one of two words in an aligned pair of registers",
        link="unreported",
        since=date(2026, 11, 25),
        example="void f(int a, ...); static void calls_f(void) { f(*(int *)0, *(_Fract *)0); f(*(int *)0, *(long _Accum *)0, *(_Fract *)0); }",
        targets=POWERPC,
        sides=CALLEE,
    ),
    Quirk(
        name="clang's va_arg on 32-bit PowerPC takes a _BitInt of more than 64 bits from registers, where callers have its address",
        subjects=("clang>=14",),
        policies={"va_arg_takes_values": True},
        status=Status.BUG,
        reason="callers pass a pointer to it, as to any value of which more than two registers are needed",
        link="unreported",
        since=date(2026, 11, 23),
        example="void f(int a, ...); static void calls_f(void) { f(*(int *)0, *(_BitInt(70) *)0); }",
        targets=POWERPC,
        sides=CALLEE,
    ),
    Quirk(
        name="clang's va_arg on i386 aligns vectors otherwise than its callers",
        subjects=("clang",),
        policies={"va_arg_of_vectors": True},
        status=Status.BUG,
        reason="its callers put a vector at a multiple of 16, and va_arg looks for a small one in the next word, for a large one at a multiple of its size",
        link="https://github.com/llvm/llvm-project/pull/219015",
        since=date(2026, 11, 22),
        example="""
            void f(int a, ...);
            static void calls_f(void) { f(*(int *)0, *(signed char __attribute__((vector_size(2))) *)0, *(int *)0); }
        """,
        targets=("i386-sysv", "i386-windows-*"),
        sides=CALLEE,
    ),
    Quirk(
        name="clang's va_arg on i386 does not know that a wide _BitInt goes by reference",
        subjects=("clang>=14",),
        policies={"va_arg_of_bit_ints": True},
        status=Status.BUG,
        reason="its callers pass the address of a _BitInt of more than 64 bits, and va_arg takes the value from the stack",
        link="unreported",
        since=date(2026, 11, 22),
        example="void f(int a, ...); static void calls_f(void) { f(*(int *)0, *(_BitInt(96) *)0, *(int *)0); }",
        targets=("i386-sysv", "i386-windows-*"),
        sides=CALLEE,
    ),
    Quirk(
        name="va_arg of 64-bit PowerPC takes a vector of more than 16 bytes from the list, where callers have its address",
        subjects=("clang",),
        policies={"va_arg_of_wide_vectors": True},
        status=Status.BUG,
        reason="the back end passes the address of what no register holds, and va_arg of the front end knows nothing of that",
        link="unreported",
        since=date(2026, 11, 26),
        example="""
void f(int a, ...);
static void calls_f(void) { f(*(int *)0, *(int __attribute__((vector_size(32))) *)0, *(int *)0); }
""",
        targets=("powerpc64le-elfv2", "powerpc64-elfv1"),
        sides=CALLEE,
    ),
    Quirk(
        name="va_arg of big-endian AArch64 takes a narrow vector from the right end of its double-word",
        subjects=("clang", "gcc"),
        policies={"va_arg_takes_right_end": True},
        status=Status.BUG,
        reason="callers of gcc have it at the left end, those of clang at the left end of the right word",
        link="unreported",
        since=date(2026, 11, 26),
        example="""
void f(int a, ...);
static void calls_f(void) { f(*(int *)0, *(signed char __attribute__((vector_size(2))) *)0); }
""",
        targets=("aarch64_be-aapcs64",),
        sides=CALLEE,
    ),
    Quirk(
        name="clang's va_arg before 16 takes a small record of ELFv1 from the beginning of its doubleword",
        subjects=("clang<16",),
        policies={"va_arg_takes_left_records": True},
        status=Status.BUG,
        reason="its callers have it at the end, as the text says of what is smaller than a doubleword",
        link="unreported",
        since=date(2026, 11, 30),
        example="struct S { short a[3]; }; void f(int a, ...); static void calls_f(void) { f(*(int *)0, *(struct S *)0); }",
        targets=("powerpc64-elfv1",),
        sides=CALLEE,
    ),
)
