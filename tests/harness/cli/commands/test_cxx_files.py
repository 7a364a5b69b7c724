"""C++ files on the command line: classes are asked of compilers of C++, what C has of compilers of C, and nothing else is green."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.oracles.registry import find_target

from .calling import TARGET, abiprobe

TEXT = """\
namespace n {
struct A { virtual ~A(); char c; };
class E {};
}
struct B : n::A { char d; [[no_unique_address]] n::E e; };
struct P { int x; };
"""
PLACED = re.compile(r"/\* +(\d+) +\d+ \*/")
CALLED = "int f(int a, n::E, B b);\nvoid g(P p);\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.hpp"
    path.write_text(TEXT, "utf-8")
    return path


def compiler() -> str:
    for name in ("g++-12", "clang++-22", "clang++-16"):
        if installed(parse_subject(name), (find_target(TARGET),)):
            return name
    pytest.skip("a compiler of C++ is not installed")


def test_classes_are_predicted_with_bases_and_tail_padding(file: Path) -> None:
    done = abiprobe("predict", file.name, "-t", TARGET, cwd=file.parent)
    assert done.returncode == 0, done.stderr
    (whole,) = (part for part in done.stdout.split("\n\n") if part.startswith("struct B : n_A {"))
    places = [line.split("/*")[-1].split() for line in whole.splitlines()[1:]]
    assert [line.split("/*")[0].strip() for line in whole.splitlines()[1:]] == [
        "(primary base n_A)",
        "[[no_unique_address]] n_E e;",
        "char             d;",
    ]
    assert [(int(offset), int(size)) for offset, size, *_ in places] == [(0, 9), (0, 1), (9, 1)]
    assert "data size: 10, tail padding of 6 bytes for an overlapping member" in done.stdout


def test_anonymous_unions_are_opened_and_pointers_to_tables_told(tmp_path: Path) -> None:
    text = """\
