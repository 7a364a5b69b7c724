"""Each type of C, as the type of a member."""

from __future__ import annotations

import pytest

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input import ReadOptions, read
from abiprobe.harness.input.declared import declared_in
from abiprobe.oracles.language.lang import (
    SVE_ELEMENTS,
    Array,
    Atomic,
    BitInt,
    Complex,
    Enum,
    Enumerator,
    FixedKind,
    FixedPoint,
    Kind,
    Pointer,
    Record,
    Scalable,
    ScalableMask,
    Scalar,
    SvePredicate,
    SveVector,
    Type,
    Typedef,
    Vector,
    spelling,
)
from abiprobe.oracles.registry import find_target

INT = Scalar(Kind.INT)

TYPES = [
    *((f"{kind.value} m", Scalar(kind)) for kind in Kind),
    ("bool m", Scalar(Kind.BOOL)),
    ("const volatile unsigned m", Scalar(Kind.UINT)),
    ("__float128 m", Scalar(Kind.FLOAT128)),
    ("_BitInt(37) m", BitInt(37)),
    ("unsigned _BitInt(5) m", BitInt(5, signed=False)),
    ("_BitInt(1000) m", BitInt(1000)),
    ("_Complex float m", Complex(Kind.FLOAT)),
    ("long double _Complex m", Complex(Kind.LDOUBLE)),
    ("unsigned char _Complex m", Complex(Kind.UCHAR)),
    ("_Complex long long m", Complex(Kind.LLONG)),
    ("_Accum m", FixedPoint(FixedKind.ACCUM)),
    ("const long unsigned _Fract m", FixedPoint(FixedKind.LONG_FRACT, signed=False)),
    ("_Sat short _Accum m", FixedPoint(FixedKind.SHORT_ACCUM, saturating=True)),
    ("enum e { A, B = -5, C } m", Enum("e", (Enumerator("A", 0), Enumerator("B", -5), Enumerator("C", -4)))),
    ("enum __attribute__((packed)) e { A } m", Enum("e", (Enumerator("A", 0),), packed=True)),
    ("const char *m", Pointer("const char")),
    ("struct unseen *m", Pointer("struct unseen")),
    ("void (*m)(int, ...)", Pointer("void", function=True)),
    ("int (*m)[3]", Pointer("int[3]")),
    ("struct { int a; } *m", Pointer("void")),
    ("int m[2][3]", Array(Array(INT, 3), 2)),
    ("int (m)[3]", Array(INT, 3)),
    ("int m[0]", Array(INT, 0)),
    ("int n; int m[]", Array(INT, None)),
    ("short (*m[2])(void)", Array(Pointer("short", function=True), 2)),
    ("float m __attribute__((vector_size(16)))", Vector(Kind.FLOAT, 16)),
    ("unsigned char m __attribute__((vector_size(8)))", Vector(Kind.UCHAR, 8)),
    ("_Atomic(int) m", Atomic(INT)),
    ("_Atomic long m", Atomic(Scalar(Kind.LONG))),
    ("__typeof__(1.0f) m", Scalar(Kind.FLOAT)),
    ("struct {} m", Record("S_1", ())),
]


@pytest.mark.parametrize("triple", ["x86_64-linux-gnu", "riscv64-linux-gnu"])
@pytest.mark.parametrize(("declaration", "expected"), TYPES, ids=[text for text, _ in TYPES])
def test_member(declaration: str, expected: object, triple: str) -> None:
    found = read(f"struct S {{ {declaration}; }};", filename="t.c", triple=triple).records[-1]
    assert found.members[-1].type == expected
    assert found.members[-1].name == "m"


@pytest.mark.parametrize("triple", ["nvptx64-nvidia-cuda", "s390x-linux-gnu", "x86_64-linux-gnu"])
def test_halves_are_read_for_each_target(triple: str) -> None:
    half = Scalar(Kind.FLOAT16)
    found = read("_Float16 f(_Float16 a, _Float16 *b, __fp16 c);", filename="t.c", triple=triple).functions[0]
    assert found.result == half
    assert [one.type for one in found.params] == [half, Pointer("_Float16"), Scalar(Kind.FP16)]


@pytest.mark.parametrize("target", ["arm-aapcs", "arm-aapcs@gcc-reading", "arm-aapcs-vfp"])
def test_both_variants_of_aapcs32_have_all_half_precision_types(target: str) -> None:
    (found,) = declared_in("void f(__bf16 a, _Float16 b, __fp16 c);", find_target(target)).functions
    assert [one.type for one in found.params] == [Scalar(Kind.BF16), Scalar(Kind.FLOAT16), Scalar(Kind.FP16)]


def test_a_complex_half_that_the_reader_lacks_is_named() -> None:
    text = "_Float16 _Complex f(void);"
    with pytest.raises(Problem, match="libclang knows _Float16 only as a type of its own"):
        read(text, filename="t.c", triple="s390x-linux-gnu")


TYPEDEFS = [
    ("typedef int t;", INT),
    ("typedef int u; typedef const u t;", INT),
    ("typedef int t __attribute__((aligned(2)));", Typedef("t", INT, 2)),
    ("typedef int t __attribute__((aligned));", Typedef("t", INT, 16)),
    ("typedef int u __attribute__((aligned(16))); typedef u t;", Typedef("u", INT, 16)),
    (
        "typedef int u __attribute__((aligned(16))); typedef u t __attribute__((aligned(4)));",
        Typedef("t", Typedef("u", INT, 16), 4),
    ),
    ("typedef struct { int a; } t;", None),
    ("typedef int t __attribute__((mode(QI)));", Scalar(Kind.SCHAR)),
    ("typedef int t __attribute__((vector_size(16), aligned(4)));", Typedef("t", Vector(Kind.INT, 16), 4)),
    ("typedef enum { A } t;", Enum("t", (Enumerator("A", 0),))),
]


