"""Quirks about alignments: of values on the stack, and of the memory that is passed by its address."""

from __future__ import annotations

from datetime import date

from abiprobe.oracles.engine.policies import ValueKind
from abiprobe.oracles.quirks.quirk import CALLER, Quirk, Status

SCALARS, RECORDS = frozenset({ValueKind.SCALAR}), frozenset({ValueKind.RECORD})
EIGHT_WORDS = "long a, long b, long c, long d, long e, long g, long h, long i, long j"

QUIRKS = (
    Quirk(
        name="nobody aligns a scalar as its typedef asks",
        subjects=("clang", "gcc"),
        policies={"unaligned_names": SCALARS},
        status=Status.AMBIGUOUS,
        reason="compilers pass the type without what a typedef name makes of its alignment, be it higher or lower",
        link="unreported",
        since=date(2026, 11, 21),
        example=f"""
            typedef long T __attribute__((aligned(16)));
            void f({EIGHT_WORDS}, T k);
        """,
        targets=(
            "x86_64-sysv",
            "riscv64-lp64",
            "riscv64-lp64[!e]*",
            "riscv32-ilp32",
            "riscv32-ilp32[!e]*",
            "loongarch*",
        ),
    ),
    Quirk(
        name="clang aligns no record as its typedef asks",
        subjects=("clang",),
        policies={"unaligned_names": RECORDS},
        status=Status.BUG,
        reason="an argument is aligned as its type; gcc follows that of records",
        link="unreported",
        since=date(2026, 11, 21),
        example=f"""
            struct S {{ long a; }};
            typedef struct S T __attribute__((aligned(32)));
            void f({EIGHT_WORDS}, T k);
        """,
        targets=(
            "x86_64-sysv",
            "riscv64-lp64",
            "riscv64-lp64[!e]*",
            "riscv32-ilp32",
            "riscv32-ilp32[!e]*",
            "loongarch*",
        ),
    ),
    Quirk(
        name="gcc aligns no record of x86-64 as its typedef asks",
        subjects=("gcc",),
        policies={"unaligned_names": RECORDS},
        status=Status.AMBIGUOUS,
        reason="it passes the type without what a typedef name makes of its alignment",
        link="unreported",
        since=date(2026, 11, 21),
        example=f"""
            struct S {{ long a; }};
            typedef struct S T __attribute__((aligned(32)));
            void f({EIGHT_WORDS}, T k);
        """,
        targets=("x86_64-sysv",),
    ),
    Quirk(
        name="clang aligns the memory of an argument by reference as its type",
        subjects=("clang",),
        policies={"natural_copies": True},
        status=Status.BUG,
        reason="the text aligns memory that is passed by reference to 16 bytes",
        link="unreported",
        since=date(2026, 11, 21),
        example="struct S { int a, b, c; }; void f(struct S a, struct S b);",
        targets=("x86_64-ms", "x86_64-windows-*"),
        sides=CALLER,
    ),
    Quirk(
        name="clang does not align the copy of an argument as its typedef asks",
        subjects=("clang",),
        policies={"unaligned_names": RECORDS},
        status=Status.BUG,
        reason="it follows attributes of the record itself",
        link="unreported",
        since=date(2026, 11, 21),
        example="struct S { long a; int b; }; typedef struct S T __attribute__((aligned(32))); void f(T a);",
        targets=("x86_64-ms",),
        sides=CALLER,
    ),
    Quirk(
        name="gcc aligns no memory of what travels by reference to more than 16 bytes",
        subjects=("gcc",),
        policies={"most_aligned_copy": 16},
        status=Status.BUG,
        reason="a temporary on the stack has the alignment of the stack at most, which is less than the type asks for",
        link="unreported",
        since=date(2026, 11, 21),
        example="struct S { _Alignas(256) int a; }; struct T { long a, b; }; void f(struct T a, struct S b);",
        targets=("x86_64-ms", "aarch64*-aapcs64", "sparc64"),
        sides=CALLER,
    ),
)
