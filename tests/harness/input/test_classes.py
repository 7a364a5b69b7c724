"""C++ classes that are drawn, printed and read again are the same."""

from __future__ import annotations

import pytest

from abiprobe.generators.classes import a_class
from abiprobe.generators.draw import SeededDraw
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.input import Classes, ReadOptions, read, read_classes
from abiprobe.harness.machines.render.cxx import definitions
from abiprobe.oracles.language.classes import (
    Access,
    CxxArray,
    DataMemberPointer,
    Declared,
    FixedEnum,
    Reference,
)
from abiprobe.oracles.language.lang import Kind, Pointer, Scalar

TRIPLE = "x86_64-linux-gnu"
ALONE = ReadOptions(classes=Classes.ALONE)
HALF = Scalar(Kind.FLOAT16)


@pytest.mark.parametrize("seed", range(40))
def test_a_drawn_class_is_read_as_it_was_printed(seed: int) -> None:
    asked = a_class(SeededDraw(seed))
    assert read_classes(definitions(asked), filename="x.cc", triple=TRIPLE)[-1] == asked


TEXT = """
namespace a {
template <class T> struct Box { T v; virtual ~Box(); };
enum class E : short { x = 3 };
class P {
  int x;
  E e;
  union { int k; float l; };
public:
  P() = default;
  P(const P &) = delete;
  virtual void f(int);
  virtual void f() = 0;
};
}
struct U final : a::Box<int>, virtual a::P { a::Box<char> m[2]; int a::P::*dp; static int s; };
"""


def test_a_class_of_a_user() -> None:
    p, u, of_int, of_char = read_classes(TEXT, filename="x.hpp", triple=TRIPLE)
    assert (p.tag, [one.access for one in p.members]) == ("a_P", [Access.PRIVATE] * 3)
    assert p.members[1].type == FixedEnum("a_E", p.members[1].type.base, scoped=True, values=(3,))  # type: ignore[union-attr]
    assert [one.name for one in p.members[2].type.members] == ["k", "l"]  # type: ignore[union-attr]
    assert (p.specials.default, p.specials.copy) == (Declared.DEFAULTED, Declared.DELETED)
    assert [one.pure for one in p.virtuals] == [False, True]
    assert [(base.type.tag, base.virtual) for base in u.bases] == [("a_Box_int", False), ("a_P", True)]
    assert u.final
    assert [one.name for one in u.members] == ["m", "dp"]
    assert isinstance(u.members[1].type, DataMemberPointer)
    assert (of_int.tag, of_char.tag) == ("a_Box_int", "a_Box_char")


ALIGNED = """
namespace a {
const int N = 8;
struct S { alignas(N) char c; };
class T { static const int N = 32; alignas(N) char c; struct alignas(N) I {}; };
namespace { const int M = 64; struct Q { alignas(M) char c; }; }
}
const int N = 16;
struct alignas(N) U {};
template <class X> struct A { static const int N = sizeof(X); alignas(N) X c; };
struct W { A<int> i; A<short> s; };
class O { static const int N = 4; union I { alignas(N) short m; }; };
struct L { char c __attribute__((aligned((8UL)))); };
"""


def test_an_alignment_is_that_of_the_name_in_its_scope() -> None:
    found = read_classes(ALIGNED, filename="x.cc", triple=TRIPLE)
    assert {
        one.tag: one.alignas or [member.alignas or member.align for member in one.members] for one in found
    } == {
        "a_S": [8],
        "a_T": [32],
        "a_T_I": 32,
        "a_anonymous_namespace_Q": [64],
        "U": 16,
        "W": [None, None],
        "O": [],
        "O_I": [4],
        "A_int": [4],
        "A_short": [2],
        "L": [8],
    }


def test_a_function_may_be_declared_by_the_name_of_its_type() -> None:
    (call,) = read("typedef int F(char); F f;", filename="x.cc", triple=TRIPLE, how=ALONE).calls
    assert (call.name, [one.type for one in call.params]) == ("f", [Scalar(Kind.CHAR)])


def test_parameters_of_arrays_and_functions_are_pointers() -> None:
    text = "typedef int A[2]; void f(int a[3], const A b, A c[], int d(char), int (&e)[2]);"
    (call,) = read(text, filename="x.cc", triple=TRIPLE, how=ALONE).calls
    *pointers, reference = (one.type for one in call.params)
    assert [type(one) for one in pointers] == [Pointer] * 4
    assert isinstance(reference, Reference)


def test_a_kind_of_type_that_libclang_knows_by_number_alone() -> None:
    text = "struct C { _Float16 a[2]; }; void f(C c, _Float16 b, _Float16 d[2]);"
    found = read(text, filename="x.cc", triple=TRIPLE, how=ALONE)
    (member,) = found.classes[0].members
    assert member.type == CxxArray(HALF, 2)
    (call,) = found.calls
    assert [one.type for one in call.params] == [found.classes[0], HALF, Pointer("_Float16")]


def test_a_text_that_is_no_cxx() -> None:
    with pytest.raises(Problem, match=r"x\.cc:1"):
        read_classes("struct S { int a }", filename="x.cc", triple=TRIPLE)


@pytest.mark.parametrize(
    ("order", "behind"), [("virtual ~S(); virtual void v();", 0), ("virtual void v(); ~S();", 1)]
)
def test_a_virtual_destructor_stays_behind_functions_declared_before_it(order: str, behind: int) -> None:
    text = f"struct B {{ virtual ~B(); }}; struct S : B {{ {order} }};"
    found = read_classes(text, filename="x.cc", triple=TRIPLE)[-1]
    assert found.specials.destructor.behind == behind
    assert read_classes(definitions(found), filename="x.cc", triple=TRIPLE)[-1] == found


def test_a_destructor_that_is_not_virtual_has_no_place_among_functions() -> None:
    text = "struct S { virtual void v(); ~S(); };"
    assert read_classes(text, filename="x.cc", triple=TRIPLE)[-1].specials.destructor.behind == 0


IN_TEMPLATE = "template <int> struct T { union U { char c; int i; }; }; "
PACKED = "#pragma pack(push, 2)\nstruct P { int i; };\n#pragma pack(pop)\n"


def test_the_packing_of_a_class_in_a_template_is_that_of_one_beside_it() -> None:
    text = f"{PACKED}struct S {{ int i; }}; {IN_TEMPLATE}struct V {{ T<1>::U u; }};"
    packs = {one.tag: one.pack for one in read_classes(text, filename="x.cc", triple=TRIPLE)}
    assert packs == {"P": 2, "S": None, "T_1_U": None, "V": None}


def test_the_packing_of_a_class_in_a_template_is_not_guessed() -> None:
    text = f"{PACKED}{IN_TEMPLATE}\n#pragma pack(pop)\nstruct V {{ T<1>::U u; }};"
    with pytest.raises(Problem, match="in a template"):
        read_classes(text, filename="x.cc", triple=TRIPLE)
