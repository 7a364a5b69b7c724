"""Quirks about bit-fields without a name, of width zero or not."""

from __future__ import annotations

from datetime import date

from abiprobe.oracles.quirks.quirk import Quirk, Status

QUIRKS = (
    Quirk(
        name="clang before 24 gives a bit-field without a name no class",
        subjects=("clang<24",),
        policies={"skips_unnamed_bit_fields": True},
        status=Status.AMBIGUOUS,
        reason="the text says NO_CLASS of the one of width zero alone; clang 24 counts the others as gcc does",
        link="unreported",
        since=date(2026, 11, 28),
        example="struct S { int : 12; }; void f(struct S a, int b); struct T { long : 11; long b; }; void g(struct T a);",
        targets=("x86_64-sysv",),
    ),
)
