"""A question as people read it, in the languages of the compilers that it is about."""

from __future__ import annotations

from abiprobe.harness.subjects.question_text import in_languages, question_text
from abiprobe.oracles.language.lang import Kind, Member, Record, Scalar
from abiprobe.oracles.registry import find_target

PLAIN = Record("S", (Member(Scalar(Kind.INT), "a"),))
BITS = Record("B", (Member(Scalar(Kind.INT), "a", width=3),))


def test_each_language_is_shown_once_below_c() -> None:
    text = question_text(
        PLAIN, find_target("x86_64-sysv"), ("gcc-12", "zig-lang", "zig-lang -fstrip", "rustc")
    )
    assert text.splitlines() == [
        "struct S { int a; };",
        "in zig:",
        "const S = extern struct { a: c_int, };",
        "in rust:",
        "#[repr(C)] struct S { a: i32, } impl Copy for S {}",
    ]


def test_compilers_of_c_and_what_cannot_be_said_add_nothing() -> None:
    assert question_text(PLAIN, find_target("x86_64-sysv"), ("gcc-12",)) == "struct S { int a; };"
    assert in_languages(BITS, find_target("x86_64-sysv"), ("zig-lang", "rustc")) == {}


def test_a_language_that_is_not_here_is_left_out() -> None:
    assert in_languages(PLAIN, find_target("x86_64-sysv"), ("subject:/nowhere", "no-such-compiler")) == {}
