"""Layouts as people read them."""

from __future__ import annotations

import re
from dataclasses import replace
from io import StringIO
from textwrap import dedent

import pytest
from hypothesis import assume, given, settings
from rich.console import Console

from abiprobe.generators.types import records
from abiprobe.oracles.abis.riscv.calls import calls
from abiprobe.oracles.abis.riscv.convention import LP64D
from abiprobe.oracles.abis.riscv.data import LP64
from abiprobe.oracles.engine.data_model import Sized
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import (
    Array,
    BitInt,
    Kind,
    Member,
    Pointer,
    Record,
    Scalar,
    Typedef,
    Vector,
)
from abiprobe.oracles.model import Model
from abiprobe.oracles.registry import find_model
from abiprobe.oracles.text.place import Layout
from abiprobe.results.report.layout_text import print_layout

CHAR, INT, DOUBLE = Scalar(Kind.CHAR), Scalar(Kind.INT), Scalar(Kind.DOUBLE)
TARGETS = ("riscv64-lp64d", "x86_64-sysv")


def layout(record: Record, target: str = "riscv64-lp64d", width: int = 80) -> str:
    out = StringIO()
    print_layout(Console(file=out, width=width), find_model(target), record)
    return out.getvalue()


def test_holes_and_padding() -> None:
    record = Record("S", (Member(CHAR, "c"), Member(Pointer(), "p"), Member(Array(INT, 3), "n")))
    assert layout(record) == dedent("""\
        struct S {                 /* offset  size */
            char             c;    /*      0     1 */  riscv:type.record
            /* XXX 7 bytes hole, try to pack */
            void *           p;    /*      8     8 */  riscv:type.record
            int              n[3]; /*     16    12 */  riscv:type.record

            /* size: 32, align: 8, members: 3 */       riscv:type.record
            /* sum members: 21, holes: 1, sum holes: 7, padding: 4 */
        };
    """)


def test_bit_fields_show_storage_unit_first_bit_and_width() -> None:
    record = Record(
        "B",
        (
            Member(INT, "a", width=3),
            Member(INT, width=5),
            Member(INT, width=0),
            Member(Scalar(Kind.LLONG), "b", width=40),
            Member(BitInt(37), "d"),
        ),
    )
    assert layout(record, "x86_64-sysv") == dedent("""\
        struct B {                 /* offset:bit    size */
            int              a:3;  /*      0: 0   3 bits  */  x86_64:bits.storage-unit
            int              :5;   /*      0: 3   5 bits  */  x86_64:bits.unnamed
            int              :0;   /*      4: 0   0 bits  */  x86_64:bits.zero-width
            /* XXX 7 bytes hole, try to pack */
            long long        b:40; /*      8: 0  40 bits  */  x86_64:bits.storage-unit
            /* XXX 3 bytes hole, try to pack */
            _BitInt(37)      d;    /*     16      8 bytes */  x86_64:type.bit-int

            /* size: 24, align: 8, members: 5 */              x86_64:bits.storage-unit
            /* sum members: 8, holes: 2, sum holes: 10, padding: 0 */
            /* sum bit-fields: 48 bits, bit holes: 0, sum bit holes: 0 bits */
        };
    """)


def test_nested_records_are_opened_at_their_place_in_the_outermost() -> None:
    inner = Record("In", (Member(INT, "x"), Member(CHAR, "y")))
    loose = Record("", (Member(INT, "i"), Member(DOUBLE, "d")), union=True)
    record = Record("Out", (Member(CHAR, "c"), Member(Array(inner, 2), "in"), Member(loose)))
    assert layout(record) == dedent("""\
        struct Out {            /* offset  size */
            char             c; /*      0     1 */  riscv:type.record
            /* XXX 3 bytes hole, try to pack */
            struct In {
                int          x; /*      4     4 */  riscv:type.record
                char         y; /*      8     1 */  riscv:type.record
                /* XXX 3 bytes of padding */
            } in[2];            /*      4    16 */  riscv:type.record
            /* XXX 4 bytes hole, try to pack */
            union {
                int          i; /*     24     4 */  riscv:type.union
                double       d; /*     24     8 */  riscv:type.union
            };                  /*     24     8 */  riscv:type.record

            /* size: 32, align: 8, members: 3 */    riscv:type.union
            /* sum members: 25, holes: 2, sum holes: 7, padding: 0 */
        };
    """)


