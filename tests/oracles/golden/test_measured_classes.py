"""Classes of which no text decides the layout, as compilers were measured to lay them out, held against their readings."""

from __future__ import annotations

import pytest

from abiprobe.harness.input import Classes, ReadOptions
from abiprobe.harness.input.declared import declared_in
from abiprobe.oracles.abis.itanium.policy import OF_GCC
from abiprobe.oracles.engine.policies import ClassHabit
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.model import policies_of
from abiprobe.oracles.registry import cxx_model, find_target
from abiprobe.oracles.text.class_layout import ClassLayout
from abiprobe.oracles.text.place import Unspecified

CXX = ReadOptions(strict=False, classes=Classes.ALONE)
USED = """
struct Q { int a; char b; Q(); };
struct V { char c; virtual void v(); };
struct L { char a; long b; L(); };
struct alignas(32) E {};
struct __attribute__((packed)) X { V v; };
struct M { M(); };
"""
PACKED = "struct __attribute__((packed)) S"
ROWS = (
    (f"{PACKED} {{ char c; Q q[2]; }};", (20, 4), (17, 1)),
    (f"{PACKED} {{ char c; Q q; }};", (12, 4), (12, 4)),
    (f"{PACKED} {{ char c; virtual void v(); }};", (9, 1), (9, 1)),
    (f"{PACKED} : V {{ char d; }};", (16, 8), (16, 8)),
    (f"{PACKED} : virtual L {{ char d; }};", (32, 8), (32, 8)),
    (f"{PACKED} {{ long a : 76; S(); }};", (10, 1), (16, 8)),
    (f"{PACKED} {{ long a : 7; long : 0; S(); }};", (8, 1), (8, 1)),
    (f"{PACKED} {{ char c; int &r; S(); }};", (16, 8), (9, 1)),
    (f"{PACKED} {{ int &r; bool b : 2; S(); virtual void v(); }};", (24, 8), (17, 1)),
    (f"{PACKED} {{ [[no_unique_address]] E e; long b; ~S(); }};", (32, 32), (32, 1)),
    (f"{PACKED} {{ M m; int a : 3; S(); }};", (2, 1), (2, 1)),
    (f"{PACKED} {{ M m; char a : 9; int b : 30; S(); }};", (6, 1), (6, 1)),
    (f"{PACKED} {{ char c; X x; }};", (24, 8), (17, 1)),
    (f"{PACKED} {{ char c; char a : 40; Q q; }};", (16, 4), (20, 4)),
    (f"{PACKED} : E {{ E e; char d[31]; S(); }};", (96, 32), (64, 32)),
    ("struct S { char c; Q q[2]; };", (18, 2), (18, 2)),
    ("struct S { char c; virtual void v(); };", (10, 2), (10, 2)),
    ("struct S : V { char d; };", (10, 2), (10, 2)),
    ("struct S : virtual L { char d; };", (26, 2), (26, 2)),
    ("struct S { long a : 76; S(); };", (10, 2), (16, 8)),
    ("struct S { long a : 7; long : 0; S(); };", (8, 2), (8, 2)),
    ("struct S { char c; int &r; S(); };", (10, 2), (10, 2)),
    ("struct S { char c; alignas(16) char d; S(); };", (4, 2), (4, 2)),
    ("struct alignas(32) S { char c; int d; S(); };", (32, 32), (32, 32)),
    ("struct S { [[no_unique_address]] E e; long b; ~S(); };", (32, 32), (32, 2)),
    ("struct S : E { void *a; S(); };", (32, 32), (32, 32)),
    ("struct F {}; struct alignas(64) W { F f; char c; W(); }; struct S : F, W {};", (66, 2), (4, 2)),
)
"""A packed class, or one under `#pragma pack(2)`; its size and alignment to gcc 12 and 16, and to clang 22 and 24."""
NEAR = """
struct A {};
struct B : A {};
struct C : virtual A { [[no_unique_address]] B b; char c[20]; };
"""
PART = "struct A {}; struct B : virtual A { [[no_unique_address]] A a; }; struct C { [[no_unique_address]] B b; };"
INNER = """
struct B { [[no_unique_address]] A a; };
struct C : virtual B, A {};
struct D { [[no_unique_address]] C c; };
"""
MOVED = """
#pragma pack(push, 2)
struct alignas(32) E {};
struct T : virtual E { E e; };
struct R : virtual T, E {};
struct S { [[no_unique_address]] R r; char m; S(); };
#pragma pack(pop)
"""
SPREAD = "struct alignas(32) C {}; struct X { char a; virtual ~X(); };"
AS_BASE = tuple(
    f"{SPREAD} {middle} struct W : X, A {{ char m; }};"
    for middle in (
        "struct A : virtual C { long a, b, c; };",
        "struct A : virtual C { alignas(16) char b[16]; };",
        "struct alignas(8) Q { char b[24]; }; struct A : virtual C { Q q; };",
    )
)
"""Bases that are as large without their virtual base."""
FAR = (
    *zip(AS_BASE, (48, 64, 64), (False,) * 3, strict=True),
    (MOVED, 64, False),
    (f"struct alignas(8) A {{}}; {INNER} struct E : D {{ [[no_unique_address]] A m; }};", 16, False),
    (f"{NEAR} struct D {{ [[no_unique_address]] C c; B m; }};", 28, True),
    (
        f"struct alignas(64) L {{}}; {NEAR} struct D {{ [[no_unique_address]] C c; B m; [[no_unique_address]] L l; }};",
        29,
        False,
    ),
    (
        "struct A {}; struct B { char x; [[no_unique_address]] A a, b; B(); }; struct D : B { [[no_unique_address]] A m; };",
        2,
        False,
    ),
    (
        "struct alignas(32) A { long : 0; }; struct B : virtual A { A a; char b; }; struct C : B, A {}; struct D { [[no_unique_address]] C c; char m; };",
        96,
        False,
    ),
    ("struct D { char c; int m; };", 4, False),
    ("struct A {}; struct D { A a; char m; };", 1, False),
    ("struct A {}; struct B { A a; char c; }; struct D { B b; [[no_unique_address]] A m; };", 2, False),
    (
        f"{PART} struct D : virtual A, virtual B {{ C c; B m; D(); }};",
        16,
        True,
    ),
)
"""The offset in bytes of `m` in the last class to gcc, and whether a larger empty class elsewhere in the unit changes that class."""
FAR_TO_CLANG = (
    *zip(AS_BASE, (48,) * 3, strict=True),
    (MOVED, 48),
    (f"struct alignas(8) A {{}}; {INNER} struct E : D {{ [[no_unique_address]] A m; }};", 8),
    (f"struct A {{}}; {INNER} struct E : D {{ [[no_unique_address]] A m; }};", 8),
    (
        f"struct alignas(16) L {{}}; struct A {{}}; {INNER} struct E : D {{ [[no_unique_address]] L l; [[no_unique_address]] A m; }};",
        9,
    ),
    (
        "struct A {}; struct B { [[no_unique_address]] A a; char c; }; struct E : B { [[no_unique_address]] A m; };",
        1,
    ),
)
"""The same offset to clang."""
DEFAULTED = "struct K { %s; int a; char b; }; struct D : K { char c; };"
CONSTRUCTORS = ("K() = default", "K() = delete", "K(const K &) = default", "K(K &&) = delete")
OTHERS = ("K &operator=(const K &) = default", "~K() = delete")
COMPILER = "x86_64-sysv@gcc-16"
NEW, OLD_GCC, OLD_CLANG = "x86_64-sysv@gcc-reading", "x86_64-sysv@gcc-12", "x86_64-sysv@clang-15"

