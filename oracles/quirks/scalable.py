"""Quirks of vectors that are as long as the machine's registers: RISC-V's V extension, and Arm's SVE."""

from __future__ import annotations

from datetime import date

from abiprobe.oracles.quirks.quirk import CALLEE, CALLER, Quirk, Status

QUIRKS = (
    Quirk(
        name="clang passes no address of an unnamed scalable vector",
        subjects=("clang>=19",),
        policies={"names_vectors": True},
        status=Status.BUG,
        reason="it is in vector registers as if it had a name",
        link="unreported",
        since=date(2026, 11, 21),
        example="static void calls(void); void f(int a, ...); static void calls(void) { f(1, *(__rvv_int32m1_t *)0); }",
        targets=("riscv64-lp64d-vector",),
        sides=CALLER,
    ),
    Quirk(
        name="clang's va_arg takes the address of a scalable vector for the vector",
        subjects=("clang>=19",),
        policies={"reads_vectors_themselves": True},
        status=Status.BUG,
        reason="it reads the vector where the address is, and goes on where it was, as a type without a size has none",
        link="unreported",
        since=date(2026, 11, 28),
        example="static void calls(void); void f(int a, ...); static void calls(void) { f(1, *(__rvv_int32m1_t *)0); }",
        targets=("riscv64-lp64d-vector",),
        sides=CALLEE,
    ),
    Quirk(
        name="clang does not mark a function of the vector variant that takes no vector",
        subjects=("clang>=19",),
        policies={"marks_no_scalars": True},
        status=Status.BUG,
        reason="it keeps v1 to v7 for its caller, which a lazy resolver of the dynamic linker does not; clang marks what has a vector to pass, gcc what has the convention",
        link="unreported",
        since=date(2026, 11, 25),
        example="""
            int f(int a);
            void g(int a, ...);
            static void calls_g(void) { g(1, *(__rvv_int32m1_t *)0); }
        """,
        targets=("riscv64-lp64d-vector",),
    ),
    Quirk(
        name="clang does not mark a function of the vector variant that takes tuples alone",
        subjects=("clang>=20",),
        policies={"marks_no_tuples": True},
        status=Status.BUG,
        reason="a tuple is a type of its own to its back end since 20, and none of the vectors that it looks for",
        link="unreported",
        since=date(2026, 11, 25),
        example="void f(__rvv_int32m1x3_t a);",
        targets=("riscv64-lp64d-vector",),
    ),
    Quirk(
        name="clang before 20 passes records of vectors and predicates of SVE as other records",
        subjects=("clang<20",),
        policies={"plain_scalable_records": True},
        status=Status.BUG,
        reason="they are taken for homogeneous aggregates of short vectors, or for any other composite",
        link="https://github.com/llvm/llvm-project/pull/112747",
        since=date(2026, 11, 25),
        example="""
            struct M { svint32_256_t a; svbool_256_t b; };
            void f(struct M m);
            struct M g(void);
        """,
        targets=("aarch64_sve-aapcs64",),
    ),
)
