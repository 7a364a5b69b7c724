"""Records that the GCC manual leaves open: unspecified as written, and laid out by each family in its own way.

The lines are what gcc 12 and clang 22 do, written in the notation of `tests/oracles/conftest.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

OPEN = [
    (
        "gnu:bit-field-of-aligned-typedef",
        "typedef int t __attribute__((aligned(16))); struct s {t a : 5; t b : 5;}",
        "32/16 a@0:5 b@128:5",
        "16/16 a@0:5 b@5:5",
    ),
    (
        "gnu:bit-field-of-aligned-typedef",
        "typedef int t __attribute__((aligned(1))); struct s {t a : 32;}",
        "4/4 a@0:32",
        "4/1 a@0:32",
    ),
    (
        "gnu:lowered-pointer",
        "struct s {char c; void *__attribute__((aligned(2))) p;}",
        "10/2 c@0 p@2",
        "16/8 c@0 p@8",
    ),
    (
        "gnu:atomic-record",
        "struct r {char a[3];}; struct s {char c; _Atomic(struct r) x;}",
        "4/1 c@0 x@1",
        "8/4 c@0 x@4",
    ),
    (
        "gnu:atomic-record",
        "struct r {}; struct s {char c; _Atomic(struct r) x; char d;}",
        "2/1 c@0 x@1 d@1",
        "3/1 c@0 x@1 d@2",
    ),
    ("gnu:ms-struct-open", "union s {int a : 5;} __attribute__((ms_struct))", "4/4 a@0:5", "4/1 a@0:5"),
    ("gnu:ms-struct-open", "union s {int : 0;} __attribute__((ms_struct))", "0/1", "1/1"),
    (
        "gnu:ms-struct-open",
        "typedef int t __attribute__((aligned(2))); struct s {short a; t b[0]; short c;} __attribute__((ms_struct))",
        "4/2 a@0 b@2 c@2",
        "8/4 a@0 b@4 c@4",
    ),
]


@pytest.mark.parametrize(("clause", "source", "gcc", "clang"), OPEN, ids=[row[1] for row in OPEN])
def test_an_open_record(
    sysv_read_as: Callable[[str, str], Any], clause: str, source: str, gcc: str, clang: str
) -> None:
    written = sysv_read_as("", f"{source};")
    assert written.line == "unspecified"
    assert clause in written.clauses
    assert sysv_read_as("gcc", f"{source};").line == gcc
    assert sysv_read_as("clang", f"{source};").line == clang


def test_a_named_member_without_bytes_has_a_place_too(sysv_read_as: Callable[[str, str], Any]) -> None:
    source = "typedef int t __attribute__((aligned(2))); struct s {int x; short a; t b[0];} __attribute__((ms_struct));"
    assert sysv_read_as("gcc", source).line == "8/4 x@0 a@4 b@6"
    assert sysv_read_as("clang", source).line == "8/4 x@0 a@4 b@8"
    assert sysv_read_as("", source).line == "unspecified"
