"""Quirks about integers, and what is above them in a register or on the stack."""

from __future__ import annotations

from datetime import date

from abiprobe.oracles.quirks.quirk import CALLEE, CALLER, Quirk, Status

AGREEMENT = "https://github.com/hjl-tools/x86-psABI/issues/2"

QUIRKS = (
    Quirk(
        name="clang relies on callers extending narrow integers",
        subjects=("clang", "rustc", "ldc2", "swift", "zig-lang"),
        policies={"extends_to_32": True},
        status=Status.WONTFIX,
        reason="compilers keep an agreement that the text does not have: the caller extends to 32 bits",
        link=AGREEMENT,
        since=date(2026, 11, 21),
        example="void f(short a); void g(_BitInt(7) a);",
        targets=("x86_64-sysv",),
        sides=CALLEE,
    ),
    Quirk(
        name="clang relies on the bits above a narrow integer in a register of i386",
        subjects=("clang",),
        policies={"extended_arguments": 4},
        status=Status.BUG,
        reason="as on x86-64: the text does not ask the caller to extend",
        link="unreported",
        since=date(2026, 11, 24),
        example="void __attribute__((regparm(1))) f(signed char a);",
        targets=("i386-sysv", "i386-windows-*"),
        sides=CALLEE,
    ),
    Quirk(
        name="clang relies on callers extending narrow integers on the stack of LoongArch",
        subjects=("clang",),
        policies={"extended_on_stack": 8},
        status=Status.AMBIGUOUS,
        reason="the text extends integers in registers, and says nothing of those on the stack",
        link="unreported",
        since=date(2026, 11, 25),
        example="""
            void g(long a, long b, long c, long d, long e, long g, long h, long i, short j);
            void h(long a, long b, long c, long d, long e, long g, long h, long i, int j);
        """,
        targets=("loongarch*",),
        sides=CALLEE,
    ),
    Quirk(
        name="clang sign-extends narrow unsigned arguments on the stack",
        subjects=("clang<16",),
        policies={"stack_sign_extended": True},
        status=Status.BUG,
        reason="right since clang 16",
        link="https://github.com/llvm/llvm-project/issues/57261",
        since=date(2026, 11, 22),
        example="void f(long a, long b, long c, long d, long e, long g, long h, long i, unsigned char j);",
        targets=("riscv*",),
    ),
    Quirk(
        name="clang extends narrow results for Apple and relies on it",
        subjects=("clang",),
        policies={"extends_apple_results": True},
        status=Status.DOCUMENTED,
        reason="Apple's page has the caller extend arguments and is silent on results, whose upper bits AAPCS64 leaves open",
        link="unreported",
        since=date(2026, 11, 22),
        example="short f(void);",
        targets=("aarch64-darwin",),
    ),
    Quirk(
        name="tcc relies on results being extended to 64 bits",
        subjects=("tcc",),
        policies={"extended_results": 8},
        status=Status.BUG,
        reason="the caller trusts bits 32 to 63 of the result",
        link="unreported",
        since=date(2026, 11, 21),
        example="unsigned f(void);",
        targets=("x86_64-sysv",),
    ),
    Quirk(
        name="clang takes a _BitInt result to be extended",
        subjects=("clang>=14",),
        policies={"extended_bit_int_results": 4},
        status=Status.BUG,
        reason="bits above the value are unspecified, and a caller relies on them",
        link="unreported",
        since=date(2026, 11, 21),
        example="unsigned _BitInt(15) f(void);",
        targets=("x86_64-sysv",),
    ),
    Quirk(
        name="clang takes a _BitInt result to be extended on LoongArch",
        subjects=("clang>=14",),
        policies={"extended_bit_int_results": 8},
        status=Status.AMBIGUOUS,
        reason="the text has no _BitInt; clang's functions extend their results",
        link="unreported",
        since=date(2026, 11, 25),
        example="_BitInt(31) f(void);",
        targets=("loongarch64*",),
    ),
    Quirk(
        name="unsigned words of LP64S and LP64F are extended as signed ones",
        subjects=("gcc", "clang"),
        policies={"signed_words": True},
        status=Status.AMBIGUOUS,
        reason="the text extends them with zeros, and has the exception for LP64D alone; neither compiler makes a difference",
        link="https://github.com/llvm/llvm-project/pull/92375",
        since=date(2026, 11, 25),
        example="void f(unsigned a);",
        targets=("loongarch64-lp64s", "loongarch64-lp64f"),
    ),
    Quirk(
        name="gcc and clang have enumerations without negative values unsigned",
        subjects=("gcc", "clang"),
        policies={"unsigned_enums": True},
        status=Status.AMBIGUOUS,
        reason="the table of types has an enumeration as a signed word; no enumerator has a value on which the two part",
        link="unreported",
        since=date(2026, 11, 25),
        example="enum E { A, B }; void f(enum E a);",
        targets=("powerpc64-elfv1", "sparc64", "sparc-sysv"),
    ),
    Quirk(
        name="MinGW's gcc takes an enumeration without negative values for unsigned",
        subjects=("gcc",),
        policies={"unsigned_enums": True},
        status=Status.WONTFIX,
        reason="the GCC manual has it so, and Microsoft's C as an int; it shows where a value that is no enumerator is converted to a wider type",
        link="https://gcc.gnu.org/onlinedocs/gcc/Structures-unions-enumerations-and-bit-fields-implementation.html",
        since=date(2026, 11, 23),
        example="""
            enum E { A = 0 }; enum E f(enum E a);
            struct S { enum E a; };
            void f16(struct S a);
        """,
        targets=("x86_64-windows-msvc", "i386-windows-msvc"),
    ),
    Quirk(
        name="clang zero-extends the parts of a complex integer by ELFv1",
        subjects=("clang",),
        policies={"open_complex_parts": True},
        status=Status.BUG,
        reason="the parts are as if passed separately, and a signed integer is sign-extended",
        link="unreported",
        since=date(2026, 11, 25),
        example="void f(int _Complex a);",
        targets=("powerpc64-elfv1",),
    ),
    Quirk(
        name="clang zero-extends the parts of a complex integer by ELFv2",
        subjects=("clang",),
        policies={"open_complex_parts": True},
        status=Status.BUG,
        reason="the parts are as if passed separately, and a signed integer is sign-extended",
        link="unreported",
        since=date(2026, 11, 29),
        example="void f(int _Complex a);",
        targets=("powerpc64le-elfv2",),
    ),
    Quirk(
        name="rustc does not extend narrow integers on the stack",
        subjects=("rustc",),
        policies={"open_on_stack": True},
        status=Status.BUG,
        reason="the text widens in registers and on the stack alike",
        link="unreported",
        since=date(2026, 11, 26),
        example="""
            void f(long a, long b, long c, long d, long e, long g, long h, long i, unsigned short j);
            void g(long a, long b, long c, long d, long e, long g, long h, long i, unsigned int j);
        """,
        targets=("riscv64-lp64d",),
        sides=CALLER,
    ),
)
