"""Quirks of vectors in calls."""

from __future__ import annotations

from datetime import date

from abiprobe.oracles.language.lang import Kind
from abiprobe.oracles.quirks.quirk import CALLER, Quirk, Status

QUIRKS = (
    Quirk(
        name="clang and gcc pass a vector of 32 bytes by reference on the stack of LoongArch",
        subjects=("clang", "gcc"),
        policies={"vectors_by_reference_on_stack": True},
        status=Status.BUG,
        reason="the text has the vector itself on the stack where no register is left for its address; compilers have the address there",
        link="unreported",
        since=date(2026, 11, 25),
        example="void f(long a, long b, long c, long d, long e, long g, long h, long i, int __attribute__((vector_size(32))) j);",
        targets=("loongarch64-*", "loongarch32-*"),
    ),
    Quirk(
        name="clang has no MMX registers for __m64",
        subjects=("clang",),
        policies={"no_mmx_registers": True},
        status=Status.BUG,
        reason="arguments are integers of two words (thiscall has the first in ecx), results in xmm0, or in eax and edx if the vector has one element",
        link="unreported",
        since=date(2026, 11, 21),
        example="""
            int __attribute__((vector_size(8))) f(void);
            void g(float __attribute__((vector_size(8))) a, int b, ...);
            void __attribute__((thiscall)) h(int __attribute__((vector_size(8))) a, int b);
        """,
        targets=("i386-sysv", "i386-windows-*"),
    ),
    Quirk(
        name="clang puts an unnamed __m64 of reals where a vector of 16 bytes would be",
        subjects=("clang",),
        policies={"widens_unnamed_m64": frozenset({Kind.FLOAT})},
        status=Status.BUG,
        reason="arguments on the stack are padded to fourbytes; its own va_arg takes it from the next",
        link="unreported",
        since=date(2026, 11, 22),
        example="void f(int a, ...); static void calls(void) { f(1, *(float __attribute__((vector_size(8))) *)0); }",
        targets=("i386-sysv", "i386-windows-gnu"),
        sides=CALLER,
    ),
    Quirk(
        name="clang's callers take aligned arguments of i386 for removed in multiples of their alignment",
        subjects=("clang",),
        policies={"pops_aligned_areas": True},
        status=Status.BUG,
        reason="its callees remove the bytes that there are, so a caller goes on with another stack pointer than it has",
        link="unreported",
        since=date(2026, 11, 29),
        example="""
            typedef int V __attribute__((vector_size(16)));
            void __attribute__((stdcall)) f(V a, V b, V c, V d, int e);
            int __attribute__((stdcall)) g(int a, __float128 b, int c);
        """,
        targets=("i386-sysv",),
        sides=CALLER,
    ),
    Quirk(
        name="clang counts a vector as if it took an integer register",
        subjects=("clang>=19",),
        policies={"counts_vectors_as_integers": True},
        status=Status.BUG,
        reason="a vector in a vector register takes no integer register",
        link="unreported",
        since=date(2026, 11, 21),
        example="""
struct S { float i; unsigned short j; };
void f(__rvv_int32m1_t v, long a, long b, long c, long d, long e, long f, long g, struct S s);
""",
        targets=("riscv64-lp64d-vector",),
    ),
)
