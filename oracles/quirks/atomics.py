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
        name="gcc before 16 leaves an atomic type of 16 bytes where its base type is on s390x",
        subjects=("gcc<16",),
        policies={"largest_atomic": 8},
        status=Status.AMBIGUOUS,
        reason="no text decides; gcc 16 aligns it to 16 in records",
        link="unreported",
        since=date(2026, 11, 25),
        example="struct S { char a; _Atomic(__int128) b; };",
        targets=("s390x",),
    ),
)
