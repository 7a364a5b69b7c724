"""C++ as far as vector functions need it: references, mangled names, and records that C could declare."""

from __future__ import annotations

import pytest

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input import Declarations, read
from abiprobe.oracles.abis.vfabi import VectorModel
from abiprobe.oracles.abis.vfabi.variant import Variants
from abiprobe.oracles.language.lang import Kind, Pointer, Scalar
from abiprobe.oracles.registry import find_model

TRIPLE = "x86_64-linux-gnu"
SIMD = "#pragma omp declare simd notinbranch linear(ref(a):2)\n"
INT = Scalar(Kind.INT)


def declared(text: str, filename: str = "f.cpp") -> Declarations:
    return read(text, filename=filename, triple=TRIPLE)


@pytest.mark.parametrize("filename", ["f.cpp", "f.cc", "f.hpp", "declaration", "<stdin>"])
def test_a_reference(filename: str) -> None:
    (function,) = declared(f"{SIMD}int f(int &a);", filename).functions
    assert function.params[0].type == Pointer("int", to=INT, reference=True)
    assert function.symbol == "_Z1fRi"


def test_a_reference_as_a_result() -> None:
    (function,) = declared(f"{SIMD}double &f(int &a);").functions
    assert function.result == Pointer("double", to=Scalar(Kind.DOUBLE), reference=True)


def test_a_file_of_c_has_no_references() -> None:
    with pytest.raises(Problem, match=r"f\.c:2:11: expected"):
        declared(f"{SIMD}int f(int &a);", "f.c")


def test_names_are_mangled() -> None:
    model = find_model("x86_64-vfabi")
    assert isinstance(model, VectorModel)
    (function,) = declared(f"{SIMD}int f(int &a);").functions
    answer = model.variants(function)
    assert isinstance(answer, Variants)
    assert answer.variants[0].symbol == "_ZGVbN4R8__Z1fRi"


def test_what_is_extern_c_is_not_mangled() -> None:
    (function,) = declared(f'extern "C" {{\n{SIMD}int f(int &a);\n}}').functions
    assert (function.symbol, len(function.simd)) == ("", 1)


def test_the_headers_of_c_are_there() -> None:
    text = "#include <stdint.h>\n#include <stddef.h>\n#include <stdbool.h>\nstruct S { uint8_t a; bool b; };"
    (record,) = declared(text).records
    assert [member.type for member in record.members][1] == Scalar(Kind.BOOL)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("struct S { S(const S &); int a; }; void f(S);", "S has a constructor"),
        ("struct S {}; void f(S);", "S has no members"),
        ("struct A { int a; }; struct S : A {}; void f(S);", "S has a base class"),
        ("struct S { virtual void g(); int a; }; void f(S);", "S has a constructor, a virtual function"),
        ("void f(int &a);", "of functions with declare simd only"),
        ("int &f(int a);", "of functions with declare simd only"),
        ("void f(int); void f(char);", "f is overloaded"),
        ("void f(int &&a);", "cannot express|not something"),
    ],
)
def test_the_rest_of_cxx_is_one_clear_line(text: str, words: str) -> None:
    with pytest.raises(Problem, match=words) as caught:
        declared(text)
    assert str(caught.value).startswith("f.cpp:")
