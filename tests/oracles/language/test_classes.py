"""The Itanium C++ ABI's own examples, and rows worked out from its steps: what the model says of classes."""

from __future__ import annotations

import pytest

from abiprobe.harness.input.declared import declared_in
from abiprobe.oracles.abis.itanium.model import CxxModel
from abiprobe.oracles.language.classes import (
    Access,
    Base,
    Class,
    CxxArray,
    DataMember,
    Declared,
    Destruction,
    MemberFunctionPointer,
    Reference,
    Specials,
    VirtualFunction,
)
from abiprobe.oracles.language.lang import Kind, Scalar
from abiprobe.oracles.registry import find_model, find_target
from abiprobe.oracles.text.class_layout import ClassLayout
from abiprobe.oracles.text.place import Unspecified
from tests.class_rows import CXX

INT, CHAR, DOUBLE = Scalar(Kind.INT), Scalar(Kind.CHAR), Scalar(Kind.DOUBLE)
DESTROYED = Specials(destructor=Destruction(Declared.PROVIDED))
CONSTRUCTED = Specials(default=Declared.PROVIDED)
V, W = (VirtualFunction("v"),), (VirtualFunction("w"),)


def model(target: str = "x86_64-sysv") -> CxxModel:
    return CxxModel(find_model(target).types)


def derived(tag: str, *bases: Class, virtual: tuple[Class, ...] = (), **more: object) -> Class:
    """A class with plain bases and then virtual ones."""
    found = (*map(Base, bases), *(Base(one, virtual=True) for one in virtual))
    return Class(tag, found, **more)  # type: ignore[arg-type]


def layout(asked: Class, target: str = "x86_64-sysv") -> ClassLayout:
    found = model(target).layout(asked)
    assert isinstance(found, ClassLayout)
    return found


def sizes(asked: Class) -> tuple[int, int, int]:
    """dsize, nvsize and size, in bytes."""
    found = layout(asked)
    return found.data_size, found.non_virtual_size, found.size


BASES = """
struct A {};
struct B : A { virtual void v(); int b; };
struct C { virtual void w(); };
struct D : B, virtual C { A a; };
"""
WHOLE = (
    (
        BASES,
        ["B 0+12 primary", "B::A 0+0 empty", "virtual C 16+8"],
        ["B 0", "C 16"],
    ),
    (
        f"{BASES} struct E : D, A {{}};",
        ["D 0+13 primary", "D::B 0+12", "D::B::A 0+0 empty", "A 13+0 empty", "virtual C 16+8"],
        ["D::B 0", "C 16"],
    ),
    ("struct V { virtual void v(); }; struct D : virtual V { int d; };", ["virtual V 0+8 primary"], ["V 0"]),
    ("struct V { int v; }; struct D : virtual V { char d; };", ["virtual V 12+4"], [" 0"]),
)
"""A class with all its base subobjects, offset and size in bytes, and with the pointers to virtual tables."""


KINDS = (
    ("struct P { int a; char b; };", (True, False, False)),
    ("struct P {};", (True, True, False)),
    ("struct P { P(); };", (False, True, False)),
    ("struct P { virtual void v(); };", (False, False, True)),
)
"""A class, and whether it is a POD for the purpose of layout, empty and nearly empty."""


@pytest.mark.parametrize(("source", "kinds"), KINDS)
def test_what_a_class_is(source: str, kinds: tuple[bool, bool, bool]) -> None:
    found = layout(declared_in(source, find_target("x86_64-sysv"), CXX).classes[-1])
    assert (found.pod, found.empty, found.nearly_empty) == kinds


def told(source: str) -> tuple[list[str], list[str], int]:
    """The bases and the pointers to virtual tables of the last class of a text, and the size of its own one in bytes."""
    found = layout(declared_in(source, find_target("x86_64-sysv"), CXX).classes[-1])
    bases = [
        f"{one} {one.offset}+{one.size}{' primary' * one.primary}{' empty' * one.empty}"
        for one in found.bases
    ]
    return bases, [f"{'::'.join(one.path)} {one.offset}" for one in found.pointers], found.virtual_pointer


@pytest.mark.parametrize(("source", "bases", "pointers"), WHOLE)
def test_every_base_and_pointer_to_a_table_is_told(
    source: str, bases: list[str], pointers: list[str]
) -> None:
    own = 8 * (" 0" in pointers)
    assert told(source) == (bases, pointers, own)


