"""LuaJIT's FFI as a subject: what it lays out, calls and takes, what it cannot say, and that a liar is caught."""

from __future__ import annotations

from pathlib import Path

import pytest

from abiprobe.harness.subjects.families import libraries
from abiprobe.harness.subjects.find import build, identity, installed, parse_subject
from abiprobe.results.record import Judgement, Outcome, Verdict

from . import test_ctypes

TARGET = test_ctypes.TARGET


@pytest.fixture(autouse=True)
def _present() -> None:
    if not installed(parse_subject("luajit"), (TARGET,)):
        pytest.skip("luajit is not installed")


def calls(source: str, subject: str = "luajit") -> dict[str, Verdict]:
    return test_ctypes.calls(source, subject)


def layout(source: str, subject: str = "luajit") -> Verdict:
    return test_ctypes.layout(source, subject)


@pytest.mark.parametrize(
    "source",
    [
        "int f(int a, char b, double c);",
        "unsigned f(unsigned a, long long b, unsigned char c, _Bool d, float e, void *g);",
        "double f(unsigned short a, signed char b, void (*c)(void));",
    ],
)
def test_it_makes_and_takes_calls(source: str) -> None:
    found = calls(source)
    assert {verdict.verdict for verdict in found.values()} == {Judgement.AGREES}, found
    assert {"caller", "callee", "result"} <= found.keys()


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("struct S { int a; float b; }; struct S f(struct S a, _Complex double b);", "cannot convert"),
        ("union U { float a; int b; }; union U f(int, union U a);", "cannot convert"),
        ("int f(int, ...);", "not variadic"),
    ],
)
def test_what_no_callback_can_take_is_asked_of_the_call_alone(source: str, words: str) -> None:
    found = calls(source)
    callee = found.pop("callee")
    assert callee.outcome is Outcome.UNSUPPORTED
    assert words in callee.detail
    assert {verdict.verdict for verdict in found.values()} == {Judgement.AGREES}, found


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("long double f(void);", "the library has no long double"),
        ("struct S { int a; int b[]; }; void f(struct S a);", "the library has no flexible array"),
        ("__int128 f(void);", "the library has no __int128"),
    ],
)
def test_what_it_cannot_say_is_unsupported(source: str, words: str) -> None:
    found = calls(source)
    assert {verdict.outcome for verdict in found.values()} == {Outcome.UNSUPPORTED}
    assert all(words in verdict.detail for verdict in found.values())


@pytest.mark.parametrize(
    "source",
    [
        "struct S { char a; long b; double c[2][3]; void (*f)(void); long double d; };",
        "struct S { int a : 3; char b : 4; unsigned c : 20; };",
        "struct S { char a; struct { short b; union { int c; int d : 20; }; }; char e[]; };",
        "struct In { char a; int b; }; struct S { char c; struct In in[2]; } __attribute__((packed));",
        "#pragma pack(push, 2)\nstruct S { char a; double b; };\n#pragma pack(pop)",
        "struct S { char a; int b; } __attribute__((aligned(32)));",
        "enum E { A = -1, B = 5 }; struct S { char a; enum E e; };",
    ],
)
def test_it_lays_out_records_as_the_text_does(source: str) -> None:
    assert layout(source).verdict is Judgement.AGREES


def test_a_bit_field_of_a_wide_type_is_not_taken() -> None:
    verdict = layout("struct S { long long a : 33; };")
    assert (verdict.outcome, verdict.detail) == (Outcome.UNSUPPORTED, "invalid value near ':'")


def test_its_version_is_its_identity() -> None:
    built = build(parse_subject("luajit"), TARGET, "O0")
    assert built is not None
    found = identity(built.command)
    assert found.version.startswith("LuaJIT 2.")
    assert found.sure


def test_it_takes_no_options() -> None:
    verdict = layout("struct S { int a; };", "luajit -joff")
    assert (verdict.outcome, verdict.detail) == (
        Outcome.REFUSED,
        "error: LuaJIT's FFI takes no options",
    )


LIAR = """#!/bin/sh
shift
exec luajit {folder}/liar.lua "$@"
"""


def test_a_liar_is_caught(tmp_path: Path) -> None:
    """Its calls have the float for the double."""
    child = Path(libraries.LUAJIT.common[0])
    text = child.read_text("utf-8")
    old = "ffi.typeof(asked.pointer)"
    assert old in text
    new = "ffi.typeof((asked.pointer:gsub('double', 'float')))"
    (tmp_path / child.name).with_stem("liar").write_text(text.replace(old, new), "utf-8")
    liar = tmp_path / "luajit"
    liar.write_text(LIAR.format(folder=tmp_path))
    liar.chmod(0o755)
    source = "int f(int a, double b);"
    assert {verdict.verdict for verdict in calls(source).values()} == {Judgement.AGREES}
    found = calls(source, f"luajit:{liar}")
    deviating = {name for name, verdict in found.items() if verdict.verdict is Judgement.DEVIATES}
    assert deviating == {"caller", "callee"}
