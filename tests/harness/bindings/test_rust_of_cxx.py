"""Bindings in Rust of a C++ header, as bindgen writes them: classes, functions by their symbols, and what goes by its address."""

from __future__ import annotations

from pathlib import Path

import pytest

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.bindings.checking import OnTarget
from abiprobe.harness.subjects.find import parse_subject

from .holding import line_of, on_target, planted
from .test_rust import on

HERE = Path(__file__).parent
HEADER, BINDING = HERE / "classes.hpp", HERE / "classes.rs"
IN_MEMORY = "the binding does not return the result, which is in memory"
VIRTUAL = "a virtual base has its place in the whole object alone"
TEMPLATE = "C++: a member function of a class template"


def held(target: str, binding: Path) -> OnTarget:
    return on(target, binding, HEADER)


@pytest.mark.parametrize("target", ["x86_64-sysv", "i386-sysv", "aarch64-aapcs64", "s390x"])
def test_a_binding_that_says_what_its_header_says(target: str) -> None:
    found = held(target, BINDING)
    assert (found.wrong, found.lacks, found.why) == ((), (), "")
    assert {one.why for one in found.left} == {IN_MEMORY, VIRTUAL, TEMPLATE}
    assert found.calls == 7
    assert found.facts > 40


FAULTS = [
    ("arg2: *mut Gone) -> ::", "arg2: Gone) -> ::", "ns_take", "int take(ns_In, Gone)", "parameter 2 is Gone by value"),
    ("result(to: *mut Gone, arg1: ::std::os::raw::c_int)", "result(arg1: i32) -> Gone", "fn result", "Gone result(int)", "the result is Gone"),
    ("_base: [u8; 5]", "_base: Tail", "struct More", "struct More", "12 bytes"),
    ("_base: [u8; 5]", "_base: Tail", "struct More", "More.type", "at byte 8"),
    ("d: ::std::os::raw::c_char", "d: i16", "struct Derived", "Derived.d", "2 bytes"),
    ("pub _base: Base, pub d", "pub d", "struct Derived", "Derived: base Base", "is missing"),
    ("vtable_: *const Poly", "y: i64, pub vtable_: *const Poly", "struct Poly {", "Poly.vtable_", "at byte 8"),
    ("get(3usize, 7u8)", "get(4usize, 7u8)", "struct Bits", "Bits.b", "at bit 4"),
    ("get(3usize, 7u8)", "get(3usize, 6u8)", "struct Bits", "Bits.b", "6 bits wide"),
    ("pub x: ::std::os::raw::c_int", "pub z: i32", "struct Poly {", "Poly.x", "no such member"),
    ("pub struct ns_In { pub l: ::std::os::raw::c_long", "pub struct ns_In { pub l: f64", "fn ns_make", "ns_In make(int) (ns_make)", "result"),
    ("k: ::std::os::raw::c_int", "k: f64", "fn Derived_twice", "int Derived::twice(int) (Derived_twice)", "p0 in rsi"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "line", "what", "said"), FAULTS)
def test_a_planted_fault(tmp_path: Path, old: str, new: str, line: str, what: str, said: str) -> None:
    found = held("x86_64-sysv", planted(tmp_path, BINDING, (old, new)))
    faults = [one for one in found.wrong if one.what == what and said in one.said]
    assert faults, found.wrong
    assert faults[0].line == line_of(BINDING, line)


def test_what_goes_by_its_address_is_wrong_where_its_bits_would_be_the_same(tmp_path: Path) -> None:
    """An address has the four bytes of the class on i386 (rust-bindgen#778)."""
    found = held("i386-sysv", planted(tmp_path, BINDING, ("arg2: *mut Gone) -> ::", "arg2: Gone) -> ::")))
    assert [(one.what, one.clause) for one in found.wrong] == [
        ("int take(ns_In, Gone)", "cxxabi:calls.parameter")
    ]


def test_a_symbol_that_the_header_has_not_is_no_declaration_of_it(tmp_path: Path) -> None:
    found = held("x86_64-sysv", planted(tmp_path, BINDING, ("_Z4overi", "_Z4overl")))
    assert found.lacks == ("int over(int)",)


@pytest.mark.parametrize("subject", ["ctypes", "cffi", "zig-lang"])
def test_no_other_binding_is_of_cxx(subject: str) -> None:
    with pytest.raises(Problem, match="is C\\+\\+"):
        on_target("x86_64-sysv", parse_subject(subject), BINDING, HEADER)
