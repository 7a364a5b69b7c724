"""Quirks of Microsoft's x64 convention."""

from __future__ import annotations

from datetime import date

from abiprobe.oracles.language.lang import Kind
from abiprobe.oracles.quirks.quirk import CALLEE, CALLER, Quirk, Status

EVERYWHERE = ("x86_64-ms", "x86_64-windows-*")

QUIRKS = (
    Quirk(
        name="gcc passes a __bf16 in general registers under ms_abi",
        subjects=("gcc>=13",),
        policies={"halves_in_general_registers": frozenset({Kind.BF16})},
        status=Status.BUG,
        reason="a floating-point argument is in xmm0; gcc 16 has put that right for _Float16, and not for __bf16",
        link="unreported",
        since=date(2026, 11, 21),
        example="__bf16 g(__bf16 a);",
        targets=EVERYWHERE,
    ),
    Quirk(
        name="gcc before 16 passes a _Float16 in general registers under ms_abi",
        subjects=("gcc>=12,<16",),
        policies={"halves_in_general_registers": frozenset({Kind.FLOAT16})},
        status=Status.BUG,
        reason="a floating-point argument is in xmm0; right since gcc 16",
        link="unreported",
        since=date(2026, 11, 21),
        example="_Float16 f(_Float16 a);",
        targets=EVERYWHERE,
    ),
    Quirk(
        name="clang passes an 8-byte vector as one of 16 under ms_abi",
        subjects=("clang",),
        policies={"widens_vectors": True},
        status=Status.AMBIGUOUS,
        reason="the text has __m64 as an integer of its size and names no other vector of 8 bytes; clang's __m64 has one element and is passed so",
        link="unreported",
        since=date(2026, 11, 21),
        example="int __attribute__((vector_size(8))) f(int __attribute__((vector_size(8))) a);",
        targets=EVERYWHERE,
    ),
    Quirk(
        name="gcc passes an 8-byte vector of one element by reference under ms_abi",
        subjects=("gcc",),
        policies={"widens_vectors_of_one": True},
        status=Status.AMBIGUOUS,
        reason="the text has __m64 as an integer of its size and names no other vector of 8 bytes; gcc's __m64 has two elements and is passed so",
        link="unreported",
        since=date(2026, 11, 21),
        example="""
            void f(double __attribute__((vector_size(8))) a);
            double __attribute__((vector_size(8))) g(double __attribute__((vector_size(8))) a);
        """,
        targets=EVERYWHERE,
    ),
    Quirk(
        name="clang passes a vector of __int128 in words under ms_abi",
        subjects=("clang",),
        policies={"int128_vectors_in_words": True},
        status=Status.BUG,
        reason="what is not of 1, 2, 4 or 8 bytes goes by reference, and __m128 comes back in xmm0, whatever its elements are",
        link="unreported",
        since=date(2026, 11, 26),
        example="typedef __int128 V __attribute__((vector_size(16))); void f(V a); V g(void);",
        targets=EVERYWHERE,
    ),
    Quirk(
        name="gcc's va_arg takes the address of an argument by reference for its value",
        subjects=("gcc",),
        policies={"takes_references_for_values": True},
        status=Status.BUG,
        reason="its callers pass the address, as the text says, so gcc does not read what it passed itself",
        link="unreported",
        since=date(2026, 11, 21),
        example="""
            void f(int a, ...); static void calls(void) { f(1, *(__int128 *)0); }
            struct S { char a[3]; }; void g(int a, ...); static void calls_g(void) { g(1, *(struct S *)0); }
            struct E { } __attribute__((aligned(16))); void h(int a, ...); static void calls_h(void) { h(1, *(struct E *)0, 2); }
        """,
        targets=("x86_64-ms",),
        sides=CALLEE,
    ),
    Quirk(
        name="clang's va_arg goes by the size of an argument alone under ms_abi",
        subjects=("clang",),
        policies={"va_arg_by_size": True},
        status=Status.BUG,
        reason="its callers pass some of 1, 2, 4 or 8 bytes by reference, as vectors and records with a flexible array",
        link="unreported",
        since=date(2026, 11, 28),
        example="void f(int a, ...); static void calls_f(void) { f(*(int *)0, *(char __attribute__((vector_size(2))) *)0); }",
        targets=EVERYWHERE,
        sides=CALLEE,
    ),
    Quirk(
        name="clang before 23 returns a __float128 in a register under ms_abi",
        subjects=("clang<23",),
        policies={"returns_float128_in_register": True},
        status=Status.AMBIGUOUS,
        reason="the text has __m128 in xmm0, and no other result of 16 bytes that is not a record; gcc and later ones have it in memory",
        link="unreported",
        since=date(2026, 11, 28),
        example="__float128 f(void);",
        targets=("x86_64-ms",),
    ),
    Quirk(
        name="clang before 21 passes a __float128 in a register under ms_abi",
        subjects=("clang<21",),
        policies={"float128_in_register": True},
        status=Status.BUG,
        reason="what is not of 1, 2, 4 or 8 bytes is passed by reference",
        link="unreported",
        since=date(2026, 11, 22),
        example="void f(__float128 a);",
        targets=("x86_64-ms",),
    ),
    Quirk(
        name="gcc passes no word on the stack for a record of unnamed bit-fields under ms_abi",
        subjects=("gcc",),
        policies={"skips_unnamed_members": True},
        status=Status.BUG,
        reason="it has 1, 2, 4 or 8 bytes, which are passed as an integer of the size; in a register it takes one",
        link="unreported",
        since=date(2026, 11, 26),
        example="struct S { int : 7; }; void f(long long a, long long b, long long c, long long d, struct S e, int g);",
        targets=EVERYWHERE,
    ),
    Quirk(
        name="gcc passes a named real of a variadic function in its vector register alone",
        subjects=("gcc",),
        policies={"named_reals_in_one_register": True},
        status=Status.BUG,
        reason="any floating-point value of a vararg function is duplicated in the general-purpose register, and not an unnamed one alone",
        link="unreported",
        since=date(2026, 11, 29),
        example="void f(double a, ...);",
        targets=EVERYWHERE,
        sides=CALLER,
    ),
    Quirk(
        name="gcc's va_arg takes a record without a named member from nowhere",
        subjects=("gcc",),
        policies={"va_arg_skips_unnamed_members": True},
        status=Status.BUG,
        reason="the record has bytes, and callers put it in a place of its own; what follows is taken from there",
        link="unreported",
        since=date(2026, 11, 23),
        example="struct S { int : 7; }; void f(int n, ...); static void calls_f(void) { f(*(int *)0, *(struct S *)0, *(int *)0); }",
        targets=EVERYWHERE,
        sides=CALLEE,
    ),
    Quirk(
        name="gcc returns a record without a named member nowhere",
        subjects=("gcc",),
        policies={"skips_unnamed_results": True},
        status=Status.BUG,
        reason="it has bytes, and of 3 there is a hidden pointer",
        link="unreported",
        since=date(2026, 11, 21),
        example="""
            struct S { int : 22; }; struct S f(int a);
            struct T { int z[0]; int f[]; }; struct T g(void);
        """,
        targets=("x86_64-ms",),
    ),
    Quirk(
        name="clang has a real on the stack itself by vectorcall",
        subjects=("clang",),
        policies={"stacked_reals_themselves": True},
        status=Status.AMBIGUOUS,
        reason="the page has vector types of later positions on the stack by reference, and calls float and double such types",
        link="unreported",
        since=date(2026, 11, 30),
        example="void __attribute__((vectorcall)) f(int a, int b, int c, int d, int e, int g, double h);",
        targets=("x86_64-windows-*",),
    ),
    Quirk(
        name="clang has no shadow of a homogeneous vector aggregate behind six arguments of vectorcall",
        subjects=("clang",),
        policies={"no_shadow_of_later_aggregates": True},
        status=Status.BUG,
        reason="the shadow space for one has 8 bytes wherever it is in the list; clang has that only where a fifth or sixth register belongs to the position",
        link="unreported",
        since=date(2026, 11, 30),
        example="""
            struct S { double a, b; };
            void __attribute__((vectorcall)) f(int a, int b, int c, int d, int e, int g, struct S h, int i);
        """,
        targets=("x86_64-windows-*",),
    ),
)
