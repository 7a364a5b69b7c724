"""i386 System V by the text of the Intel386 psABI: what each rule says of a call that it decides.

The notation is that of `tests/oracles/conftest.py`; the first stack argument lies at esp + 4, above the return address.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from abiprobe.harness.declarations import read
from abiprobe.oracles.lang import Convention, Kind, Param, Prototype, Scalar
from abiprobe.oracles.options import LayoutOptions
from abiprobe.oracles.place import Assignment, Register, StackSlot, Unsupported
from abiprobe.oracles.registry import find_model

TYPES = """
typedef int m64 __attribute__((vector_size(8)));
typedef float m128 __attribute__((vector_size(16)));
typedef double one __attribute__((vector_size(8)));
typedef int over __attribute__((aligned(16)));
"""

SCALARS = [
    ("void f(_Bool)", "stack+4", "i386:pass.bool"),
    ("void f(char, short, int)", "stack+4, stack+8, stack+12", "i386:pass.stack"),
    ("void f(int, long long, int)", "stack+4, stack+8, stack+16", "i386:pass.stack"),
    ("void f(int, double, float)", "stack+4, stack+8, stack+16", "i386:pass.stack"),
    ("void f(void *, long double, int)", "stack+4, stack+8, stack+20", "i386:pass.stack"),
    ("void f(int, __float128)", "stack+4, stack+20", "i386:pass.alignment"),
    ("void f(int, __float128 _Complex)", "stack+4, stack+20", "i386:pass.alignment"),
    ("void f(int, double _Complex, float _Complex)", "stack+4, stack+8, stack+24", "i386:pass.stack"),
    ("void f(_Float16)", "unspecified", "i386:pass.float16"),
    ("void f(_BitInt(7))", "unspecified", "i386:type.bit-int"),
    ("void f(over)", "stack+4", "i386:pass.stack"),  # where 4 and 16 lead to the same place
    ("void f(int, over)", "unspecified", "i386:pass.asked-alignment"),
]

RECORDS = [
    ("void f(struct {char a[3];}, int)", "stack+4, stack+8", "i386:pass.stack"),
    ("void f(int, struct {double a; char b;}, int)", "stack+4, stack+8, stack+20", "i386:pass.stack"),
    ("void f(struct {}, int)", "-, stack+4", "i386:pass.stack"),
    ("void f(struct {int : 4;}, int)", "stack+4, stack+8", "i386:pass.stack"),
    ("void f(int, struct {m64 a;})", "stack+4, stack+8", "i386:pass.stack"),
    ("void f(int, struct {m128 a;}, int)", "stack+4, stack+20, stack+36", "i386:pass.stack"),
    ("void f(int, struct {m128 a;})", "stack+4, stack+20", "i386:pass.alignment"),
    ("void f(int, struct {__float128 a[2];})", "stack+4, stack+20", "i386:pass.alignment"),
    ("void f(int, struct __attribute__((packed)) {m128 a;})", "stack+4, stack+8", "i386:pass.stack"),
    (
        "void f(int, struct __attribute__((aligned(16))) {int a;})",
        "unspecified",
        "i386:pass.asked-alignment",
    ),
    ("void f(struct {_Alignas(8) int a;})", "stack+4", "i386:pass.stack"),
    ("void f(int, struct {_Alignas(8) int a;})", "unspecified", "i386:pass.asked-alignment"),
]

VECTORS = [
    ("void f(m64, m64, m64)", "mm0, mm1, mm2", "i386:pass.m64"),
    ("void f(int, m64, m64, m64, m64)", "stack+4, mm0, mm1, mm2, stack+8", "i386:pass.m64"),
    ("void f(m128, int, m128, m128)", "xmm0, stack+4, xmm1, xmm2", "i386:pass.vector"),
    ("void f(m128, m128, m128, int, m128)", "xmm0, xmm1, xmm2, stack+4, stack+20", "i386:pass.vector"),
    ("void f(m128, m64)", "xmm0, mm0", "i386:pass.m64"),
    ("void f(one)", "unspecified", "i386:pass.m64-element"),
    (
        # table 2.6, its two __m256 left out
        "struct {int a, b; double d;} f(int, m128, struct {int a, b; double d;}, m128, m128, m128)",
        "stack+8, xmm0, stack+12, xmm1, xmm2, stack+36 -> *stack+4 eax",
        "i386:result.memory",
    ),
]

VARIADIC = [
    ("void f(int, ...); void unnamed(double, int)", "stack+4, stack+8, stack+16", "i386:pass.stack"),
    ("void f(m128, ...); void unnamed(m64, m128)", "stack+4, stack+20, stack+36", "i386:pass.variadic"),
    (
        "__attribute__((stdcall)) void f(int, ...); void unnamed(int)",
        "stack+4, stack+8",
        "i386:pass.stack",
    ),
    (
        "__attribute__((regparm(3))) void f(int, ...); void unnamed(int)",
        "stack+4, stack+8",
        "i386:pass.stack",
    ),
]

RESULTS = [
    ("_Bool f(void)", "-> eax", "i386:result.narrow"),
    ("short f(void)", "-> eax", "i386:result.narrow"),
    ("void *f(int)", "stack+4 -> eax", "i386:result.integer"),
    ("long long f(void)", "-> eax[0:4] edx[4:8]", "i386:result.integer"),
    ("float f(void)", "-> st0", "i386:result.x87"),
    ("double f(void)", "-> st0", "i386:result.x87"),
    ("long double f(void)", "-> st0[0:10]", "i386:result.x87"),
    ("float _Complex f(void)", "-> eax[0:4] edx[4:8]", "i386:result.complex-float"),
    ("double _Complex f(int)", "stack+8 -> *stack+4 eax", "i386:result.memory"),
    ("long double _Complex f(int)", "stack+8 -> *stack+4 eax", "i386:result.memory"),
    ("__float128 f(int)", "stack+8 -> *stack+4 eax", "i386:result.memory"),
    ("struct {char a;} f(int)", "stack+8 -> *stack+4 eax", "i386:result.memory"),
    ("union {int a; float b;} f(void)", "-> *stack+4 eax", "i386:result.memory"),
    ("struct {} f(int)", "unspecified", "i386:result.empty"),
    ("m64 f(void)", "-> mm0", "i386:result.vector"),
    ("m128 f(void)", "-> xmm0", "i386:result.vector"),
    ("_Float16 f(void)", "unspecified", "i386:pass.float16"),
]

REGPARM = "__attribute__((regparm(3)))"
FASTCALL = "__attribute__((fastcall))"
CONVENTIONS = [
    (f"{REGPARM} void f(int, void *, char, int)", "eax, edx, ecx, stack+4", "i386:pass.stack"),
    (f"{REGPARM} void f(_Bool)", "eax", "gnu:regparm"),
    ("__attribute__((regparm(1))) void f(int, short)", "eax, stack+4", "i386:pass.stack"),
    (f"{REGPARM} struct {{int a;}} f(int)", "edx -> *eax eax", "i386:result.memory"),
    (f"{REGPARM} void f(int, int, int, long long, double)", "eax, edx, ecx, stack+4, stack+12", ""),
    (f"{REGPARM} void f(int, long long)", "unspecified", "gnu:register-arguments"),
    (f"{REGPARM} void f(float, int)", "unspecified", "gnu:register-arguments"),
    (f"{REGPARM} void f(m128, int, m64)", "xmm0, eax, mm0", "i386:pass.m64"),
    (f"{FASTCALL} void f(char, int, int)", "ecx, edx, stack+4", "i386:pass.stack"),
    (f"{FASTCALL} struct {{int a;}} f(int)", "unspecified", "gnu:register-arguments"),
    (f"{FASTCALL} void f(short)", "ecx", "gnu:fastcall"),
    (f"{FASTCALL} void f(struct {{int a;}}, int)", "unspecified", "gnu:register-arguments"),
    ("__attribute__((stdcall)) void f(int, double)", "stack+4, stack+8", "i386:pass.stack"),
]

CALLS = [*SCALARS, *RECORDS, *VECTORS, *VARIADIC, *RESULTS, *CONVENTIONS]


@pytest.mark.parametrize(("source", "line", "clause"), CALLS, ids=[row[0] for row in CALLS])
def test_a_call(i386: Callable[[str], Any], source: str, line: str, clause: str) -> None:
    answer = i386(f"{TYPES}{source};")
    assert answer.line == line
    assert not clause or clause in answer.clauses


POPS = [
    ("void f(int, int)", 0),
    ("struct {int a;} f(int)", 4),
    ("double _Complex f(void)", 4),
    ("double f(double)", 0),
    ("__attribute__((stdcall)) void f(char, double, int)", 16),
    ("__attribute__((stdcall)) struct {int a;} f(int)", 8),
    ("__attribute__((stdcall)) void f(int, ...)", 0),
    ("__attribute__((fastcall)) void f(int, int, int, int)", 8),
    ("__attribute__((regparm(1))) struct {int a;} f(int)", 0),
    ("__attribute__((stdcall, regparm(1))) void f(int, int)", 4),
]


@pytest.mark.parametrize(("source", "pops"), POPS, ids=[row[0] for row in POPS])
def test_what_the_callee_takes_off_the_stack(source: str, pops: int) -> None:
    (prototype,) = read(f"{source};", filename="row.h", triple="i386-linux-gnu").functions
    answer = find_model("i386-sysv").assign(prototype)
    assert isinstance(answer, Assignment)
    assert answer.pops == pops


def test_int128_is_no_type_of_this_abi() -> None:
    prototype = Prototype("f", None, (Param("a", Scalar(Kind.INT128)),))
    assert isinstance(find_model("i386-sysv").assign(prototype), Unsupported)


def test_regparm_as_an_option_of_the_compiler() -> None:
    prototype = Prototype("f", None, (Param("a", Scalar(Kind.INT)), Param("b", Scalar(Kind.INT))))
    answer = find_model("i386-sysv", LayoutOptions(regparm=1)).assign(prototype)
    assert isinstance(answer, Assignment)
    assert [param.pieces[0].place for param in answer.params] == [Register("eax"), StackSlot(4)]


def test_a_convention_of_another_processor() -> None:
    prototype = Prototype("f", None, (), convention=Convention.STDCALL)
    assert isinstance(find_model("riscv64-lp64d").assign(prototype), Unsupported)
