"""What is made of what a compiler shows of a class; no compiler is needed."""

from __future__ import annotations

import struct

import pytest

from abiprobe.harness.input.declared import declared_in
from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.observers.classes.observer import ClassObserver
from abiprobe.harness.observers.classes.observing import ClassObservation, earlier, read, shown
from abiprobe.harness.observers.classes.observing import told as told_constants
from abiprobe.harness.observers.classes.plan import ClassPlan, Numbered
from abiprobe.harness.observers.observer import PredictionKey
from abiprobe.oracles.language.classes import (
    Base,
    Class,
    CxxArray,
    DataMember,
    Declared,
    FixedEnum,
    Specials,
    VirtualFunction,
)
from abiprobe.oracles.language.lang import Kind, Scalar
from abiprobe.oracles.language.question import probe
from abiprobe.oracles.registry import find_target
from abiprobe.oracles.text.place import ByteOrder
from abiprobe.results.verdicts.record import Judgement, Outcome
from abiprobe.results.verdicts.values import BitRange
from tests.class_rows import CXX

INT, CHAR = Scalar(Kind.INT), Scalar(Kind.CHAR)
OWN = Specials(default=Declared.PROVIDED)
OVER = Class("K", members=(DataMember(CHAR, "m", 9),), specials=OWN)
EMPTY = Class("A")
TABLE = Class(
    "D",
    (Base(EMPTY), Base(Class("V", virtuals=(VirtualFunction("v"),)), virtual=True)),
    (DataMember(INT, "a"),),
)
MADE = Class("M", members=(DataMember(INT, "i"),), specials=OWN)
OPEN = Class("P", members=(DataMember(CHAR, "a"), DataMember(CxxArray(MADE, 2), "b")), packed=True)


def planned(asked: Class, target: str = "x86_64-sysv") -> tuple[ClassObserver, ClassPlan]:
    observer = ClassObserver(PredictionKey(find_target(target)))
    (plan,) = observer.prepare((probe(asked),)).plans
    return observer, plan


def right(plan: ClassPlan) -> ClassObservation:
    return {fact.what: told(fact.value) for fact in plan.facts}


def told(value: Numbered) -> int | tuple[int, int]:
    return (value.offset, value.width) if isinstance(value, BitRange) else value.bytes


@pytest.mark.parametrize("asked", [OVER, EMPTY, TABLE], ids=lambda one: one.tag)
def test_what_the_text_says_agrees(asked: Class) -> None:
    observer, plan = planned(asked)
    (verdict,) = observer.judge(plan, right(plan))
    assert verdict.verdict is Judgement.AGREES


@pytest.mark.parametrize("asked", [OVER, EMPTY, TABLE], ids=lambda one: one.tag)
def test_every_fact_that_is_otherwise_deviates_by_its_clause(asked: Class) -> None:
    observer, plan = planned(asked)
    for fact in plan.facts:
        (verdict,) = observer.judge(plan, right(plan) | {fact.what: 77})
        assert (verdict.verdict, verdict.clause) == (Judgement.DEVIATES, fact.clause)
        assert fact.what in verdict.detail


def test_a_deviation_by_the_text_is_found() -> None:
    """gcc leaves the last byte of a bit-field out of the data size."""
    observer, plan = planned(OVER)
    (verdict,) = observer.judge(plan, right(plan) | {"member behind it as an overlapping member": 1})
    assert verdict.clause == "cxxabi:bits.oversized"


