"""Quirks of reals and complex numbers in calls."""

from __future__ import annotations

from datetime import date

from abiprobe.oracles.quirks.quirk import Quirk, Status

QUIRKS = (
    Quirk(
        name="clang has no register of regparm for the address of a __float128 result",
        subjects=("clang",),
        policies={"float128_address_on_stack": True},
        status=Status.BUG,
        reason="the address of a result in memory is an implicit first argument, and clang takes the register of other addresses of results",
        link="unreported",
        since=date(2026, 11, 23),
        example="__float128 __attribute__((regparm(3))) f(int a);",
        targets=("i386-sysv",),
    ),
    Quirk(
        name="clang passes complex numbers of 32-bit PowerPC by reference",
        subjects=("clang",),
        policies={"complex_by_reference": True},
        status=Status.BUG,
        reason="the supplement has them in general registers where ATR-PASS-COMPLEX-IN-GPRS holds, which it does on Linux",
        link="https://github.com/llvm/llvm-project/issues/56023",
        since=date(2026, 11, 25),
        example="void f(float _Complex a); float _Complex k(int a);",
        targets=("powerpc-sysv",),
    ),
    Quirk(
        name="clang before 24 lets other reals than float and double use the registers of regparm",
        subjects=("clang<24",),
        policies={"other_reals_use_registers": True},
        status=Status.AMBIGUOUS,
        reason="the manual speaks of integers only; clang 24 and gcc have reals and complex numbers on the stack, and registers left",
        link="unreported",
        since=date(2026, 11, 23),
        example="""
            void __attribute__((regparm(1))) f(_Float16 a);
            void __attribute__((regparm(3))) g(float _Complex a, int b);
            void __attribute__((regparm(3))) h(long double a, int b);
            union U { float a; };
            void __attribute__((regparm(2))) j(union U a, int b);
        """,
        targets=("i386-sysv", "i386-windows-*"),
    ),
)