RISCV, ARM = "riscv64-lp64d@gcc-16", "arm-aapcs-vfp@gcc-16"
LIKE_INTEGERS = (
    (RISCV, "struct E {}; struct alignas(16) A {}; struct S : virtual E, virtual A { long a; }", 16),
    (RISCV, "struct V { virtual void v(); }; struct alignas(16) A {}; struct S : V, virtual A { int b; }", 8),
    (RISCV, "struct alignas(16) A {}; struct S : virtual A { char a[8]; }", 16),
    (RISCV, "struct alignas(16) A {}; struct S : virtual A { char a[5]; short b; }", 8),
    (RISCV, "struct alignas(16) A {}; struct O { char o : 9; O(); }; struct S : virtual A, O { int a; }", 16),
    (RISCV, "struct alignas(16) A {}; struct P { char p[3]; P(); }; struct S : virtual A, P { int a; }", 8),
    (RISCV, "struct alignas(32) A {}; struct S : virtual A { long a[3]; }", 8),
    (RISCV, "struct alignas(16) A {}; struct S : virtual A { long a; long b; long c; }", 8),
    (ARM, "struct alignas(8) A {}; struct S : virtual A { int a; }", 8),
    (ARM, "struct alignas(16) A {}; struct S : virtual A { int a[3]; }", 4),
)
"""The offset in bytes at which gcc 16 has the virtual base of `struct T : virtual S {}`."""


