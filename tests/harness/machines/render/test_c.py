"""Rendered C: every compiler accepts it, and reading it back gives the value that was rendered."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

from abiprobe.generators.pool import POOL_SORTS, PoolSort, draw, draw_pool
from abiprobe.harness.input import read
from abiprobe.harness.machines.render.c import call_of, declare, definitions, prototype
from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.harness.observers.image.units import calls_text
from abiprobe.harness.observers.objects.layouts import LayoutPlan, layouts_text
from abiprobe.harness.observers.prediction import prepare
from abiprobe.harness.subjects.features import lacking
from abiprobe.harness.subjects.find import build, identity, parse_subject
from abiprobe.oracles.language.features import CONVENTIONS, SAMPLES, features
from abiprobe.oracles.language.lang import (
    Array,
    Atomic,
    BitInt,
    Complex,
    Kind,
    Param,
    Pointer,
    Prototype,
    Record,
    Scalar,
    Type,
    Typedef,
    Vector,
    declared,
)
from abiprobe.oracles.language.question import Question, Sort, probe
from abiprobe.oracles.registry import find_model, find_target

TRIPLES = {"riscv64-lp64d": "riscv64-linux-gnu", "x86_64-sysv": "x86_64-linux-gnu"}
READABLE = (
    frozenset(SAMPLES)
    - CONVENTIONS
    - {
        "_Float128",
        "scalable vector",
        "SVE vector",
        "SVE vector of fixed length",
        "gcc_struct",
        "ms_struct",
        "ms_struct long double",
    }
)
"""The features of which every declaration can be read."""

INT, DOUBLE = Scalar(Kind.INT), Scalar(Kind.DOUBLE)
DECLARATORS = [
    (INT, "a", "int a"),
    (Array(Array(INT, 3), 2), "a", "int a[2][3]"),
    (Array(INT, None), "a", "int a[]"),
    (Array(INT, 0), "a", "int a[0]"),
    (Pointer("struct Q"), "a", "void *a"),
    (Array(Pointer(), 2), "a", "void *a[2]"),
    (Pointer("int", function=True), "a", "void (*a)(void)"),
    (Array(Pointer(function=True), 4), "a", "void (*a[4])(void)"),
    (BitInt(37), "a", "_BitInt(37) a"),
    (BitInt(3, signed=False), "a", "unsigned _BitInt(3) a"),
    (Complex(Kind.FLOAT), "a", "float _Complex a"),
    (Atomic(INT), "a", "_Atomic(int) a"),
    (Record("S", (), union=True), "*", "union S_7 *"),
    (Typedef("number", INT), "a", "number_7 a"),
    (Typedef("t", INT), "a", "own_t_7 a"),
    (INT, "", "int"),
]


@pytest.mark.parametrize(("c_type", "declarator", "text"), DECLARATORS)
def test_a_declaration(c_type: Type, declarator: str, text: str) -> None:
    assert declare(c_type, declarator, "_7") == text


def test_a_result_of_every_kind_keeps_the_parameters() -> None:
    for result in (INT, DOUBLE, Pointer(), Complex(Kind.DOUBLE), Record("S", ())):
        text = prototype(Prototype("f", result, ()))
        assert text.endswith("f(void)")


COMPILERS = [
    ("gcc-12", "x86_64-sysv"),
    ("gcc-12", "riscv64-lp64d"),
    ("zig", "x86_64-sysv"),
    ("zig", "riscv64-lp64d"),
    ("clang-14", "riscv64-lp64d"),
    ("clang-22", "x86_64-sysv"),
]


def planned(target: str, kind: PoolSort, lacks: frozenset[str]) -> list[CallPlan | LayoutPlan]:
    """What is asked about drawn questions that need nothing of `lacks`."""
    questions = draw(seed=5, kind=kind, start=0, count=150)
    prepared = prepare(find_model(target), [probe(one) for one in questions if not features(one) & lacks])
    return list(prepared.plans)


@pytest.mark.parametrize(("tool", "target"), COMPILERS)
def test_every_drawn_question_is_c_that_compilers_accept(tool: str, target: str, tmp_path: Path) -> None:
    built = build(parse_subject(tool), find_target(target), "O0")
    if built is None:
        pytest.skip(f"{tool} is not installed for {target}")
    lacks = lacking(built, identity(built.command))
    layouts, calls = (planned(target, kind, lacks) for kind in (Sort.RECORDS, Sort.PROTOTYPES))
    units = {
        "layouts.c": layouts_text([plan for plan in layouts if isinstance(plan, LayoutPlan)]),
        "calls.c": calls_text([plan for plan in calls if isinstance(plan, CallPlan)]),
    }
    for name, text in units.items():
        source = tmp_path / name
        source.write_text(text, "utf-8")
        words = (*built.command, "-fsyntax-only", str(source))
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[:2000]


def plain(value: Any) -> Any:
    """A type as plain values, without what C text does not carry: pointees, and plain names for types."""
    match value:
        case {"type": "Typedef", "base": base} if value.get("align") is None:
            return plain(base)
        case {"type": "Pointer"}:
            return {"type": "Pointer", "function": value.get("function", False)}
        case dict():
            # Places of attributes that mean the same are read as one.
            same = {"before", "specifier"}
            return {key: plain(item) for key, item in value.items() if key != "position" or item not in same}
        case list() | tuple():
            return [plain(item) for item in value]
        case _:
            return value


def rendered(question: Question) -> str:
    """The C that declares a question and what it needs."""
    if isinstance(question, Record):
        return definitions((question,))
    used = tuple(kind for kind in (question.result, *(one.type for one in question.arguments)) if kind)
    return f"{definitions(used)}\n{prototype(question)};\n{call_of(question)}"


@pytest.mark.parametrize("target", TRIPLES)
@pytest.mark.parametrize("kind", POOL_SORTS)
def test_what_is_drawn_is_read_back(kind: PoolSort, target: str) -> None:
    for question in draw(seed=8, kind=kind, start=0, count=60, features=READABLE):
        found = read(rendered(question), filename="drawn.h", triple=TRIPLES[target])
        back: Question = (
            next(record for record in found.records if record.tag == question.tag)
            if isinstance(question, Record)
            else found.functions[0]
        )
        assert plain(msgspec.to_builtins(back)) == plain(msgspec.to_builtins(question)), rendered(question)


WRITTEN = {
    "packed": "struct S { char a; long b; } __attribute__((packed));",
    "aligned": "struct S { char a; long b; } __attribute__((aligned(32)));",
    "packed and aligned": "struct S { char a; long b; } __attribute__((packed, aligned(4)));",
    "pragma pack": "#pragma pack(push, 2)\nstruct S { char a; long b; };\n#pragma pack(pop)",
    "packed member": "struct S { char a; long b __attribute__((packed)); };",
    "aligned member": "struct S { char a; int b __attribute__((aligned(16))); char c; };",
    "alignas": "struct S { char a; _Alignas(16) int b; };",
    "aligned bit-field": "struct S { char a; int b : 3 __attribute__((aligned(8))); };",
    "packed bit-field": "struct S { char a; int b : 30 __attribute__((packed)); int c : 5; };",
    "zero width": "struct S { int a : 3; int : 0; char b; };",
    "anonymous union": "struct S { int a; union { float b; struct { char c, d; }; }; };",
    "aligned anonymous": "struct S { char a; struct { int b; } __attribute__((aligned(16))); };",
    "packed anonymous": "struct S { char a; struct { char b; long c; } __attribute__((packed)); };",
    "packed enum": "enum __attribute__((packed)) E { A, B }; struct S { enum E a; };",
    "wide enum": "enum E { A = -1, B = 0x100000000 }; struct S { enum E a; };",
    "huge enum": "enum E { A = 0x8000000000000000 }; struct S { enum E a; };",
    "least enum": "enum E { A = -0x7fffffffffffffff - 1 }; struct S { enum E a; };",
    "aligned typedef": "typedef int t __attribute__((aligned(16))); struct S { char a; t b; };",
    "lowered typedef": "typedef long t __attribute__((aligned(2))); struct S { char a; t b; };",
    "typedef of an array": "typedef int t[3]; struct S { t a[2]; };",
    "typedef of a function pointer": "typedef int (*t)(int); struct S { t a[2]; };",
    "typedef bit-field": "typedef long t __attribute__((aligned(16))); struct S { char a; t b : 5; };",
    "vector": "typedef int v __attribute__((vector_size(16))); struct S { v a; v b[2]; };",
    "atomic": "struct T { int a; }; struct S { _Atomic(int) a; _Atomic(struct T) b; };",
    "bit-precise": "struct S { _BitInt(37) a; unsigned _BitInt(5) b; _BitInt(9) c : 7; };",
    "half in an array": "struct S { _Float16 a[2]; };",
    "half in a vector": "struct S { _Float16 a __attribute__((vector_size(16))); };",
    "complex half": "struct S { _Float16 _Complex a; };",
    "flexible": "struct S { int a; double b[]; };",
    "empty": "struct T { }; struct S { struct T a; struct T b[3]; int c[0]; };",
    "nested": "struct S { struct T { int a; } b; struct T c[2]; union U { int d; } e; };",
}


@pytest.mark.parametrize("name", WRITTEN)
def test_what_is_written_survives_rendering(name: str) -> None:
    before = read(WRITTEN[name], filename="written.h", triple="x86_64-linux-gnu").records
    text = definitions(before)
    after = read(text, filename="rendered.h", triple="x86_64-linux-gnu").records
    assert plain(msgspec.to_builtins(after)) == plain(msgspec.to_builtins(before)), text


def test_va_arg_names_a_type_that_an_asterisk_makes_a_pointer() -> None:
    unnamed = (Pointer(function=True), Pointer("char"))
    function = Prototype("f", None, (Param("a", Scalar(Kind.INT)),), variadic=True, unnamed=unnamed)
    prepared = prepare(find_model("x86_64-sysv"), [probe(function)])
    text = calls_text([plan for plan in prepared.plans if isinstance(plan, CallPlan)])
    assert "ABI_ARG(ap, __typeof__(void (*)(void)))" in text
    assert text.count("__typeof__") == 1


def test_every_name_gets_the_suffix() -> None:
    record = read(
        "enum E { A }; typedef int t; struct T { int x; }; struct S { enum E a; t b; struct T c; };",
        filename="names.h",
        triple="x86_64-linux-gnu",
    ).records[-1]
    both = definitions((record,), "_1") + "\n" + definitions((record,), "_2")
    found = read(both, filename="names.h", triple="x86_64-linux-gnu")
    assert [item.tag for item in found.records] == ["T_1", "S_1", "T_2", "S_2"]


def test_a_definition_comes_before_its_use() -> None:
    for record in draw_pool(seed=9, cases=60).records:
        text = definitions((record,))
        for item in declared((record,)):
            if isinstance(item, Record) and item.tag:
                tag = f"{item.keyword} {item.tag} "
                assert text.count(f"{tag}{{") == 1
                assert text.index(f"{tag}{{") == text.index(tag)


def test_vectors_are_declared_where_they_stand() -> None:
    assert declare(Vector(Kind.FLOAT, 16), "a") == "float __attribute__((vector_size(16))) a"
