"""Structs and unions: which are listed, their members and their attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from abiprobe.harness.input import read
from abiprobe.oracles.language.lang import Kind, Member, Record, Scalar

if TYPE_CHECKING:
    from pathlib import Path

INT = Scalar(Kind.INT)
CHAR = Scalar(Kind.CHAR)


def records(text: str, triple: str = "x86_64-linux-gnu", **options: list[str]) -> tuple[Record, ...]:
    return read(text, filename="t.c", triple=triple, **options).records


MEMBERS = [
    ("int a : 3", Member(INT, "a", width=3)),
    ("int : 5", Member(INT, width=5)),
    ("int : 0", Member(INT, width=0)),
    ("int a : 3 __attribute__((packed))", Member(INT, "a", width=3, packed=True)),
    ("int a __attribute__((packed))", Member(INT, "a", packed=True)),
    ("int a __attribute__((aligned(2), packed))", Member(INT, "a", packed=True, align=2)),
    ("__attribute__((__aligned__(0x20))) int a", Member(INT, "a", align=32)),
    ("int a __attribute__((aligned))", Member(INT, "a", align=16)),
    ("int a __attribute__((aligned(sizeof(long) * 2)))", Member(INT, "a", align=16)),
    ("int a __attribute__((aligned((4) * (8))))", Member(INT, "a", align=32)),
    ("int a __attribute__((aligned(8), aligned(32)))", Member(INT, "a", align=32)),
    ("int a [[gnu::aligned(8)]]", Member(INT, "a", align=8)),
    ("_Alignas(16) int a", Member(INT, "a", alignas=16)),
    ("_Alignas(double) char a", Member(CHAR, "a", alignas=8)),
    ("alignas(32) int a", Member(INT, "a", alignas=32)),
    ("_Alignas(0) int a", Member(INT, "a")),
    ("_Alignas(8) int a __attribute__((aligned(16)))", Member(INT, "a", align=16, alignas=8)),
    ("MACRO(4) int a", Member(INT, "a", align=8)),
    ("TWICE(int a)", Member(INT, "a", packed=True)),
    ("union { int x; char y; }", Member(Record("", (Member(INT, "x"), Member(CHAR, "y")), union=True))),
]


@pytest.mark.parametrize("triple", ["x86_64-linux-gnu", "riscv64-linux-gnu"])
@pytest.mark.parametrize(("text", "expected"), MEMBERS, ids=[text for text, _ in MEMBERS])
def test_member(text: str, expected: Member, triple: str) -> None:
    macros = "#define MACRO(n) __attribute__((aligned(n * 2)))\n#define TWICE(d) d __attribute__((packed))\n"
    assert records(f"{macros}struct S {{ {text}; }};", triple)[0].members == (expected,)


RECORDS = [
    ("struct __attribute__((packed)) S { int a; };", {"packed": True}),
    ("struct S { int a; } __attribute__((packed, aligned(4)));", {"packed": True, "align": 4}),
    ("struct __attribute__((aligned)) S { int a; };", {"align": 16}),
    ("struct S { int a; } __attribute__((aligned(sizeof(struct S *))));", {"align": 8}),
    ("typedef struct { int a; } __attribute__((aligned(64))) S;", {"align": 64}),
    ("union S { int a; };", {"union": True}),
    ("struct [[gnu::packed]] S { int a; };", {"packed": True}),
    ("struct S { int a; } variable, *pointer;", {}),
    ("struct S { int a; } f(void);", {}),
    ("#define DEFINE(n) struct n { int a; }\nDEFINE(S);", {}),
]


@pytest.mark.parametrize(("text", "expected"), RECORDS, ids=[text for text, _ in RECORDS])
def test_record(text: str, expected: dict[str, object]) -> None:
    assert records(text) == (Record("S", (Member(INT, "a"),), **expected),)


PACKS = [
    ("#pragma pack(1)\nstruct A { int a; }; struct B { int a; };", [1, 1]),
    ("#pragma pack(push, 2)\nstruct A { int a; };\n#pragma pack(pop)\nstruct B { int a; };", [2, None]),
    ("#pragma pack(4)\nstruct A { int a; };\n#pragma pack()\nstruct B { int a; };", [4, None]),
    (
        "#pragma pack(push)\n#pragma pack(8)\nstruct A { int a; };\n#pragma pack(pop)\nstruct B { int a; };",
        [8, None],
    ),
    ("struct A { int a;\n#pragma pack(2)\n};\n#pragma pack()\nstruct B { int a; };", [2, None]),
    ('_Pragma("pack(1)") struct A { int a; }; _Pragma("pack(16)") struct B { int a; };', [1, 16]),
    (
        "#pragma pack(push, name, 1)\n#pragma pack(4)\nstruct A { int a };\n#pragma pack(pop, name)\nstruct B {};",
        [4, None],
    ),
    (
        '#define PACK(d) _Pragma("pack(push,1)") d _Pragma("pack(pop)")\nPACK(struct A { int a; });struct B {};',
        [1, None],
    ),
    ("#pragma once\nstruct __attribute__((packed)) A { int a; }; struct B {};", [None, None]),
]


@pytest.mark.parametrize(("text", "expected"), PACKS, ids=range(len(PACKS)))
def test_pack_is_the_value_at_the_closing_brace(text: str, expected: list[int | None]) -> None:
    assert [record.pack for record in records(text)] == expected


@pytest.mark.parametrize("processor", ["x86_64", "aarch64"])
def test_a_flexible_array_stays_the_last_member_in_microsofts_c(processor: str) -> None:
    text = "#pragma pack(push, 2)\nstruct A { long a; long b[]; };\n#pragma pack(pop)\nstruct B { long a; long b[]; };"
    assert [record.pack for record in records(text, f"{processor}-pc-windows-msvc")] == [2, None]


def test_pack_from_an_option_and_from_a_header(tmp_path: Path) -> None:
    assert records("struct A { int a; };", options=["-fpack-struct=2"])[0].pack == 2
    (tmp_path / "push.h").write_text("#pragma pack(push, 2)\nstruct H { long a; };\n")
    found = read(
        '#include "push.h"\nstruct A { struct H h; };',
        filename=str(tmp_path / "a.c"),
        triple="riscv64-linux-gnu",
    )
    assert [(record.tag, record.pack) for record in found.records] == [("A", 2)]
    inner = found.records[0].members[0].type
    assert isinstance(inner, Record)
    assert inner.pack == 2


def test_only_records_with_a_name_are_listed_inner_ones_first() -> None:
    found = records(
        "struct A { struct { int a; } b; struct B { int c; } d; } ; struct { int e; } v; struct C;"
    )
    assert [record.tag for record in found] == ["B", "A"]


def test_untagged_records_get_tags_that_the_file_does_not_use() -> None:
    found = records("struct S_1 { int a; }; struct S { struct { int a; } b[2]; struct { char c; } d; };")
    types = [member.type for member in found[1].members]
    tags = [getattr(item, "tag", None) or item.element.tag for item in types]
    assert len({*tags, "S_1", ""}) == 4


def test_headers_of_the_language_need_no_installation() -> None:
    text = "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <stdalign.h>\n"
    text += "struct S { bool a; size_t b; uint_least16_t c; alignas(8) intptr_t d; max_align_t *e; };"
    kinds = [getattr(member.type, "kind", None) for member in records(text, options=["-nostdinc"])[0].members]
    assert kinds == [Kind.BOOL, Kind.ULONG, Kind.USHORT, Kind.LONG, None]
