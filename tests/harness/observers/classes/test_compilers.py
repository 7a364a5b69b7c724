"""Real C++ compilers on classes: what the text says of them, and a compiler's own departures."""

from __future__ import annotations

import pytest
from laboratory.jobs import spelled_job

from abiprobe.generators.classes import a_class
from abiprobe.generators.draw import SeededDraw
from abiprobe.harness.input import read_classes
from abiprobe.harness.machines.render.class_units import behind
from abiprobe.harness.machines.render.cxx import definitions
from abiprobe.harness.observers.batch import run_job
from abiprobe.harness.subjects.find import build, parse_subject
from abiprobe.oracles.language.classes import Base, Class, DataMember, Declared, Specials
from abiprobe.oracles.language.lang import Kind, Scalar
from abiprobe.oracles.language.question import Sort
from abiprobe.oracles.registry import find_target
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict

CHAR, INT = Scalar(Kind.CHAR), Scalar(Kind.INT)
OVER = Class("K", members=(DataMember(CHAR, "m", 9),), specials=Specials(default=Declared.PROVIDED))
PADDED = Class("K", members=(DataMember(INT, "a", no_unique_address=True), DataMember(CHAR, "b")))
TARGETS = ("x86_64-sysv", "i386-sysv", "aarch64-aapcs64", "riscv64-lp64d")


def asked(subject: str, questions: tuple[Class, ...], target: str = "x86_64-sysv") -> tuple[Verdict, ...]:
    if build(parse_subject(subject), find_target(target), "O0") is None:
        pytest.skip(f"{subject} is not installed")
    (done,) = run_job(spelled_job(target, 0, Sort.CLASSES, questions, ((subject, "O0"),)))
    return done.verdicts


@pytest.mark.parametrize("target", TARGETS)
def test_clang_follows_the_text(target: str) -> None:
    questions = tuple(dict.fromkeys(a_class(SeededDraw(seed)) for seed in range(60)))
    verdicts = asked("clang++-22", questions, target)
    assert len(verdicts) == len(questions)
    assert {one.outcome for one in verdicts} == {Outcome.OBSERVED}
    assert {one.verdict for one in verdicts} <= {Judgement.AGREES, Judgement.UNSPECIFIED}
    assert sum(one.verdict is Judgement.AGREES for one in verdicts) > len(verdicts) // 2


def test_clang_holds_a_value_in_the_last_bits_of_an_oversized_bit_field_on_big_endian_machines() -> None:
    """The text says the first bits; llvm/llvm-project#225361."""
    (verdict,) = asked("clang++-22", (OVER,), "s390x")
    assert verdict.clause == "cxxabi:bits.oversized"
    assert verdict.detail == "object: m in bits: expected 0:8, saw 1:8"


def test_gcc_leaves_a_byte_out_of_the_data_size() -> None:
    (verdict,) = asked("g++-12", (OVER,))
    assert (verdict.verdict, verdict.clause) == (Judgement.DEVIATES, "cxxabi:bits.oversized")


def test_gcc_takes_a_class_with_an_overlapping_member_for_a_pod_with_no_padding() -> None:
    derived = Class("D", (Base(PADDED),), (DataMember(CHAR, "c"),))
    first, second = asked("g++-12", (PADDED, derived))
    assert first.clause == "cxxabi:pod.overlap"
    assert second.verdict is Judgement.DEVIATES


FAR = """
struct alignas(64) Unrelated {};
struct A {};
struct B : A {};
struct C : virtual A { [[no_unique_address]] B b; char c[20]; };
struct D { [[no_unique_address]] C c; B b; };
"""


def test_what_gcc_forgets_does_not_depend_on_the_other_classes_of_a_batch() -> None:
    """It sees two objects of one type at one address up to the size of the largest empty class before."""
    questions = tuple(read_classes(FAR, filename="x.hpp", triple="x86_64-linux-gnu"))
    *others, last = asked("g++-12", questions)
    assert {one.verdict for one in others} == {Judgement.AGREES}
    assert (last.clause, last.quirks) == (
        "cxxabi:component",
        ("gcc forgets empty subobjects far inside of a class",),
    )
    assert last.detail.startswith("object: b in bytes: expected 29, saw 28")


USED = """
enum Color { red, green = 5 };
enum class Small : short {};
typedef int Aligned __attribute__((aligned(16)));
struct P { union { int k; struct { char a; Color c; }; Small s; }; virtual void f() = 0; P(); Color g : 3; };
struct Q : P { void f() override; char z; };
struct R { Aligned a; char b; R(); };
struct W { union { const char *p; char b[8]; }; W(); };
"""
"""What headers have and no draw makes: anonymous unions and structs, plain enumerations, aligned names, abstract classes."""


@pytest.mark.parametrize("subject", ["clang++-22", "g++-12"])
def test_classes_of_headers_are_asked_as_they_are(subject: str) -> None:
    questions = tuple(read_classes(USED, filename="x.hpp", triple="x86_64-linux-gnu"))
    assert [len(behind(one)) for one in questions if one.tag] == [1, 2, 2, 2]
    assert {one.verdict for one in asked(subject, questions)} == {Judgement.AGREES}
    first = next(one for one in questions if one.tag == "P")
    again = read_classes(definitions(first), filename="x.hpp", triple="x86_64-linux-gnu")
    assert next(one for one in again if one.tag == "P") == first


def test_a_class_that_is_no_cxx_costs_itself_only() -> None:
    broken = Class("B", members=(DataMember(CHAR, "m", 0),))
    first, second = asked("clang++-22", (broken, OVER))
    assert (first.verdict, first.outcome) == (Judgement.UNOBSERVED, Outcome.REFUSED)
    assert second.verdict is Judgement.AGREES