APART = """
struct alignas(4) A {};
struct B { A a; };
struct C { int i[2]; A a; C(); };
struct W { [[no_unique_address]] A a; [[no_unique_address]] alignas(8) A b; };
"""
"""Classes with empty subobjects at the bytes 0 and 8."""
BLAMED = (
    (
        "struct K { char m : 9; K(); }; struct H { [[no_unique_address]] K k; char c; };",
        "c",
        "bits.oversized",
    ),
    ("struct K { [[no_unique_address]] int a; char b; }; struct D : K { char c; };", "c", "pod.overlap"),
    ("struct K { int a; char b; }; struct D : K { char c; };", "c", "pod.layout"),
    ("struct K { int a; char b; K(); }; struct D : K { char c; };", "c", "base.size"),
    (
        "struct K { int a; char b; K(); }; struct H { [[no_unique_address]] K k; char c; };",
        "c",
        "member.size",
    ),
    ("struct K { int a : 3; char b; K(); };", "b", "bits.place"),
    ("struct K { char a; int b; K(); };", "b", "component"),
    ("struct K { char a; K(); }; struct D : K { int b; };", "b", "component"),
    ("struct V { virtual void v(); char c; };", "c", "virtual-pointer"),
    ("struct V { virtual void v(); char c; };", "alignof", "virtual-pointer"),
    ("struct V { virtual void v(); long c; };", "c", "virtual-pointer"),
    ("struct K { int a; char m : 9; short b; K(); };", "b", "component"),
    ("struct K { long a; char m : 9; char b; K(); };", "b", "bits.oversized"),
    ("struct K { long a; char m : 9; short b; K(); };", "b", "component"),
    ("struct K { int a : 32; K(); };", "a", "bits.place"),
    ("struct K { char c; union { int u; }; K(); };", "u", "component"),
    ("union K { int a : 32; char c; };", "sizeof", "pod.layout"),
    ("struct K { int a : 32; char b; }; struct D : K { char c; };", "c", "pod.layout"),
    ("struct K { int a; char b; }; struct D : K { int c; };", "c", "component"),
    ("struct K { long a, b; char c; }; struct D : K { long d; };", "d", "component"),
    ("struct K { long a; int b; short c; }; struct D : K { char d; };", "d", "pod.layout"),
    (f"{APART} struct D {{ int x; B b[2]; [[no_unique_address]] W w; D(); }};", "w", "empty-component"),
    (f"{APART} struct D {{ C c; [[no_unique_address]] W w; D(); }};", "w", "empty-component"),
    ("struct M { M(); int m; }; struct K { int c; struct { M m; alignas(8) int b; }; };", "b", "gnu:aligned"),
    ("struct K { char a; int : 0; int b : 3; K(); };", "alignof", "bits.align"),
    ("struct alignas(8) K { int a; K(); };", "alignof", "alignas"),
    ("struct K { char c; int &r; K(); };", "alignof", "member.size"),
    ("struct E {}; struct K : E { E e; };", "e", "component"),
    ("struct E {}; struct K { [[no_unique_address]] E e; char c; };", "e", "empty-component"),
    ("struct V { virtual void v(); }; struct D : virtual V {};", "virtual base V", "nearly-empty"),
    ("struct V { int i; virtual void v(); }; struct D : virtual V {};", "virtual base V", "nearly-empty"),
    ("struct V { int i; }; struct D : virtual V {};", "virtual base V", "virtual-base"),
    ("struct K { char c; int i; char d; K(); };", "sizeof", "size"),
    ("struct E {}; struct F : E {}; struct K : E, F {};", "sizeof", "empty-component"),
    ("struct E {}; struct F : E {}; struct K : E, F { char c; };", "sizeof", "empty-component"),
    (
        "struct E { }; struct B { B(); E e; }; struct K : B, E {};",
        "member behind it as a base",
        "empty-component",
    ),
    ("struct E {}; struct K { E e; int i; [[no_unique_address]] E f; K(); };", "sizeof", "size"),
    ("struct V { int v; }; struct K : virtual V { int i; };", "sizeof", "size"),
    ("struct V { int v; }; struct K : virtual V { long i; };", "sizeof", "virtual-base"),
    ("struct V {}; struct U : V {}; struct K : U, virtual V { long i; };", "sizeof", "empty-component"),
)
"""Classes, a number of the last one, and the clause that decides it: of what lies behind a part that by which the part ends."""


def clause_of(name: str) -> str:
    """The clause of a name; those of the Itanium ABI are without its sheet."""
    return name if ":" in name else f"cxxabi:{name}"


@pytest.mark.parametrize(("source", "what", "clause"), BLAMED)
def test_the_clause_that_decides_is_blamed(source: str, what: str, clause: str) -> None:
    asked = declared_in(source, find_target("x86_64-sysv"), CXX).classes[-1]
    _, plan = planned(asked)
    assert next(fact.clause for fact in plan.facts if fact.what == what) == clause_of(clause)


WIDE = "typedef int T __attribute__((aligned(16)));"
BIT_INTS = "struct K { _BitInt(7) a : 3; _BitInt(7) b : 7; K(); };"
LEFT_OPEN = (
    (f"{WIDE} struct K {{ char c; T a : 3; K(); }};", "gnu:bit-field-of-aligned-typedef"),
    ("struct K { char c; int a : 33 __attribute__((packed)); K(); };", "cxxabi:packed"),
    ("struct K { char c; int : 3 __attribute__((aligned(16))); K(); };", "cxxabi:bits.align"),
)
"""Classes that no text decides, and the clause that says so."""


