"""Features: the types and extensions that not every compiler or target has, by name."""

from __future__ import annotations

from functools import lru_cache

from abiprobe.oracles.language.lang import (
    Array,
    Atomic,
    BitInt,
    Complex,
    Convention,
    Enum,
    FixedPoint,
    Isa,
    Kind,
    Member,
    Position,
    Prototype,
    Record,
    Scalable,
    ScalableMask,
    Scalar,
    SvePredicate,
    SveVector,
    Type,
    Typedef,
    Vector,
    components,
    strip,
)
from abiprobe.oracles.language.question import CXX_QUESTIONS, Question
from abiprobe.oracles.language.sve import SVE_BITS, SVE_NAMES, fixed_typedefs

KINDS = {
    Kind.INT128: "__int128",
    Kind.UINT128: "__int128",
    Kind.FLOAT16: "_Float16",
    Kind.FP16: "__fp16",
    Kind.BF16: "__bf16",
    Kind.FLOAT128: "_Float128",
    Kind.LDOUBLE: "long double",
    Kind.DECIMAL32: "_Decimal",
    Kind.DECIMAL64: "_Decimal",
    Kind.DECIMAL128: "_Decimal",
}

ISAS = frozenset(f"target {isa.value}" for isa in Isa)
"""The features of functions that have other instructions than the rest."""

CONVENTIONS = frozenset({"regparm", *(convention.value for convention in Convention)})
"""The features that are calling conventions, which only some targets have."""

WIDE_BIT_INT = 128
"""The width in bits above which a `_BitInt` needs a feature of its own."""

FOLLOWING = frozenset({"half-precision complex", "passed vector", "unnamed __bf16", "va_start behind __bf16"})
"""The features that a question needs for what it does with types that need others."""


def _convention(name: str, attribute: str) -> str:
    """A function of another calling convention; who can say that it does not know the attribute is believed."""
    return (
        f"#ifdef __has_attribute\n#if !__has_attribute({name})\n#error\n#endif\n#endif\n"
        f"int __attribute__(({attribute})) f(int x, int y) {{ return x; }}"
    )


