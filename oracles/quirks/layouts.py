"""Quirks about the layouts of types."""

from __future__ import annotations

from datetime import date

from abiprobe.oracles.quirks.quirk import Quirk, Status

QUIRKS = (
    Quirk(
        name="tcc has rules of its own for records",
        subjects=("tcc",),
        policies={"records": "tcc"},
        status=Status.BUG,
        reason="the last alignment written counts, be it the least; bit-fields without a name align and size unions",
        link="unreported",
        since=date(2026, 11, 21),
        example="struct S { int a __attribute__((aligned(1))); }; union U { short : 0; };",
        targets=("x86_64-sysv", "i386-sysv"),
    ),
    Quirk(
        name="pcc has rules of its own for records",
        subjects=("pcc",),
        policies={"records": "pcc"},
        status=Status.BUG,
        reason="it ignores most attributes; what is packed shares no unit of bit-fields, and those without a name size unions alone",
        link="unreported",
        since=date(2026, 11, 21),
        example="struct S { char a; int b __attribute__((packed)); }; union U { unsigned a : 28; long : 0; };",
        targets=("x86_64-sysv",),
    ),
    Quirk(
        name="tcc and pcc ignore packed on an enumeration",
        subjects=("tcc", "pcc"),
        policies={"packs_no_enum": True},
        status=Status.BUG,
        reason="they take `packed` behind an enumeration and ignore it",
        link="unreported",
        since=date(2026, 11, 21),
        example="enum E { v } __attribute__((packed)); struct S { enum E e; char b; };",
        targets=("x86_64-sysv", "i386-sysv"),
    ),
)
