"""Where gcc has bit-fields of types that are aligned to more than 16 bytes: `place_field` of gcc/stor-layout.cc (0201fa1), and what gcc 12 shows."""

from __future__ import annotations

import pytest

from abiprobe.harness.input import read
from abiprobe.oracles.registry import find_model
from abiprobe.oracles.text.place import Layout

MS_STRUCT = [
    # The place is aligned within the last 16 bytes, so that one that is aligned to more lies that much behind these.
    ("typedef char T __attribute__((aligned(64))); struct s { char a[20]; T b : 2; };", 128, {"b": 640}),
    ("typedef char T __attribute__((aligned(64))); struct s { char a[16]; T b : 2; };", 64, {"b": 128}),
    (
        "typedef char T __attribute__((aligned(64))); struct s { char a[20]; T b : 2; } __attribute__((aligned(64)));",
        128,
        {"b": 512},
    ),
    # An attribute of the bit-field itself is aligned for in the record.
    ("struct s { char a[20]; char b : 2 __attribute__((aligned(64))); };", 128, {"b": 512}),
    # Behind a unit of the same size only an attribute aligns, and one of width 0 does not.
    ("typedef int T __attribute__((aligned(8))); struct s { char x; int a : 31; T b : 2; };", 16, {"b": 64}),
    ("struct s { char x; int a : 3 __attribute__((packed)); int : 0; char c; };", 8, {"a": 8, "c": 40}),
    ("struct s { char x; int a : 3 __attribute__((packed)); short : 0; char c; };", 8, {"a": 8, "c": 48}),
    # Whether there is anything to align is asked of where the last bit-field ends.
    (
        "struct s { char x[12]; long long a : 32 __attribute__((packed)); int b : 3 __attribute__((aligned(16))); };",
        32,
        {"a": 96, "b": 160},
    ),
]


T = "typedef signed char T __attribute__((aligned(32))); "
SYSTEM_V = [
    (T + "struct s { signed char a[20], b : 3; T c : 4; float d; };", 64, {"c": 384}),
    # Aligned for its own attribute it lies that much behind the chunk before, or in another one.
    (
        T + "struct s { signed char a[8], b : 3; T c : 4 __attribute__((aligned(8))); float d; };",
        64,
        {"c": 256},
    ),
    (
        T + "struct s { signed char a[20], b : 3; T c : 4 __attribute__((aligned(16))); float d; };",
        64,
        {"c": 256},
    ),
    # Whether a bit-field fills an integer is asked of where the last one ends, too.
    (
        "typedef char T __attribute__((aligned(2))); struct s { int a : 1; T b : 8 __attribute__((aligned(1))); };",
        4,
        {"b": 16},
    ),
    (
        "typedef char T __attribute__((aligned(2))); struct s { int a : 8; T b : 8 __attribute__((aligned(1))); };",
        4,
        {"b": 8},
    ),
]
ROWS = [
    *(("x86_64-windows-gnu@gcc-reading", "x86_64-w64-mingw32", *row) for row in MS_STRUCT),
    *(("x86_64-sysv@gcc-reading", "x86_64-linux-gnu", *row) for row in SYSTEM_V),
]


@pytest.mark.parametrize(("target", "triple", "text", "size", "starts"), ROWS)
def test_gcc_places(target: str, triple: str, text: str, size: int, starts: dict[str, int]) -> None:
    record = read(text, filename="t.h", triple=triple).records[0]
    layout = find_model(target).layout(record)
    assert isinstance(layout, Layout)
    assert layout.size == size
    found = {member.path: member.bit_offset for member in layout.members}
    assert {path: found[path] for path in starts} == starts