# 2.4 IV
A = Class("A", alignas=16, specials=DESTROYED)
B = derived("B", A)
X = derived("X", virtual=(A, B))
Y = Class("Y", members=(DataMember(X, "x", no_unique_address=True), DataMember(CHAR, "c")))
# 2.4 III
R, S = Class("R", virtuals=(VirtualFunction("r"),)), Class("S", virtuals=(VirtualFunction("s"),))
T = derived("T", virtual=(S,), virtuals=(VirtualFunction("t"),))
U = derived("U", R, virtual=(T,), virtuals=(VirtualFunction("u"),))
V2 = derived("V", R, virtual=(S, T), virtuals=V)
# 1.1, nearly empty
NEARLY_A = Class("A", alignas=16)
NEARLY_B = derived("B", NEARLY_A, virtuals=V)
NEARLY_C = Class("C", virtuals=W)
NEARLY_D = derived("D", NEARLY_B, virtual=(NEARLY_C,))
NEARLY_E = derived("E", virtual=(NEARLY_D,))
# Tail padding
POD = Class("P", members=(DataMember(INT, "a"), DataMember(CHAR, "b")))
NO_POD = Class("N", members=POD.members, specials=CONSTRUCTED)
EMPTY = Class("E")
OVER = Class("O", members=(DataMember(CHAR, "m", 9),), specials=CONSTRUCTED)
OVERLAPPING_POD = Class("K", members=(DataMember(INT, "a", no_unique_address=True), DataMember(CHAR, "b")))


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (A, (0, 0, 16)),
        (B, (0, 16, 16)),
        (X, (8, 8, 32)),
        (Y, (9, 9, 32)),
        (POD, (8, 8, 8)),
        (NO_POD, (5, 5, 8)),
        (EMPTY, (1, 1, 1)),
        (OVER, (2, 2, 2)),
        (OVERLAPPING_POD, (8, 8, 8)),
        (derived("D", POD, members=(DataMember(CHAR, "c"),)), (9, 9, 12)),
        (derived("D", NO_POD, members=(DataMember(CHAR, "c"),)), (6, 6, 8)),
        (derived("D", OVERLAPPING_POD, members=(DataMember(CHAR, "c"),)), (9, 9, 12)),
        (Class("M", members=(DataMember(MemberFunctionPointer("Z"), "m"),)), (16, 16, 16)),
        (Class("M", members=(DataMember(Reference(INT), "m"),), specials=CONSTRUCTED), (8, 8, 8)),
        (Class("M", members=(DataMember(CxxArray(EMPTY, 3), "m"),)), (3, 3, 3)),
        (
            Class("M", members=(DataMember(INT, "a"), DataMember(EMPTY, "e", no_unique_address=True))),
            (4, 4, 4),
        ),
        (Class("M", members=(DataMember(INT, "a", access=Access.PRIVATE), DataMember(CHAR, "b"))), (5, 5, 8)),
    ],
    ids=lambda value: value.tag if isinstance(value, Class) else None,
)
def test_sizes(asked: Class, expected: tuple[int, int, int]) -> None:
    assert sizes(asked) == expected


def test_a_virtual_base_is_part_of_the_first_base_that_shares_its_pointer() -> None:
    u, v = layout(U), layout(V2)
    assert (u.size, u.align) == (v.size, v.align) == (16, 8)
    assert {str(one): one.offset for one in v.bases} == {"R": 0, "virtual T": 8, "virtual S": 8}


def test_a_class_with_an_empty_base_at_offset_0_is_nearly_empty() -> None:
    assert layout(NEARLY_D).nearly_empty
    found = {str(one): one for one in layout(NEARLY_E).bases}
    assert (found["virtual D"].offset, found["virtual D"].primary) == (0, True)


def test_no_two_empty_subobjects_of_one_type_have_one_offset() -> None:
    left, right = derived("L", EMPTY), derived("Q", EMPTY)
    both = layout(derived("D", left, right))
    assert sorted(one.offset for one in both.bases if one.path[-1] == "E") == [0, 1]
    member = layout(derived("D", EMPTY, members=(DataMember(EMPTY, "e"),)))
    assert [one.bit_offset for one in member.members] == [8]


def test_bit_fields_go_on_in_a_byte_of_their_own_class_only() -> None:
    first = Class("F", members=(DataMember(INT, "a", 3),), specials=CONSTRUCTED)
    second = layout(derived("D", first, members=(DataMember(INT, "b", 3), DataMember(INT, "c", 3))))
    assert [one.bit_offset for one in second.members] == [8, 11]


@pytest.mark.parametrize(
    ("asked", "clause"),
    [
        (Class("U", members=(DataMember(INT, "a"),), union=True, specials=CONSTRUCTED), "cxxabi:union"),
        (Class("P", members=POD.members, packed=True, specials=CONSTRUCTED), "cxxabi:packed"),
        (
            Class("D", members=POD.members, specials=Specials(default=Declared.DEFAULTED)),
            "cxxabi:pod.defaulted",
        ),
        (
            Class("B", members=(DataMember(CHAR, "c"), DataMember(INT, "", 3)), specials=CONSTRUCTED),
            "cxxabi:bits.align",
        ),
        (
            Class("B", members=(*POD.members, DataMember(INT, "", 0)), specials=CONSTRUCTED),
            "cxxabi:bits.zero-width",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else value.tag,
)
def test_the_text_does_not_decide(asked: Class, clause: str) -> None:
    found = model().layout(asked)
    assert isinstance(found, Unspecified)
    assert found.clause == clause
    for family in ("gcc", "clang"):
        by_family = model(f"x86_64-sysv@{family}-reading").layout(asked)
        assert isinstance(by_family, ClassLayout) or clause == "cxxabi:packed"


def test_what_is_open_and_makes_no_difference_is_told() -> None:
    defaulted = Class("D", members=(DataMember(DOUBLE, "a"),), specials=Specials(default=Declared.DEFAULTED))
    assert sizes(defaulted) == (8, 8, 8)


def test_the_c_abi_below_gives_sizes() -> None:
    table = Class("T", members=(DataMember(DOUBLE, "d"),), virtuals=V)
    assert (layout(table, "i386-sysv").size, layout(table, "arm-aapcs-vfp").size) == (12, 16)