@pytest.mark.parametrize(("text", "expected"), TYPEDEFS, ids=[text for text, _ in TYPEDEFS])
def test_typedef(text: str, expected: object) -> None:
    found = read(f"{text} struct S {{ t m; }};", filename="t.c", triple="x86_64-linux-gnu").records
    assert found[-1].members[0].type == (found[0] if expected is None else expected)


SCALABLES = [
    ("__rvv_int32m1_t", Scalable(Kind.INT)),
    ("__rvv_uint8mf8_t", Scalable(Kind.UCHAR, 1)),
    ("__rvv_float64m8_t", Scalable(Kind.DOUBLE, 64)),
    ("__rvv_int64m2x3_t", Scalable(Kind.LLONG, 16, 3)),
    ("__rvv_bool64_t", ScalableMask(64)),
]


@pytest.mark.parametrize(("name", "expected"), SCALABLES, ids=[name for name, _ in SCALABLES])
def test_scalable_vectors(name: str, expected: Type) -> None:
    (function,) = read(f"void f({name} a);", filename="x.c", triple="riscv64-linux-gnu").functions
    assert function.params[0].type == expected
    assert spelling(expected) == name


SVE = [
    ("svint8_t", SveVector(Kind.SCHAR)),
    ("svuint64_t", SveVector(Kind.ULLONG)),
    ("svbfloat16_t", SveVector(Kind.BF16)),
    ("svfloat32x4_t", SveVector(Kind.FLOAT, 4)),
    ("svbool_t", SvePredicate()),
]


@pytest.mark.parametrize("kind", list(SVE_ELEMENTS))
@pytest.mark.parametrize("own", ["", "typedef {0} own __attribute__((arm_sve_vector_bits(256)));"])
def test_types_of_sve_of_a_length_that_is_said(own: str, kind: Kind) -> None:
    expected, options = SveVector(kind, bits=256), ("-march=armv8-a+sve", "-msve-vector-bits=256")
    name = "own" if own else spelling(expected)
    text = f"{own.format(spelling(SveVector(kind)))} struct S {{ {name} a; svbool_256_t b[2]; }};"
    (record,) = read(text, filename="x.c", triple="aarch64-linux-gnu", options=options).records
    assert [member.type for member in record.members] == [expected, Array(SvePredicate(256), 2)]


@pytest.mark.parametrize(("name", "expected"), SVE, ids=[name for name, _ in SVE])
@pytest.mark.parametrize("header", ["", "#include <arm_sve.h>\n"], ids=["names alone", "header"])
def test_types_of_sve(header: str, name: str, expected: Type) -> None:
    text = f"{header}{name} f({name} a, ...);"
    (function,) = read(text, filename="x.c", triple="aarch64-linux-gnu").functions
    assert function.result == function.params[0].type == expected
    assert spelling(expected) == name


WRITTEN_VECTORS = [
    ("x86_64-sysv", "typedef float v __attribute__((ext_vector_type(4)))", Vector(Kind.FLOAT, 16)),
    ("aarch64-aapcs64", "typedef __attribute__((neon_vector_type(8))) signed char v", Vector(Kind.SCHAR, 8)),
    ("aarch64-aapcs64", "typedef __attribute__((neon_polyvector_type(16))) unsigned char v", Vector(Kind.UCHAR, 16)),
    ("aarch64-aapcs64", "typedef __attribute__((neon_vector_type(4))) __fp16 v", Vector(Kind.FLOAT16, 8)),
    ("arm-aapcs-vfp", "typedef __attribute__((neon_vector_type(2))) float v", Vector(Kind.FLOAT, 8)),
    ("powerpc64le-elfv2", "typedef __vector unsigned char v", Vector(Kind.UCHAR, 16)),
    ("powerpc64le-elfv2", "typedef __vector __bool int v", Vector(Kind.UINT, 16)),
    ("powerpc-sysv", "typedef __vector float v", Vector(Kind.FLOAT, 16)),
]  # fmt: skip


@pytest.mark.parametrize(("target", "declared", "expected"), WRITTEN_VECTORS)
def test_a_vector_is_its_elements_however_it_is_written(target: str, declared: str, expected: Vector) -> None:
    (found,) = declared_in(f"{declared}; struct s {{ v m; }};", find_target(target)).records
    assert found.members[0].type == expected


@pytest.mark.parametrize("element", ["int", "_Bool"])
def test_a_vector_with_bits_that_are_no_elements_is_left_out(element: str) -> None:
    found = declared_in(
        f"typedef {element} v __attribute__((ext_vector_type(3))); struct s {{ v m; }}; struct t {{ int m; }};",
        find_target("x86_64-sysv"),
        ReadOptions(strict=False),
    )
    assert [one.tag for one in found.records] == ["t"]
    assert "bits that are no elements" in found.skipped[0].reason


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("aarch64_sve-aapcs64", "#include <arm_sve.h>\nint32_t f(svfloat32_t a, float16_t b, bfloat16_t c, float64_t d);"),
        ("x86_64-windows-msvc", "#include <mm_malloc.h>\nint f(int a);"),
    ],
)  # fmt: skip
def test_headers_of_vectors_need_no_c_library(target: str, text: str) -> None:
    assert [one.name for one in declared_in(text, find_target(target)).functions] == ["f"]