def test_attributes_and_typedefs_are_shown_as_declared() -> None:
    odd = Typedef("odd", INT, align=2)
    record = Record(
        "P",
        (
            Member(odd, "o", packed=True),
            Member(CHAR, "k", alignas=16),
            Member(Vector(Kind.FLOAT, 16), "a_vector_of_four"),
            Member(Pointer("int", function=True), "call"),
        ),
        align=4,
        pack=2,
    )
    assert layout(record, width=72) == dedent("""\
        typedef int odd __attribute__((aligned(2)));
        struct P {                           /* offset  size */
            odd              o __attribute__((packed));
                                             /*      0     4 */  gnu:packed
            _Alignas(16) char k;             /*      4     1 */  gnu:pragma-pack
            /* XXX 1 byte hole, try to pack */
            float __attribute__((vector_size(16))) a_vector_of_four;
                                             /*      6    16 */  gnu:pragma-pack
            int              (*call)(void);  /*     22     8 */  gnu:pragma-pack

            /* size: 32, align: 4, members: 4 */                 gnu:aligned
            /* sum members: 29, holes: 1, sum holes: 1, padding: 2 */
        } __attribute__((aligned(4))); /* #pragma pack(2) */
    """)


def test_a_type_that_the_target_lacks_is_one_paragraph() -> None:
    whole = find_model("riscv64-lp64d")
    kinds: dict[Kind, Sized] = {kind: sized for kind, sized in LP64.kinds.items() if kind is not Kind.BF16}
    lacking = Model(TypeTable(replace(LP64, kinds=kinds), whole.types.text), calls(LP64D))
    out = StringIO()
    record = Record("S", (Member(Scalar(Kind.BF16), "b"),))
    assert print_layout(Console(file=out, width=80), lacking, record) == ()
    assert out.getvalue() == "struct S is unsupported: __bf16 is not a type of this ABI.\n"


@pytest.mark.parametrize("target", TARGETS)
@given(record=records(max_members=8))
@settings(max_examples=40, deadline=None)
def test_members_and_holes_add_up_to_the_size(target: str, record: Record) -> None:
    text = layout(record, target)
    answer = find_model(target).layout(record)
    assume(isinstance(answer, Layout))
    assert isinstance(answer, Layout)
    assert f"size: {answer.size}, align: {answer.align}, members: {len(record.members)} */" in text
    if not record.union:
        sums = text.rsplit("/* size:", 1)[1]
        whole = sum(map(int, re.findall(r"(?:sum members|sum holes|padding): (\d+)[ ,](?! ?bits)", sums)))
        bits = sum(map(int, re.findall(r"(?:sum bit-fields|sum bit holes|bit padding): (\d+) bits", sums)))
        assert whole * 8 + bits == answer.size * 8


@pytest.mark.parametrize("target", TARGETS)
@given(record=records(max_members=8))
@settings(max_examples=40, deadline=None)
def test_every_scalar_member_shows_its_offset_and_clause(target: str, record: Record) -> None:
    text = layout(record, target, width=120)
    assert all(line == line.rstrip() for line in text.splitlines())
    assert text.isascii()
    answer = find_model(target).layout(record)
    assume(isinstance(answer, Layout))
    assert isinstance(answer, Layout)
    for place in answer.members:
        if place.bit_field or "[" in place.path:
            continue
        lines = [line for line in text.splitlines() if re.search(rf" {place.bit_offset // 8} ", line)]
        assert any(place.clause in line for line in lines)
