"""The leaves of a type: everything that cannot be opened, where it lies."""

from __future__ import annotations

import pytest

from abiprobe.harness.input import read
from abiprobe.oracles.engine.leaves import leaves
from abiprobe.oracles.language.lang import Record, spelling
from abiprobe.oracles.registry import find_model

TYPES = find_model("x86_64-sysv").types


def record(text: str) -> Record:
    found = read(text, filename="f.h", triple="x86_64-linux-gnu").records[-1]
    assert isinstance(found, Record)
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("struct s {char a; int b;};", "char@0 int@32"),
        ("struct s {char a; struct {short b[2];} c[2];};", "char@0 short@16 short@32 short@48 short@64"),
        ("typedef int word; struct s {word a; _Atomic word b;};", "int@0 int@32"),
        ("struct s {float _Complex a; union {int b; double c;} d;};", "float _Complex@0 int@64 double@64"),
        ("struct s {int a : 3; int : 0; int : 4; int b;};", "int@0:3 int@32:0 int@32:4 int@64"),
        ("struct s {int a[0]; struct {} b; int c[];};", "int[0]@0 struct s_1@0 int[]@0"),
    ],
)
def test_leaves(text: str, expected: str) -> None:
    found = [
        (
            spelling(leaf.type),
            leaf.bit_offset,
            "" if leaf.bit_field is None else f":{leaf.bit_field.bit_width}",
        )
        for leaf in leaves(TYPES, record(text))
    ]
    words = " ".join(f"{name}@{at}{width}" for name, at, width in found)
    assert words == expected


def test_no_more_elements_are_opened_than_asked() -> None:
    found = leaves(TYPES, record("struct s {char a[1000000][3]; char b;};"), elements=2)
    assert [leaf.bit_offset // 8 for leaf in found] == [0, 1, 3, 4, 3000000]
