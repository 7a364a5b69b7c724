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
    Quirk(
        name="gcc ignores packed on a vector of characters",
        subjects=("gcc",),
        policies={"packs_no_characters": True},
        status=Status.BUG,
        reason="it says that the attribute is ignored for a field of the element's type",
        link="unreported",
        since=date(2026, 11, 22),
        example="""
struct S { char c; char __attribute__((vector_size(8))) b __attribute__((packed)); };
struct X { char __attribute__((vector_size(8))) a __attribute__((packed)); int b : 8; };
""",
    ),
    Quirk(
        name="clang gives an attribute behind the star to the member",
        subjects=("clang",),
        policies={"attributes_on_member": True},
        status=Status.BUG,
        reason="the GCC manual gives it to the pointer type, where packed supersedes it",
        link="unreported",
        since=date(2026, 11, 21),
        example="struct S { void *__attribute__((aligned(32))) a; } __attribute__((packed));",
    ),
    Quirk(
        name="clang tells the alignment of the place that a member happens to have",
        subjects=("clang",),
        policies={"alignment_of_place": True},
        status=Status.AMBIGUOUS,
        reason="the manual takes type and attributes for the alignment of a member; clang takes the place in an aligned record, too",
        link="unreported",
        since=date(2026, 11, 24),
        example="""
#pragma pack(push, 2)
struct S { double a; } __attribute__((aligned(16)));
#pragma pack(pop)
""",
    ),
    Quirk(
        name="nobody aligns a vector of RISC-V as its element",
        subjects=("clang", "gcc"),
        policies={"vectors_as_long": True},
        status=Status.AMBIGUOUS,
        reason="the sentence is newer than the compilers, which align a vector to its size",
        link="unreported",
        since=date(2026, 11, 22),
        example="struct S { char a; int b __attribute__((vector_size(16))); };",
        targets=("riscv*",),
    ),
    Quirk(
        name="clang has no rule of Arm for unnamed bit-fields of Apple's records",
        subjects=("clang",),
        policies={"ignores_unnamed": True},
        status=Status.DOCUMENTED,
        reason="Apple's page is silent on bit-fields and refers to AAPCS64, in which they count; clang has its rule of other Apple targets",
        link="unreported",
        since=date(2026, 11, 22),
        example="struct S { int : 0; }; struct T { int : 1; };",
        targets=("aarch64-darwin",),
    ),
)
