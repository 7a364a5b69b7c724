"""Vectors of 32 and 64 bytes, with the options that enable registers for them, and the corners of the x86-64 text."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from abiprobe.harness.input import read
from abiprobe.oracles.language.lang import Kind, Member, Param, Prototype, Record, Scalar
from abiprobe.oracles.registry import find_model
from abiprobe.oracles.text.options import LayoutOptions
from abiprobe.oracles.text.place import Assignment
from abiprobe.results.verdicts.wording import place_text

TYPES = """
typedef float v16 __attribute__((vector_size(16)));
typedef float v32 __attribute__((vector_size(32)));
typedef int v64 __attribute__((vector_size(64)));
"""


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
        assert [place_text(piece.place) for piece in answer.params[0].pieces] == [line]


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
