"""What the libraries of languages have in common: they call, take calls, lay records out, and say what they cannot express."""

from __future__ import annotations

import pytest

from abiprobe.results.verdicts.record import Judgement, Outcome

from .asking import calls, layout, need


def koffi(*values: str, subject: str = "koffi") -> object:
    """A row about koffi, which needs Node and a package of npm."""
    return pytest.param(subject, *values, marks=pytest.mark.long)


@pytest.mark.parametrize(
    ("library", "source"),
    [
        ("ctypes", "int f(int a, char b, double c);"),
        ("ctypes", "_Bool f(short a, unsigned char b, _Bool c);"),
        ("ctypes", "struct S { int a; double b; }; void f(struct S a, long b, long double c);"),
        ("ctypes", "struct S { char a[3]; void (*f)(void); }; void *f(struct S a, float b);"),
        ("luajit", "int f(int a, char b, double c);"),
        ("luajit", "unsigned f(unsigned a, long long b, unsigned char c, _Bool d, float e, void *g);"),
        ("luajit", "double f(unsigned short a, signed char b, void (*c)(void));"),
        koffi("int f(int a, char b, double c);"),
        koffi("_Bool f(short a, unsigned char b, _Bool c);"),
        koffi("struct S { int a; double b; }; struct S f(struct S a, long b, float c);"),
        koffi("union U { float a; int b; }; union U f(int, union U a);"),
    ],
)
def test_it_makes_and_takes_calls(library: str, source: str) -> None:
    need(library)
    found = calls(source, library)
    assert {verdict.verdict for verdict in found.values()} == {Judgement.AGREES}, found
    assert {"caller", "callee"} <= found.keys()
    assert ("result" in found) is (" void f(" not in source)


@pytest.mark.parametrize(
    ("library", "source", "words"),
    [
        ("ctypes", "struct S { int a; float b; }; struct S f(struct S a);", "invalid result type"),
        ("ctypes", "long double f(int);", "no long double"),
        ("ctypes", "int f(int, ...);", "not variadic"),
        (
            "luajit",
            "struct S { int a; float b; }; struct S f(struct S a, _Complex double b);",
            "cannot convert",
        ),
        ("luajit", "union U { float a; int b; }; union U f(int, union U a);", "cannot convert"),
        ("luajit", "int f(int, ...);", "not variadic"),
        koffi("int f(int, ...);", "not variadic"),
    ],
)
def test_what_no_callback_can_take_is_asked_of_the_call_alone(library: str, source: str, words: str) -> None:
    need(library)
    found = calls(source, library)
    callee = found.pop("callee")
    assert callee.outcome is Outcome.UNSUPPORTED
    assert words in callee.detail
    assert {verdict.verdict for verdict in found.values()} == {Judgement.AGREES}, found


@pytest.mark.parametrize(
    ("library", "source", "words"),
    [
        ("ctypes", "union U { float a; int b; }; void f(union U a);", "the library has no union"),
        ("ctypes", "struct S { int a : 3; }; void f(struct S a);", "the library has no bit-field"),
        ("ctypes", "enum E { A }; void f(enum E a);", "the library has no enum"),
        ("ctypes", "__int128 f(void);", "the library has no __int128"),
        ("luajit", "long double f(void);", "the library has no long double"),
        ("luajit", "struct S { int a; int b[]; }; void f(struct S a);", "the library has no flexible array"),
        ("luajit", "__int128 f(void);", "the library has no __int128"),
        koffi("long double f(void);", "the library has no long double"),
        koffi("struct S { int a : 3; }; void f(struct S a);", "the library has no bit-field"),
    ],
)
def test_what_it_cannot_say_is_unsupported(library: str, source: str, words: str) -> None:
    need(library)
    found = calls(source, library)
    assert {verdict.outcome for verdict in found.values()} == {Outcome.UNSUPPORTED}
    assert all(words in verdict.detail for verdict in found.values())


@pytest.mark.parametrize(
    ("library", "source"),
    [
        ("ctypes", "struct S { char a; long b; double c[2][3]; void (*f)(void); long double d; };"),
        ("ctypes", "struct S { int a : 3, b : 9; long long c; };"),
        ("ctypes", "union U { int a; char b[7]; };"),
        ("ctypes", "struct S { char a; struct { short b; union { int c; char d; }; }; char e[]; };"),
        (
            "ctypes",
            "struct In { char a; int b; }; struct S { char c; struct In in[2]; } __attribute__((packed));",
        ),
        ("ctypes", "#pragma pack(push, 2)\nstruct S { char a; long b; };\n#pragma pack(pop)"),
        ("luajit", "struct S { char a; long b; double c[2][3]; void (*f)(void); long double d; };"),
        ("luajit", "struct S { int a : 3; char b : 4; unsigned c : 20; };"),
        ("luajit", "struct S { char a; struct { short b; union { int c; int d : 20; }; }; char e[]; };"),
        (
            "luajit",
            "struct In { char a; int b; }; struct S { char c; struct In in[2]; } __attribute__((packed));",
        ),
        ("luajit", "#pragma pack(push, 2)\nstruct S { char a; double b; };\n#pragma pack(pop)"),
        ("luajit", "struct S { char a; int b; } __attribute__((aligned(32)));"),
        ("luajit", "enum E { A = -1, B = 5 }; struct S { char a; enum E e; };"),
        koffi("struct S { char a; long b; double c[2][3]; void (*f)(void); };"),
        koffi("struct S { char a; struct { short b; union { int c; char d; }; }; };"),
        koffi("struct In { char a; int b; }; struct S { char c; struct In in[2]; } __attribute__((packed));"),
        koffi("struct S { char a; int b __attribute__((aligned(8))); long c __attribute__((aligned(2))); };"),
    ],
)
def test_it_lays_out_records_as_the_text_does(library: str, source: str) -> None:
    need(library)
    assert layout(source, library).verdict is Judgement.AGREES


@pytest.mark.parametrize(
    ("subject", "words"),
    [
        ("ctypes -fshort-enums", "error: ctypes takes no options"),
        ("luajit -joff", "error: LuaJIT's FFI takes no options"),
        koffi("error: koffi takes no options", subject="koffi --harmony"),
    ],
)
def test_it_takes_no_options(subject: str, words: str) -> None:
    need(subject.split(maxsplit=1)[0])
    verdict = layout("struct S { int a; };", subject)
    assert (verdict.outcome, verdict.detail) == (Outcome.REFUSED, words)
