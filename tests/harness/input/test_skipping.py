"""A declaration that cannot be asked about costs itself; only text that is no C costs the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input import Classes, Declarations, ReadOptions, read
from abiprobe.harness.input.cxx_functions import OF_TEMPLATE
from abiprobe.oracles.language.lang import Kind, Scalar

X86 = "x86_64-linux-gnu"
SOUND = "struct Sound { int a; };\nvoid sound(struct Sound);\n"

ODD = [
    ("_Complex __int128 odd(void);", {"odd": "'_Complex __int128' is invalid"}),
    ("enum E : char { A }; void odd(enum E);", {"odd": "an enumeration with a fixed underlying type"}),
    ("struct Late; void odd(struct Late);", {"odd": "struct Late is incomplete here"}),
    (
        'void odd(int) __attribute__((target("no-sse")));',
        {"odd": 'attribute target("no-sse") is not something'},
    ),
    ("void odd(int) __attribute__((swiftcall));", {"odd": "attribute swiftcall is not something"}),
    ("void odd(strnge);", {"odd": "unknown type name 'strnge'"}),
    ("typedef strnge alias; void odd(alias);", {"odd": "unknown type name 'strnge'"}),
    ("struct Odd { strnge a; }; void odd(struct Odd);", {"struct Odd": "unknown", "odd": "unknown"}),
    ("enum { N = M }; struct Odd { char a[N]; };", {"struct Odd": "use of undeclared identifier 'M'"}),
    (
        "typedef int t __attribute__((aligned(8), aligned(4))); struct Odd { t a; };",
        {"struct Odd": "two different"},
    ),
    (
        'struct __attribute__((scalar_storage_order("big-endian"))) Odd { int a; };',
        {"struct Odd": "attribute scalar"},
    ),
    (
        "#pragma pack(1)\n#define DEFINE(n) struct n { int a; }\nDEFINE(Odd);\n#pragma pack()",
        {"struct Odd": "t.c:"},
    ),
    ("struct Odd { int a" + "[1]" * 2000 + "; };", {"struct Odd": "nested more than 100 levels deep"}),
]


def declared(text: str, filename: str = "t.c", triple: str = X86, **how: tuple[str, ...]) -> Declarations:
    return read(text, filename=filename, triple=triple, how=ReadOptions(strict=False, **how))


@pytest.mark.parametrize(("text", "expected"), ODD, ids=[text[:50] for text, _ in ODD])
def test_what_cannot_be_asked_is_skipped_with_its_reason(text: str, expected: dict[str, str]) -> None:
    found = declared(f"{text}\n{SOUND}")
    assert [record.tag for record in found.records] == ["Sound"]
    assert [function.name for function in found.functions] == ["sound"]
    assert {one.name for one in found.skipped} == set(expected)
    for one in found.skipped:
        assert expected[one.name] in one.reason


@pytest.mark.parametrize("text", ["struct A { int b c; };", "int f(", "#error no", "#include <nowhere.h>"])
def test_what_is_no_c_is_a_problem_of_the_file(text: str) -> None:
    with pytest.raises(Problem, match=r"^t\.c:"):
        declared(f"{SOUND}\n{text}\n")


@pytest.mark.parametrize(
    "text",
    [
        "void give(void *); void *take(unsigned long) __attribute__((__malloc__(give, 1)));",
        "void *take(unsigned long) __attribute__((__access__(__none__, 9)));",
        "_Float32 f(_Float64, _Float32x);\ntypedef float _Float32;",
    ],
)
def test_attributes_and_types_of_gcc_that_move_no_byte_are_read(text: str) -> None:
    found = declared(text)
    assert found.functions
    assert not found.skipped


def test_errors_inside_bodies_concern_no_declaration() -> None:
    found = declared("int f(int a, ...) { return unknown(a) + nothing; } void g(void) { f(1, 2.0); }")
    assert [function.name for function in found.functions] == ["f", "g"]
    assert not found.skipped


def test_a_call_with_an_error_is_skipped_and_the_others_are_read() -> None:
    found = declared(
        "void f(int a, ...); void g(int a);\n"
        "static void one(void) { f(1, 2.0); f(1, unknown); g(unknown); }\n"
        "static void two(void) { f(1, (__int128)3); f(1, 2L); }\n",
        triple="i386-linux-gnu",
    )
    lists = [one.unnamed for one in found.functions if one.name == "f"]
    assert lists == [(Scalar(Kind.DOUBLE),), (Scalar(Kind.LONG),)]
    assert [(one.name, one.where) for one in found.skipped] == [
        ("a call of f", "t.c:2:41"),
        ("a call of f", "t.c:3:31"),
    ]


def test_bodies_that_are_no_c_leave_the_declarations() -> None:
    found = declared("void f(int a, ...);\nstatic void one(void) { f(1, 2.0; }\n")
    assert [function.name for function in found.functions] == ["f", "one"]
    assert [(one.name, one.where) for one in found.skipped] == [("a call of f", "t.c:2:33")]


CXX = """
class P { public: P(); int a; };
namespace n { int g(int); struct Q { int a; }; namespace m { void h(); } }
template<class T> T id(T);
struct D : P { int b; };
int over(int); int over(char);
extern "C" { struct C { int a; }; void c(struct C); }
"""


@pytest.mark.parametrize("filename", ["t.hpp", "t.h", "<stdin>"])
def test_what_is_cxx_is_skipped_and_said(filename: str) -> None:
    found = declared(CXX, filename)
    assert [record.tag for record in found.records] == ["C"]
    assert [function.name for function in found.functions] == ["c"]
    reasons: dict[str, set[str]] = {}
    for one in found.skipped:
        reasons.setdefault(one.reason.partition(" ")[0], set()).add(one.name)
    assert reasons == {"C++:": {"P", "g", "Q", "h", "id"}, "D": {"struct D"}, "over": {"over"}}


def test_included_files_are_asked_about_on_request(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/a.h").write_text("struct A { int a; }; void a(struct A);")
    (tmp_path / "sub/b.h").write_text("void b(void);")
    text, filename = '#include "sub/a.h"\n#include "sub/b.h"\n', str(tmp_path / "t.h")
    silent = declared(text, filename)
    assert (silent.records, silent.functions, silent.elsewhere) == ((), (), (1, 2))
    everything = declared(text, filename, included=("*",))
    assert [function.name for function in everything.functions] == ["a", "b"]
    assert everything.elsewhere == (0, 0)
    some = declared(text, filename, included=("sub/b.h",))
    assert [function.name for function in some.functions] == ["b"]
    assert some.elsewhere == (1, 1)


def test_declarations_on_the_command_line_know_the_usual_types() -> None:
    found = read("void f(uint8_t, size_t, wchar_t);", filename="declaration", triple=X86)
    assert len(found.functions[0].params) == 3
    with pytest.raises(Problem, match=r"it is declared in <stdint\.h>"):
        read("void f(uint8_t);", filename="t.h", triple=X86)


def test_options_of_a_compiler(tmp_path: Path) -> None:
    (tmp_path / "one.h").write_text("typedef WIDE one;")
    options = ("-I", str(tmp_path), "-DWIDE=long", "-include", "one.h", "-std=c99")
    found = declared("void f(one);", options=options)
    assert str(found.functions[0].params[0].type.kind) == "Kind.LONG"
    with pytest.raises(Problem, match=r"^t\.c"):
        declared("void f(void);", options=("-std=c1",))


def test_members_of_class_templates_are_no_functions() -> None:
    text = (
        "template <class T> struct V { int find(int) const; struct W { void g(); }; };\n"
        "template <class T> int V<T>::find(int n) const { return n; }\n"
        "template <class T> void V<T>::W::g() {}\n"
        "struct S { int a; int f(int); }; int S::f(int n) { return n; }\n"
    )
    found = read(text, filename="t.hpp", triple=X86, how=ReadOptions(strict=False, classes=Classes.ALONE))
    assert {one.name for one in found.calls} == {"f"}
    assert {(one.name, one.reason) for one in found.skipped} == {("find", OF_TEMPLATE), ("g", OF_TEMPLATE)}
