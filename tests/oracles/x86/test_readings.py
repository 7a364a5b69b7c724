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
    (
        "gnu:ms-struct-open",
        "typedef int t __attribute__((aligned(2))); struct s {int a; short b; t c[0];} __attribute__((ms_struct))",
        "8/4 a@0 b@4 c@6",
        "8/4 a@0 b@4 c@8",
    ),
]


OPEN_I386 = [
    (
        "gnu:bit-field-of-aligned-typedef",
        (
            "typedef long t __attribute__((aligned(2))); "
            "struct s {short a : 4; t b : 17; long c : 26;} __attribute__((ms_struct))"
        ),
        "12/4 a@0:4 b@16:17 c@48:26",
        "12/4 a@0:4 b@32:17 c@64:26",
    ),
    (
        "gnu:aligned-bit-field",
        "struct s {long long a : 64 __attribute__((aligned(2))); char b : 1;}",
        "16/8 a@0:64 b@64:1",
        "12/4 a@0:64 b@64:1",
    ),
    (
        "gnu:aligned-bit-field",
        "struct s {long long a : 64 __attribute__((aligned(1)));}",
        "8/8 a@0:64",
        "8/4 a@0:64",
    ),
]


def check(ask: Callable[[str, str, str], Any], target: str, row: tuple[str, str, str, str]) -> None:
    clause, source, gcc, clang = row
    written = ask(target, "", f"{source};")
    assert written.line == "unspecified"
    assert clause in written.clauses
    assert ask(target, "gcc", f"{source};").line == gcc
    assert ask(target, "clang", f"{source};").line == clang


@pytest.mark.parametrize("row", OPEN, ids=[row[1] for row in OPEN])
def test_an_open_record(read_as: Callable[[str, str, str], Any], row: tuple[str, str, str, str]) -> None:
    check(read_as, "x86_64-sysv", row)


@pytest.mark.parametrize("row", OPEN_I386, ids=[row[1] for row in OPEN_I386])
def test_an_open_record_on_i386(
    read_as: Callable[[str, str, str], Any], row: tuple[str, str, str, str]
) -> None:
    check(read_as, "i386-sysv", row)


@pytest.mark.parametrize(
    "source",
    [
        "struct s {long long a : 64; char b : 1;}",
        "struct s {int x; long long a : 64 __attribute__((aligned(2)));}",
    ],
)
def test_a_bit_field_that_fills_an_integer_on_i386_is_settled(
    read_as: Callable[[str, str, str], Any], source: str
) -> None:
    assert read_as("i386-sysv", "", f"{source};").line.startswith("12/4 ")
