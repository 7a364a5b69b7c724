"""Quirks of vectors in calls."""

from __future__ import annotations

from datetime import date

from abiprobe.oracles.quirks.quirk import Quirk, Status

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
)
