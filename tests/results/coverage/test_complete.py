"""A compiler conforms only if every signature of every suite was compared and agrees."""

from __future__ import annotations

import msgspec
import pytest

from abiprobe.oracles.language.question import ProbeKind, Sort
from abiprobe.results.coverage.complete import Conformance, conformance, marks
from abiprobe.results.journal.journal import BatchDone, BatchKey, Header, Plan, Run, Suite
from abiprobe.results.report.complete_text import short_lines, size_lines, statement
from abiprobe.results.verdicts.readings import CRASHED_AGAIN
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict

PLAN = Plan(1, 0, ("t",), ("cc",), ("O0",), complete=1)
SUITES = (
    Suite("t", "plain", 1, 6, 7, 3, 0, 1, types=True),
    Suite("t", "plain", 1, 6, 7, 300, 1, 2),
    Suite("t", "plain", 1, 6, 7, 2, 3, 1, rare=True),
    Suite("t", "plain", 1, 6, 7, 300, 4, 2, drawn=True),
)
AGREES = Verdict("", ProbeKind.CALLER, Judgement.AGREES)
DEVIATES = Verdict("", ProbeKind.CALLEE, Judgement.DEVIATES)
LACKING = Verdict("", ProbeKind.CALLER, Judgement.UNOBSERVED, Outcome.UNSUPPORTED)
NOTHING = Verdict("", ProbeKind.VARIADIC, Judgement.UNOBSERVED, Outcome.NOTHING)
DIED = Verdict("", ProbeKind.CALLER, Judgement.UNOBSERVED, Outcome.DIED)
QUIRK = "clang aligns the memory of an argument by reference as its type"
KNOWN = msgspec.structs.replace(DEVIATES, quirks=(QUIRK,))
KILLED = msgspec.structs.replace(KNOWN, outcome=Outcome.DIED)
BEHIND = Verdict("", ProbeKind.PRESERVATION, Judgement.UNOBSERVED, Outcome.DIED)
AGAIN = msgspec.structs.replace(DEVIATES, quirks=(CRASHED_AGAIN,))
OPEN = Verdict("", ProbeKind.CALLER, Judgement.UNSPECIFIED)
SIZES = {0: 3, 1: 250, 2: 50, 3: 2, 4: 250, 5: 50}


def batch(number: int, *instead: Verdict) -> BatchDone:
    """A batch, all of whose signatures agree on both sides, but for the first, which has a verdict instead."""
    verdicts = [
        msgspec.structs.replace(one, probe=f"{number}-{at}")
        for at in range(SIZES[number])
        for one in (*(instead if at == 0 and instead else (AGREES,)), NOTHING)
    ]
    return BatchDone(BatchKey("t", "cc", "O0", Sort.COMPLETE, number), SIZES[number], tuple(verdicts))


def of(*batches: BatchDone) -> Conformance:
    """What a run of these batches, and of the others without a fault, came to."""
    there = {one.key.number for one in batches}
    whole = (*batches, *(batch(number) for number in SIZES if number not in there))
    (found,) = conformance(Run(Header(2, "", "", PLAN, (), complete=SUITES), whole, None))
    return found


def test_it_conforms_if_all_agrees() -> None:
    found = of()
    assert found.conforms
    assert (found.signatures, found.agreeing) == (605, 605)
    assert list(short_lines([found])) == ["t cc -O0: conforms up to 1 hidden state in plain (605 signatures)"]
    assert "at most 1 more state" in statement([found])[0]
    assert list(size_lines([found])) == [
        "t plain: 6 states, 7 classes of results and arguments, 605 signatures"
    ]


@pytest.mark.parametrize("number", SIZES)
@pytest.mark.parametrize(
    ("instead", "words"),
    [
        ((AGREES, DEVIATES), "1 deviate"),
        ((KNOWN, DEVIATES), "1 deviate"),
        ((AGREES, AGAIN), "1 deviate"),
        ((KNOWN, DIED), "1 were not compared"),
        ((AGREES, DIED), "1 were not compared"),
        ((OPEN,), "1 were not compared"),
    ],
)
def test_one_signature_is_enough_not_to(number: int, instead: tuple[Verdict, ...], words: str) -> None:
    found = of(batch(number, *instead))
    assert not found.conforms
    assert list(short_lines([found])) == [f"t cc -O0: plain: of 605 signatures {words}"]


@pytest.mark.parametrize("number", SIZES)
@pytest.mark.parametrize("instead", [(AGREES, KNOWN), (KILLED, BEHIND)])
def test_what_quirks_explain_is_told_by_their_names(number: int, instead: tuple[Verdict, ...]) -> None:
    found = of(batch(number, *instead))
    assert found.explained
    assert not found.conforms
    assert not found.is_proved
    assert list(short_lines([found])) == [
        f"t cc -O0: plain: of 605 signatures 1 deviate, by known quirks only ({QUIRK}: 1)"
    ]
    mixed = of(batch(number, *instead), batch((number + 1) % len(SIZES), DEVIATES))
    assert not mixed.explained
    assert "1 deviate, 1 deviate by known quirks" in next(short_lines([mixed]))


