"""A compiler conforms only if every signature of every suite was compared and agrees."""

from __future__ import annotations

import msgspec
import pytest

from abiprobe.oracles.language.question import ProbeKind, Sort
from abiprobe.results.coverage.complete import Conformance, conformance, marks
from abiprobe.results.journal.journal import BatchDone, BatchKey, Header, Plan, Run, Suite
from abiprobe.results.report.complete_text import short_lines, size_lines, statement
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
OPEN = Verdict("", ProbeKind.CALLER, Judgement.UNSPECIFIED)
SIZES = {0: 3, 1: 250, 2: 50, 3: 2, 4: 250, 5: 50}


def batch(number: int, *instead: Verdict) -> BatchDone:
    """A batch, all of whose signatures agree on both sides, but for the first, which has a verdict instead."""
    verdicts = [
        Verdict(f"{number}-{at}", one.kind, one.verdict, one.outcome)
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
        ((AGREES, DIED), "1 were not compared"),
        ((OPEN,), "1 were not compared"),
    ],
)
def test_one_signature_is_enough_not_to(number: int, instead: tuple[Verdict, ...], words: str) -> None:
    found = of(batch(number, *instead))
    assert not found.conforms
    assert list(short_lines([found])) == [f"t cc -O0: plain: of 605 signatures {words}"]


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
