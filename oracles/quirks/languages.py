"""Quirks of compilers of other languages than C, which have the conventions of C in code of their own."""

from __future__ import annotations

from datetime import date

from abiprobe.oracles.quirks.quirk import OPTIMISED, Quirk, Status

QUIRKS = (
    Quirk(
        name="rustc takes a pointer beside a real for an integer",
        subjects=("rustc",),
        policies={"pointers_are_integers": True},
        status=Status.BUG,
        reason="the text flattens reals and integers, and a pointer is neither",
        link="unreported",
        since=date(2026, 11, 25),
        example="struct S { double a; void *b; }; void f(struct S a);",
        targets=("riscv64-lp64d",),
    ),
    Quirk(
        name="zig passes a struct of a real and at most one other number as these numbers, and flattens no other",
        subjects=("zig-lang",),
        policies={"passes_members": True},
        status=Status.BUG,
        reason="the text flattens arrays and structs, too, counts the registers that are left, and passes what is unnamed or large otherwise",
        link="https://github.com/ziglang/zig/issues/21245",
        since=date(2026, 11, 25),
        example="""
            struct A { int a; float b[1]; };
            struct A f(void);
            struct S { int a; float b; };
            void g(int n, ...);
            static void calls_g(void) { g(*(int *)0, *(struct S *)0); }
            struct T { float a; __int128 b; };
            void h(struct T a);
            struct U { float a; short b; }; void i(struct U a);
            struct Y { struct { double a; } b; }; void j(struct Y a); struct Z { float a; double b; }; struct Z k(void);
        """,
        targets=("riscv64-lp64d",),
    ),
    Quirk(
        name="ldc2 before 1.31 has no calling convention for RISC-V",
        subjects=("ldc2<1.31",),
        policies={"records_by_reference": True},
        status=Status.BUG,
        reason="every record is passed by the address of a copy on the stack, and every result that is one is in memory",
        link="https://github.com/ldc-developers/ldc/pull/4007",
        since=date(2026, 11, 25),
        example="""
            struct F { float a; }; struct F f(void); struct L { long a; long b; }; void g(struct L a);
            union V { double _Complex a; }; void i(union V a);
        """,
        targets=("riscv64-lp64d",),
    ),
    Quirk(
        name="rustc passes a union of one kind of scalar by value on WebAssembly",
        subjects=("rustc",),
        policies={"unions_of_one_scalar": True},
        status=Status.BUG,
        reason="the union has several scalar values, and is passed by a pointer",
        link="https://github.com/rust-lang/rust/issues/121408",
        since=date(2026, 11, 29),
        example="union U { unsigned a; int b; }; unsigned f(union U a); union U g(void);",
        targets=("wasm32",),
    ),
    Quirk(
        name="ldc2 leaves out the last eightbyte of a struct on the stack if it is padding",
        subjects=("ldc2",),
        policies={"trimmed_on_stack": True},
        status=Status.BUG,
        reason="it passes what would be in registers, and the text has the whole argument, with its alignment",
        link="https://github.com/ldc-developers/ldc/issues/3557",
        since=date(2026, 11, 29),
        example="""
            struct __attribute__((aligned(16))) S { long a; };
            void f(int a, int b, int c, int d, int e, int g, struct S h, struct S i);
        """,
        targets=("x86_64-sysv",),
    ),
    Quirk(
        name="zig passes an unnamed argument of class MEMORY by reference",
        subjects=("zig-lang",),
        policies={"unnamed_memory_by_reference": True},
        status=Status.BUG,
        reason="at -O2 its address takes an integer register, or a place on the stack, and what follows is moved",
        link="unreported",
        since=date(2026, 11, 25),
        example="""
            struct S { long long a; short b[8]; };
            void f(int n, ...);
            static void calls_f(void) { f(*(int *)0, *(long double *)0, *(int *)0); }
            struct S g(float a, ...);
            static void calls_g(void) { g(*(float *)0, *(void **)0, *(int *)0, *(struct S *)0); }
        """,
        targets=("x86_64-sysv",),
        levels=OPTIMISED,
    ),
    Quirk(
        name="zig's own x86-64 backend leaves al undefined before a variadic call",
        subjects=("zig-lang>=0.15",),
        policies={"open_vector_count": True},
        status=Status.BUG,
        reason="at -O0 al holds anything, where the text asks for an upper bound of vector registers, 8 at most",
        link="unreported",
        since=date(2026, 11, 25),
        example="void f(int n, ...); static void calls_f(void) { f(*(int *)0, *(int *)0); }",
        targets=("x86_64-sysv",),
        levels=("O0",),
    ),
    Quirk(
        name="Hare passes homogeneous aggregates of more than 16 bytes by reference",
        subjects=("hare",),
        policies={"large_groups_by_reference": True},
        status=Status.BUG,
        reason="qbe asks for the size before it asks whether the aggregate is homogeneous",
        link="unreported",
        since=date(2026, 11, 25),
        example="""
            struct S { double a[3]; }; void f(struct S a); struct S g(void);
            struct C { double _Complex a; double _Complex b; }; void h(struct C a);
        """,
        targets=("aarch64-aapcs64",),
    ),
)
