"""Signatures of two languages: what code generators pass alike is equal, everything else is not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from abiprobe.harness.lowerings.comparing import differences
from abiprobe.harness.lowerings.integers import types_at
from abiprobe.harness.lowerings.ir_text import Module
from abiprobe.harness.lowerings.lowering import Lowered
from abiprobe.harness.lowerings.place import Place
from abiprobe.harness.lowerings.signature import Role
from abiprobe.harness.lowerings.sweep import sweep
from abiprobe.harness.machines.languages.language import built_in
from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.oracles.language.lang import Kind, Member, Param, Prototype, Record, Scalar
from abiprobe.oracles.registry import TARGETS

RISCV = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
M68K = "E-m:e-p:32:16:32-i8:8:8-i16:16:16-i32:16:32-n8:16:32-a:0:16-S16"
PAIRS = [
    ("i64, double", "{ i64, double }", []),
    ("i64, double", "{ double, i64 }", ["argument: integer | real", "argument: real | integer"]),
    ("ptr noundef", "ptr noalias nonnull", []),
    ("ptr", "i64", []),
    ("i24", "i32", []),
    ("i48", "i64", []),
    ("i64", "{ [0 x i64], i64 }", []),
    ("i1 noundef zeroext", "i1 zeroext", []),
    ("i1 zeroext", "i8", ["argument: i1 | i8"]),
    ("i8 signext", "i8", ["argument: integer signext | integer"]),
    ("i32", "i64", ["argument: i32 | i64"]),
    ("i65", "i128", ["argument: i65 | i128"]),
    ("[2 x i64]", "{ i64, i64 }", ["argument: array | integer"]),
    ("ptr byval([24 x i8]) align 8", "ptr byval({ i64, i64, i64 }) align 8", []),
    ("ptr byval([24 x i8]) align 8", "ptr", ["argument: byval | integer"]),
    ("<2 x float>", "double", ["argument: vector | real"]),
]
RESULTS = [
    ("{ double, double }", "[2 x double]", []),
    ("double", "{ double }", []),
    ("void", "{}", []),
    ("{ i64, ptr }", "[2 x i64]", []),
    ("{ i64, double }", "[2 x i64]", ["result: struct | another struct"]),
]


def lowered(result: str, arguments: str, language: str, layout: str = RISCV) -> Lowered:
    """A prototype whose definition, declaration and call have one signature."""
    lines = {
        role: f"{role.value} {result} @{'callee' if role is Role.DEFINITION else 'probe'}_0({arguments})"
        for role in Role
    }
    return Lowered(lines, Module({}, {}, layout), language)


@pytest.mark.parametrize(("left", "right", "expected"), PAIRS)
def test_arguments_of_two_languages(left: str, right: str, expected: list[str]) -> None:
    found = differences(lowered("void", left, ""), lowered("void", right, "rust"))
    assert sorted({str(one) for one in found}) == expected


@pytest.mark.parametrize(("left", "right"), [row[:2] for row in PAIRS if not row[2] and row[0] != row[1]])
def test_the_same_language_is_held_to_the_letter(left: str, right: str) -> None:
    byval = "byval" in left
    assert bool(differences(lowered("void", left, ""), lowered("void", right, ""))) is not byval


@pytest.mark.parametrize(("left", "right", "expected"), RESULTS)
def test_results_of_two_languages(left: str, right: str, expected: list[str]) -> None:
    found = differences(lowered(left, "", ""), lowered(right, "", "rust"))
    assert sorted({str(one) for one in found}) == expected


def test_pointers_are_no_integers_where_they_have_registers_of_their_own() -> None:
    found = differences(lowered("ptr", "", "", M68K), lowered("i32", "", "rust", M68K))
    assert [str(one) for one in found] == ["result: pointer | integer"]


INT, LONG = Scalar(Kind.INT), Scalar(Kind.LONG)
PLAIN = Prototype("f", INT, (Param("a", LONG), Param("b", INT)))
PAIR = Prototype("f", None, (Param("a", Record("S", (Member(LONG, "a"), Member(INT, "b")))),))
LANGUAGES = ("rustc", "zig-lang")


def clang() -> str:
    """The embedded clang, or a skip."""
    if not installed(parse_subject("zig"), tuple(TARGETS.values())):
        pytest.skip("zig is not installed")
    return "zig"


@pytest.mark.parametrize("name", LANGUAGES)
@pytest.mark.parametrize("place", [Place("riscv64-lp64d"), Place("powerpc64le-linux-gnu")])
def test_another_language_passes_integers_as_c_does(name: str, place: Place) -> None:
    first = clang()
    if not installed(parse_subject(name), tuple(TARGETS.values())):
        pytest.skip(f"{name} is not installed")
    swept = sweep([place], tuple(map(parse_subject, (first, name))), (PLAIN,), 1)
    tally = swept.tallies[place, 1]
    assert (tally.nothing, tally.compared, swept.members) == ("", 1, [])


def test_a_language_with_another_int_is_seen(tmp_path: Path) -> None:
    first = clang()
    if not installed(parse_subject("zig-lang"), tuple(TARGETS.values())):
        pytest.skip("zig-lang is not installed")
    shutil.copytree(built_in()["zig-lang"], tmp_path / "liar")
    about = tmp_path / "liar" / "subject.toml"
    about.write_text(about.read_text("utf-8").replace('\nint = "c_int"', '\nint = "i64"'), "utf-8")
    swept = sweep(
        [Place("x86_64-sysv")],
        tuple(map(parse_subject, (first, f"subject:{tmp_path / 'liar'}"))),
        (PLAIN, PAIR),
        1,
    )
    assert {str(one) for member in swept.members for one in member.differences} == {
        "argument: i32 | i64",
        "result: i32 | i64",
    }


def test_what_a_language_cannot_say_is_refused_and_not_asked() -> None:
    first = clang()
    field = Record("S", (Member(INT, "a", 3),))
    place = Place("x86_64-sysv")
    swept = sweep(
        [place],
        tuple(map(parse_subject, (first, "zig-lang"))),
        (Prototype("f", None, (Param("a", field),)),),
        1,
    )
    assert dict(swept.tallies[place, 1].failures) == {("unsupported", "the language has no bit-field"): 1}


def test_what_a_target_has_not_is_refused_and_not_asked() -> None:
    first = clang()
    place = Place("i386-sysv")
    swept = sweep(
        [place], tuple(map(parse_subject, (first, "zig-lang"))), (Prototype("f", Scalar(Kind.INT128), ()),), 1
    )
    assert dict(swept.tallies[place, 1].failures) == {
        ("unsupported", "__int128 is not a type of this ABI"): 1
    }


def test_the_widths_of_integers_are_those_of_the_triple() -> None:
    clang()
    sizes = {}
    for name in ("x86_64-sysv", "x86_64-pc-windows-msvc", "hexagon-linux-musl", "avr"):
        types = types_at(Place(name))
        assert types is not None
        sizes[name] = (types.data.kind(Kind.INT).size, types.data.kind(Kind.LONG).size)
    assert sizes == {
        "x86_64-sysv": (4, 8),
        "x86_64-pc-windows-msvc": (4, 4),
        "hexagon-linux-musl": (4, 4),
        "avr": (2, 4),
    }
    assert types_at(Place("no-such-triple")) is None