SAMPLES = {
    "__int128": "struct s { __int128 a; }; struct s f(struct s x, unsigned __int128 y) { return x; }",
    "__int128 bit-field": "struct s { __int128 a : 100; }; const struct s v = { .a = -1 };",
    "_Float16": "_Float16 f(_Float16 x) { return x; }",
    "__fp16": "struct s { __fp16 a; }; struct s f(struct s x) { return x; }",
    "__bf16": "__bf16 f(__bf16 x) { return x; }",
    "unnamed __bf16": (
        "static void s(int x, ...) { } int f(void *x) { s(1, *(__bf16 *)x); s(2, *(__bf16 *)x); return 0; }"
    ),
    "va_start behind __bf16": (
        "void f(__bf16 x, ...) { __builtin_va_list v; __builtin_va_start(v, x); __builtin_va_end(v); }"
    ),
    "_Float128": "_Float128 f(_Float128 x) { return x; }",
    "_Decimal": "_Decimal32 f(_Decimal32 x, _Decimal64 y, _Decimal128 z) { return x; }",
    "long double": "long double f(long double x) { return x; }",
    "_BitInt": "_BitInt(37) f(_BitInt(37) x, unsigned _BitInt(100) y) { return x; }",
    "wide _BitInt": "_BitInt(256) f(_BitInt(256) x) { return x; }",
    "_BitInt bit-field": "struct s { _BitInt(37) a : 30; }; const struct s v = { .a = -1 };",
    "_Complex": "double _Complex f(float _Complex x, long double _Complex y) { return x; }",
    "half-precision complex": "_Float16 _Complex f(_Float16 _Complex x) { return x; }",
    "complex integer": "int _Complex f(unsigned char _Complex x, long long _Complex y) { return x; }",
    "complex __int128": "__int128 _Complex f(unsigned __int128 _Complex x) { return x; }",
    "fixed point": "_Accum f(_Accum x, short _Fract y, _Sat unsigned long _Accum z) { return x; }",
    "_Atomic": "struct s { _Atomic(int) a; }; struct s f(struct s x) { return x; }",
    "_Atomic record": "struct v { int a, b; }; struct s { _Atomic(struct v) c; }; struct s f(struct s x) { return x; }",
    "vector": (
        "typedef int v __attribute__((vector_size(16))); v f(v x) { return x; }"
        ' _Static_assert(sizeof(v) == 16, "");'
    ),
    "passed vector": (
        # For nvcc, which has vectors on its host alone.
        "typedef int v __attribute__((vector_size(16)));\n"
        "#ifdef __CUDACC__\n__device__\n#endif\nv f(v x) { return x; }"
    ),
    "long double vector": (
        "typedef long double v __attribute__((vector_size(64))); v f(v x) { return x; }"
        ' _Static_assert(sizeof(v) == 64, "");'
    ),
    "empty record": "struct s { }; struct s f(struct s x) { return x; }",
    "zero-length array": "struct s { int a; int z[0]; }; struct s f(struct s x) { return x; }",
    "flexible array": "struct s { int a; int b[]; }; struct s f(struct s x) { return x; }",
    "flexible array alone": "struct s { int a[]; }; union u { int a; int b[]; }; struct s f(union u x);",
    "packed": (
        "struct s { char a; int b; } __attribute__((packed)); struct v { char a; int b __attribute__((packed)); };"
        ' _Static_assert(sizeof(struct s) == 5 && sizeof(struct v) == 5, "");'
    ),
    "aligned": (
        "struct s { char a; int b __attribute__((aligned(64))); }; struct v { char a; } __attribute__((aligned(64)));"
        ' _Static_assert(sizeof(struct s) == 128 && sizeof(struct v) == 64, "");'
    ),
    "attribute position": (
        "struct s { char a; __attribute__((packed)) int b; int __attribute__((packed)) c;"
        " void * __attribute__((aligned(64))) d; };"
        ' _Static_assert(__builtin_offsetof(struct s, c) == 5, "");'
    ),
    "alignas": (
        'struct s { char a; _Alignas(32) int b; }; _Static_assert(__builtin_offsetof(struct s, b) == 32, "");'
    ),
    "pragma pack": (
        "#pragma pack(push, 2)\nstruct s { char a; int b; };\n#pragma pack(pop)\n"
        '_Static_assert(sizeof(struct s) == 6, "");'
    ),
    "typedef aligned": (
        "typedef int s __attribute__((aligned(16))); typedef int v __attribute__((aligned(1)));"
        ' _Static_assert(_Alignof(s) == 16 && _Alignof(v) == 1, "");'
    ),
    "packed enum": 'enum s { v } __attribute__((packed)); _Static_assert(sizeof(enum s) == 1, "");',
    "ms_struct": (
        "struct s { int a : 3; char b : 2; } __attribute__((ms_struct));"
        ' _Static_assert(sizeof(struct s) == 8, "");'
    ),
    "ms_struct long double": (
        # Some compilers refuse it only where its layout is needed.
        "struct s { int a; long double b; } __attribute__((ms_struct)) f;"
        ' _Static_assert(sizeof(struct s) > 8, "");'
    ),
    "gcc_struct": (
        "#if !__has_attribute(gcc_struct)\n#error\n#endif\n"
        "struct s { int a : 3; char b : 2; } __attribute__((gcc_struct)) f;"
        ' _Static_assert(sizeof(struct s) == 4, "");'
    ),
    "regparm": _convention("regparm", "regparm(3)"),
    "stdcall": _convention("stdcall", "stdcall"),
    "fastcall": _convention("fastcall", "fastcall"),
    "thiscall": _convention("thiscall", "thiscall"),
    "vectorcall": _convention("vectorcall", "vectorcall"),
    "regcall": _convention("regcall", "regcall"),
    "preserve_most": _convention("preserve_most", "preserve_most"),
    "preserve_all": _convention("preserve_all", "preserve_all"),
    "ms_abi": _convention("ms_abi", "ms_abi"),
    "sysv_abi": _convention("sysv_abi", "sysv_abi"),
    "target avx": '__attribute__((target("avx"))) int f(int x) { return x; }',
    "target avx512f": '__attribute__((target("avx512f"))) int f(int x) { return x; }',
    "riscv_vector_cc": _convention("riscv_vector_cc", "riscv_vector_cc"),
    "scalable vector": (
        "__rvv_int32m1_t f(__rvv_int32m1_t x, __rvv_int8mf8_t y, __rvv_float64m1x2_t z, __rvv_bool64_t k) { return x; }"
    ),
    "SVE vector": (
        f"{SVE_NAMES}svbfloat16_t f(svbfloat16_t x, svfloat64x4_t *y, svfloat64x4_t z, svbool_t k) {{ *y = z; return x; }}"
    ),
    "SVE vector of fixed length": (
        "\n".join(fixed_typedefs((SveVector(Kind.INT, bits=SVE_BITS), SvePredicate(SVE_BITS))))
        + "\nstruct s { svint32_256_t a[2]; svbool_256_t b; }; struct s f(struct s x) { return x; }"
    ),
}
"""For each feature a translation unit that a compiler with the feature accepts.

What an attribute plainly promises is asserted, so a compiler that says no more than that it ignores the attribute can be told.
Identifiers that are seen from outside are `f`, `s` and `v`.
"""


def features(question: Question) -> frozenset[str]:
    """The features that a question needs."""
    found = type_features(*_roots(question))
    if {"_Float16", "_Complex"} <= found and any(map(has_half_complex, _roots(question))):
        found |= {"half-precision complex"}
    if isinstance(question, Prototype):
        found |= {"passed vector"} if "vector" in found else set()
        convention = {question.convention.value} if question.convention is not None else set()
        found |= convention | ({"regparm"} if question.regparm is not None else set())
        found |= {f"target {question.isa.value}"} if question.isa is not None else set()
        found |= {"unnamed __bf16"} if any(map(is_bf16, question.unnamed)) else set()
        if question.variadic and any(is_bf16(param.type) for param in question.params[-1:]):
            found |= {"va_start behind __bf16"}
    return found


