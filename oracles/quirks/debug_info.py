"""Quirks of debug information: layouts that DWARF tells otherwise than code has them."""

from __future__ import annotations

from datetime import date

from abiprobe.oracles.quirks.layouts import EVERYWHERE
from abiprobe.oracles.quirks.quirk import Quirk, Status

QUIRKS = (
    Quirk(
        name="clang's DWARF has a bit-field as wide as its type at the byte in which it begins",
        subjects=("clang<16",),
        policies={"dwarf_whole_bit_fields": True},
        status=Status.BUG,
        reason="it describes the field as if it were none, and so without its first bit; right since clang 16",
        link="unreported",
        since=date(2026, 11, 21),
        example="""
            #pragma pack(push, 1)
            struct S { int a : 20; char b : 8; };
            #pragma pack(pop)
            struct T { int a : 20; char b : 8; } __attribute__((packed));
        """,
        targets=tuple(one for one in EVERYWHERE if not one.endswith("windows-gnu")),
    ),
    Quirk(
        name="clang's DWARF has the alignment that an attribute asks for, not the one that the record has",
        subjects=("clang<15",),
        policies={"dwarf_tells_attribute": True},
        status=Status.BUG,
        reason="aligned does not lower a record's alignment, and the DWARF says that it did",
        link="unreported",
        since=date(2026, 11, 21),
        example="struct S { int a; } __attribute__((aligned(1))); struct U { int a : 1; } __attribute__((aligned(2), ms_struct));",
        targets=EVERYWHERE,
    ),
    Quirk(
        name="gcc's DWARF puts a bit-field of a lowered typedef in a union elsewhere",
        subjects=("gcc",),
        policies={"dwarf_containing_objects": True},
        status=Status.BUG,
        reason="the object and running code have it at bit 0, the DWARF as far behind as the unit of its type begins before the union",
        link="unreported",
        since=date(2026, 11, 21),
        example="""
            typedef int T __attribute__((aligned(1))); union U { T a : 1; };
            #pragma pack(push, 1)
            union V { T a : 15 __attribute__((aligned(4))); };
            #pragma pack(pop)
        """,
        targets=EVERYWHERE,
    ),
    Quirk(
        name="gcc's debug information has a byte for each bit of a predicate of SVE",
        subjects=("gcc",),
        policies={"dwarf_byte_predicates": True},
        status=Status.BUG,
        reason="DWARF tells an array of as many elements of one byte, without a stride in bits; where the predicate lies is right",
        link="unreported",
        since=date(2026, 11, 25),
        example="struct S { svbool_256_t a; int b; }; struct T { svbool_256_t a[2]; svint32_256_t b; };",
        targets=("aarch64_sve-aapcs64",),
    ),
)
