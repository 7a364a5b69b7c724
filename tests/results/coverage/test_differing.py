"""Subjects held against each other where no text decides."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laboratory import said

from abiprobe.oracles.language.lang import Kind, Param, Prototype, Scalar
from abiprobe.oracles.language.question import ProbeKind, Sort, probe
from abiprobe.oracles.text.place import Located, Register, StackSlot
from abiprobe.results.causes.answers import Answers, ProbeVerdicts
from abiprobe.results.causes.blame import Stand, blame
from abiprobe.results.causes.fingerprint import Fingerprint, Symptom, fingerprints
from abiprobe.results.causes.groups import members_of
from abiprobe.results.coverage.counts import exit_status, rows
from abiprobe.results.coverage.differing import (
    ALONE,
    PARTLY,
    TOGETHER,
    Comparison,
    compare,
    first_difference,
    follows,
    follows_sides,
    with_differences,
)
from abiprobe.results.coverage.open_clauses import open_clauses
from abiprobe.results.journal.journal import BatchDone, BatchKey, Kept
from abiprobe.results.verdicts.record import Judgement, Outcome, Shown, Verdict
from abiprobe.results.verdicts.values import Words

T, CLAUSE = "x86_64-sysv", "x86_64:class.unnamed-bit-field"
ASKED = probe(Prototype("f", None, (Param("a", Scalar(Kind.INT)),)))
OTHER = probe(Prototype("g", None, (Param("a", Scalar(Kind.LONG)),)))

RDI, XMM0 = (said.shown("a [0..4)", ("rdi",)),), (said.shown("a [0..4)", ("xmm0",)),)
EITHER = (said.shown("a [0..4)", ("rdi", "xmm0")),)
NOWHERE = (said.shown("a [0..4)", ()),)
LOST = (said.shown("a [0..4)", ("rdi",), ("xmm0",)),)
REST = (said.shown("b [0..4)", ("rsi",)),)


@pytest.mark.parametrize(
    ("one", "other", "what"),
    [
        (RDI, RDI, None),
        (RDI, XMM0, "a [0..4)"),
        (RDI, EITHER, None),
        (RDI, REST, None),
        ((*RDI, *REST), (*XMM0, *REST), "a [0..4)"),
        (LOST, LOST, None),
        (LOST, RDI, None),
        (LOST, REST, None),
        ((*LOST, *REST), (*RDI, said.shown("b [0..4)", ("rdx",))), "b [0..4)"),
        ((), RDI, None),
        (NOWHERE, RDI, None),
        ((), (), None),
    ],
)
def test_who_goes_with_whom(one: tuple[Shown, ...], other: tuple[Shown, ...], what: str | None) -> None:
    assert first_difference(one, other) == what
    assert first_difference(other, one) == what


PLACES = st.lists(st.sampled_from(("rdi", "xmm0", "stack+8")), max_size=2, unique=True).map(tuple)
SHOWN = st.dictionaries(st.sampled_from("abc"), PLACES, max_size=3).map(
    lambda found: tuple(said.shown(what, at) for what, at in found.items())
)
SUBJECTS = [(name, level) for name in ("clang", "gcc", "tcc") for level in ("O0", "O2")]
ANSWERS = st.dictionaries(st.sampled_from(SUBJECTS), SHOWN, min_size=1)


@given(SHOWN, SHOWN)
def test_two_differ_alike_in_either_order_and_nobody_from_itself(
    one: tuple[Shown, ...], other: tuple[Shown, ...]
) -> None:
    assert first_difference(one, one) is None
    assert (first_difference(one, other) is None) == (first_difference(other, one) is None)


def shown(what: tuple[Shown, ...], reading: str = "", asked: str = ASKED.id) -> tuple[Verdict, ...]:
    first = Verdict(
        asked,
        ProbeKind.CALLER,
        Judgement.UNSPECIFIED,
        clause=CLAUSE,
        detail="why",
        reading=reading,
        shown=what,
    )
    return first, Verdict(asked, ProbeKind.CALLEE, Judgement.UNSPECIFIED, clause=CLAUSE, detail="why")


def compared(answers: Mapping[tuple[str, str], tuple[Shown, ...]]) -> Comparison | None:
    return compare(T, ASKED.id, {asked: shown(what) for asked, what in answers.items()})


@given(ANSWERS, st.randoms())
def test_the_order_of_subjects_does_not_matter(
    answers: dict[tuple[str, str], tuple[Shown, ...]], random: Random
) -> None:
    items = list(answers.items())
    random.shuffle(items)
    assert compared(answers) == compared(dict(items))


@given(ANSWERS, st.sampled_from(SUBJECTS), SHOWN)
def test_a_further_subject_takes_no_difference_away(
    answers: dict[tuple[str, str], tuple[Shown, ...]], further: tuple[str, str], what: tuple[Shown, ...]
) -> None:
    before, after = compared(answers), compared({further: what} | answers)
    differing = set() if before is None else {part.what for part in before.differing}
    assert differing <= (set() if after is None else {part.what for part in after.differing})


@given(ANSWERS)
def test_all_pairs_are_held_against_each_other(answers: dict[tuple[str, str], tuple[Shown, ...]]) -> None:
    pairs = {
        what
        for one in answers.values()
        for other in answers.values()
        if (what := first_difference(one, other)) is not None
    }
    found = compared(answers)
    assert pairs <= (set() if found is None else {part.what for part in found.differing})


@given(ANSWERS)
def test_groups_divide_those_that_show_a_part_and_each_has_a_place_in_common(
    answers: dict[tuple[str, str], tuple[Shown, ...]],
) -> None:
    found = compared(answers)
    for part in () if found is None else found.parts:
        places = {
            asked: set(one.at) for asked, what in answers.items() for one in what if one.what == part.what
        }
        members = [asked for group in part.groups for asked in group.subjects]
        assert len(members) == len(set(members))
        assert set(members) == {asked for asked, at in places.items() if at}
        assert set(part.missing) == set(answers) - set(members)
        for group in part.groups:
            assert set(group.at) == set.intersection(*(places[asked] for asked in group.subjects))


@given(ANSWERS)
def test_what_one_witness_shows_alone_is_no_agreement(
    answers: dict[tuple[str, str], tuple[Shown, ...]],
) -> None:
    found = compared(answers)
    if found is None or found.differs:
        return
    alone = [part for part in found.parts if len({subject for subject, _ in part.shown_by}) < 2]
    assert not any(part.compared for part in alone)
    assert all(part.missing for part in alone) or len({subject for subject, _ in answers}) == 1
    assert found.compared == (len(alone) < len(found.parts))
    assert found.verdict != TOGETHER or not alone


def test_a_third_subject_hides_no_difference() -> None:
    """What two show of b differs, whatever a third shows that goes together with either."""
    r0, r1, r2 = (said.shown(what, (place,)) for what, place in (("a", "r0"), ("b", "r1"), ("b", "r2")))
    found = compared({("x", "O0"): (r0,), ("y", "O0"): (r0, r1), ("z", "O0"): (r2,)})
    assert found is not None
    assert (found.what, found.verdict) == ("b", "differs")
    assert list(map(str, found.groups)) == ["y -O0: r1", "z -O0: r2"]
    assert found.concerned == (("y", "O0"), ("z", "O0"))
    assert list(map(str, found.gaps)) == ["x -O0: b", "z -O0: a"]


@pytest.mark.parametrize(
    ("answers", "verdict", "words"),
    [
        (
            {("gcc", "O0"): RDI, ("clang", "O0"): RDI},
            TOGETHER,
            "clang -O0, gcc -O0 agree with each other",
        ),
        (
            {("gcc", "O0"): (*RDI, *REST), ("clang", "O0"): RDI},
            PARTLY,
            "clang -O0, gcc -O0 agree with each other on what was compared; not compared: clang -O0: b [0..4)",
        ),
        ({("gcc", "O0"): RDI, ("clang", "O0"): NOWHERE}, ALONE, "not compared: clang -O0: a [0..4)"),
        ({("gcc", "O0"): RDI, ("clang", "O0"): ()}, ALONE, "not compared: clang -O0: a [0..4)"),
        ({("gcc", "O0"): RDI, ("gcc", "O2"): RDI}, ALONE, ""),
        ({("gcc -O1", "O0"): RDI, ("gcc", "O2"): RDI}, ALONE, ""),
        (
            {("gcc", "O0"): NOWHERE, ("clang", "O0"): NOWHERE},
            ALONE,
            "not compared: clang -O0, gcc -O0: a [0..4)",
        ),
        (
            {("gcc", "O0"): RDI, ("gcc", "O2"): XMM0},
            "differs",
            "a [0..4): gcc -O0: rdi; gcc -O2: xmm0",
        ),
    ],
)
def test_what_is_said_names_who_was_compared(
    answers: dict[tuple[str, str], tuple[Shown, ...]], verdict: str, words: str
) -> None:
    found = compared(answers)
    assert found is not None
    assert (found.verdict, str(found)) == (verdict, words)
    assert found.compared == (verdict in {TOGETHER, PARTLY})


REFUSED = (Verdict(ASKED.id, ProbeKind.CALLER, Judgement.UNOBSERVED, Outcome.REFUSED, detail="no"),)


def test_groups_are_those_that_go_together() -> None:
    found = compare(
        T,
        ASKED.id,
        {
            ("gcc", "O0"): shown(RDI, "gcc"),
            ("gcc", "O2"): shown(RDI, "gcc"),
            ("clang", "O0"): shown(XMM0, "clang"),
            ("tcc", "O0"): shown(RDI, "none"),
            ("pcc", "O0"): REFUSED,
        },
    )
    assert found is not None
    assert (found.differs, found.what, found.clause) == (True, "a [0..4)", CLAUSE)
    assert [(str(group)) for group in found.groups] == [
        "clang -O0 (reading: clang): xmm0",
        "gcc -O0 -O2, tcc -O0: rdi",
    ]


@pytest.mark.parametrize(
    ("verdicts", "differs"),
    [
        ({("gcc", "O0"): shown(RDI), ("clang", "O0"): shown(RDI)}, False),
        ({("gcc", "O0"): shown(LOST)}, True),
        ({("gcc", "O0"): shown(RDI), ("gcc", "O2"): shown(XMM0)}, True),
        ({("gcc", "O0"): shown(RDI), ("clang", "O0"): REFUSED}, False),
    ],
)
def test_a_verdict_of_its_own_says_that_subjects_part(
    verdicts: dict[tuple[str, str], tuple[Verdict, ...]], *, differs: bool
) -> None:
    told = with_differences(T, ASKED.id, verdicts)
    assert {one.kind for found in told.values() for one in found if one.verdict is Judgement.DIFFERS} == (
        {ProbeKind.OPEN} if differs else set()
    )
    assert all(one.verdict is not Judgement.AGREES for found in told.values() for one in found)


def test_nobody_is_to_blame() -> None:
    verdicts = with_differences(
        T, ASKED.id, {("gcc", "O0"): shown(RDI), ("gcc", "O2"): shown(RDI), ("clang", "O0"): shown(XMM0)}
    )
    ((fingerprint, subjects, member),) = members_of(ProbeVerdicts(T, ASKED.id, verdicts, ASKED.question))
    assert fingerprint == Fingerprint(T, Symptom.DIFFERS, CLAUSE)
    assert subjects == ("clang", "gcc")
    assert member.deviating == (("clang", "O0"), ("gcc", "O0"))
    found = blame(fingerprint, Answers(T, ASKED.id, verdicts))
    assert (found.stand, found.agreeing, found.otherwise) == (Stand.UNDECIDED, (), ())
    assert (
        found.describe(Symptom.DIFFERS)
        == "clang and gcc differ on a [0..4): clang -O0: xmm0; gcc -O0 -O2: rdi"
    )


def test_who_contradicts_itself_parts_from_nobody() -> None:
    asked = {("clang", "O0"): shown(LOST), ("clang", "O2"): shown(LOST), ("gcc", "O0"): shown(RDI)}
    found = compare(T, ASKED.id, asked)
    assert found is not None
    assert (found.differs, found.subjects_differ, found.compared) == (True, False, False)
    assert str(found) == "contradicts itself: clang -O0 -O2: a [0..4) rdi, but read from xmm0"
    assert found.gaps == ()
    assert found.concerned == (("clang", "O0"), ("clang", "O2"))
    verdicts = with_differences(T, ASKED.id, asked)
    ((fingerprint, subjects, member),) = members_of(ProbeVerdicts(T, ASKED.id, verdicts, ASKED.question))
    assert (fingerprint, subjects) == (Fingerprint(T, Symptom.SELF_INCONSISTENT, CLAUSE), ("clang",))
    assert member.deviating == (("clang", "O0"),)
    assert list(map(str, member.groups)) == ["clang -O0 -O2: a [0..4) rdi, but read from xmm0"]
    blamed = blame(fingerprint, Answers(T, ASKED.id, verdicts))
    assert (blamed.stand, blamed.levels) == (Stand.SELF_INCONSISTENT, ("O0", "O2"))
    assert blamed.describe(Symptom.SELF_INCONSISTENT) == (
        "clang contradicts itself: clang -O0 -O2: a [0..4) rdi, but read from xmm0"
    )


def test_one_may_contradict_itself_on_one_thing_and_part_from_another_on_the_next() -> None:
    asked = {
        ("clang", "O0"): shown((*LOST, *REST)),
        ("gcc", "O0"): shown((said.shown("b [0..4)", ("rdx",)),)),
    }
    told = with_differences(T, ASKED.id, asked)
    assert {one.symptom for one in fingerprints(T, told["clang", "O0"])} == {
        Symptom.DIFFERS,
        Symptom.SELF_INCONSISTENT,
    }
    assert {one.symptom for one in fingerprints(T, told["gcc", "O0"])} == {Symptom.DIFFERS}
    assert with_differences(T, ASKED.id, told).keys() == told.keys()


def test_a_reading_is_followed_only_where_it_says_something() -> None:
    assert follows(RDI, RDI)
    assert not follows(RDI, XMM0)
    assert not follows(RDI, REST)
    assert not follows(LOST, RDI)


def batch(subject: str, *found: tuple[Verdict, ...]) -> BatchDone:
    kept = tuple(Kept(one.id, one.question) for one in (ASKED, OTHER))
    verdicts = tuple(one for each in found for one in each)
    return BatchDone(BatchKey(T, subject, "O0", Sort.PROTOTYPES, 0), len(found), verdicts, kept)


def test_a_run_counts_what_differs_and_what_agrees_with_each_other() -> None:
    run = (
        batch("clang", shown(XMM0), shown(RDI, asked=OTHER.id)),
        batch("gcc", shown(RDI), shown(RDI, asked=OTHER.id)),
    )
    assert [(row.subject, row.counts["differs"], row.counts["unspecified"]) for row in rows(run)] == [
        ("clang", 1, 1),
        ("gcc", 1, 1),
    ]
    (clause,) = open_clauses(run)
    assert (clause.clause, clause.compared, clause.differs) == (CLAUSE, 2, 1)
    assert clause.in_words == "subjects differ on 1"
    (lost,) = open_clauses((batch("clang", shown(LOST)), batch("gcc", shown(RDI))))
    assert lost.in_words == "a subject contradicts itself on 1"
    assert clause.examples[0].question == ASKED.question
    assert exit_status(run) == 1


def test_a_probe_that_a_tool_refuses_as_well_counts_once() -> None:
    refused = (
        *shown(RDI),
        Verdict(ASKED.id, ProbeKind.RESULT, Judgement.UNOBSERVED, Outcome.REFUSED, detail="no"),
    )
    (first, second) = rows((batch("clang", shown(XMM0)), batch("gcc", refused)))
    assert (first.counts["differs"], first.counts["refused"]) == (1, 0)
    assert (second.counts["differs"], second.counts["refused"], second.counts["unspecified"]) == (0, 1, 0)


def test_agreeing_with_each_other_is_something_and_no_agreement_with_a_text() -> None:
    run = (batch("clang", shown(RDI)), batch("gcc", shown(RDI)))
    assert exit_status(run) == 0
    assert all(row.counts["agrees"] == 0 and row.counts["unspecified"] == 1 for row in rows(run))
    assert exit_status((batch("gcc", shown(RDI)),)) == 3


def test_a_lost_place_contradicts_no_reading_but_the_one_of_the_other_side() -> None:
    lost, stack, register = Words("another place"), Located(StackSlot(8)), Located(Register("a0"))
    shown = (Shown("a", (register,), (lost,)),)
    assert follows_sides(shown, (Shown("a", (register,)),), (Shown("a", (stack,)),))
    assert not follows_sides(shown, (Shown("a", (register,)),), (Shown("a", (register,)),))
    assert not follows_sides(shown, (Shown("a", (stack,)),), (Shown("a", (stack,)),))
