"""Layouts by the text of the RISC-V ABIs Specification. The notation is that of `tests/oracles/conftest.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

VECTOR = "typedef float v4 __attribute__((vector_size(16)));"

LAYOUTS = [
    ("struct s {int x : 10; int y : 12;}", "4/4 x@0:10 y@10:12", "riscv:bits.packing"),
    ("struct s {short x : 10; short y : 12;}", "4/2 x@0:10 y@16:12", "riscv:bits.packing"),
    ("struct s {char a; int b : 10;}", "4/4 a@0 b@8:10", "riscv:bits.packing"),
    ("struct s {char a; int b : 24;}", "4/4 a@0 b@8:24", "riscv:bits.packing"),
    ("struct s {char a; int b : 25;}", "8/4 a@0 b@32:25", "riscv:bits.packing"),
    ("struct s {int a : 20; char b : 5;}", "4/4 a@0:20 b@24:5", "riscv:bits.packing"),
    ("struct s {long a : 40; int b : 20;}", "8/8 a@0:40 b@40:20", "riscv:bits.packing"),
    ("struct s {long a : 40; int b : 25;}", "16/8 a@0:40 b@64:25", "riscv:bits.packing"),
    ("struct s {_Bool a : 1, b : 1; int c : 30;}", "4/4 a@0:1 b@1:1 c@2:30", "riscv:bits.packing"),
    ("struct s {int a : 3; char b;}", "4/4 a@0:3 b@1", "riscv:type.record"),
    ("struct s {char a; int : 5; char b;}", "3/1 a@0 b@2", "riscv:type.record"),
    ("struct s {char a; long : 40; char b;}", "7/1 a@0 b@6", "riscv:type.record"),
    ("struct s {char a; int : 0; char b;}", "5/1 a@0 b@4", "riscv:type.record"),
    ("struct s {char a : 3; short : 0; char b : 3;}", "3/1 a@0:3 b@16:3", "riscv:bits.packing"),
    ("union s {int a : 3; char b;}", "4/4 a@0:3 b@0", "riscv:type.union"),
    (
        "union s {char a[5]; short b;}",
        "6/2 " + " ".join(f"a[{i}]@{i}" for i in range(5)) + " b@0",
        "riscv:type.union",
    ),
    ("struct s {char a; long double b;}", "32/16 a@0 b@16", "riscv:type.record"),
    ("struct s {char a; __int128 b;}", "32/16 a@0 b@16", "riscv:type.record"),
    ("struct s {char a; float _Complex b;}", "12/4 a@0 b@4", "riscv:type.record"),
    ("struct s {char a; long double _Complex b;}", "48/16 a@0 b@16", "riscv:type.record"),
    ("struct s {char a; _Float16 b; void *c;}", "16/8 a@0 b@2 c@8", "riscv:type.record"),
    ("struct s {char a; _BitInt(17) b;}", "8/4 a@0 b@4", "riscv:type.record"),
    ("struct s {char a; _BitInt(65) b;}", "32/16 a@0 b@16", "riscv:type.record"),
    ("struct s {char a; _BitInt(129) b;}", "48/16 a@0 b@16", "riscv:type.record"),
    ("struct s {char a; v4 b;}", "20/4 a@0 b@4", "riscv:type.vector"),
    ("struct s {}", "0/1", "gnu:empty-record"),
    ("struct s {int a[0]; char b;}", "4/4 a@0 b@0", "riscv:type.record"),
    ("struct s {char a; double b[];}", "8/8 a@0 b@8", "riscv:type.record"),
    (
        "struct s {struct {char a; int b;} c[2];}",
        "16/4 c[0].a@0 c[0].b@4 c[1].a@8 c[1].b@12",
        "riscv:type.record",
    ),
    ("struct s {char a; union {short b; int c;};}", "8/4 a@0 b@4 c@4", "riscv:type.union"),
    ("struct s {char a; _Alignas(16) int b;}", "32/16 a@0 b@16", "gnu:aligned"),
    ("struct __attribute__((packed)) s {char a; int b; short c;}", "7/1 a@0 b@1 c@5", "gnu:packed"),
    ("struct __attribute__((packed)) s {int a : 10; int b : 30;}", "5/1 a@0:10 b@10:30", "gnu:packed"),
    ("#pragma pack(2)\nstruct s {char a; double b;}", "10/2 a@0 b@2", "gnu:pragma-pack"),
]


@pytest.mark.parametrize(("source", "line", "clause"), LAYOUTS, ids=[row[0] for row in LAYOUTS])
def test_a_layout(lp64d_layout: Callable[[str], Any], source: str, line: str, clause: str) -> None:
    answer = lp64d_layout(f"{VECTOR}\n{source};")
    assert answer.line == line
    assert clause in answer.clauses
