"""What cannot be read or expressed is a `Problem` with its place, never a wrong answer and never a traceback."""

from __future__ import annotations

import io
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input import Declarations, ReadOptions, read, read_path
from abiprobe.harness.input.declared import declared_in
from abiprobe.oracles.registry import find_target

if TYPE_CHECKING:
    from pathlib import Path

X86 = "x86_64-linux-gnu"
X86_64 = find_target("x86_64-sysv")
LENIENT = ReadOptions(strict=False)

REFUSED = [
    ("struct A {\n int b c; };", "t.c:2:7: expected ';'"),
    ("struct A { int a;", "t.c:1:18: expected '}'"),
    ("int f(int &);", "t.c:1:11: "),
    ("#include <nowhere.h>", "t.c:1:10: 'nowhere.h' file not found"),
    ("#pragma ms_struct on\nstruct A { int a; };", "t.c:1: #pragma ms_struct on"),
    ("void f(int a) __attribute__((preserve_none));", "attribute preserve_none"),
    (
        'struct __attribute__((scalar_storage_order("big-endian"))) A { int a; };',
        "attribute scalar_storage_order",
    ),
    ("union __attribute__((transparent_union)) U { int a; float b; };", "attribute transparent_union"),
    (
        "typedef float f3 __attribute__((ext_vector_type(3))); struct A { f3 a; };",
        "bits that are no elements",
    ),
    ("_Complex _BitInt(7) f(void);", "t.c:1:21: a complex type of _BitInt(7)"),
    ("void f(int) __attribute__((swiftcall));", "attribute swiftcall"),
    ('void f(int) __attribute__((target("no-sse")));', 'attribute target("no-sse")'),
    ("void f(int a __attribute__((aligned(16))));", "aligned on a parameter"),
    ("enum E : short { A }; void f(enum E);", "fixed underlying type"),
    ("enum __attribute__((aligned(16))) E { A }; void f(enum E);", "aligned on an enumeration"),
    ("struct A { int __attribute__((address_space(1))) *p; };", "address_space"),
    ("struct S; void f(struct S s);", "t.c:1:27: struct S is incomplete"),
    ("int f(a) float a; { return a; } int bool;", "t.c:1:7: "),
    ("typedef int t __attribute__((aligned(8), aligned(4))); struct A { t a; };", "two different aligned"),
    ("typedef int t __attribute__((aligned(8))); struct A { __typeof__(t) a; };", "typeof(t)"),
    ("typedef struct { int a; } S; struct S { long b; };", "both be called struct S"),
    ("#pragma pack(1)\n#define DEFINE(n) struct n { int a; }\nDEFINE(A);", "t.c:3: the #pragma pack"),
    ("int a;\nint b\0;", "t.c:2: a NUL byte"),
    ("struct A { int a" + "[1]" * 2000 + "; };", "nested more than 100 levels deep"),
    ("struct A {" + "struct {" * 400 + "int a;" + "};" * 401, "bracket nesting level"),
]


@pytest.mark.parametrize(("text", "expected"), REFUSED, ids=[text[:60] for text, _ in REFUSED])
def test_refused(text: str, expected: str) -> None:
    with pytest.raises(Problem) as caught:
        read(text, filename="t.c", triple=X86)
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("triple", "options"),
    [("bogus-machine", []), (X86, ["--nonsense"]), (X86, ["-x", "c++"]), (X86, ["-std=c1"])],
)
def test_wrong_targets_and_options(triple: str, options: list[str]) -> None:
    with pytest.raises(Problem, match=r"^t\.c"):
        read("int f(void);", filename="t.c", triple=triple, options=options)


def test_warnings_are_not_errors() -> None:
    assert read(
        "struct A { int a }; int f();", filename="t.c", triple=X86, options=["-Wall", "-Werror"]
    ).functions


def test_large_and_deep_files() -> None:
    members = "".join(f"int m{i} __attribute__((aligned(sizeof(int))));" for i in range(10_000))
    assert len(read(f"struct A {{ {members} }};", filename="t.c", triple=X86).records[0].members) == 10_000
    deep = "struct A {" + "struct {" * 98 + "int a;" + "};" * 98 + "};"
    assert [record.tag for record in read(deep, filename="t.c", triple=X86).records] == ["A"]
    assert read(f"/*{'x' * 5_000_000}*/ int f(void);", filename="t.c", triple=X86).functions


def test_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a file.c"
    file.write_bytes(b"\xef\xbb\xbf/* caf\xe9 */ #define X\r\nint f(void);\r\n")
    assert read_path(file, triple=X86).functions[0].name == "f"
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"int g(void);")))
    assert read_path("-", triple=X86).functions[0].name == "g"
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"int g(")))
    with pytest.raises(Problem, match=r"^<stdin>:1:7: "):
        read_path("-", triple=X86)


@pytest.mark.parametrize("name", [".", "absent.c", "nul\0.c"])
def test_unreadable_paths(name: str, tmp_path: Path) -> None:
    with pytest.raises(Problem) as caught:
        read_path(f"{tmp_path}/{name}", triple=X86)
    assert str(tmp_path) in str(caught.value)


def test_no_declarations() -> None:
    assert read("", filename="t.c", triple=X86) == Declarations((), ())


@pytest.mark.parametrize(
    "value", ["0xcafecafecafecfeacfeacfea", "09", "1.2.3", '"\\xfffff"', "1 +", "sizeof(struct unseen)"]
)
def test_a_bad_value_of_a_variable_refuses_no_file(value: str) -> None:
    found = declared_in(f"int x = {value}; struct s {{ int a; }}; void f(int a);", X86_64, LENIENT)
    assert [one.tag for one in found.records] == ["s"]
    assert [one.name for one in found.functions] == ["f"]


@pytest.mark.parametrize("text", ["int x = { 1, ; void f(int a);", "typedef int t[09]; struct s { t a; };"])
def test_what_may_have_swallowed_a_declaration_does(text: str) -> None:
    with pytest.raises(Problem):
        declared_in(text, X86_64, LENIENT)
