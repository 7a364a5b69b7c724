"""The alignments of members and of their types, worked out from the psABIs and the GCC manual."""

from __future__ import annotations

import pytest

from abiprobe.harness.input import read
from abiprobe.oracles.engine.alignments import OF_MEMBER, member_alignments
from abiprobe.oracles.registry import TARGETS, find_model, find_target

X86, I386, AARCH64 = "x86_64-sysv", "i386-sysv", "aarch64-aapcs64"
TRIPLES = {X86: "x86_64-linux-gnu", I386: "i386-linux-gnu", AARCH64: "aarch64-linux-gnu"}
PACK = "#pragma pack(2)\n"

ALIGNMENTS = [
    # Of the type, and of the member; in each row all members in order.
    (X86, "struct s { char a; double b; long double c; };", "a 1 1, b 8 8, c 16 16"),
    (I386, "struct s { char a; double b; long double c; };", "a 1 1, b 4 4, c 4 4"),
    (X86, "struct s { int a __attribute__((packed)); int b __attribute__((aligned(16))); };", "a 4 1, b 4 16"),
    (X86, "struct s { int a; short b; } __attribute__((packed, aligned(8)));", "a 4 1, b 2 1"),
    (X86, f"{PACK}struct s {{ char a; long b; _Alignas(8) int c; }};", "a 1 1, b 8 2, c 4 2"),
    (X86, "typedef int t __attribute__((aligned(2))); struct s { t a; t b[3]; };", "a 2 2, b 2 2"),
    (X86, "struct s { short a[2][3]; long b[]; };", "a 2 2, b 8 8"),
    (X86, "struct s { int : 3; int a : 2; char b; };", "b 1 1"),
    (
        X86,
        "struct i { char a; int b; } __attribute__((packed)); struct s { struct i c[2]; struct { long d; }; };",
        "c 1 1, c[0].a 1 1, c[0].b 4 1, d 8 8",
    ),
    (X86, "struct i { long a; }; struct s { char b; struct i c[0]; };", "b 1 1, c 8 8"),
    (X86, "struct s { struct { int a; } b; };", "b 4 4, b.a 4 4"),
    (AARCH64, "struct s { long double a; _Atomic(long) b; __int128 c __attribute__((packed)); };", "a 16 16, b 8 8, c 16 1"),
    # To what the attribute of a pointer type is bound no text says, nor what ms_struct does to it.
    (X86, "struct s { void *__attribute__((packed)) a; long b; };", "a 8 -, b 8 8"),
    (I386, "struct s { double a; int b; } __attribute__((ms_struct));", "a 4 -, b 4 4"),
]  # fmt: skip


@pytest.mark.parametrize(("target", "text", "expected"), ALIGNMENTS)
def test_the_alignments_of_members(target: str, text: str, expected: str) -> None:
    record = read(text, filename="t.h", triple=TRIPLES[target]).records[-1]
    of_type: dict[str, int] = {}
    own: dict[str, int] = {}
    for one in member_alignments(find_model(target).types, record):
        (own if one.type is None else of_type)[one.path] = one.align
        sheet = find_target(target).sheet
        assert one.clause == OF_MEMBER if one.type is None else one.clause.startswith((sheet, "gnu:"))
    paths = dict.fromkeys((*of_type, *own))
    told = sorted(f"{path} {of_type.get(path, '-')} {own.get(path, '-')}" for path in paths)
    assert told == sorted(expected.split(", "))


def test_dialects_bind_the_attribute_of_a_pointer() -> None:
    text = "struct s { void *__attribute__((packed)) a; };"
    record = read(text, filename="t.h", triple=TRIPLES[X86]).records[-1]
    for dialect, align in (("gcc", 8), ("clang", 1)):
        (found,) = (
            one.align
            for one in member_alignments(TARGETS[X86].in_dialect(dialect).model().types, record)
            if one.type is None
        )
        assert found == align


def test_clang_takes_the_alignment_of_a_unit_of_24_bytes_for_a_power_of_two() -> None:
    text = "struct s { int a; _BitInt(191) b : 1; int c; _Alignas(16) int d; } __attribute__((ms_struct));"
    record = read(text, filename="t.h", triple=TRIPLES[X86]).records[-1]
    types = TARGETS[X86].in_dialect("clang").model().types
    found = {one.path: one.align for one in member_alignments(types, record) if one.type is None}
    assert found == {"a": 4, "c": 4, "d": 16}