def derived(source: str) -> Class:
    return last(f"{source}; struct T : virtual S {{}};")


def last(text: str) -> Class:
    return declared_in(text, find_target("x86_64-sysv"), CXX).classes[-1]


def packed(source: str) -> Class:
    pragma = not source.startswith(PACKED)
    return last(f"{USED}\n#pragma pack(push, 2)\n{source}\n#pragma pack(pop)" if pragma else USED + source)


@pytest.mark.parametrize(("source", "gcc", "clang"), ROWS)
def test_packed_classes(source: str, gcc: tuple[int, int], clang: tuple[int, int]) -> None:
    asked = packed(source)
    assert isinstance(cxx_model(find_target("x86_64-sysv")).layout(asked), Unspecified)
    for family, measured in (("gcc", gcc), ("clang", clang)):
        found = cxx_model(find_target("x86_64-sysv").in_dialect(family)).layout(asked)
        assert isinstance(found, ClassLayout), found
        assert (found.size, found.align) == measured, family


@pytest.mark.parametrize(("source", "offset", "on_unit"), FAR)
def test_empty_subobjects_far_inside_of_a_class(source: str, offset: int, *, on_unit: bool) -> None:
    assert offset_of_m(source, COMPILER) == offset
    assert cxx_model(find_target("x86_64-sysv")).depends_on_unit(last(source)) == on_unit


@pytest.mark.parametrize(("source", "offset"), FAR_TO_CLANG)
def test_empty_subobjects_far_inside_of_a_class_to_clang(source: str, offset: int) -> None:
    assert offset_of_m(source, "x86_64-sysv@clang-24") == offset


def offset_of_m(source: str, target: str) -> int:
    """The offset in bytes of the member `m` of the last class."""
    found = cxx_model(find_target(target)).layout(last(source))
    assert isinstance(found, ClassLayout)
    return next(one.bit_offset for one in found.members if one.path == "m") // 8


def test_units_are_compared_by_what_gcc_does_today() -> None:
    assert policies_of(find_target(COMPILER).model()).classes == OF_GCC | {ClassHabit.NEAR_EMPTIES}


@pytest.mark.parametrize("function", [*CONSTRUCTORS, *OTHERS])
def test_defaulted_functions(function: str) -> None:
    """Only clang before 16 uses the tail padding, and gcc 12 where it is asked for C++20, by a quirk of that option."""
    for target, size in ((NEW, 12), ("x86_64-sysv@clang-reading", 12), (OLD_GCC, 12), (OLD_CLANG, 8)):
        found = cxx_model(find_target(target)).layout(last(DEFAULTED % function))
        assert isinstance(found, ClassLayout), found
        assert found.size == size, target


@pytest.mark.parametrize(
    ("target", "align"), [("x86_64-sysv", 1), ("aarch64-aapcs64", 2), ("arm-aapcs-vfp", 2)]
)
def test_an_oversized_bit_field_of_a_packed_union(target: str, align: int) -> None:
    """To gcc the attribute changes nothing in a union on Arm, where bit-fields without a name are aligned, too."""
    asked = last("union __attribute__((packed)) U { char a : 16; int b; U(); };")
    found = cxx_model(find_target(f"{target}@gcc-16")).layout(asked)
    assert isinstance(found, ClassLayout), found
    assert (found.size, found.align) == (4, align)


@pytest.mark.parametrize(("target", "source", "offset"), LIKE_INTEGERS)
def test_a_base_is_aligned_as_an_integer_that_it_is_like(target: str, source: str, offset: int) -> None:
    found = cxx_model(find_target(target)).layout(derived(source))
    assert isinstance(found, ClassLayout), found
    assert next(one.offset for one in found.bases if one.path == ("S",)) == offset
