"""Compilers that refuse, crash, hang, warn, or write what nobody can read: each prototype costs itself only."""

from __future__ import annotations

from collections import Counter

import pytest

from abiprobe.generators.pool import draw_pool
from abiprobe.harness.lowerings import lowering
from abiprobe.harness.lowerings.lowering import LoweringCompiler
from abiprobe.harness.lowerings.place import TRIPLES, Place
from abiprobe.harness.lowerings.registers import OTHER, SAME, UNKNOWN, decided
from abiprobe.harness.lowerings.sweep import sweep
from abiprobe.harness.lowerings.unit import texts_of
from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.find import discover, parse_subject
from abiprobe.oracles.language.lang import Kind, Param, Prototype, Record, Scalar, components
from abiprobe.oracles.language.question import ProbeKind
from abiprobe.oracles.registry import TARGETS, find_target
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict

from .faux_clang import LIES

POOL = draw_pool(seed=1, cases=14).prototypes
QUICK = Limits(base_seconds=1.0, probe_seconds=0.0)


def has_union(function: Prototype) -> bool:
    """Return whether a prototype uses a union."""
    waiting = [
        one for one in (function.result, *(each.type for each in function.arguments)) if one is not None
    ]
    while waiting:
        c_type = waiting.pop()
        if isinstance(c_type, Record) and c_type.union:
            return True
        waiting += components(c_type)
    return False


WITH_UNIONS = [number for number, function in enumerate(POOL) if has_union(function)]
UNIONS = [POOL[number] for number in WITH_UNIONS]


def ended(faux, tmp_path, lie, limits=QUICK):
    """How each prototype ended with a compiler that tells a lie, and what else is known."""
    answers = LoweringCompiler((str(faux), f"-DLIE={lie}"), tmp_path, limits).lower(POOL)
    assert sorted(answers.found) == list(range(len(POOL)))
    return {number: one for number, one in answers.found.items() if isinstance(one, Failed)}, answers


COSTS = [
    ("honest", Outcome.OBSERVED, ""),
    ("does_not_implement_unions", Outcome.REFUSED, "ClangIR code gen Not Yet Implemented: union"),
    ("does_not_say_where", Outcome.REFUSED, "Not Yet Implemented: union"),
    ("crashes_on_unions", Outcome.CRASHED, "SIGSEGV"),
]


@pytest.mark.parametrize(("lie", "outcome", "words"), COSTS, ids=[row[0] for row in COSTS])
def test_what_breaks_costs_itself_only(faux, tmp_path, lie, outcome, words):
    failed, answers = ended(faux, tmp_path, lie, Limits())
    assert 0 < len(WITH_UNIONS) < len(POOL)
    assert list(failed) == ([] if lie == "honest" else WITH_UNIONS)
    assert {one.outcome for one in failed.values()} <= {outcome}
    assert {one.words for one in failed.values()} <= {words}
    # What is named by its place costs one more compilation, not one for each half.
    assert (answers.failing == 1) == (lie == "does_not_implement_unions")


def test_a_compiler_that_hangs_is_ended(faux, tmp_path):
    few = [POOL[WITH_UNIONS[0]], POOL[min(set(range(len(POOL))) - set(WITH_UNIONS))]]
    answers = LoweringCompiler((str(faux), "-DLIE=hangs_on_unions"), tmp_path, QUICK).lower(few)
    assert isinstance(answers.found[0], Failed)
    assert answers.found[0].outcome is Outcome.TIMED_OUT
    assert not isinstance(answers.found[1], Failed)


def test_a_warning_that_something_is_missing_is_counted(faux, tmp_path):
    failed, answers = ended(faux, tmp_path, "warns")
    assert (failed, answers.warnings) == ({}, {"variadic calls are not yet implemented": 1})


def test_ir_without_a_definition_is_not_taken_for_a_lowering(faux, tmp_path):
    failed, _ = ended(faux, tmp_path, "forgets_definitions")
    assert Counter((one.outcome, one.words) for one in failed.values()) == {
        (Outcome.UNDECODED, "no define and no call in the IR"): len(POOL)
    }


def test_a_compiler_that_fails_on_and_on_is_given_up(faux, tmp_path, monkeypatch):
    monkeypatch.setattr(lowering, "FAILING_UNITS", 5)
    answers = LoweringCompiler((str(faux), "-DLIE=does_not_say_where"), tmp_path, QUICK).lower(UNIONS * 4)
    assert answers.failing == 5
    assert answers.found[len(UNIONS) * 4 - 1] == Failed(Outcome.NOT_RUN, lowering.GIVEN_UP)


def test_a_compiler_that_takes_nothing_is_asked_no_more_than_the_simplest(faux, tmp_path):
    failed, answers = ended(faux, tmp_path, "refuses_everything")
    assert (answers.nothing, answers.failing) == ("no licence", 1)
    assert set(failed.values()) == {Failed(Outcome.REFUSED, "no licence")}


