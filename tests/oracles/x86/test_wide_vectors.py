"""Vectors of 32 and 64 bytes, with the options that enable registers for them, and the corners of the x86-64 text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from abiprobe.harness.declarations import read
from abiprobe.oracles.lang import Kind, Member, Param, Prototype, Record, Scalar
from abiprobe.oracles.options import LayoutOptions
from abiprobe.oracles.place import Assignment
from abiprobe.oracles.registry import find_model
from abiprobe.results.compare import str_place

TYPES = """
typedef float v16 __attribute__((vector_size(16)));
typedef float v32 __attribute__((vector_size(32)));
typedef int v64 __attribute__((vector_size(64)));
"""
NAMED = ", ".join(f"ymm{index}" for index in range(8))

ROWS = [
    ("x86_64-sysv", 16, "void f(v32)", "unspecified", "x86_64:class.vector-size"),
    ("x86_64-sysv", 32, "void f(v32, double)", "ymm0, xmm1", "x86_64:pass.sse"),
    ("x86_64-sysv", 32, "v32 f(void)", "-> ymm0", "x86_64:result.sseup"),
    ("x86_64-sysv", 32, "void f(v64)", "unspecified", "x86_64:class.vector-size"),
    ("x86_64-sysv", 64, "void f(v64, v32, v16)", "zmm0, ymm1, xmm2", "x86_64:pass.sseup"),
    ("x86_64-sysv", 32, "struct {v32 a;} f(struct {v32 a;} b)", "ymm0 -> ymm0", "x86_64:result.sseup"),
    ("x86_64-sysv", 32, "void f(struct {v16 a, b;})", "stack+8", "x86_64:pass.memory"),
    ("x86_64-sysv", 64, "void f(struct {v32 a, b;})", "stack+8", "x86_64:pass.memory"),
    ("x86_64-sysv", 64, "void f(union {v64 a; v16 b[4];})", "stack+8", "x86_64:pass.memory"),
    ("x86_64-sysv", 64, "void f(union {v64 a; v32 b;})", "zmm0", "x86_64:pass.sseup"),
    ("x86_64-sysv", 32, "void f(long double, v32[0])", "stack+8, rdi", "x86_64:pass.integer"),
    (
        "x86_64-sysv",
        32,
        f"void f({', '.join(['v32'] * 8)}, char, long double, v32)",
        f"{NAMED}, rdi, stack+8, stack+40",
        "x86_64:pass.memory",
    ),
    (
        "x86_64-sysv",
        32,
        "void f(int, v32, ...); void unnamed(v32, v16)",
        "rdi, ymm0, stack+8, xmm1",
        "x86_64:pass.sseup",
    ),
    ("x86_64-sysv", 32, "void f(int, ...); void unnamed(v32)", "rdi, stack+8", "x86_64:pass.unnamed-vector"),
    ("i386-sysv", 16, "void f(v32)", "unspecified", "i386:type.vector-size"),
    ("i386-sysv", 32, "v32 f(v16, v32, int, v32, v32)", "xmm0, ymm1, stack+4, ymm2, stack+36 -> ymm0", ""),
    ("i386-sysv", 64, "v64 f(v64)", "zmm0 -> zmm0", "i386:result.vector"),
    ("i386-sysv", 32, "void f(int, struct {v32 a;})", "stack+4, stack+36", "i386:pass.alignment"),
    (
        # table 2.6 in full
        "i386-sysv",
        32,
        "struct {int a, b; double d;} f(int, v16, struct {int a, b; double d;}, v32, v16, v16, v32)",
        "stack+8, xmm0, stack+12, ymm1, xmm2, stack+36, stack+68 -> *stack+4 eax",
        "i386:result.memory",
    ),
    ("x86_64-ms", 32, "void f(v32, v16)", "&rcx, &rdx", "ms:pass.reference"),
    ("x86_64-ms", 32, "v32 f(void)", "unspecified", "ms:pass.other"),
]

CORPUS = [
    ("void f(long, long, long, long, long, __int128)", "rdi, rsi, rdx, rcx, r8, stack+8", "pass.whole"),
    ("struct {float a; short z[0];} f(void)", "-> xmm0", "class.no-element"),
    ("void f(struct {long a; long flex[];})", "rdi", "class.no-element"),
    ("void f(struct {_Atomic(float) a, b;})", "xmm0", "pass.sse"),
    ("long double _Complex f(void)", "-> st0[0:10] st1[16:26]", "result.complex-x87"),
    ("void f(struct __attribute__((packed)) {char a; double b;})", "stack+8", "pass.memory"),
    ("void f(_BitInt(65))", "rdi[0:8] rsi[8:16]", "class.bit-int"),
    ("void f(_BitInt(129))", "stack+8", "pass.memory"),
    ("void f(int, ...); void unnamed(long double)", "rdi, stack+8", "pass.x87"),
]


@pytest.mark.parametrize(("target", "vectors", "source", "line", "clause"), ROWS)
def test_a_wide_vector(
    with_vectors: Callable[[str, int, str], Any],
    target: str,
    vectors: int,
    source: str,
    line: str,
    clause: str,
) -> None:
    answer = with_vectors(target, vectors, f"{TYPES}{source};")
    assert answer.line == line
    assert not clause or clause in answer.clauses


@pytest.mark.parametrize(
    ("target", "source", "align", "clause"),
    [
        ("x86_64-sysv", "void f(long)", 1, "pass.memory"),
        ("x86_64-sysv", "void f(long double)", 16, "pass.memory"),
        ("x86_64-sysv", "void f(struct {char a[65];} __attribute__((aligned(32))))", 32, "pass.memory"),
        ("x86_64-sysv", "void f(int, ...); void unnamed(v32)", 32, "stack.alignment"),
        ("x86_64-sysv", "void f(int, ...); void unnamed(v64)", 64, "stack.alignment"),
        ("i386-sysv", "void f(v32, v32, v32, v64)", 64, "call.stack-alignment"),
        ("i386-sysv", "void f(v32, v32, v32)", 1, "call.stack-alignment"),
    ],
)
def test_how_the_argument_area_is_aligned(target: str, source: str, align: int, clause: str) -> None:
    triple = "i386-linux-gnu" if target.startswith("i386") else "x86_64-linux-gnu"
    function, *more = read(f"{TYPES}{source};", filename="row.h", triple=triple).functions
    unnamed = tuple(param.type for other in more for param in other.params)
    answer = find_model(target, LayoutOptions(vectors=64)).assign(replace(function, unnamed=unnamed))
    assert isinstance(answer, Assignment)
    assert (answer.area_align, answer.area_clause.partition(":")[2]) == (align, clause)


@pytest.mark.parametrize(
    ("real", "line"), [(None, "stack+8"), (Kind.DOUBLE, "xmm0"), (Kind.FLOAT128, "xmm0")]
)
def test_a_long_double_that_an_option_makes_another_type(real: Kind | None, line: str) -> None:
    scalar, in_record = Scalar(Kind.LDOUBLE), Record("S", (Member(Scalar(Kind.LDOUBLE), "a"),))
    for c_type in (scalar, in_record):
        function = Prototype("f", c_type, (Param("a", c_type),))
        answer = find_model("x86_64-sysv", LayoutOptions(real=real)).assign(function)
        assert isinstance(answer, Assignment)
        assert [str_place(piece.place) for piece in answer.params[0].pieces] == [line]


@pytest.mark.parametrize(
    ("source", "bounds"),
    [
        ("void f(int, ...); void unnamed(int)", (0, 8)),
        ("void f(double, ...); void unnamed(struct {double a, b;})", (3, 8)),
        ("void f(double, ...); void unnamed(v32, __float128)", (2, 8)),
        ("void f(double)", None),
    ],
)
def test_how_many_vector_registers_a_call_tells(source: str, bounds: tuple[int, int] | None) -> None:
    function, *more = read(f"{TYPES}{source};", filename="row.h", triple="x86_64-linux-gnu").functions
    unnamed = tuple(param.type for other in more for param in other.params)
    answer = find_model("x86_64-sysv", LayoutOptions(vectors=32)).assign(replace(function, unnamed=unnamed))
    assert isinstance(answer, Assignment)
    assert [hidden.bounds for hidden in answer.hidden] == ([] if bounds is None else [bounds])


@pytest.mark.parametrize(("source", "line", "clause"), CORPUS)
def test_a_corner_of_system_v(sysv: Callable[[str], Any], source: str, line: str, clause: str) -> None:
    answer = sysv(f"{source};")
    assert answer.line == line
    assert f"x86_64:{clause}" in answer.clauses
