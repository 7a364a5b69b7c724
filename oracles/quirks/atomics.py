"""Quirks about what is atomic. No psABI knows `_Atomic`; size and alignment of a type may differ, and nothing else."""

from __future__ import annotations

from datetime import date

from abiprobe.oracles.quirks.quirk import Quirk, Status

QUIRKS = (
    Quirk(
        name="clang does not look into what is atomic",
        subjects=("clang",),
        policies={"opaque_atomics": True},
        status=Status.BUG,
        reason="a member that is atomic has no class of its own, its record none that the text would give it, and the register of an atomic argument is not counted",
        link="https://github.com/llvm/llvm-project/issues/222104",
        since=date(2026, 11, 21),
        example="struct S { _Atomic(float) a; }; struct T { _Atomic(float) a, b; }; void f(struct S a, struct T b); void g(struct T a);",
        targets=(
            "x86_64-sysv",
            "riscv64-lp64[df]*",
            "riscv32-ilp32[df]*",
            "aarch64*",
            "loongarch*[df]",
            "arm-aapcs-vfp",
            "powerpc64*",
            "s390x",
        ),
    ),
    Quirk(
        name="clang does not extend an atomic integer of RISC-V and LoongArch",
        subjects=("clang",),
        policies={"unextended_atomics": True},
        status=Status.BUG,
        reason="to clang an atomic integer is none that is promoted, so nothing extends it",
        link="https://github.com/llvm/llvm-project/issues/222104",
        since=date(2026, 11, 22),
        example="void f(_Atomic(unsigned short) a);",
        targets=("riscv64*", "loongarch64-lp64d"),
    ),
    Quirk(
        name="clang does not extend an atomic integer of PowerPC, s390x and SPARC",
        subjects=("clang",),
        policies={"unextended_atomics": True},
        status=Status.BUG,
        reason="to clang an atomic integer is none that is promoted, so nothing extends it",
        link="https://github.com/llvm/llvm-project/issues/222104",
        since=date(2026, 11, 22),
        example="void f(_Atomic(int) a);",
        targets=("powerpc64*", "s390x", "sparc64"),
    ),
    Quirk(
        name="gcc before 14 aligns no atomic type of s390x to 16 bytes",
        subjects=("gcc<14",),
        policies={"most_aligned_atomic": 8},
        status=Status.AMBIGUOUS,
        reason="no text decides; gcc 14 aligns what has 16 bytes to 16. 13 was not asked",
        link="unreported",
        since=date(2026, 11, 25),
        example="struct S { char a; _Atomic(__int128) b; }; struct P { int a, b, c, d; }; struct T { char c; _Atomic(struct P) d; };",
        targets=("s390x",),
    ),
    Quirk(
        name="clang before 15 aligns no atomic type of PowerPC to 16 bytes",
        subjects=("clang<15",),
        policies={"largest_atomic": 8},
        status=Status.AMBIGUOUS,
        reason="no text decides; clang 15 aligns it to 16",
        link="unreported",
        since=date(2026, 11, 30),
        example="struct S { char a; _Atomic(double _Complex) b; };",
        targets=("powerpc64*",),
    ),
    Quirk(
        name="clang before 19 aligns no atomic type of s390x to 16 bytes",
        subjects=("clang<19",),
        policies={"largest_atomic": 8},
        status=Status.AMBIGUOUS,
        reason="no text decides; clang 19 aligns it to 16, 16 does not, 17 and 18 were not asked",
        link="unreported",
        since=date(2026, 11, 30),
        example="struct S { char a; _Atomic(double _Complex) b; };",
        targets=("s390x",),
    ),
    Quirk(
        name="clang passes the scalars of an atomic struct or complex number on 64-bit Windows one by one",
        subjects=("clang",),
        policies={"flattens_atomics": True},
        status=Status.BUG,
        reason="to clang it is neither a record nor a complex number; LLVM has an argument, and a register of a result, for each scalar in it",
        link="unreported",
        since=date(2026, 11, 30),
        example="""
            struct P { int a; int b; }; void f(_Atomic(struct P) a, int b); _Atomic(struct P) g(int a);
            struct Q { float a; int b; }; void h(long long a, _Atomic(struct Q) b, double c); _Atomic(struct Q) i(int a);
        """,
        targets=("x86_64-ms", "x86_64-windows-*"),
    ),
)
