"""System V x86-64 by the text of the AMD64 psABI: what each rule says of a call that it decides.

`SIX` stands for six parameters of type `long` that take the integer registers, `EIGHT_REALS` for eight `double`s in xmm0 to
xmm7; one fewer of either is spelled `FIVE` and `SEVEN_REALS`. The notation is that of `tests/oracles/conftest.py`; the first stack
argument lies at rsp + 8, above the return address.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

WORDS = ["rdi", "rsi", "rdx", "rcx", "r8", "r9"]
REALS = [f"xmm{n}" for n in range(8)]
SHORTHANDS = {
    "EIGHT_REALS": ("double", REALS),
    "SEVEN_REALS": ("double", REALS[:7]),
    "SIX": ("long", WORDS),
    "FIVE": ("long", WORDS[:5]),
}
VECTORS = """
typedef float v2 __attribute__((vector_size(8)));
typedef float v4 __attribute__((vector_size(16)));
typedef float v8 __attribute__((vector_size(32)));
typedef double d1 __attribute__((vector_size(8)));
typedef struct { int a; long b[0]; } __attribute__((packed)) odd;
typedef struct { long a; long b[0]; } __attribute__((packed)) even;
"""
IN_MEMORY = "stack+8"

SCALARS = [
    ("void f(_Bool)", "rdi", "pass.bool"),
    ("void f(char)", "rdi", "pass.narrow"),
    ("void f(int)", "rdi", "pass.integer"),
    ("void f(enum {A = -1})", "rdi", "pass.integer"),
    ("void f(void *, void (*)(void))", "rdi, rsi", "pass.integer"),
    ("void f(SIX, char)", "SIX, stack+8", "pass.whole"),
    ("void f(SIX, char, short, int)", "SIX, stack+8, stack+16, stack+24", "pass.whole"),
    ("void f(float)", "xmm0", "pass.sse"),
    ("void f(double)", "xmm0", "pass.sse"),
    ("void f(_Float16)", "xmm0", "pass.sse"),
    ("void f(__bf16)", "xmm0", "pass.sse"),
    ("void f(int, double, int, float)", "rdi, xmm0, rsi, xmm1", "pass.sse"),
    ("void f(EIGHT_REALS, float)", "EIGHT_REALS, stack+8", "pass.whole"),
    ("void f(EIGHT_REALS, float, int)", "EIGHT_REALS, stack+8, rdi", "pass.integer"),
    ("void f(SIX, int, double)", "SIX, stack+8, xmm0", "pass.sse"),
    ("void f(long double)", IN_MEMORY, "pass.x87"),
    ("void f(long double, int)", f"{IN_MEMORY}, rdi", "pass.integer"),
    ("void f(SIX, int, long double)", "SIX, stack+8, stack+24", "pass.memory"),
    ("void f(__float128)", "xmm0", "pass.sseup"),
    ("void f(EIGHT_REALS, float, __float128)", "EIGHT_REALS, stack+8, stack+24", "pass.memory"),
    ("void f(__int128)", "rdi[0:8] rsi[8:16]", "class.int128"),
    ("void f(FIVE, __int128, long)", "FIVE, stack+8, r9", "pass.integer"),  # the assignment is reverted
    ("void f(FIVE, __int128)", "FIVE, stack+8", "pass.whole"),
    ("void f(SIX, int, __int128)", "SIX, stack+8, stack+24", "class.int128"),
    ("void f(v2)", "xmm0", "pass.sse"),
    ("void f(v4, double)", "xmm0, xmm1", "pass.sse"),
    ("void f(v4)", "xmm0", "pass.sseup"),
    ("void f(v8)", "unspecified", "class.vector-size"),
    ("void f(d1)", "unspecified", "class.vector-of-one"),
    ("d1 f(void)", "unspecified", "class.vector-of-one"),
    ("void f(odd)", "unspecified", "class.unaligned-no-element"),
    ("void f(even)", "rdi", "class.no-element"),
]

BIT_INTS = [
    ("void f(_BitInt(7))", "rdi", "pass.integer"),
    ("void f(unsigned _BitInt(64))", "rdi", "pass.integer"),
    ("void f(_BitInt(65))", "rdi[0:8] rsi[8:16]", "class.bit-int"),
    ("void f(_BitInt(128))", "rdi[0:8] rsi[8:16]", "class.bit-int"),
    ("void f(FIVE, _BitInt(65), int)", "FIVE, stack+8, r9", "pass.integer"),
    ("void f(SIX, int, _BitInt(65))", "SIX, stack+8, stack+16", "pass.whole"),  # aligned to 8, not 16
    ("void f(_BitInt(129))", IN_MEMORY, "pass.memory"),
    ("void f(SIX, int, _BitInt(200))", "SIX, stack+8, stack+16", "pass.memory"),
]

COMPLEX = [
    ("void f(float _Complex)", "xmm0", "pass.sse"),
    ("void f(double _Complex)", "xmm0[0:8] xmm1[8:16]", "class.complex"),
    ("void f(SEVEN_REALS, double _Complex, double)", "SEVEN_REALS, stack+8, xmm7", "pass.sse"),
    ("void f(SEVEN_REALS, float _Complex)", "SEVEN_REALS, xmm7", "pass.sse"),
    ("void f(long double _Complex)", IN_MEMORY, "pass.x87"),
    ("void f(SIX, int, long double _Complex)", "SIX, stack+8, stack+24", "pass.memory"),
    ("void f(__float128 _Complex)", IN_MEMORY, "pass.memory"),
    ("void f(struct {float _Complex a;})", "xmm0", "pass.sse"),
    ("void f(struct {float _Complex a; int b;})", "xmm0[0:8] rdi[8:12]", "class.each-eightbyte"),
    ("void f(struct {int a; float _Complex b;})", "rdi[0:8] xmm0[8:12]", "class.each-eightbyte"),
    ("void f(struct {long double _Complex a;})", IN_MEMORY, "pass.memory"),
]

AGGREGATES = [
    ("void f(struct {char a;})", "rdi", "pass.integer"),
    ("void f(struct {float a;})", "xmm0", "pass.sse"),
    ("void f(struct {float a, b;})", "xmm0", "pass.sse"),
    ("void f(struct {float a[3];})", "xmm0[0:8] xmm1[8:12]", "class.each-eightbyte"),
    ("void f(struct {float a; int b;})", "rdi", "pass.integer"),
    ("void f(struct {float a, b; int c;})", "xmm0[0:8] rdi[8:12]", "class.each-eightbyte"),
    ("void f(struct {float a, b, c; char d;})", "xmm0[0:8] rdi[8:16]", "class.each-eightbyte"),
    ("void f(struct {double a; long b;})", "xmm0[0:8] rdi[8:16]", "class.each-eightbyte"),
    ("void f(struct {long a; double b;})", "rdi[0:8] xmm0[8:16]", "class.each-eightbyte"),
    ("void f(struct {char a; double b;})", "rdi[0:8] xmm0[8:16]", "class.each-eightbyte"),
    ("void f(struct {char a[16];})", "rdi[0:8] rsi[8:16]", "class.each-eightbyte"),
    ("void f(struct {char a[9];})", "rdi[0:8] rsi[8:9]", "class.each-eightbyte"),
    ("void f(struct {char a[17];})", IN_MEMORY, "pass.memory"),
    ("void f(struct {double a, b, c;})", IN_MEMORY, "pass.memory"),
    ("void f(struct {double a[9];}, double)", f"{IN_MEMORY}, xmm0", "pass.sse"),
    ("void f(struct {__int128 a;})", "rdi[0:8] rsi[8:16]", "class.each-eightbyte"),
    ("void f(struct {__float128 a;})", "xmm0", "pass.sseup"),
    ("void f(struct {v4 a;})", "xmm0", "pass.sseup"),
    ("void f(struct {v4 a, b;})", IN_MEMORY, "pass.memory"),
    ("void f(struct {v2 a; int b;})", "xmm0[0:8] rdi[8:16]", "class.each-eightbyte"),
    ("void f(struct {long double a;})", IN_MEMORY, "pass.x87"),
    ("void f(struct {_BitInt(65) a;})", "rdi[0:8] rsi[8:16]", "class.each-eightbyte"),
    ("void f(struct {int a : 3; float b;})", "rdi", "pass.integer"),
    ("void f(struct {double a; int b : 1;})", "xmm0[0:8] rdi[8:16]", "class.each-eightbyte"),
    ("void f(struct {int : 0; double a;})", "xmm0", "class.zero-width"),
    ("void f(struct {float a; int : 0; float b;})", "xmm0", "class.zero-width"),
    ("void f(struct {float a; int : 3;})", "unspecified", "class.unnamed-bit-field"),
    ("void f(struct {long a; int b : 3, : 4;})", "rdi[0:8] rsi[8:16]", "class.each-eightbyte"),
    ("void f(struct {}, int)", "-, rdi", "pass.integer"),
    ("void f(int, union {})", "rdi, -", "pass.no-class"),
    ("void f(struct {struct {} a; float b;})", "xmm0", "pass.sse"),
    ("void f(struct __attribute__((aligned(16))) {int a;}, int)", "rdi[0:8], rsi", "pass.integer"),
    ("void f(struct __attribute__((aligned(16))) {float a;})", "xmm0[0:8]", "pass.sse"),
    ("void f(struct __attribute__((aligned(32))) {int a;})", IN_MEMORY, "pass.memory"),
    (
        "void f(SIX, int, struct __attribute__((aligned(32))) {int a;})",
        "SIX, stack+8, stack+40",
        "pass.memory",
    ),
    ("void f(struct __attribute__((packed)) {char a; int b;})", IN_MEMORY, "pass.memory"),
    ("void f(struct __attribute__((packed)) {int a; char b;})", "rdi", "pass.integer"),
    ("void f(struct __attribute__((packed)) {char a; struct {short b;} c[2];})", IN_MEMORY, "pass.memory"),
    ("void f(struct {struct __attribute__((packed)) {char a; short b;} c[2];})", IN_MEMORY, "pass.memory"),
]

UNIONS = [
    ("void f(union {float a; int b;})", "rdi", "pass.integer"),
    ("void f(union {float a; double b;})", "xmm0", "pass.sse"),
    ("void f(union {struct {double a, b;} c; long d;})", "rdi[0:8] xmm0[8:16]", "class.each-eightbyte"),
    (
        "void f(union {struct {float a, b, c;} d; struct {long e; float f;} g;})",
        "rdi[0:8] xmm0[8:16]",
        "class.each-eightbyte",
    ),
    ("void f(union {char a[9]; double b;})", "rdi[0:8] rsi[8:16]", "class.each-eightbyte"),
    ("void f(union {long double a; int b;})", IN_MEMORY, "pass.memory"),  # X87UP without X87
    ("void f(union {long double a; float b;})", IN_MEMORY, "pass.memory"),  # X87 with SSE
    ("void f(union {long double a; char b[16];})", "rdi[0:8] rsi[8:16]", "class.each-eightbyte"),
    ("void f(union {long double a; __int128 b;})", "rdi[0:8] rsi[8:16]", "class.each-eightbyte"),
    ("void f(union {long double a; long double b;})", IN_MEMORY, "pass.x87"),
    ("void f(union {__float128 a; double b;})", "xmm0", "pass.sseup"),
    ("void f(union {__float128 a; float b[4];})", "xmm0[0:8] xmm1[8:16]", "class.each-eightbyte"),
    ("void f(union {__float128 a; long b;})", "rdi[0:8] xmm0[8:16]", "class.each-eightbyte"),
]

LEFT = [
    ("void f(FIVE, struct {long a, b;}, long)", "FIVE, stack+8, r9", "pass.integer"),
    ("void f(FIVE, struct {long a, b;})", "FIVE, stack+8", "pass.whole"),
    ("void f(FIVE, struct {long a; double b;})", "FIVE, r9[0:8] xmm0[8:16]", "class.each-eightbyte"),
    ("void f(SIX, struct {long a; double b;}, double)", "SIX, stack+8, xmm0", "pass.sse"),
    ("void f(EIGHT_REALS, struct {long a; double b;}, long)", "EIGHT_REALS, stack+8, rdi", "pass.integer"),
    ("void f(SEVEN_REALS, struct {double a, b;}, float)", "SEVEN_REALS, stack+8, xmm7", "pass.sse"),
    ("void f(SIX, int, struct {long a, b;})", "SIX, stack+8, stack+16", "pass.whole"),
    ("void f(SIX, int, struct {char a[3];}, int)", "SIX, stack+8, stack+16, stack+24", "pass.whole"),
    ("void f(SIX, int, struct {char a[20];}, int)", "SIX, stack+8, stack+16, stack+40", "pass.whole"),
    ("void f(SIX, int, struct {__int128 a;})", "SIX, stack+8, stack+24", "pass.memory"),
    (
        # figures 3.5 and 3.6, without the two wider vectors
        "void f(int, int, struct {int a, b; double d;}, int, int, long double, double, double, int, int, int)",
        "rdi, rsi, rdx[0:8] xmm0[8:16], rcx, r8, stack+8, xmm1, xmm2, r9, stack+24, stack+32",
        "pass.whole",
    ),
]

VARIADIC = [
    ("void f(int, ...); void unnamed(double)", "rdi, xmm0", "pass.vector-count"),
    ("void f(int, ...); void unnamed(__int128)", "rdi, rsi[0:8] rdx[8:16]", "class.int128"),
    (
        "void f(int, ...); void unnamed(struct {double a; long b;})",
        "rdi, xmm0[0:8] rsi[8:16]",
        "class.each-eightbyte",
    ),
    ("void f(int, ...); void unnamed(long double, int)", "rdi, stack+8, rsi", "pass.integer"),
    ("void f(int, ...); void unnamed(struct {long a, b, c;})", "rdi, stack+8", "pass.memory"),
]

RESULTS = [
    ("int f(void)", "-> rax", "result.integer"),
    ("void *f(int)", "rdi -> rax", "result.integer"),
    ("float f(void)", "-> xmm0", "result.sse"),
    ("long double f(int)", "rdi -> st0[0:10]", "result.x87"),
    ("__int128 f(void)", "-> rax[0:8] rdx[8:16]", "result.integer"),
    ("__float128 f(void)", "-> xmm0", "result.sseup"),
    ("v4 f(void)", "-> xmm0", "result.sseup"),
    ("float _Complex f(void)", "-> xmm0", "result.sse"),
    ("double _Complex f(void)", "-> xmm0[0:8] xmm1[8:16]", "result.sse"),
    ("long double _Complex f(int)", "rdi -> st0[0:10] st1[16:26]", "result.complex-x87"),
    ("__float128 _Complex f(int)", "rsi -> *rdi rax", "result.memory"),
    ("_BitInt(65) f(void)", "-> rax[0:8] rdx[8:16]", "result.integer"),
    ("_BitInt(129) f(int)", "rsi -> *rdi rax", "result.memory"),
    ("struct {long a; double b;} f(void)", "-> rax[0:8] xmm0[8:16]", "result.sse"),
    ("struct {double a; long b;} f(void)", "-> xmm0[0:8] rax[8:16]", "result.integer"),
    ("struct {double a, b;} f(void)", "-> xmm0[0:8] xmm1[8:16]", "result.sse"),
    ("struct {char a[11];} f(void)", "-> rax[0:8] rdx[8:11]", "result.integer"),
    ("struct {long a, b, c;} f(double, int)", "xmm0, rsi -> *rdi rax", "result.memory"),
    ("struct {long a, b, c;} f(SIX)", "rsi, rdx, rcx, r8, r9, stack+8 -> *rdi rax", "result.memory"),
    ("struct {long double a;} f(int)", "rdi -> st0[0:10]", "result.x87"),
    ("struct {long double _Complex a;} f(int)", "rsi -> *rdi rax", "result.memory"),
    ("union {long double a; int b;} f(int)", "rsi -> *rdi rax", "result.memory"),
    ("union {long double a; char b[16];} f(void)", "-> rax[0:8] rdx[8:16]", "result.integer"),
    ("struct __attribute__((packed)) {char a; int b;} f(int)", "rsi -> *rdi rax", "result.memory"),
    ("struct {} f(int)", "rdi -> -", "pass.no-class"),
    ("struct {float a; int : 3;} f(void)", "unspecified", "class.unnamed-bit-field"),
]

CALLS = [*SCALARS, *BIT_INTS, *COMPLEX, *AGGREGATES, *UNIONS, *LEFT, *VARIADIC, *RESULTS]


def spelled_out(source: str, line: str) -> tuple[str, str]:
    for word, (c_type, registers) in SHORTHANDS.items():
        source = source.replace(word, ", ".join([c_type] * len(registers)))
        line = line.replace(word, ", ".join(registers))
    return f"{VECTORS}{source};", line


@pytest.mark.parametrize(("source", "line", "clause"), CALLS, ids=[row[0] for row in CALLS])
def test_a_call(sysv: Callable[[str], Any], source: str, line: str, clause: str) -> None:
    source, line = spelled_out(source, line)
    answer = sysv(source)
    assert answer.line == line
    assert f"x86_64:{clause}" in answer.clauses
