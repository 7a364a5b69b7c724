"""Functions: parameters after C's adjustments, results, and which declaration counts."""

from __future__ import annotations

import pytest

from abiprobe.harness.input import ReadOptions, read
from abiprobe.oracles.language.lang import (
    Convention,
    Enum,
    Enumerator,
    Kind,
    Member,
    Param,
    Pointer,
    Prototype,
    Record,
    Scalar,
    Typedef,
)

INT = Scalar(Kind.INT)
X86_64, I386, AARCH64 = "x86_64-linux-gnu", "i386-linux-gnu", "aarch64-linux-gnu"

FUNCTIONS = [
    ("void f(void);", Prototype("f", None, ())),
    ("void f();", Prototype("f", None, ())),
    (
        "int f(int a, double b) { return a; }",
        Prototype("f", INT, (Param("a", INT), Param("b", Scalar(Kind.DOUBLE)))),
    ),
    (
        "int f(const char *fmt, ...);",
        Prototype("f", INT, (Param("fmt", Pointer("const char")),), variadic=True),
    ),
    ("void f(int a[3]);", Prototype("f", None, (Param("a", Pointer("int")),))),
    ("void f(int n, int a[n][n]);", Prototype("f", None, (Param("n", INT), Param("a", Pointer("int[n]"))))),
    ("void f(int cb(char));", Prototype("f", None, (Param("cb", Pointer("int", function=True)),))),
    (
        "void f(int, int p1, int);",
        Prototype("f", None, (Param("p0", INT), Param("p1", INT), Param("p2", INT))),
    ),
    ("void f(int, int p0);", Prototype("f", None, (Param("p0_", INT), Param("p0", INT)))),
    ("typedef int fn(int); fn f;", Prototype("f", INT, (Param("p0", INT),))),
    ("enum e { A }; enum e f(void);", Prototype("f", Enum("e", (Enumerator("A", 0),)), ())),
    ("int f(int old); int f(int new);", Prototype("f", INT, (Param("new", INT),))),
    ("int f(int a); int f();", Prototype("f", INT, (Param("p0", INT),))),
    ("static inline int f(void) { struct local { int a; } l = {1}; return l.a; }", Prototype("f", INT, ())),
    ("_Noreturn void f(void);", Prototype("f", None, ())),
    ("struct s; void f(struct s *p);", Prototype("f", None, (Param("p", Pointer("struct s")),))),
    ("int (*f(void))(int);", Prototype("f", Pointer("int", function=True), ())),
    (
        "typedef int w __attribute__((aligned(16))); w f(w a);",
        Prototype("f", Typedef("w", INT, 16), (Param("a", Typedef("w", INT, 16)),)),
    ),
]


@pytest.mark.parametrize(("text", "expected"), FUNCTIONS, ids=[text for text, _ in FUNCTIONS])
def test_function(text: str, expected: Prototype) -> None:
    found = read(text, filename="t.c", triple="riscv64-linux-gnu")
    assert found.functions == (expected,)
    assert found.records == ()


def test_functions_keep_the_place_of_their_first_declaration() -> None:
    found = read("void a(), b(void); void c(void); void a(void);", filename="t.c", triple="x86_64-linux-gnu")
    assert [function.name for function in found.functions] == ["a", "b", "c"]


def test_what_a_header_declares_is_used_but_not_listed() -> None:
    found = read(
        "#include <stdint.h>\n#include <stdarg.h>\nuint8_t f(va_list);",
        filename="t.c",
        triple="x86_64-linux-gnu",
    )
    assert found.records == ()
    assert found.functions == (
        Prototype("f", Scalar(Kind.UCHAR), (Param("p0", Pointer("struct __va_list_tag")),)),
    )


def test_records_by_value_are_whole() -> None:
    found = read("typedef struct { int a; } T; T f(T t);", filename="t.c", triple="x86_64-linux-gnu")
    assert isinstance(found.functions[0].result, Record)
    assert found.functions[0].params == (Param("t", found.records[0]),)


