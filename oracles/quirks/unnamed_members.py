"""Quirks of records whose bits are all unnamed."""

from __future__ import annotations

from datetime import date

from abiprobe.oracles.quirks.quirk import Quirk, Status

QUIRKS = (
    Quirk(
        name="clang passes no record without a named member on i386",
        subjects=("clang",),
        policies={"skips_unnamed_members": True},
        status=Status.BUG,
        reason="it has bytes, and arguments on the stack are padded to fourbytes",
        link="unreported",
        since=date(2026, 11, 22),
        example="struct S { int : 7; }; void f(struct S a, int b);",
        targets=("i386-sysv",),
    ),
)
