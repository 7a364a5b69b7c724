"""The `target` attribute of functions: dropped where it moves no byte, kept where it brings registers for vectors."""

from __future__ import annotations

import pytest

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input import read
from abiprobe.oracles.language.lang import Isa, Prototype

X86_64, I386, AARCH64 = "x86_64-linux-gnu", "i386-linux-gnu", "aarch64-linux-gnu"
TYPES = """
typedef float v4 __attribute__((vector_size(16)));
typedef float v8 __attribute__((vector_size(32)));
struct S { int a; v8 b[2]; };
"""


def function(attribute: str, signature: str, triple: str = X86_64) -> Prototype:
    text = f"{TYPES}__attribute__(({attribute})) {signature};"
    return read(text, filename="t.c", triple=triple).functions[0]


@pytest.mark.parametrize(
    ("attribute", "signature", "expected"),
    [
        ('target("avx2")', "int f(int a, double b)", None),
        ('target("avx2")', "v4 f(v4 a)", None),
        ('target("arch=haswell,tune=haswell")', "v4 f(v4 a)", None),
        ('target("sse4.2,popcnt")', "void f(v8 a)", None),
        ('target("avx")', "void f(v8 a)", Isa.AVX),
        ('target("sse4.2,fma")', "v8 f(void)", Isa.AVX),
        ('target("avx2"), target("bmi")', "void f(struct S a)", Isa.AVX),
        ('target("avx,avx512vl")', "void f(v8 a)", Isa.AVX512),
    ],
)
@pytest.mark.parametrize("triple", [X86_64, I386])
def test_it_counts_where_a_vector_is_wider_than_the_registers_of_every_processor(
    attribute: str, signature: str, expected: Isa | None, triple: str
) -> None:
    assert function(attribute, signature, triple).isa is expected


@pytest.mark.parametrize(
    ("attribute", "signature", "triple"),
    [
        ('target("no-sse")', "int f(int a)", X86_64),
        ('target("general-regs-only")', "int f(int a)", X86_64),
        ('target("arch=haswell")', "void f(v8 a)", X86_64),
        ('target("avx10.1")', "void f(v8 a)", X86_64),
        ('target("arch=armv8.2-a")', "int f(int a)", AARCH64),
    ],
)
def test_what_cannot_be_told_is_refused(attribute: str, signature: str, triple: str) -> None:
    with pytest.raises(Problem, match="attribute target"):
        function(attribute, signature, triple)


def test_it_counts_for_an_unnamed_argument_alone() -> None:
    text = f"""{TYPES}
        union U {{ double a; v8 b; }};
        __attribute__((target("avx"))) void f(float a, ...);
        static void calls_f(void) {{ f(1, *(union U *)0); f(1, 2.0); }}
    """
    vector, real, _ = read(text, filename="t.c", triple=X86_64).functions
    assert (vector.isa, real.isa) == (Isa.AVX, None)
