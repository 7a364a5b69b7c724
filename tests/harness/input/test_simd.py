"""`declare simd` in a user's file."""

from __future__ import annotations

import pytest

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input import read
from abiprobe.oracles.language.lang import Kind, Pointer, Prototype, Scalar
from abiprobe.oracles.language.simd import Aligned, Branch, Linear, Modifier, Simd, pragma

TRIPLE = "x86_64-linux-gnu"


def functions(text: str) -> tuple[Prototype, ...]:
    return read(text, filename="f.c", triple=TRIPLE).functions


def simd(text: str) -> tuple[Simd, ...]:
    (function,) = functions(text)
    return function.simd


def test_clauses_keep_their_groups() -> None:
    text = """
#define STEP 2
#define TWICE STEP * 2
#pragma omp declare simd uniform(q, s) aligned(q:16) linear(k:TWICE) /* all */ \\
    linear(val(a), b: s) notinbranch, simdlen(1 << 3)
#pragma omp declare simd aligned(q) inbranch // and another
float foo(float *q, int k, int a, int b, int s) { return k; }
"""
    text = text.replace("val(a), b", "a, b")
    assert simd(text) == (
        Simd(
            ("q", "s"),
            (Linear(("k",), 4), Linear(("a", "b"), "s")),
            (Aligned(("q",), 16),),
            8,
            Branch.NOTINBRANCH,
        ),
        Simd(aligned=(Aligned(("q",)),), branch=Branch.INBRANCH),
    )


def test_a_modifier() -> None:
    found = simd("#pragma omp declare simd linear(val(a, b): -1)\nint f(int a, int b);")
    assert found == (Simd(linear=(Linear(("a", "b"), -1, Modifier.VAL),)),)


def test_pragmas_of_all_declarations_add_up() -> None:
    text = "#pragma omp declare simd notinbranch\nint f(int a);\n#pragma omp declare simd simdlen(8)\nint f(int a);\nint g(int a);"
    f, g = functions(text)
    assert [len(f.simd), len(g.simd)] == [2, 0]


def test_the_attribute() -> None:
    assert simd('__attribute__((simd("notinbranch"))) int f(int a);') == (
        Simd(branch=Branch.NOTINBRANCH, attribute=True),
    )
    assert simd("int f(int a) __attribute__((__simd__));") == (Simd(attribute=True),)


def test_a_linear_pointer_knows_what_it_points_to() -> None:
    text = "struct S { int a, b; };\n#pragma omp declare simd linear(p, q, v)\nint f(struct S *p, double *q, void *v, int *o);"
    (function,) = functions(text)
    to = [param.type.to for param in function.params if isinstance(param.type, Pointer)]
    assert to[1:] == [Scalar(Kind.DOUBLE), None, None]
    assert to[0] is not None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("#pragma omp declare simd uniform(z)\nint f(int a);", "z"),
        ("#pragma omp declare simd simdlen(sizeof(int))\nint f(int a);", "sizeof(int) cannot be read"),
        ("#pragma omp declare simd linear(a: step(2))\nint f(int a);", "f.c:1"),
        ("#pragma omp declare simd simdlen(0)\nint f(int a);", "f.c:1"),
        ("#pragma omp declare simd uniform(a) linear(a)\nint f(int a);", "f.c:1"),
    ],
)
def test_what_cannot_be_read_is_one_clear_line(text: str, words: str) -> None:
    with pytest.raises(Problem) as caught:
        functions(text)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    "value",
    [
        Simd(),
        Simd(("a",), (Linear(("b", "c"), "a"), Linear(("d",), -3, Modifier.VAL)), (Aligned(("p",), 32),), 4),
        Simd(aligned=(Aligned(("p",)),), branch=Branch.INBRANCH),
        Simd(attribute=True),
        Simd(branch=Branch.INBRANCH, attribute=True),
    ],
)
def test_what_is_written_is_read_back(value: Simd) -> None:
    assert simd(f"{pragma(value)}\nint f(int a, int b, int c, int d, int *p);") == (value,)
