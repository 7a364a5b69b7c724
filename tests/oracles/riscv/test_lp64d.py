"""LP64D by the text of the RISC-V ABIs Specification: what each rule says of a call that it decides.

`EIGHT` stands for eight parameters of type `long` that take a0 to a7, `FLOATS` for eight `double`s in fa0 to fa7; fewer of either
are spelled `SEVEN`. The notation is that of `tests/oracles/conftest.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

LONGS = [f"a{n}" for n in range(8)]
REALS = [f"fa{n}" for n in range(8)]
SHORTHANDS = {
    "EIGHT": ("long", LONGS),
    "SEVEN": ("long", LONGS[:7]),
    "SIX": ("long", LONGS[:6]),
    "FLOATS": ("double", REALS),
    "SEVEN_FLOATS": ("double", REALS[:7]),
}
VECTORS = """
typedef float v2 __attribute__((vector_size(8)));
typedef float v4 __attribute__((vector_size(16)));
typedef float v8 __attribute__((vector_size(32)));
"""

SCALARS = [
    ("void f(_Bool)", "a0:zero", "int.extend"),
    ("void f(char)", "a0:zero", "int.extend"),  # type.char: unsigned
    ("void f(signed char)", "a0:sign", "int.extend"),
    ("void f(unsigned char)", "a0:zero", "int.extend"),
    ("void f(short)", "a0:sign", "int.extend"),
    ("void f(unsigned short)", "a0:zero", "int.extend"),
    ("void f(int)", "a0:sign", "int.extend"),
    ("void f(unsigned)", "a0:sign", "int.extend"),  # by its sign to 32 bits, sign-extended from there
    ("void f(enum {A, B})", "a0:sign", "int.extend"),
    ("void f(enum {A = -1})", "a0:sign", "int.extend"),
    ("void f(long, unsigned long)", "a0, a1", "int.scalar"),
    ("void f(void *, void (*)(void))", "a0, a1", "int.scalar"),
    ("void f(__int128)", "a0[0:8] a1[8:16]", "int.scalar-pair"),
    ("void f(long double)", "a0[0:8] a1[8:16]", "int.scalar-pair"),
    ("void f(int, __int128)", "a0:sign, a1[0:8] a2[8:16]", "int.scalar-pair"),  # no aligned pair: named
    ("void f(int, long double)", "a0:sign, a1[0:8] a2[8:16]", "int.scalar-pair"),
    ("void f(SEVEN, __int128)", "SEVEN, a7[0:8] stack+0[8:16]", "int.scalar-pair"),
    ("void f(SEVEN, long double)", "SEVEN, a7[0:8] stack+0[8:16]", "int.scalar-pair"),
    ("void f(SEVEN, __int128, int)", "SEVEN, a7[0:8] stack+0[8:16], stack+8:sign", "int.scalar"),
    ("void f(EIGHT, __int128)", "EIGHT, stack+0", "int.scalar-pair"),
    ("void f(EIGHT, char, __int128)", "EIGHT, stack+0:zero, stack+16", "int.scalar-pair"),
    ("void f(EIGHT, char, long double)", "EIGHT, stack+0:zero, stack+16", "int.scalar-pair"),
    ("void f(EIGHT, int)", "EIGHT, stack+0:sign", "int.extend"),
    ("void f(EIGHT, unsigned, short)", "EIGHT, stack+0:sign, stack+8:sign", "int.extend"),
    ("void f(float)", "fa0:nan-box", "fp.nan-box"),
    ("void f(double)", "fa0", "fp.real"),
    ("void f(_Float16)", "fa0:nan-box", "fp.nan-box"),
    ("void f(__bf16)", "fa0:nan-box", "fp.nan-box"),
    ("void f(int, double, int, float)", "a0:sign, fa0, a1:sign, fa1:nan-box", "fp.nan-box"),
    ("void f(EIGHT, float)", "EIGHT, fa0:nan-box", "fp.real"),  # whether or not integers are exhausted
    ("void f(FLOATS, float)", "FLOATS, a0:any", "int.float-widen"),
    ("void f(FLOATS, _Float16)", "FLOATS, a0:any", "int.float-widen"),
    ("void f(FLOATS, double)", "FLOATS, a0", "int.real"),
    ("void f(FLOATS, EIGHT, double)", "FLOATS, EIGHT, stack+0", "int.real"),
    ("void f(FLOATS, EIGHT, float)", "FLOATS, EIGHT, stack+0:any", "int.float-widen"),
]

BIT_INTS = [
    ("void f(_BitInt(5))", "a0:sign", "int.bit-int"),
    ("void f(unsigned _BitInt(5))", "a0:zero", "int.bit-int"),
    ("void f(unsigned _BitInt(31))", "a0:zero", "int.bit-int"),
    ("void f(_BitInt(32))", "a0:sign", "int.bit-int"),
    ("void f(unsigned _BitInt(32))", "a0:sign", "int.bit-int"),  # the exception for N = 32
    ("void f(unsigned _BitInt(33))", "a0", "int.bit-int"),
    ("void f(_BitInt(64))", "a0", "int.bit-int"),
    ("void f(int, _BitInt(65))", "a0:sign, a1[0:8] a2[8:16]", "int.bit-int"),
    ("void f(SEVEN, _BitInt(128))", "SEVEN, a7[0:8] stack+0[8:16]", "int.bit-int"),
    ("void f(EIGHT, int, _BitInt(65))", "EIGHT, stack+0:sign, stack+16", "int.bit-int"),
    ("void f(_BitInt(129))", "&a0", "int.bit-int"),
    ("void f(EIGHT, int, _BitInt(200))", "EIGHT, stack+0:sign, &stack+8", "int.bit-int"),
]

COMPLEX = [
    ("void f(float _Complex)", "fa0[0:4]:nan-box fa1[4:8]:nan-box", "fp.complex"),
    ("void f(double _Complex)", "fa0[0:8] fa1[8:16]", "fp.complex"),
    ("void f(long double _Complex)", "&a0", "int.complex"),
    ("void f(SEVEN_FLOATS, double _Complex, double)", "SEVEN_FLOATS, a0[0:8] a1[8:16], fa7", "fp.real"),
    ("void f(SEVEN_FLOATS, double _Complex)", "SEVEN_FLOATS, a0[0:8] a1[8:16]", "int.complex"),
    ("void f(SEVEN_FLOATS, float _Complex)", "SEVEN_FLOATS, a0", "int.complex"),
    ("void f(FLOATS, SEVEN, double _Complex)", "FLOATS, SEVEN, a7[0:8] stack+0[8:16]", "int.complex"),
    ("void f(FLOATS, EIGHT, int, double _Complex)", "FLOATS, EIGHT, stack+0:sign, stack+8", "int.complex"),
    ("void f(struct {float _Complex z;})", "fa0[0:4]:nan-box fa1[4:8]:nan-box", "fp.complex"),
    ("void f(struct {double _Complex z[1];})", "fa0[0:8] fa1[8:16]", "fp.flatten"),
    ("void f(struct {float _Complex z; float g;})", "a0[0:8] a1[8:12]:any", "int.aggregate-pair"),
    ("void f(struct {int i; float _Complex z;})", "a0[0:8] a1[8:12]:any", "int.aggregate-pair"),
    ("void f(struct {float _Complex y, z;})", "a0[0:8] a1[8:16]", "int.aggregate-pair"),
]

FLATTENED = [
    ("void f(struct {float a;})", "fa0:nan-box", "fp.one-real"),
    ("void f(struct {double a;})", "fa0", "fp.one-real"),
    ("void f(struct {long double a;})", "a0[0:8] a1[8:16]", "int.aggregate-pair"),
    ("void f(struct {float a, b;})", "fa0[0:4]:nan-box fa1[4:8]:nan-box", "fp.two-reals"),
    ("void f(struct {double a; _Float16 b;})", "fa0[0:8] fa1[8:10]:nan-box", "fp.two-reals"),
    ("void f(struct {struct {float a[1];} b[2];})", "fa0[0:4]:nan-box fa1[4:8]:nan-box", "fp.flatten"),
    ("void f(struct {double a[2];})", "fa0[0:8] fa1[8:16]", "fp.flatten"),
    ("void f(struct {float a[3];})", "a0[0:8] a1[8:12]:any", "int.aggregate-pair"),
    ("void f(struct {float a, b, c;})", "a0[0:8] a1[8:12]:any", "int.aggregate-pair"),
    ("void f(struct {double a, b, c;})", "&a0", "int.aggregate-reference"),
    ("void f(struct {double a; int b;})", "fa0[0:8] a0[8:12]:any", "fp.real-and-integer"),
    ("void f(struct {int a; double b;})", "a0[0:4]:any fa0[8:16]", "fp.real-and-integer"),
    ("void f(struct {char a; float b;})", "a0[0:1]:any fa0[4:8]:nan-box", "fp.real-and-integer"),
    ("void f(struct {double a; long b;})", "fa0[0:8] a0[8:16]", "fp.real-and-integer"),
    ("void f(struct {_Bool a; double b;})", "a0[0:1]:any fa0[8:16]", "fp.real-and-integer"),
    ("void f(struct {enum {A} a; float b;})", "a0[0:4]:any fa0[4:8]:nan-box", "fp.real-and-integer"),
    ("void f(struct {_BitInt(17) a; double b;})", "a0[bits 0:17]:any fa0[8:16]", "fp.real-and-integer"),
    ("void f(struct {short a; _Float16 b;})", "a0[0:2]:any fa0[2:4]:nan-box", "fp.real-and-integer"),
    ("void f(struct {int a[1]; float b;})", "a0[0:4]:any fa0[4:8]:nan-box", "fp.flatten"),
    ("void f(struct {int a:5; float b;})", "a0[bits 0:5]:any fa0[4:8]:nan-box", "fp.real-and-integer"),
    ("void f(struct {float a; int b:5;})", "fa0[0:4]:nan-box a0[bits 32:37]:any", "fp.real-and-integer"),
    ("void f(struct {float a; int b:3, c:4;})", "a0", "int.aggregate"),
    ("void f(struct {float a; char b[2];})", "a0", "int.aggregate"),
    ("void f(struct {float a; void *b;})", "a0[0:8] a1[8:16]", "int.aggregate-pair"),
    ("void f(struct {float a; __int128 b;})", "&a0", "int.aggregate-reference"),
    ("void f(struct {float a; long double b;})", "&a0", "int.aggregate-reference"),
    ("void f(struct {double a; _BitInt(65) b;})", "&a0", "int.aggregate-reference"),
    (
        "void f(struct __attribute__((packed)) {int a; double b;})",
        "a0[0:4]:any fa0[4:12]",
        "fp.real-and-integer",
    ),
    (
        "void f(struct {float a; float b __attribute__((aligned(8)));})",
        "fa0[0:4]:nan-box fa1[8:12]:nan-box",
        "fp.two-reals",
    ),
    ("void f(struct __attribute__((aligned(16))) {float a;})", "fa0[0:4]:nan-box", "fp.one-real"),
    ("void f(struct {struct {} e[1]; float a;})", "fa0:nan-box", "fp.flatten-empty"),
    ("void f(struct {struct {} e[0]; float a;})", "fa0:nan-box", "fp.flatten-zero-length"),
    (
        "void f(struct {float a; struct {union {} u;} e; float b;})",
        "fa0[0:4]:nan-box fa1[4:8]:nan-box",
        "fp.flatten-empty",
    ),
    ("void f(struct {int :0; float a;})", "fa0:nan-box", "fp.flatten-zero-width"),
    ("void f(struct {float a; int :0; int b;})", "fa0[0:4]:nan-box a0[4:8]:any", "fp.flatten-zero-width"),
    ("void f(struct {long z[0]; double a;})", "fa0", "fp.flatten-zero-length"),
    ("void f(struct {float a; int :3;})", "unspecified", "fp.unnamed-bit-field"),
    ("void f(struct {struct {int :3;} s; double a;})", "unspecified", "fp.unnamed-bit-field"),
    ("void f(struct {int a, b; int :3;})", "a0[0:8] a1[8:12]:any", "int.aggregate-pair"),
    (
        "void f(struct {struct {struct {float a;} s;} t; struct {float b;} u;})",
        "fa0[0:4]:nan-box fa1[4:8]:nan-box",
        "fp.flatten",
    ),
]

LEFT = [
    ("void f(SEVEN_FLOATS, struct {float a, b;})", "SEVEN_FLOATS, a0", "int.aggregate"),
    ("void f(SEVEN_FLOATS, struct {float a, b;}, float)", "SEVEN_FLOATS, a0, fa7:nan-box", "fp.real"),
    ("void f(SEVEN_FLOATS, struct {double a, b;})", "SEVEN_FLOATS, a0[0:8] a1[8:16]", "int.aggregate-pair"),
    ("void f(FLOATS, struct {float a;})", "FLOATS, a0:any", "int.aggregate"),
    ("void f(FLOATS, struct {float a; int b;})", "FLOATS, a0", "int.aggregate"),
    ("void f(EIGHT, struct {float a; int b;})", "EIGHT, stack+0", "int.aggregate"),
    ("void f(EIGHT, struct {double a; int b;})", "EIGHT, stack+0", "int.aggregate-pair"),
    ("void f(EIGHT, struct {double a; int b;}, double)", "EIGHT, stack+0, fa0", "fp.real"),
    ("void f(EIGHT, struct {float a, b;})", "EIGHT, fa0[0:4]:nan-box fa1[4:8]:nan-box", "fp.two-reals"),
    ("void f(SEVEN, struct {double a; char b;})", "SEVEN, fa0[0:8] a7[8:9]:any", "fp.real-and-integer"),
    (
        "void f(SEVEN_FLOATS, struct {float a; char b;})",
        "SEVEN_FLOATS, fa7[0:4]:nan-box a0[4:5]:any",
        "fp.real-and-integer",
    ),
]

AGGREGATES = [
    ("void f(struct {char a;})", "a0:any", "int.aggregate"),
    ("void f(struct {char a[3];})", "a0:any", "int.padding"),
    ("void f(struct {long a;})", "a0", "int.aggregate"),
    ("void f(struct {long a, b;})", "a0[0:8] a1[8:16]", "int.aggregate-pair"),
    ("void f(struct {char a[9];})", "a0[0:8] a1[8:9]:any", "int.padding"),
    ("void f(struct {char a[17];})", "&a0", "int.aggregate-reference"),
    ("void f(SEVEN, struct {long a, b;})", "SEVEN, a7[0:8] stack+0[8:16]", "int.aggregate-pair"),
    ("void f(SEVEN, struct {int a, b, c;})", "SEVEN, a7[0:8] stack+0[8:12]:any", "int.aggregate-pair"),
    (
        "void f(SEVEN, struct {int a, b, c;}, char)",
        "SEVEN, a7[0:8] stack+0[8:12]:any, stack+8:zero",
        "int.scalar",
    ),
    ("void f(EIGHT, struct {char a[3];})", "EIGHT, stack+0:any", "int.aggregate"),
    ("void f(EIGHT, struct {char a[9];}, char)", "EIGHT, stack+0:any, stack+16:zero", "int.scalar"),
    ("void f(EIGHT, struct {long a, b, c;})", "EIGHT, &stack+0", "int.aggregate-reference"),
    ("void f(struct __attribute__((aligned(16))) {int a;})", "a0[0:8] a1[8:16]", "int.aggregate-pair"),
    (
        "void f(int, struct __attribute__((aligned(16))) {int a;})",
        "a0:sign, a1[0:8] a2[8:16]",
        "int.aggregate-pair",
    ),
    (
        "void f(EIGHT, int, struct __attribute__((aligned(16))) {int a;})",
        "EIGHT, stack+0:sign, stack+16",
        "int.aggregate-pair",
    ),
    ("void f(EIGHT, int, struct {__int128 a;})", "EIGHT, stack+0:sign, stack+16", "int.aggregate-pair"),
    (
        "void f(EIGHT, int, struct __attribute__((aligned(32))) {int a;})",
        "EIGHT, stack+0:sign, &stack+8",
        "int.aggregate-reference",
    ),
    ("void f(union {float a;})", "a0:any", "int.aggregate"),
    ("void f(union {double a; long b;})", "a0", "int.aggregate"),
    ("void f(union {double a, b;}, double)", "a0, fa0", "fp.real"),
    ("void f(struct {union {float a;} u;})", "a0:any", "int.aggregate"),
    ("void f(struct {double a; union {int b;} u;})", "a0[0:8] a1[8:16]", "int.aggregate-pair"),
    ("void f(struct {}, int)", "-, a0:sign", "int.scalar"),
    ("void f(int, union {})", "a0:sign, -", "int.empty"),
    ("void f(struct {struct {} a[3];}, double)", "-, fa0", "fp.real"),
    ("void f(struct {int :3;})", "unspecified", "int.nameless"),
    ("void f(v2)", "a0", "int.vector"),
    ("void f(v4)", "a0[0:8] a1[8:16]", "int.vector"),
    ("void f(v8)", "&a0", "int.vector"),
    ("void f(struct {v2 a;})", "a0", "int.aggregate"),
]

VARIADIC = [
    ("void f(int, ...); void unnamed(double)", "a0:sign, a1", "int.real"),
    ("void f(double, ...); void unnamed(double)", "fa0, a0", "int.real"),
    ("void f(int, ...); void unnamed(float _Complex)", "a0:sign, a1", "int.complex"),
    ("void f(int, ...); void unnamed(struct {float a;})", "a0:sign, a1:any", "int.aggregate"),
    ("void f(int, ...); void unnamed(struct {float a; int b;})", "a0:sign, a1", "int.aggregate"),
    ("void f(int, ...); void unnamed(__int128)", "a0:sign, a2[0:8] a3[8:16]", "int.variadic"),
    ("void f(int, ...); void unnamed(long double)", "a0:sign, a2[0:8] a3[8:16]", "int.variadic"),
    ("void f(int, ...); void unnamed(_BitInt(65))", "a0:sign, a2[0:8] a3[8:16]", "int.bit-int"),
    (
        "void f(int, ...); void unnamed(struct __attribute__((aligned(16))) {int a;})",
        "a0:sign, a2[0:8] a3[8:16]",
        "int.variadic",
    ),
    (
        "void f(int, ...); void unnamed(struct {long a, b;})",
        "a0:sign, a1[0:8] a2[8:16]",
        "int.aggregate-pair",
    ),
    ("void f(int, ...); void unnamed(double _Complex)", "a0:sign, a1[0:8] a2[8:16]", "int.complex"),
    ("void f(int, ...); void unnamed(long double _Complex)", "a0:sign, &a1", "int.complex"),
    ("void f(int, ...); void unnamed(struct {long a, b, c;})", "a0:sign, &a1", "int.aggregate-reference"),
    ("void f(int, ...); void unnamed(struct {}, int)", "a0:sign, -, a1:sign", "int.scalar"),
    (
        "void f(SEVEN, ...); void unnamed(struct {long a, b;})",
        "SEVEN, a7[0:8] stack+0[8:16]",
        "int.aggregate-pair",
    ),
    ("void f(SEVEN, ...); void unnamed(__int128)", "SEVEN, stack+0", "int.variadic"),
    ("void f(SEVEN, ...); void unnamed(__int128, int)", "SEVEN, stack+0, stack+16:sign", "int.scalar"),
    ("void f(SEVEN, ...); void unnamed(int, long double)", "SEVEN, a7:sign, stack+0", "int.scalar-pair"),
    ("void f(SIX, ...); void unnamed(long double, int)", "SIX, a6[0:8] a7[8:16], stack+0:sign", "int.scalar"),
    (
        "void f(SIX, ...); void unnamed(int, struct {long a, b;})",
        "SIX, a6:sign, a7[0:8] stack+0[8:16]",
        "int.aggregate-pair",
    ),
    (
        "void f(EIGHT, ...); void unnamed(int, long double)",
        "EIGHT, stack+0:sign, stack+16",
        "int.scalar-pair",
    ),
]

RESULTS = [
    ("unsigned f(void)", "-> a0:sign", "int.extend"),
    ("_Bool f(void)", "-> a0:zero", "int.extend"),
    ("void *f(void)", "-> a0", "int.scalar"),
    ("float f(int)", "a0:sign -> fa0:nan-box", "fp.nan-box"),
    ("double f(FLOATS)", "FLOATS -> fa0", "fp.real"),
    ("long double f(void)", "-> a0[0:8] a1[8:16]", "int.scalar-pair"),
    ("__int128 f(int)", "a0:sign -> a0[0:8] a1[8:16]", "int.scalar-pair"),
    ("double _Complex f(void)", "-> fa0[0:8] fa1[8:16]", "fp.complex"),
    ("long double _Complex f(int)", "a1:sign -> *a0", "int.result-memory"),
    ("struct {float a; int b;} f(void)", "-> fa0[0:4]:nan-box a0[4:8]:any", "fp.real-and-integer"),
    ("struct {double a, b;} f(void)", "-> fa0[0:8] fa1[8:16]", "fp.two-reals"),
    ("struct {float a, b, c;} f(void)", "-> a0[0:8] a1[8:12]:any", "int.aggregate-pair"),
    ("struct {char a[3];} f(void)", "-> a0:any", "int.padding"),
    ("struct {long a, b, c;} f(int)", "a1:sign -> *a0", "int.result-memory"),
    ("struct {long a, b, c;} f(EIGHT)", "a1, a2, a3, a4, a5, a6, a7, stack+0 -> *a0", "int.result-memory"),
    ("struct {double a, b, c;} f(double)", "fa0 -> *a0", "int.result-memory"),
    ("union {float a; int b;} f(void)", "-> a0:any", "int.aggregate"),
    ("struct {} f(int)", "a0:sign -> -", "int.empty"),
    ("unsigned _BitInt(32) f(void)", "-> a0:sign", "int.bit-int"),
    ("_BitInt(100) f(void)", "-> a0[0:8] a1[8:16]", "int.bit-int"),
    ("_BitInt(200) f(int)", "a1:sign -> *a0", "int.result-memory"),
    ("struct {float a; int :3;} f(void)", "unspecified", "fp.unnamed-bit-field"),
]

CALLS = [*SCALARS, *BIT_INTS, *COMPLEX, *FLATTENED, *LEFT, *AGGREGATES, *VARIADIC, *RESULTS]


def spelled_out(source: str, line: str) -> tuple[str, str]:
    for word, (c_type, registers) in sorted(SHORTHANDS.items(), key=lambda item: -len(item[0])):
        source = source.replace(word, ", ".join([c_type] * len(registers)))
        line = line.replace(word, ", ".join(registers))
    return f"{VECTORS}{source};", line


@pytest.mark.parametrize(("source", "line", "clause"), CALLS, ids=[row[0] for row in CALLS])
def test_a_call(lp64d: Callable[[str], Any], source: str, line: str, clause: str) -> None:
    source, line = spelled_out(source, line)
    answer = lp64d(source)
    assert answer.line == line
    assert f"riscv:{clause}" in answer.clauses