@lru_cache(maxsize=1 << 12)
def has_half_complex(c_type: Type) -> bool:
    """Return whether a type is a complex number of half-precision reals, or contains one."""
    return c_type == Complex(Kind.FLOAT16) or any(map(has_half_complex, components(c_type)))


def is_bf16(c_type: Type) -> bool:
    """Return whether a type is `__bf16`, which some compilers cannot pass unnamed, or begin a list of arguments behind."""
    bare = strip(c_type)
    return isinstance(bare, Scalar) and bare.kind is Kind.BF16


def type_features(*types: Type) -> frozenset[str]:
    """The features that the declarations of `types` need."""
    return frozenset().union(*map(_of, types))


@lru_cache(maxsize=1 << 12)
def _of(c_type: Type) -> frozenset[str]:
    found: set[str] = set()
    _visit(c_type, found)
    return frozenset(found).union(*map(_of, components(c_type)))


def _roots(question: Question) -> tuple[Type, ...]:
    if isinstance(question, Prototype):
        types = (question.result, *(param.type for param in question.params), *question.unnamed)
        return tuple(c_type for c_type in types if c_type is not None)
    return () if isinstance(question, CXX_QUESTIONS) else (question,)


def _visit(c_type: Type, found: set[str]) -> None:
    match c_type:
        case Scalar(kind) | Complex(kind) | Vector(kind):
            _visit_arithmetic(c_type, kind, found)
        case BitInt(width):
            found.update({"_BitInt", "wide _BitInt"} if width > WIDE_BIT_INT else {"_BitInt"})
        case FixedPoint():
            found.add("fixed point")
        case Scalable() | ScalableMask():
            found.add("scalable vector")
        case SveVector(bits=bits) | SvePredicate(bits=bits):
            found.update({"SVE vector"} if bits is None else {"SVE vector", "SVE vector of fixed length"})
        case Enum(packed=True):
            found.add("packed enum")
        case Typedef(align=int()):
            found.add("typedef aligned")
        case Atomic(base=base):
            found.update({"_Atomic", "_Atomic record"} if isinstance(strip(base), Record) else {"_Atomic"})
        case Array(length=0):
            found.add("zero-length array")
        case Array(length=None):
            found.add("flexible array")
        case Record():
            _visit_record(c_type, found)


def _visit_arithmetic(c_type: Type, kind: Kind, found: set[str]) -> None:
    if kind in KINDS:
        found.add(KINDS[kind])
        if isinstance(c_type, Complex) and c_type.is_integer:
            found.add("complex __int128")
    if isinstance(c_type, Complex):
        found.add("complex integer" if c_type.is_integer else "_Complex")
    if isinstance(c_type, Vector):
        found.update({"vector", "long double vector"} if kind is Kind.LDOUBLE else {"vector"})


def _visit_record(record: Record, found: set[str]) -> None:
    asked = {
        "empty record": not record.members,
        "flexible array alone": has_flexible_array_alone(record),
        "packed": record.packed,
        "aligned": record.align is not None,
        "pragma pack": record.pack is not None,
        "ms_struct": record.ms_struct is True,
        "ms_struct long double": record.ms_struct is True and has_long_double(record),
        "gcc_struct": record.ms_struct is False,
    }
    found.update(name for name, is_asked in asked.items() if is_asked)
    for member in record.members:
        _visit_member(member, found)


def has_flexible_array_alone(record: Record) -> bool:
    """Return whether a flexible array is in a union, or in a struct with no other named member, which ISO C does not allow."""
    flexible = [isinstance(member.type, Array) and member.type.length is None for member in record.members]
    others = any(member.name and not is_one for member, is_one in zip(record.members, flexible, strict=True))
    return any(flexible) and (record.union or not others)


def has_long_double(record: Record) -> bool:
    """Return whether a member is a `long double` or an array of it."""
    return any(_innermost(member.type) == Scalar(Kind.LDOUBLE) for member in record.members)


def _innermost(c_type: Type) -> Type:
    while isinstance(c_type, (Array, Atomic, Typedef)):
        c_type = c_type.element if isinstance(c_type, Array) else c_type.base
    return c_type


def _visit_member(member: Member, found: set[str]) -> None:
    if member.packed:
        found.add("packed")
    if member.align is not None:
        found.add("aligned")
    if member.alignas is not None:
        found.add("alignas")
    if (member.packed or member.align is not None) and member.position is not Position.AFTER:
        found.add("attribute position")
    if member.width is not None:
        base = strip(member.type)
        if isinstance(base, BitInt):
            found.add("_BitInt bit-field")
        elif isinstance(base, Scalar) and base.kind.is_int128:
            found.add("__int128 bit-field")
