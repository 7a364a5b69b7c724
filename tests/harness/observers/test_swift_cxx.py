"""Calls of C++ in Swift: what it is asked, what it cannot say, and that a wrong value is noticed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import filterfalse, islice

import pytest
from laboratory.jobs import spelled_job

from abiprobe.generators import cxx_calls
from abiprobe.harness.machines.languages.printer import table_text
from abiprobe.harness.machines.render.cxx_languages import cxx_language
from abiprobe.harness.machines.render.swift import calls as calls_in_swift
from abiprobe.harness.machines.render.swift.questions import unsayable
from abiprobe.harness.observers.batch import run_job
from abiprobe.harness.runs.question_batches import cxx_languages
from abiprobe.harness.runs.question_batches import unsayable as unsayable_in
from abiprobe.harness.subjects.find import build, parse_subject
from abiprobe.oracles.language.classes import (
    Class,
    CxxType,
    DataMember,
    DataMemberPointer,
    Declared,
    Destruction,
    Reference,
    Specials,
)
from abiprobe.oracles.language.cxx_calls import CxxParam, CxxPrototype
from abiprobe.oracles.language.lang import Kind, Scalar
from abiprobe.oracles.language.question import ProbeKind, Question, Sort
from abiprobe.oracles.quirks.extern_cxx import QUIRKS
from abiprobe.oracles.registry import find_target
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict

SUBJECT, TARGET = "swift++", "x86_64-sysv"
INT, DOUBLE = Scalar(Kind.INT), Scalar(Kind.DOUBLE)
MOVED = Specials(copy=Declared.DELETED, move=Declared.PROVIDED)
KEPT = Specials(copy=Declared.DELETED, move=Declared.DELETED)
COUNTED = Class(
    "G", members=(DataMember(DOUBLE, "d"),), specials=Specials(destructor=Destruction(Declared.PROVIDED))
)
(QUIRK,) = (one for one in QUIRKS if one.subjects == ("swift",))


def asked(questions: Sequence[Question], level: str = "O0") -> tuple[Verdict, ...]:
    if build(parse_subject(SUBJECT), find_target(TARGET), level) is None:
        pytest.skip(f"{SUBJECT} is not installed")
    (done,) = run_job(spelled_job(TARGET, 0, Sort.CXX_CALLS, tuple(questions), ((SUBJECT, level),)))
    return done.verdicts


def call(*params: CxxType, result: CxxType | None = None, this: Class | None = None) -> CxxPrototype:
    named = tuple(CxxParam(f"p{index}", one) for index, one in enumerate(params))
    return CxxPrototype("f", result, named, this=this)


@pytest.mark.long
@pytest.mark.parametrize("level", ["O0", "O2"])
def test_calls_in_swift_agree_or_are_known(level: str) -> None:
    questions = tuple(islice(filterfalse(unsayable, cxx_calls.stream(seed=5)), 40))
    verdicts = asked(questions, level)
    assert {one.outcome for one in verdicts}.isdisjoint({Outcome.REFUSED, Outcome.CRASHED})
    assert all(one.quirks for one in verdicts if one.verdict is Judgement.DEVIATES)
    assert sum(one.verdict is Judgement.AGREES for one in verdicts) > len(questions)


@pytest.mark.long
def test_a_scalar_behind_an_empty_member_is_known() -> None:
    assert isinstance(QUIRK.entity, CxxPrototype)
    found = {one.kind: one for one in asked([QUIRK.entity])}
    assert found[ProbeKind.CALLER].quirks == (QUIRK.name,)


@pytest.mark.long
def test_a_wrong_argument_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    write = calls_in_swift.argument
    monkeypatch.setattr(calls_in_swift, "argument", lambda c_type, index, at: write(c_type, 1 - index, at))
    found = {one.kind: one for one in asked([call(INT, INT)])}
    assert (found[ProbeKind.CALLER].verdict, found[ProbeKind.CALLER].quirks) == (Judgement.DEVIATES, ())


@pytest.mark.long
def test_a_destructor_that_does_not_run_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    write = calls_in_swift.special_members
    monkeypatch.setattr(
        calls_in_swift, "special_members", lambda *one: (text.replace("++*", "*") for text in write(*one))
    )
    verdicts = {one.kind: one for one in asked([call(COUNTED)])}
    assert verdicts[ProbeKind.PRESERVATION].verdict is Judgement.DEVIATES
    assert verdicts[ProbeKind.CALLER].verdict is Judgement.AGREES


def test_callers_find_what_they_call_in_the_table() -> None:
    text = table_text(2, "table", "_7", frozenset({0, 1}), "jmp *abi_target(%rip)")
    assert "extern void abi_callee" not in text
    assert text.count("jmp *abi_target(%rip)") == 2
    assert "abi_jump_1_7:" in text


def test_only_what_swift_can_say_is_drawn_for_it_alone() -> None:
    swift, gxx = map(parse_subject, (SUBJECT, "g++-12"))
    assert (swift.of_cxx, cxx_languages([swift, gxx])) == (True, [])
    (language,) = cxx_languages([swift])
    assert language is cxx_language(swift.family.language)
    assert unsayable_in([language], call(Reference(INT, rvalue=True)))
    assert not unsayable_in([language], call(INT))


REASONS: list[tuple[Question, str]] = [
    (call(Reference(INT, rvalue=True)), "Swift has no rvalue references"),
    (call(DataMemberPointer("Z")), "Swift has no pointers to members"),
    (call(Class("M", specials=MOVED)), "Swift has no values of a type that is moved and not copied"),
    (call(Reference(Class("K", specials=KEPT))), "Swift has no types that are neither copied nor moved"),
    (call(Class("A", alignas=32)), "Swift has no types aligned to more than 16 bytes"),
    (Class("S"), "Swift has what C++ has, but is asked about its calls only"),
    (call(COUNTED, Reference(COUNTED), result=COUNTED), ""),
    (call(INT, this=COUNTED), ""),
]


@pytest.mark.parametrize(("question", "why"), REASONS, ids=lambda one: one if isinstance(one, str) else "")
def test_what_swift_cannot_say_has_a_reason(question: Question, why: str) -> None:
    assert unsayable(question) == why
