"""Layouts as people read them."""

from __future__ import annotations

import re
from io import StringIO
from textwrap import dedent

import pytest
from hypothesis import given, settings
from rich.console import Console

from abiprobe.generators.types import records
from abiprobe.oracles.lang import Array, BitInt, Kind, Member, Pointer, Record, Scalar, Typedef, Vector
from abiprobe.oracles.place import Layout
from abiprobe.oracles.registry import find_model
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
        struct S {                /* offset  size */
            char               c; /*      0     1 */  riscv:type.record
            /* XXX 7 bytes hole, try to pack */
            void *             p; /*      8     8 */  riscv:type.record
            int                n[3]; /*     16    12 */  riscv:type.record

            /* size: 32, align: 8, members: 3 */  riscv:type.record
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
    assert layout(record, "x86_64-sysv") == "?"


def test_nested_records_are_opened_at_their_place_in_the_outermost() -> None:
    inner = Record("In", (Member(INT, "x"), Member(CHAR, "y")))
    loose = Record("", (Member(INT, "i"), Member(DOUBLE, "d")), union=True)
    record = Record("Out", (Member(CHAR, "c"), Member(Array(inner, 2), "in"), Member(loose)))
    assert layout(record) == "?"


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
    assert layout(record, width=72) == "?"


def test_a_type_that_the_target_lacks_is_one_paragraph() -> None:
    out = StringIO()
    cited = print_layout(Console(file=out, width=60), Lacking(), Record("S", ()))
    assert cited == ()
    assert out.getvalue() == "struct S is unsupported: __bf16 is not a type of this ABI.\n"
