"""The layouts on which a deviation rests, and what entries make of them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from abiprobe.oracles.language.lang import (
    Array,
    BitInt,
    Isa,
    Kind,
    Member,
    Param,
    Prototype,
    Record,
    Scalar,
    Type,
    Typedef,
    Vector,
)
from abiprobe.oracles.language.question import Question
from abiprobe.results.causes.blame import Blame, Stand
from abiprobe.results.causes.cluster import Finding, Underlying, cluster
from abiprobe.results.causes.fingerprint import Fingerprint, Symptom
from abiprobe.results.causes.traits import (
    ALIGNED_ARGUMENT,
    EMPTY_ARGUMENT,
    EMPTY_RESULT,
    TARGET_ATTRIBUTE,
    roles,
    traits,
)
from abiprobe.results.causes.underlying import every_record, underlying_records
from abiprobe.results.known.deviations import matching, parse

TARGET = "riscv64-lp64d"
INT, WIDE, VECTOR = Scalar(Kind.INT), BitInt(96, signed=True), Vector(Kind.INT, 16)
INNER = Record("I", (Member(WIDE, "a"),))
PACKED = Record("P", (Member(INT, "a", packed=True), Member(WIDE, "", width=0)))
OUTER = Record("O", (Member(Array(INNER, 2), "a"), Member(VECTOR, "b"), Member(INT, "c")))
EMPTY = Record("E", (Member(Array(INT, None), "a"),))
STEADY = True


def alone(c_type: Type) -> Record:
    return Record("S_", (Member(c_type, "a"),))


def found(example: Question, symptom: Symptom, clause: str, value: str = "") -> Finding:
    return Finding(
        Fingerprint(TARGET, symptom, clause),
        example,
        1,
        traits(example, value),
        Blame(Stand.UNOPPOSED, ("clang",)),
        "O0",
        "",
        STEADY,
        ("p",),
        {"clang": 1},
        (),
        value,
    )


def call(*types: Type, result: Type | None = None) -> Prototype:
    return Prototype("f", result, tuple(Param("abcdefgh"[n], one) for n, one in enumerate(types)))


def test_a_record_rests_on_its_members() -> None:
    layout = found(OUTER, Symptom.LAYOUT, "riscv:type.record")
    assert underlying_records(layout) == ((INNER, alone(WIDE), alone(VECTOR), alone(INT)),)


CALLS = [
    # a prototype, the value in which it deviates, the first records of what it rests on
    (call(PACKED), "a", [PACKED]),
    (call(INT), "a", []),
    (call(WIDE, VECTOR), "b", []),
    (call(PACKED, INT, OUTER), "b", [PACKED]),
    (call(INT, OUTER, PACKED), "b", [OUTER]),
    (call(INT, result=OUTER), "a", [OUTER]),
    (call(PACKED, result=OUTER), "result", [OUTER]),
    (call(PACKED, OUTER), "callee-saved", [PACKED, OUTER]),
    (call(Typedef("T", PACKED)), "a", [PACKED]),
]


@pytest.mark.parametrize(("prototype", "value", "expected"), CALLS)
def test_a_call_rests_on_what_is_passed_before(
    prototype: Prototype, value: str, expected: list[Record]
) -> None:
    finding = found(prototype, Symptom.MISPLACED, "riscv:int.scalar", value)
    assert [records[0] for records in underlying_records(finding)] == expected


@pytest.mark.parametrize("symptom", [Symptom.CRASHED, Symptom.REFUSED, Symptom.DIFFERS, Symptom.NAMES])
def test_a_failure_of_a_tool_rests_on_no_layout(symptom: Symptom) -> None:
    assert every_record([found(call(PACKED), symptom, "")]) == ()


def known(finding: Finding, version: str = "22.1.8") -> list[str]:
    (one,) = cluster([finding])
    return [entry.name for entry in matching(one, parse(LOW, "known.toml").entries, {"clang": version})]


WIDE_IS_LOW = Underlying(alone(WIDE), Fingerprint(TARGET, Symptom.LAYOUT, "riscv:type.bit-int"))
IS_PACKED = Underlying(PACKED, Fingerprint(TARGET, Symptom.LAYOUT, "gnu:packed"))
NAME = "clang aligns a _BitInt of more than 64 bits to 8"
LOW = f"""
[[deviation]]
name = "{NAME}"
targets = ["riscv64*"]
subjects = ["clang>=14"]
shows.layout = ["riscv:type.bit-int"]
traits = ["_BitInt wider than 64 bits"]
status = "bug"
reason = "the text has pieces of 16 bytes"
link = "unreported"
since = 2026-11-22
example = "struct S {{ _BitInt(65) a; }};"
"""
UNLISTED = "riscv:int.scalar"


def test_what_follows_from_a_known_layout_is_known_whatever_clause_it_breaks() -> None:
    layout = found(PACKED, Symptom.LAYOUT, "gnu:packed")
    passed = found(call(PACKED), Symptom.MISPLACED, UNLISTED, "a")
    assert known(layout) == known(passed) == []
    assert known(replace(layout, layouts=(WIDE_IS_LOW,))) == [NAME]
    assert known(replace(passed, layouts=(IS_PACKED, WIDE_IS_LOW))) == [NAME]


def test_what_follows_from_a_new_layout_is_new() -> None:
    passed = found(call(PACKED), Symptom.MISPLACED, UNLISTED, "a")
    assert known(replace(passed, layouts=(IS_PACKED,))) == []
    elsewhere = replace(WIDE_IS_LOW, fingerprint=Fingerprint(TARGET, Symptom.LAYOUT, "riscv:type.pointer"))
    assert known(replace(passed, layouts=(IS_PACKED, elsewhere))) == []
    assert known(replace(passed, layouts=(WIDE_IS_LOW,)), "13.0.1") == []


def test_the_roles_of_arguments() -> None:
    aligned = Typedef("T", INT, 32)
    assert roles(call(INT, aligned)) == {ALIGNED_ARGUMENT}
    assert roles(call(Typedef("U", aligned))) == {ALIGNED_ARGUMENT}
    assert roles(call(EMPTY)) == {EMPTY_ARGUMENT}
    assert roles(replace(call(INT), isa=Isa.AVX)) == {TARGET_ATTRIBUTE}
    assert roles(call(INT, result=EMPTY)) == {EMPTY_RESULT}
    assert roles(call(EMPTY, result=Typedef("E", EMPTY))) == {EMPTY_ARGUMENT, EMPTY_RESULT}
    assert roles(call(Record("S", (Member(aligned, "a"),)), result=aligned)) == frozenset()
    assert roles(Record("S", (Member(aligned, "a"),))) == frozenset()
