"""Entries of known differences between lowerings: what they match, and files that are wrong."""

from __future__ import annotations

from datetime import date

import pytest

from abiprobe.results.known.entries import KnownError, in_force
from abiprobe.results.known.lowerings import Entry, Lowering, mirrored, parse, shipped

CLASSIC = Lowering("clang-24", "", "Debian clang version 24.0.0 (++2026)")
LIBRARY = Lowering("clang-24+llvmabi", "llvmabi", CLASSIC.version)
OLD = Lowering("clang-22", "", "clang version 22.1.8")
ZIG = Lowering("zig-lang", "", "0.17.1")
TEXT = """
[[lowering]]
name = "a difference"
targets = ["bpf*"]
between = ["clang>=24", "clang>=24+llvmabi"]
differences = ["result: integer | sret"]
crashed = ["Cannot select"]
traits = ["struct"]
without = ["union"]
status = "bug"
reason = "the library has an older rule"
link = "unreported"
since = 2026-11-22
expires = 2027-01-01
example = "struct S { int a; }; struct S f(void);"
"""
(ENTRY,) = parse(TEXT, "known.toml")
STRUCT = frozenset({"struct"})
MATCHES = [
    ((CLASSIC, LIBRARY), "bpfel", "result: integer | sret", STRUCT, True),
    ((LIBRARY, CLASSIC), "bpfel", "result: sret | integer", STRUCT, True),
    ((LIBRARY, CLASSIC), "bpfel", "result: integer | sret", STRUCT, False),
    ((CLASSIC, LIBRARY), "bpfel", "result: sret | integer", STRUCT, False),
    ((CLASSIC, LIBRARY), "bpfel", "argument: integer | sret", STRUCT, False),
    ((CLASSIC, LIBRARY), "riscv64-lp64d", "result: integer | sret", STRUCT, False),
    ((CLASSIC, LIBRARY), "bpfel", "result: integer | sret", frozenset(), False),
    ((CLASSIC, LIBRARY), "bpfel", "result: integer | sret", STRUCT | {"union"}, False),
    ((OLD, LIBRARY), "bpfel", "result: integer | sret", STRUCT, False),
    ((CLASSIC, CLASSIC), "bpfel", "result: integer | sret", STRUCT, False),
    ((CLASSIC, ZIG), "bpfel", "result: integer | sret", STRUCT, False),
]


@pytest.mark.parametrize(("pair", "place", "difference", "traits", "expected"), MATCHES)
def test_all_of_an_entry_must_hold(pair, place, difference, traits, expected):
    assert ENTRY.explains(pair, place, difference, traits) is expected


def test_a_crash_is_known_by_its_words() -> None:
    assert ENTRY.explains_crash((CLASSIC, LIBRARY), "bpfeb", "crash in Cannot select: i0")
    assert not ENTRY.explains_crash((CLASSIC, LIBRARY), "bpfeb", "SIGSEGV")
    assert not ENTRY.explains_crash((CLASSIC, ZIG), "bpfeb", "Cannot select")


def test_zig_is_a_family_of_its_own() -> None:
    text = TEXT.replace('"clang>=24+llvmabi"', '"zig-lang>=0.17"')
    (entry,) = parse(text, "known.toml")
    assert entry.explains((CLASSIC, ZIG), "bpfel", "result: integer | sret", STRUCT)
    assert not entry.explains(
        (CLASSIC, Lowering("zig", "", "0.17.1")), "bpfel", "result: integer | sret", STRUCT
    )


def test_an_entry_ends() -> None:
    assert in_force((ENTRY,), date(2026, 12, 31)) == (ENTRY,)
    assert in_force((ENTRY,), date(2027, 1, 1)) == ()


def test_a_difference_from_the_other_side() -> None:
    assert mirrored("argument: byval align | byval another align") == (
        "argument: byval another align | byval align"
    )


MISTAKES = [
    (
        'differences = ["result: integer | sret"]\ncrashed = ["Cannot select"]\n',
        "",
        "does not say what differs",
    ),
    ('between = ["clang>=24", "clang>=24+llvmabi"]', 'between = ["clang"]', "between"),
    ("clang>=24+llvmabi", "24", "is no range of versions"),
    ('status = "bug"', 'status = "odd"', "odd"),
    ('reason = "the library has an older rule"', 'reason = ""', "has no reason"),
    ("since =", "sinse =", "sinse"),
]


@pytest.mark.parametrize(("old", "new", "expected"), MISTAKES)
def test_a_mistake_is_told(old: str, new: str, expected: str) -> None:
    assert old in TEXT
    with pytest.raises(KnownError, match=expected):
        parse(TEXT.replace(old, new), "known.toml")


def test_no_two_entries_have_one_name() -> None:
    with pytest.raises(KnownError, match="two entries"):
        parse(TEXT + TEXT, "known.toml")


def test_the_shipped_entries_are_read() -> None:
    entries = shipped()
    assert entries
    assert all(isinstance(entry, Entry) for entry in entries)
    assert all(entry.link == "unreported" or entry.link.startswith("https://") for entry in entries)