@pytest.mark.parametrize(("source", "clause"), LEFT_OPEN)
def test_what_is_left_open_is_told_by_each_family(source: str, clause: str) -> None:
    asked = declared_in(source, find_target("x86_64-sysv"), CXX).classes[-1]
    _, plan = planned(asked)
    assert plan.silence is not None
    assert plan.silence.clause == clause
    assert set(plan.readings) == {"gcc", "clang"}


def test_bit_fields_of_bit_precise_types_are_asked() -> None:
    asked = declared_in(BIT_INTS, find_target("x86_64-sysv"), CXX).classes[-1]
    _, plan = planned(asked)
    found = {one.what: one.value for one in plan.facts if one.what in {"a", "b"}}
    assert found == {"a": BitRange(0, 3), "b": BitRange(8, 7)}


def test_what_others_follow_from_stands_before_them() -> None:
    """Bases stand before members as they do in an object, virtual ones behind; then alignment and sizes."""
    source = """
        struct A { int a; }; struct V { int v; };
        struct D : virtual V, A { int b : 3; int c; };
    """
    observer, plan = planned(declared_in(source, find_target("x86_64-sysv"), CXX).classes[-1])
    (verdict,) = observer.judge(plan, dict.fromkeys(right(plan), 99) | {"b": (98, 1)})
    told = [one.what for one in verdict.differences]
    behind = ["member behind it as a base", "member behind it as an overlapping member"]
    assert told == ["base A", "b", "c", "virtual base V", "alignof", *behind, "sizeof"]


def test_what_no_text_decides_is_shown_and_compared_with_families() -> None:
    observer, plan = planned(OPEN)
    assert plan.silence is not None
    assert plan.silence.clause == "cxxabi:packed"
    for family in ("gcc", "clang"):
        shows = {fact.what: told(fact.value) for fact in plan.readings[family]}
        (verdict,) = observer.judge(plan, shows)
        assert (verdict.verdict, verdict.reading) == (Judgement.UNSPECIFIED, family)
        assert {one.what for one in verdict.shown} == set(shows)


def test_a_failure_is_no_agreement() -> None:
    observer, plan = planned(OVER)
    (verdict,) = observer.judge(plan, Failed(Outcome.REFUSED, "no"))
    assert (verdict.verdict, verdict.outcome) == (Judgement.UNOBSERVED, Outcome.REFUSED)


def test_constants_are_read_in_the_byte_order_of_the_object() -> None:
    _, plan = planned(OVER)
    said = right(plan)
    numbers = [told for what, told in said.items() if isinstance(told, int)]
    assert len(numbers) == plan.asked.constants
    for big, order in ((False, "<"), (True, ">")):
        found = read(told_constants(plan), struct.pack(f"{order}{len(numbers)}Q", *numbers), big)
        assert list(found.values()) == numbers
    with pytest.raises(ValueError, match="numbers"):
        read(told_constants(plan), b"\0" * 8, big=False)


@pytest.mark.parametrize(("target", "order"), [("x86_64-sysv", "little"), ("s390x", "big")])
def test_bits_that_code_sets_are_those_of_the_model(target: str, order: ByteOrder) -> None:
    asked = Class(
        "B",
        (Base(EMPTY),),
        (DataMember(INT, "a", 3), DataMember(FixedEnum("E", Kind.UCHAR), "b", 13), DataMember(INT, "c", 7)),
        specials=OWN,
    )
    _, plan = planned(asked, target)
    size = right(plan)["sizeof"]
    assert isinstance(size, int)
    out = b"\0" * 8 * len(plan.asked.bases)
    for name in ("a", "b", "c"):
        place = right(plan)[name]
        assert isinstance(place, tuple)
        at, width = place
        bits = ((1 << width) - 1) << (at if order == "little" else 8 * size - at - width)
        out += bits.to_bytes(size, order)
    assert shown(plan, out, size, order) == {
        what: value for what, value in right(plan).items() if what in {"a", "b", "c", "base A"}
    }


@pytest.mark.parametrize(("text", "told"), [("8", 8), ("-16", -16), ("3:5", (3, 5))])
def test_numbers_that_an_earlier_version_recorded_are_read(text: str, told: int | tuple[int, int]) -> None:
    assert earlier(text) == told
