"""Microsoft's x64 convention by its text, with the types of System V.

The notation is that of `tests/oracles/conftest.py`; the fifth argument lies at rsp + 40, above the shadow store.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from abiprobe.harness.declarations import read
from abiprobe.oracles.lang import Convention, Prototype, Record
from abiprobe.oracles.place import Assignment, Unsupported
from abiprobe.oracles.registry import find_model

TYPES = """
typedef int m64 __attribute__((vector_size(8)));
typedef float m128 __attribute__((vector_size(16)));
typedef char tiny __attribute__((vector_size(4)));
"""

EXAMPLES = [
    # the examples of the document, the second line of each being its comment
    ("void func1(int a, int b, int c, int d, int e, int f)", "rcx, rdx, r8, r9, stack+40, stack+48"),
    (
        "void func2(float a, double b, float c, double d, float e, float f)",
        "xmm0, xmm1, xmm2, xmm3, stack+40, stack+48",
    ),
    (
        "void func3(int a, double b, int c, float d, int e, float f)",
        "rcx, xmm1, r8, xmm3, stack+40, stack+48",
    ),
    (
        "struct big {long a, b;}; void func4(m64 a, m128 b, struct big c, float d, m128 e, m128 f)",
        "rcx, &rdx, &r8, xmm3, &stack+40, &stack+48",
    ),
    ("long func1(int a, float b, int c, int d, int e)", "rcx, xmm1, r8, r9, stack+40 -> rax"),
    ("m128 func2(float a, double b, int c, m64 d)", "xmm0, xmm1, r8, r9 -> xmm0"),
    (
        "struct {int j, k, l;} func3(int a, double b, int c, float d)",
        "rdx, xmm2, r9, stack+40 -> *rcx rax",
    ),
    ("struct {int j, k;} func4(int a, double b, int c, float d)", "rcx, xmm1, r8, xmm3 -> rax"),
]

PARAMETERS = [
    ("void f(_Bool, char, short, void *)", "rcx, rdx, r8, r9"),
    ("void f(_Float16)", "xmm0"),
    ("void f(__int128, int)", "&rcx, rdx"),
    ("void f(long double, double)", "&rcx, xmm1"),
    ("void f(double _Complex)", "&rcx"),
    ("void f(_BitInt(64), _BitInt(65))", "rcx, &rdx"),
    ("void f(struct {char a[3];}, struct {char a[4];})", "&rcx, rdx"),
    ("void f(struct {double a;})", "rcx"),
    ("void f(struct {long double a;})", "&rcx"),
    ("void f(struct {} a)", "&rcx"),
    (
        "void f(int, int, int, int, struct {char a[3];}, struct {short a;})",
        "rcx, rdx, r8, r9, &stack+40, stack+48",
    ),
    ("void f(float _Complex)", "unspecified"),
    ("void f(tiny)", "unspecified"),
]

VARIADIC = [
    ("void f(int, ...); void unnamed(double)", "rcx, xmm1 rdx"),
    ("void f(double, ...); void unnamed(int, double)", "xmm0, rdx, xmm2 r8"),
    (
        "void f(int, ...); void unnamed(int, int, int, double, struct {long a, b;})",
        "rcx, rdx, r8, r9, stack+40, &stack+48",
    ),
]

RESULTS = [
    ("_Bool f(void)", "-> rax"),
    ("float f(void)", "-> xmm0"),
    ("m64 f(void)", "-> rax"),
    ("struct {double a;} f(void)", "-> rax"),
    ("struct {char a[3];} f(int)", "rdx -> *rcx rax"),
    ("struct {long double a;} f(float)", "xmm1 -> *rcx rax"),
    ("struct {char a;} f(void)", "-> rax"),
    ("struct {} f(int)", "unspecified"),
    ("__int128 f(void)", "unspecified"),
    ("long double f(void)", "unspecified"),
    ("float _Complex f(void)", "unspecified"),
]

CALLS = [*EXAMPLES, *PARAMETERS, *VARIADIC, *RESULTS]


@pytest.mark.parametrize(("source", "line"), CALLS, ids=[row[0] for row in CALLS])
def test_a_call(ms: Callable[[str], Any], source: str, line: str) -> None:
    assert ms(f"{TYPES}{source};").line == line


@pytest.mark.parametrize(
    ("source", "align"),
    [
        ("void f(struct {char a[3];})", 16),
        ("void f(m128)", 16),
        ("void f(struct {char a[3];} __attribute__((aligned(64))))", 64),
        # The sentence is about aggregates.
        ("void f(long double)", 1),
    ],
)
def test_the_memory_of_an_argument_by_reference_is_aligned(source: str, align: int) -> None:
    function = read(f"{TYPES}{source};", filename="row.h", triple="x86_64-linux-gnu").functions[0]
    answer = find_model("x86_64-ms").assign(function)
    assert isinstance(answer, Assignment)
    assert answer.params[0].memory_align == align


def test_families_part_on_a_result_without_bytes() -> None:
    function = Prototype("f", Record("E", ()), ())
    gcc, clang = (find_model(f"x86_64-ms@{family}").assign(function) for family in ("gcc", "clang"))
    assert isinstance(gcc, Assignment)
    assert isinstance(clang, Assignment)
    assert not gcc.hidden
    assert clang.hidden


def test_every_function_of_the_target_has_the_attribute() -> None:
    plain = Prototype("f", None, ())
    model = find_model("x86_64-ms")
    asked = Prototype("f", None, (), convention=Convention.MS_ABI)
    assert model.declared(plain) == asked
    assert model.assign(plain) == model.assign(asked)
    assert find_model("x86_64-sysv").declared(plain) == plain
    assert isinstance(find_model("x86_64-sysv").assign(asked), Unsupported)
