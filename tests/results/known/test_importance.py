"""What matters most comes first."""

from __future__ import annotations

from datetime import date

import pytest
from msgspec.structs import replace

from abiprobe.oracles.language.lang import BitInt, Kind, Param, Prototype, Scalar, Vector
from abiprobe.oracles.quirks.quirk import Quirk, Status
from abiprobe.results.known.importance import open_ended, rank, targets, unusual

INT = Scalar(Kind.INT)
PLAIN = Prototype("f", None, (Param("a", INT),))
WIDE = Prototype("f", None, (Param("a", BitInt(200)),))
UNNAMED = Prototype("f", None, (Param("a", INT),), variadic=True, unnamed=(INT,))


def bug(name: str, *subjects: str, at: tuple[str, ...] = ("*",), example: str = "void f(int a);") -> Quirk:
    return Quirk(name, subjects, {}, Status.BUG, "because", "unreported", date(2026, 1, 1), example, at)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ((bug("a", "clang"), PLAIN), (bug("b", "tcc"), PLAIN)),
        ((bug("a", "tcc", "gcc"), PLAIN), (bug("b", "tcc"), PLAIN)),
        ((bug("a", "gcc"), PLAIN), (bug("b", "gcc<16"), PLAIN)),
        ((bug("a", "gcc"), PLAIN), (bug("b", "gcc"), WIDE)),
        ((bug("a", "gcc"), PLAIN), (bug("b", "gcc"), UNNAMED)),
        (
            (bug("a", "gcc", at=("x86_64-sysv",)), PLAIN),
            (bug("b", "gcc", at=("sparc64", "i386-sysv")), PLAIN),
        ),
        ((bug("b", "gcc"), PLAIN), (bug("a", "gcc", example="void f(int a, int b);"), PLAIN)),
        # Plain C comes before a target that more people use.
        ((bug("a", "gcc", at=("sparc64",)), PLAIN), (bug("b", "gcc", at=("x86_64-sysv",)), WIDE)),
    ],
)
def test_the_first_matters_more(first: tuple[Quirk, Prototype], second: tuple[Quirk, Prototype]) -> None:
    assert rank(first[0], [first[1]]) < rank(second[0], [second[1]])


def test_the_plainest_declaration_counts() -> None:
    assert rank(bug("a", "gcc"), [WIDE, PLAIN]) == rank(bug("a", "gcc"), [PLAIN])
    calls = Prototype("calls", None, ())
    assert rank(bug("a", "gcc"), [WIDE, calls]) == rank(bug("a", "gcc"), [WIDE])
    assert unusual(PLAIN) == 0 < unusual(UNNAMED)
    assert unusual(UNNAMED) < unusual(replace(UNNAMED, unnamed=(Vector(Kind.INT, 32),)))


def test_a_range_without_an_end_has_the_newest_release() -> None:
    assert [open_ended(bug("a", one)) for one in ("gcc", "clang>=13", "clang>=13,<18", "gcc==12")] == [
        True,
        True,
        False,
        False,
    ]
    assert open_ended(bug("a", "gcc<16", "clang"))


def test_targets_are_those_of_the_patterns_the_most_used_first() -> None:
    assert targets(bug("a", "gcc", at=("sparc64", "aarch64*"))) == (
        "aarch64-aapcs64",
        "aarch64-darwin",
        "aarch64-windows-msvc",
        "sparc64",
    )
