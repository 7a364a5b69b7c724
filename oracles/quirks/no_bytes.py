"""Quirks about what has no bytes: empty records, arrays without elements, and records without a named member."""

from __future__ import annotations

from datetime import date

from abiprobe.oracles.engine.policies import Argument, Unflattened
from abiprobe.oracles.quirks.quirk import CALLEE, CALLER, NAMED, UNNAMED, Quirk, Status

RISCV_FLOATS = ("riscv64-lp64[df]*", "riscv32-ilp32[df]*")
LOONGARCH_FLOATS = ("loongarch64-lp64[df]", "loongarch32-ilp32d")
ALIGNED_STACKS = ("riscv64-lp64", "riscv64-lp64[!e]*", "riscv32-ilp32", "riscv32-ilp32[!e]*", "loongarch*")
ALIGNED = """
    #ifdef __SIZEOF_INT128__
    typedef __int128 W;
    #else
    typedef long long W;
    #endif
    struct E { W a[0]; };
"""
ON_STACK = """
    struct S { long double a[0]; float b[]; };
    void f(long a, long b, long c, long d, long e, long g, long h, struct S i, long j);
"""

QUIRKS = (
    Quirk(
        name="clang does not look into a record with a flexible array",
        subjects=("clang",),
        policies={"opaque_flexible_arrays": True},
        status=Status.BUG,
        reason="it takes the record for one of no known size, and has it in memory or passes its address",
        link="https://github.com/llvm/llvm-project/issues/195572",
        since=date(2026, 11, 21),
        example="""
            struct S { int a; char b[]; };
            void f(struct S a);
            struct S g(void);
            struct Z { int a[0]; char b[]; };
            void h(struct Z a, long double b);
        """,
        targets=("x86_64-sysv", "x86_64-ms", "x86_64-windows-*", "s390x", "i386-windows-*"),
    ),
    Quirk(
        name="gcc has a union with a flexible array in memory",
        subjects=("gcc>=15",),
        policies={"memory_unions": True},
        status=Status.BUG,
        reason="an array without elements adds no class, neither in a struct, which gcc passes by the text, be it in a union, nor as a member of a union",
        link="unreported",
        since=date(2026, 11, 25),
        example="union U { int a; int b[]; }; union U f(void); void g(union U a);",
        targets=("x86_64-sysv",),
    ),
    Quirk(
        name="compilers do not flatten past a flexible array",
        subjects=("clang", "gcc"),
        policies={"unflattened": frozenset({Unflattened.FLEXIBLE_ARRAY})},
        status=Status.AMBIGUOUS,
        reason="the texts name arrays of length zero, and a flexible array has no more elements than they",
        link="unreported",
        since=date(2026, 11, 21),
        example="struct S { float a, b; int c[]; }; void f(struct S a); struct S g(void);",
        targets=(*RISCV_FLOATS, *LOONGARCH_FLOATS),
    ),
    Quirk(
        name="gcc does not flatten past an array of length zero",
        subjects=("gcc",),
        policies={"unflattened": frozenset({Unflattened.ZERO_LENGTH_ARRAY})},
        status=Status.BUG,
        reason="the record is kept out of floating-point registers",
        link="unreported",
        since=date(2026, 11, 21),
        example="struct S { float a, b; int c[0]; }; void f(struct S a); struct S g(void);",
        targets=RISCV_FLOATS,
    ),
    Quirk(
        name="gcc does not flatten past an array of empty records",
        subjects=("gcc<16",),
        policies={"unflattened": frozenset({Unflattened.EMPTY_ELEMENTS})},
        status=Status.BUG,
        reason="an empty record by itself is ignored, as the text says",
        link="unreported",
        since=date(2026, 11, 21),
        example="struct E {}; struct S { float a; struct E b[17]; float c; }; void f(struct S a);",
        targets=RISCV_FLOATS,
    ),
    Quirk(
        name="clang passes a word for a record of no bytes with a flexible array",
        subjects=("clang<23",),
        policies={"flexible_words": True},
        status=Status.BUG,
        reason="the record is ignored by the texts; what follows is one place further on. Since 23 clang crashes instead",
        link="unreported",
        since=date(2026, 11, 22),
        example="struct S { int a[0]; int b[]; }; void f(struct S a, int b);",
        targets=("riscv*",),
    ),
    Quirk(
        name="clang 23 and later count a register for a record of no bytes with a flexible array",
        subjects=("clang>=23",),
        policies={"counts_flexible_nothing": True},
        status=Status.BUG,
        reason="it passes the record as i0, for which LLVM takes no register, so a struct of a real and an integer behind it is not taken apart where registers are few; from -O1 on such a call crashes clang",
        link="unreported",
        since=date(2026, 11, 28),
        example="""
            struct S { char a[0]; char b[]; }; struct T { short a; float b; };
            void f(int a, int b, int c, int d, int e, int g, int h, struct S i, struct T j);
        """,
        targets=RISCV_FLOATS,
    ),
    Quirk(
        name="clang passes a word for a record of no bytes with a flexible array on LoongArch",
        subjects=("clang",),
        policies={"flexible_words": True},
        status=Status.BUG,
        reason="a structure of size zero is ignored; what follows is one place further on",
        link="unreported",
        since=date(2026, 11, 22),
        example="struct S { int a[0]; int b[]; }; void f(struct S a, int b);",
        targets=("loongarch*",),
    ),
    Quirk(
        name="gcc aligns the stack for a record of no bytes",
        subjects=("gcc",),
        policies={"aligned_nothing": NAMED},
        status=Status.BUG,
        reason="the record is not passed, and so moves nothing",
        link="unreported",
        since=date(2026, 11, 21),
        example=ALIGNED
        + "void f(long a, long b, long c, long d, long e, long g, long h, long i, long j, struct E k, long l);",
        targets=ALIGNED_STACKS,
    ),
    Quirk(
        name="gcc's callers align the stack for an unnamed record of no bytes",
        subjects=("gcc",),
        policies={"aligned_nothing": UNNAMED},
        status=Status.BUG,
        reason="the record is not passed, and so moves nothing; gcc's va_arg goes on where the text does",
        link="unreported",
        since=date(2026, 11, 28),
        example="""
            struct S { } __attribute__((aligned(16)));
            void f(long a, ...);
            static void calls_f(void) { f(1, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, *(struct S *)0, *(int *)0); }
        """,
        targets=ALIGNED_STACKS,
        sides=CALLER,
    ),
    Quirk(
        name="tcc aligns the stack of x86-64 for a record of no bytes with a flexible array",
        subjects=("tcc",),
        policies={"aligned_flexible": NAMED},
        status=Status.BUG,
        reason="the record has no class and no place, and so moves nothing",
        link="unreported",
        since=date(2026, 11, 26),
        example=ON_STACK,
        targets=("x86_64-sysv",),
    ),
    Quirk(
        name="gcc's callers align the stack of x86-64 for a record of no bytes with a flexible array",
        subjects=("gcc>=12",),
        policies={"aligned_flexible": frozenset(Argument)},
        status=Status.BUG,
        reason="the record has no class and no place, and so moves nothing",
        link="unreported",
        since=date(2026, 11, 26),
        example=ON_STACK
        + """
            void g(long a, ...);
            static void calls_g(void) { g(1, 2L, 3L, 4L, 5L, 6L, 7L, *(struct S *)0, *(int *)0); }
        """,
        targets=("x86_64-sysv",),
        sides=CALLER,
    ),
    Quirk(
        name="gcc's callees align the stack of x86-64 for a named record of no bytes with a flexible array",
        subjects=("gcc>=12",),
        policies={"aligned_flexible": NAMED, "unpadded_va_start": True},
        status=Status.BUG,
        reason="the record has no class and no place, and so moves nothing; va_start and va_arg know nothing of it",
        link="unreported",
        since=date(2026, 11, 26),
        example=ON_STACK,
        targets=("x86_64-sysv",),
        sides=CALLEE,
    ),
    Quirk(
        name="clang's va_arg aligns the stack for a record without a class",
        subjects=("clang<19",),
        policies={"aligned_nothing": UNNAMED},
        status=Status.BUG,
        reason="nothing is passed, so nothing may be passed over",
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
        name="clang's va_arg takes no word for a record of no bytes with a flexible array",
        subjects=("clang",),
        policies={"aligned_flexible": UNNAMED},
        status=Status.BUG,
        reason="it goes on where the record would be aligned; the texts ignore the record, for which clang's callers pass a word",
        link="unreported",
        since=date(2026, 11, 26),
        example="""
            #ifdef __SIZEOF_INT128__
            typedef __int128 W;
            #else
            typedef long long W;
            #endif
            struct U { W s[0]; W t[]; };
            void g(int a, ...);
            static void calls_g(void) { g(*(int *)0, *(struct U *)0, *(int *)0, *(int *)0); }
            void h(int a, ...);
            static void calls_h(void) { h(*(int *)0, *(int *)0, *(struct U *)0, *(int *)0); }
        """,
        targets=("riscv64-lp64", "riscv64-lp64[!e]*", "loongarch*", "aarch64-darwin"),
        sides=CALLEE,
    ),
    Quirk(
        name="clang's va_arg takes nothing but padding for a record of no bytes with a flexible array on x86-64",
        subjects=("clang",),
        policies={"aligned_flexible": UNNAMED},
        status=Status.BUG,
        reason="it goes on where the record would be aligned; clang's callers pass eight bytes for it, which it does not take",
        link="unreported",
        since=date(2026, 11, 28),
        example="""
            struct U { __int128 s[0]; __int128 t[]; };
            void k(long a, long b, long c, long d, long e, long f, ...);
            static void calls_k(void) { k(1, 2, 3, 4, 5, 6, 7L, *(struct U *)0, *(int *)0, *(int *)0); }
        """,
        targets=("x86_64-sysv",),
        sides=CALLEE,
    ),
    Quirk(
        name="clang's va_arg takes nothing for a record without a named member",
        subjects=("clang",),
        policies={"unplaced_empties": UNNAMED},
        status=Status.BUG,
        reason="callers pass the record, as the text has it of any with a size; va_arg takes it for an empty one",
        link="unreported",
        since=date(2026, 11, 25),
        example="""
            struct S { int : 7; };
            void f(int a, ...);
            static void calls_f(void) { f(*(int *)0, *(struct S *)0, *(int *)0); }
        """,
        targets=("loongarch*", "riscv*"),
        sides=CALLEE,
    ),
    Quirk(
        name="clang passes no record without a named member",
        subjects=("clang",),
        policies={"unplaced_empties": frozenset(Argument)},
        status=Status.BUG,
        reason="it has bytes",
        link="unreported",
        since=date(2026, 11, 21),
        example="struct S { int : 1; }; void f(struct S a, int b);",
        targets=("i386-sysv", "i386-windows-gnu"),
    ),
    Quirk(
        name="clang before 17 passes no record without a named member of RISC-V",
        subjects=("clang<17",),
        policies={"unplaced_empties": frozenset(Argument)},
        status=Status.AMBIGUOUS,
        reason="it has bytes, of which the text does not say whether they travel; later versions pass it, as gcc does",
        link="unreported",
        since=date(2026, 11, 28),
        example="struct S { int : 7; }; void f(struct S a, int b);",
        targets=("riscv*",),
    ),
    Quirk(
        name="gcc gives a record of no bytes on the stack of SPARC no place",
        subjects=("gcc",),
        policies={"nothing_on_stack": NAMED},
        status=Status.BUG,
        reason="a structure of up to eight bytes has a word of the parameter array; in registers gcc gives it one",
        link="https://github.com/llvm/llvm-project/issues/213561",
        since=date(2026, 11, 23),
        example="""
            struct S { }; void f(int a, int b, int c, int d, int e, int g, struct S h, int i);
            struct T { int a[0]; }; void g(int a, int b, int c, int d, int e, int g, struct T h, int i);
            union V { int : 0; }; void h(int a, int b, int c, int d, int e, int g, union V i, int j);
            struct W { int a; char b[11]; }; void k(long a, long b, long c, long d, struct S e, struct W g);
        """,
        targets=("sparc64",),
    ),
    Quirk(
        name="gcc's callers give an unnamed record of no bytes on the stack of SPARC no place",
        subjects=("gcc",),
        policies={"nothing_on_stack": UNNAMED},
        status=Status.BUG,
        reason="a structure of up to eight bytes has a word of the parameter array, which gcc's va_arg passes over",
        link="https://github.com/llvm/llvm-project/issues/213561",
        since=date(2026, 11, 23),
        example="""
            struct S { };
            void g(int a, int b, int c, int d, int e, ...);
            static void calls_g(void) { g(1, 2, 3, 4, 5, 6, *(struct S *)0, *(int *)0); }
            struct T { int a[0]; };
            void h(int a, int b, int c, int d, int e, ...);
            static void calls_h(void) { h(1, 2, 3, 4, 5, 6, *(struct T *)0, *(int *)0); }
            union V { int : 0; };
            void i(int a, int b, int c, int d, int e, ...);
            static void calls_i(void) { i(1, 2, 3, 4, 5, 6, *(union V *)0, *(int *)0); }
        """,
        targets=("sparc64",),
        sides=CALLER,
    ),
    Quirk(
        name="clang before 19 gives an unnamed record of no bytes of SPARC no word",
        subjects=("clang<19",),
        policies={"unassigned_nothing": UNNAMED},
        status=Status.BUG,
        reason="a structure of up to eight bytes has a word of the parameter array; one that is named crashes those versions",
        link="https://github.com/llvm/llvm-project/pull/90338",
        since=date(2026, 11, 28),
        example="""
            struct S { };
            void g(int a, ...);
            static void calls_g(void) { g(1, *(struct S *)0, *(int *)0); }
        """,
        targets=("sparc64",),
    ),
    Quirk(
        name="gcc's callers align an unnamed record of no bytes on 32-bit Arm",
        subjects=("gcc",),
        policies={"aligned_nothing": UNNAMED},
        status=Status.BUG,
        reason="the text knows no value without bytes, so either may be right; va_arg does not align for one",
        link="unreported",
        since=date(2026, 11, 23),
        example="""
            struct S { double a[0]; };
            void f(int a, ...);
            static void calls_f(void) { f(*(int *)0, *(struct S *)0, *(int *)0); }
        """,
        targets=("arm-aapcs*",),
        sides=CALLER,
    ),
    Quirk(
        name="clang's va_arg before 16 passes over a record without a named member of AArch64",
        subjects=("clang<16",),
        policies={"placed_empties": UNNAMED},
        status=Status.BUG,
        reason="its callers do not pass it, of which the text says nothing",
        link="unreported",
        since=date(2026, 11, 28),
        example="""
            struct S { int : 7; };
            void f(int a, ...);
            static void calls_f(void) { f(*(int *)0, *(struct S *)0, *(int *)0); }
        """,
        targets=("aarch64*-aapcs64",),
        sides=CALLEE,
    ),
    Quirk(
        name="clang's va_arg on WebAssembly passes over a record of unnamed bit-fields, and its callers leave it out",
        subjects=("clang",),
        policies={"placed_empties": UNNAMED},
        status=Status.BUG,
        reason="what follows is found as many bytes too far as the record has",
        link="unreported",
        since=date(2026, 11, 26),
        example="""
            struct S { int : 12; };
            void f(int a, ...);
            static void calls_f(void) { f(*(int *)0, *(struct S *)0, *(int *)0); }
        """,
        targets=("wasm32",),
        sides=CALLEE,
    ),
)
