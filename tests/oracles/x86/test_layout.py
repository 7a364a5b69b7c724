"""Layouts by the text of the AMD64 psABI, 3.1.2. The notation is that of `tests/oracles/conftest.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

VECTORS = """
typedef float v2 __attribute__((vector_size(8)));
typedef float v4 __attribute__((vector_size(16)));
"""

LAYOUTS = [
    ("struct s {char a; short b; int c; long d;}", "16/8 a@0 b@2 c@4 d@8", "x86_64:type.record"),
    ("struct s {_Bool a; void *b;}", "16/8 a@0 b@8", "x86_64:type.record"),
    ("struct s {char a; float b; double c;}", "16/8 a@0 b@4 c@8", "x86_64:type.record"),
    ("struct s {char a; _Float16 b; enum {A} c;}", "8/4 a@0 b@2 c@4", "x86_64:type.record"),
    ("struct s {char a; enum {A = 4294967296} b;}", "16/8 a@0 b@8", "x86_64:type.record"),
    ("struct s {char a; long double b;}", "32/16 a@0 b@16", "x86_64:type.record"),
    ("struct s {char a; __float128 b;}", "32/16 a@0 b@16", "x86_64:type.record"),
    ("struct s {char a; __int128 b; char c;}", "48/16 a@0 b@16 c@32", "x86_64:type.record"),
    ("struct s {char a; float _Complex b;}", "12/4 a@0 b@4", "x86_64:type.record"),
    ("struct s {char a; long double _Complex b;}", "48/16 a@0 b@16", "x86_64:type.record"),
    ("struct s {char a; v2 b; v4 c;}", "32/16 a@0 b@8 c@16", "x86_64:type.vector"),
    ("struct s {char a; _BitInt(17) b;}", "8/4 a@0 b@4", "x86_64:type.record"),
    ("struct s {char a; _BitInt(33) b;}", "16/8 a@0 b@8", "x86_64:type.record"),
    ("struct s {char a; _BitInt(65) b;}", "24/8 a@0 b@8", "x86_64:type.record"),
    ("struct s {char a; _BitInt(129) b;}", "32/8 a@0 b@8", "x86_64:type.record"),
    (
        "struct s {struct {char a; int b;} c[2];}",
        "16/4 c[0].a@0 c[0].b@4 c[1].a@8 c[1].b@12",
        "x86_64:type.record",
    ),
    ("struct s {char a; union {short b; int c;};}", "8/4 a@0 b@4 c@4", "x86_64:type.union"),
    ("union s {char a[3]; short b;}", "4/2 a[0]@0 a[1]@1 a[2]@2 b@0", "x86_64:type.union"),
    ("struct s {int x : 10; int y : 12;}", "4/4 x@0:10 y@10:12", "x86_64:bits.storage-unit"),
    ("struct s {short x : 10; short y : 12;}", "4/2 x@0:10 y@16:12", "x86_64:bits.storage-unit"),
    ("struct s {char a; int b : 24;}", "4/4 a@0 b@8:24", "x86_64:bits.storage-unit"),
    ("struct s {char a; int b : 25;}", "8/4 a@0 b@32:25", "x86_64:bits.storage-unit"),
    ("struct s {int a : 3; char b;}", "4/4 a@0:3 b@1", "x86_64:type.record"),
    ("struct s {long a : 40; int b : 25;}", "16/8 a@0:40 b@64:25", "x86_64:bits.storage-unit"),
    ("struct s {_Bool a : 1, b : 1; int c : 30;}", "4/4 a@0:1 b@1:1 c@2:30", "x86_64:bits.storage-unit"),
    ("struct s {char a; int : 5; char b;}", "3/1 a@0 b@2", "x86_64:type.record"),
    ("struct s {char a; long : 40; char b;}", "7/1 a@0 b@6", "x86_64:type.record"),
    ("struct s {char a : 3; short : 0; char b : 3;}", "3/1 a@0:3 b@16:3", "x86_64:bits.storage-unit"),
    ("struct s {}", "0/1", "gnu:empty-record"),
    ("struct s {int a[0]; char b;}", "4/4 a@0 b@0", "x86_64:type.record"),
    ("struct s {char a; double b[];}", "8/8 a@0 b@8", "x86_64:type.record"),
    ("struct s {char a; int b __attribute__((aligned(16)));}", "32/16 a@0 b@16", "gnu:aligned"),
    ("struct __attribute__((packed)) s {char a; int b; short c;}", "7/1 a@0 b@1 c@5", "gnu:packed"),
    ("struct __attribute__((packed, aligned(4))) s {char a; int b;}", "8/4 a@0 b@1", "gnu:packed"),
    ("struct s {char a; int b __attribute__((packed)); int c;}", "12/4 a@0 b@1 c@8", "x86_64:type.record"),
    ("#pragma pack(2)\nstruct s {char a; double b;}", "10/2 a@0 b@2", "gnu:pragma-pack"),
]


@pytest.mark.parametrize(("source", "line", "clause"), LAYOUTS, ids=[row[0] for row in LAYOUTS])
def test_a_layout(sysv_layout: Callable[[str], Any], source: str, line: str, clause: str) -> None:
    answer = sysv_layout(f"{VECTORS}{source};")
    assert answer.line == line
    assert clause in answer.clauses