struct V { virtual ~V(); };
struct D : V, virtual W { char c; union { int u; struct { char a, b; }; }; };
"""
    (tmp_path / "a.hpp").write_text(f"struct W {{ virtual ~W(); int w; }};\n{text}", "utf-8")
    done = abiprobe("predict", "a.hpp", "-t", TARGET, cwd=tmp_path)
    whole = done.stdout[done.stdout.index("struct D") :]
    places = [
        (place[0], line.split("/*")[0].strip())
        for line in whole.splitlines()
        if (place := PLACED.findall(line))
    ]
    assert places == [
        ("0", "(primary base V)"),
        ("8", "char             c;"),
        ("12", "int          u;"),
        ("12", "char     a;"),
        ("13", "char     b;"),
        ("12", "};"),
        ("12", "};"),
        ("16", "(virtual base W)"),
    ]
    assert "virtual pointers at 0, 16" in whole
    found = json.loads(abiprobe("predict", "a.hpp", "-t", TARGET, "--format", "json", cwd=tmp_path).stdout)
    assert found["classes"]["D"]["virtual_pointers"] == [
        {"path": ["V"], "offset": 0},
        {"path": ["W"], "offset": 16},
    ]


def test_a_class_is_explained_by_the_clauses_of_its_text(tmp_path: Path) -> None:
    done = abiprobe(
        "explain", "struct V { virtual void f(); }; struct D : virtual V { };", "-t", TARGET, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert "(primary base" not in done.stdout
    assert "virtual base V" in done.stdout
    assert "Itanium C++ ABI" in done.stdout
    assert "cxxabi:size" in done.stdout


def test_classes_are_values_in_json(file: Path) -> None:
    done = abiprobe("predict", file.name, "-t", TARGET, "--format", "json", cwd=file.parent)
    found = json.loads(done.stdout)
    assert set(found["classes"]) == {"n_A", "n_E", "B", "P"}
    # What C has as well is told once.
    assert found["records"] == {}
    assert found["classes"]["B"]["bases"] == [
        {
            "path": ["n_A"],
            "offset": 0,
            "size": 9,
            "virtual": False,
            "primary": True,
            "empty": False,
            "clause": found["classes"]["B"]["bases"][0]["clause"],
        }
    ]
    assert found["classes"]["P"]["pod"]


def test_classes_are_checked(file: Path) -> None:
    name = compiler()
    done = abiprobe(
        "check", file.name, "-t", TARGET, "--cc", name, "--opt", "O0", "--format", "json", cwd=file.parent
    )
    found = json.loads(done.stdout)
    assert (done.returncode, found["skipped"]) == (0, []), done.stderr
    assert {one["name"]: one["verdict"] for one in found["verdicts"]} == {
        "struct n_A": "agrees",
        "struct n_E": "agrees",
        "struct B": "agrees",
        "struct P": "agrees",
    }


def test_functions_are_checked(file: Path) -> None:
    file.write_text(TEXT + CALLED, "utf-8")
    name = compiler()
    done = abiprobe(
        "check", file.name, "-t", TARGET, "--cc", name, "--opt", "O0", "--format", "json", cwd=file.parent
    )
    found = json.loads(done.stdout)
    assert (done.returncode, found["skipped"]) == (0, []), done.stderr
    told = {one["name"]: one["verdict"] for one in found["verdicts"]}
    assert told["int f(int, n_E, B)"] == told["void g(P)"] == "agrees"


def test_a_virtual_function_may_be_called_as_that_which_it_overrides(tmp_path: Path) -> None:
    text = "struct A { virtual int v(); int a; };\nstruct B : A { int v() override; virtual ~B(); };\n"
    (tmp_path / "v.hpp").write_text(text, "utf-8")
    asked = ("check", "v.hpp", "-t", TARGET, "--cc", compiler(), "--opt", "O0", "--format", "json")
    done = abiprobe(*asked, cwd=tmp_path)
    told = {one["name"]: one["verdict"] for one in json.loads(done.stdout)["verdicts"]}
    assert told["virtual int A::v()"] == told["virtual int B::v()"] == "agrees"


def test_a_function_that_cannot_be_asked_is_never_green(file: Path) -> None:
    file.write_text(TEXT + "template <class T> T f(T);\nint g(int, ...);\n", "utf-8")
    asked = ("check", file.name, "-t", TARGET, "--cc", compiler(), "--opt", "O0")
    done = abiprobe(*asked, cwd=file.parent)
    assert done.returncode == 3
    assert "C++: a function template (f" in done.stdout
    assert "C++: which unnamed arguments it is called with is not read (g" in done.stdout
    assert abiprobe(*asked, "--allow-skipped", cwd=file.parent).returncode == 0


def test_functions_are_predicted(file: Path) -> None:
    file.write_text(TEXT + CALLED, "utf-8")
    done = abiprobe("predict", file.name, "-t", TARGET, cwd=file.parent)
    *_, before = done.stdout.partition("int f(int, n_E, B)\n")
    assert [line.split()[:3] for line in before.splitlines()[:3]] == [
        ["in", "rdi", "p0"],
        ["in", "rsi", "&p2"],
        ["out", "rax", "result"],
    ]
    assert "The caller runs 1 destructor of a user's." in before
    found = json.loads(
        abiprobe("predict", file.name, "-t", TARGET, "--format", "json", cwd=file.parent).stdout
    )
    called = found["cxx_functions"]["int f(int, n_E, B)"]
    assert [one["passing"] for one in called["params"]] == ["direct", "ignored", "indirect"]
    assert called["destroyed"] == 1


def test_functions_are_explained_as_a_compiler_has_them(tmp_path: Path) -> None:
    written = "struct E {}; struct C { E e; int m(int, E, int) const; };"
    asked = ("explain", written, "-t", "i386-sysv")
    by_text = abiprobe(*asked, cwd=tmp_path)
    assert "[cxxabi:calls.this]" in by_text.stdout
    assert "16 bytes of stack arguments" in by_text.stdout
    if not installed(parse_subject("clang++-22"), (find_target("i386-sysv"),)):
        pytest.skip("clang++-22 is not installed")
    by_clang = abiprobe(*asked, "--as", "clang++-22", cwd=tmp_path)
    assert "12 bytes of stack arguments" in by_clang.stdout
    assert "clang passes nothing for an empty class" in by_clang.stdout


@pytest.mark.parametrize(
    ("written", "status", "words"),
    [
        ("template <class T> T f(T);", 2, "C++: a function template"),
        ("int f(int &, ...);", 2, "C++: which unnamed arguments it is called with is not read"),
    ],
)
def test_a_function_that_is_not_predicted_is_one_line(
    written: str, status: int, words: str, tmp_path: Path
) -> None:
    done = abiprobe("explain", written, "-t", TARGET, cwd=tmp_path)
    assert (done.returncode, len(done.stderr.splitlines())) == (status, 1)
    assert words in done.stderr


def test_where_no_model_has_calls_of_cxx_that_is_said(file: Path) -> None:
    file.write_text(TEXT + CALLED, "utf-8")
    done = abiprobe("predict", file.name, "-t", "loongarch64-lp64d", cwd=file.parent)
    assert "C++: its calls are not modelled for loongarch64-lp64d" in done.stdout


def test_a_header_is_read_for_each_language_that_is_asked(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text("struct P { int x; };\nvoid g(struct P p);\n", "utf-8")
    for_c = next(
        (one for one in ("gcc-12", "gcc", "zig") if installed(parse_subject(one), (find_target(TARGET),))),
        None,
    )
    if for_c is None:
        pytest.skip("a compiler of C is not installed")
    both = f"{for_c},{compiler()}"
    done = abiprobe(
        "check", "a.h", "-t", TARGET, "--cc", both, "--opt", "O0", "--pairs", "none", cwd=tmp_path
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "read 1 record, 1 function, 1 class, 1 function of C++" in done.stdout


def test_what_is_neither_c_nor_cxx_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "a.hpp").write_text("struct S { int a }", "utf-8")
    done = abiprobe("check", "a.hpp", "-t", TARGET, "--cc", compiler(), cwd=tmp_path)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