def test_a_subject_that_was_asked_by_its_own_dialect_conforms_but_for_quirks_of_one_side() -> None:
    asked = of(batch(1, KNOWN))
    one = msgspec.structs.replace(
        asked, target="x86_64-ms@clang-24", subject="clang-24", complete_for=(QUIRK, "other")
    )
    assert one.is_proved
    assert "plain: conforms up to 1 hidden state in 605 signatures, but for quirks" in next(
        short_lines([one])
    )
    assert not msgspec.structs.replace(one, subject="clang-22").is_proved
    assert not msgspec.structs.replace(one, subject="clang-24 -mavx").is_proved
    assert not msgspec.structs.replace(one, quirks={"a user's own": 1, QUIRK: 2}).is_proved
    assert not msgspec.structs.replace(one, complete_for=()).is_proved
    assert not msgspec.structs.replace(one, known=0, deviating=1).is_proved


def test_the_dialect_that_has_a_quirk_of_both_sides_is_named() -> None:
    both = {"clang passes an 8-byte vector as one of 16 under ms_abi": 1}
    one = msgspec.structs.replace(of(batch(1, KNOWN)), target="x86_64-ms", subject="clang-24", quirks=both)
    assert "; x86_64-ms@clang-24 has them)" in next(short_lines([one]))
    alone = msgspec.structs.replace(one, quirks={QUIRK: 1})
    assert "@" not in next(short_lines([alone]))
    assert "@" not in next(short_lines([msgspec.structs.replace(one, subject="cc:own")]))


@pytest.mark.parametrize(("number", "conforms"), [(0, True), (1, False), (3, True), (4, False)])
def test_only_rare_types_may_be_lacking(number: int, *, conforms: bool) -> None:
    found = of(batch(number, LACKING))
    assert found.conforms is conforms
    assert found.lacking == int(conforms)
    words = "604 signatures, without 1 that need a type that it lacks"
    assert (words in next(short_lines([found]))) is conforms


@pytest.mark.parametrize("missing", SIZES)
def test_what_was_not_asked_does_not_conform(missing: int) -> None:
    some = tuple(batch(number) for number in SIZES if number != missing)
    (found,) = conformance(Run(Header(2, "", "", PLAN, (), complete=SUITES), some, None))
    assert not found.conforms
    assert found.unasked == SIZES[missing]


def test_a_run_without_suites_says_nothing() -> None:
    assert conformance(Run(Header(2, "", "", PLAN, ()), (), None)) == ()
    assert statement(()) == ()


def test_a_mark_needs_every_level_and_has_the_most_states() -> None:
    good, bad = of(), of(batch(1, DEVIATES))
    more = msgspec.structs.replace(good, extra=2)
    assert marks([good, more]) == {("t", "cc"): {"plain": 2}}
    assert marks([good, msgspec.structs.replace(bad, level="O2")]) == {("t", "cc"): {}}
    assert marks([good, msgspec.structs.replace(bad, extra=2)]) == {("t", "cc"): {"plain": 1}}


def test_the_text_has_the_marks_of_the_own_dialect_where_it_has_less() -> None:
    bad, good = of(batch(1, DEVIATES)), of()
    text = msgspec.structs.replace(bad, target="x86_64-ms", subject="gcc-16")
    own = msgspec.structs.replace(good, target="x86_64-ms@gcc-16", subject="gcc-16")
    assert marks([text, own])["x86_64-ms", "gcc-16"] == {"plain as gcc-16": 1}
    assert marks([text, own])["x86_64-ms@gcc-16", "gcc-16"] == {"plain": 1}
    better = msgspec.structs.replace(text, agreeing=605, deviating=0)
    assert marks([better, own])["x86_64-ms", "gcc-16"] == {"plain": 1}
    assert marks([msgspec.structs.replace(own, subject="gcc-14")]) == {
        ("x86_64-ms@gcc-16", "gcc-14"): {"plain": 1}
    }


def test_records_are_told_as_records() -> None:
    suite = Suite("t", "layouts of records", 0, 0, 4, 3, 0, 1, records=3, layouts=True)
    key = BatchKey("t", "cc", "O0", Sort.COMPLETE_RECORDS, 0)
    plan = msgspec.structs.replace(PLAN, complete=None, complete_records=3, levels=("O0", "O2"))
    agreeing = tuple(Verdict(str(at), ProbeKind.LAYOUT, Judgement.AGREES) for at in range(3))
    run = Run(Header(2, "", "", plan, (), complete=(suite,)), (BatchDone(key, 3, agreeing),), None)
    found = conformance(run)
    assert list(short_lines(found)) == ["t cc -O0: all 3 layouts of records agree"]
    assert "every record of up to 3 members" in next(size_lines(found))
    assert statement(found) == ()
    assert marks(found) == {}
    deviating = msgspec.structs.replace(found[0], agreeing=2, deviating=1)
    assert list(short_lines([deviating])) == ["t cc -O0: layouts of records: of 3 records 1 deviate"]