def test_nobody_asks_for_the_simplest_where_something_is_lowered(faux, tmp_path):
    assert ended(faux, tmp_path, "honest")[1].nothing is None
    assert ended(faux, tmp_path, "does_not_say_where")[1].nothing == ""


def test_what_another_lowering_refused_is_asked_apart(faux, tmp_path):
    compiler = LoweringCompiler((str(faux), "-DLIE=does_not_implement_unions"), tmp_path, QUICK)
    answers = compiler.lower(POOL, texts_of(POOL), frozenset(WITH_UNIONS))
    # One unit with all that is refused, and one with the rest.
    assert answers.failing == 1
    assert {number for number, one in answers.found.items() if isinstance(one, Failed)} == set(WITH_UNIONS)
    assert sorted(answers.found) == list(range(len(POOL)))


def test_ir_that_cannot_be_read_is_counted_where_it_is_compared(faux):
    names = tuple(f"clang:{faux} -DLIE={lie}" for lie in ("honest", "writes_another_ir"))
    swept = sweep([Place("bpfel")], tuple(map(parse_subject, names)), POOL[:3], 1)
    tally = swept.tallies[Place("bpfel"), 1]
    assert (tally.compared, swept.members) == (2, [])
    assert [key[0] for key in tally.failures] == [Outcome.UNDECODED.value]


def test_every_lie_is_told(faux, tmp_path):
    for lie in LIES:
        if lie != "hangs_on_unions":
            LoweringCompiler((str(faux), f"-DLIE={lie}"), tmp_path, QUICK).lower(POOL[:1])


def test_the_default_triples_are_twenty_with_and_without_models():
    assert len(set(TRIPLES)) == len(TRIPLES) == 20
    found = {name: Place(name).target for name in TRIPLES}
    assert set(found.values()) > {None, find_target("riscv64-lp64d")}
    assert all(target is None or target.spelling == name for name, target in found.items())
    assert Place("riscv64-lp64d@gcc-reading").target == find_target("riscv64-lp64d@gcc-reading")


def test_a_place_gives_a_compiler_its_triple_or_the_options_of_its_target(faux):
    subject = f"clang:{faux} -O1"
    assert "--target=bpfel" in Place("bpfel").command(parse_subject(subject))
    assert Place("bpfel").command(parse_subject(subject))[-1] == "-O1"
    assert any("riscv32" in word for word in Place("riscv32-ilp32d").command(parse_subject(subject)))
    assert Place("bpfel").command(parse_subject("clang:/nowhere")) is None


def verdict(judgement: Judgement, kind=ProbeKind.CALLER, outcome=Outcome.OBSERVED) -> Verdict:
    return Verdict("p", kind, judgement, outcome, "sheet:clause", "words")


A, D, U = (verdict(one) for one in (Judgement.AGREES, Judgement.DEVIATES, Judgement.UNSPECIFIED))
DIFFERS = verdict(Judgement.DIFFERS, ProbeKind.OPEN)
CRASHED = verdict(Judgement.UNOBSERVED, outcome=Outcome.CRASHED)
DECIDED = [
    ([A, A], [A, A], SAME, "both agree with the text"),
    ([A, A], [A, D], OTHER, "b deviates from sheet:clause: words"),
    ([D], [D], OTHER, "a deviates from sheet:clause: words; b deviates from sheet:clause: words"),
    ([U], [U], SAME, "the documents leave it open, and the two agree"),
    ([U, DIFFERS], [U, DIFFERS], OTHER, "the documents leave it open, and the two disagree (sheet:clause)"),
    ([A], [CRASHED], UNKNOWN, "b: crashed words"),
    ([], [A], UNKNOWN, "a: not asked"),
]


@pytest.mark.parametrize(("left", "right", "answer", "words"), DECIDED)
def test_verdicts_decide_about_registers(left, right, answer, words):
    assert str(decided({"a": left, "b": right})) == f"{answer}: {words}"


def real_clang() -> str:
    """A real clang by name."""
    found = [one.spelling for one in discover(tuple(TARGETS.values())) if one.family.lowerings]
    if not found:
        pytest.skip("clang is not installed")
    return found[0]


def test_a_real_compiler_lowers_as_it_does_itself(tmp_path):
    name = real_clang()
    places = [Place("riscv64-lp64d"), Place("x86_64-sysv")]
    swept = sweep(places, tuple(map(parse_subject, (name, name))), POOL, 2)
    assert swept.members == []
    assert all(tally.compared > len(POOL) // 2 for (_, number), tally in swept.tallies.items() if number)
    assert not any(Outcome.UNDECODED.value in tally.outcomes for tally in swept.tallies.values())


def test_options_that_change_how_arguments_are_passed_are_seen_in_the_ir():
    name = real_clang()
    function = Prototype("f", None, (Param("a", Scalar(Kind.INT)),))
    swept = sweep(
        [Place("i386-sysv")], tuple(map(parse_subject, (name, f"{name} -mregparm=3"))), (function,), 1
    )
    (member,) = swept.members
    assert [str(one) for one in member.differences] == ["argument: integer | integer inreg"]