CONVENTIONS = [
    ("void f(int) __attribute__((ms_abi));", X86_64, Convention.MS_ABI, None),
    ("void f(int) __attribute__((sysv_abi));", X86_64, None, None),
    ("__attribute__((regparm(2))) int f(int);", I386, None, 2),
    ("int __attribute__((stdcall)) f(int);", I386, Convention.STDCALL, None),
    ("struct s { int a; }; void f(struct s) __attribute__((fastcall));", I386, Convention.FASTCALL, None),
    ("int __attribute__((thiscall)) f(int);", I386, Convention.THISCALL, None),
    ("int __attribute__((vectorcall)) f(int);", X86_64, Convention.VECTORCALL, None),
    ("int __attribute__((regcall)) f(int);", X86_64, Convention.REGCALL, None),
    ("int __attribute__((preserve_most)) f(int);", X86_64, Convention.PRESERVE_MOST, None),
    ("int __attribute__((preserve_all)) f(int);", AARCH64, Convention.PRESERVE_ALL, None),
    ("__attribute__((ms_abi)) int (*f(int))(int);", X86_64, Convention.MS_ABI, None),
    ("__attribute__((ms_abi)) int (*(*f(int (*)(int)))(int))[3];", X86_64, Convention.MS_ABI, None),
    ("typedef __attribute__((ms_abi)) int (*p)(int); p f(int);", X86_64, None, None),
    ("typedef __attribute__((ms_abi)) int g(int); void f(g *);", X86_64, None, None),
]


@pytest.mark.parametrize(("text", "triple", "convention", "regparm"), CONVENTIONS)
def test_a_calling_convention(
    text: str, triple: str, convention: Convention | None, regparm: int | None
) -> None:
    (function,) = read(text, filename="t.c", triple=triple).functions
    assert (function.convention, function.regparm) == (convention, regparm)


VARIADIC = """
typedef long long wide __attribute__((aligned(16)));
struct S { int a; } s;
int f(int n, ...);
int never(int n, ...);
static wide w;
static inline int g(void) { return f(1, 'c', 2.0f, s, &s) + f(1) + f(1, w) + f(2, (short)3, 4.0, s, &s); }
"""


def test_a_variadic_function_is_asked_about_as_it_is_called() -> None:
    found = read(VARIADIC, filename="t.c", triple="riscv64-linux-gnu")
    struct = Record("S", (Member(INT, "a"),))
    lists = [one.unnamed for one in found.functions if one.name == "f"]
    assert lists == [
        (INT, Scalar(Kind.DOUBLE), struct, Pointer("struct S")),
        (),
        (Scalar(Kind.LLONG),),
    ]
    assert [one.unnamed for one in found.functions if one.name == "never"] == [()]


def test_a_body_that_cannot_be_read_hides_no_declaration() -> None:
    text = "int f(int n, ...); static inline int g(void) { return nobody_declared_this[1]; }"
    assert [one.name for one in read(text, filename="t.c", triple="riscv64-linux-gnu").functions] == [
        "f",
        "g",
    ]


def test_pack_is_known_of_records_that_only_a_prototype_has() -> None:
    found = read(
        "#pragma pack(2)\nvoid f(struct { char a; int b; } x, union { int c[2]; } *p);\n#pragma pack()\n"
        "void g(struct { int d; } y);",
        filename="t.c",
        triple="i386-linux-gnu",
    ).functions
    packs = [
        parameter.type.pack for one in found for parameter in one.params if isinstance(parameter.type, Record)
    ]
    assert packs == [2, None]


def test_an_interface_has_types_that_libclang_knows_by_number_alone() -> None:
    text = "_Float16 f(_Float16 a[2], _Float16 b); extern _Float16 v[3];"
    found = read(text, filename="f.h", triple=X86_64, how=ReadOptions(interface=True)).interface
    assert [one.params for one in found.functions] == [("_Float16 *", "_Float16")]
