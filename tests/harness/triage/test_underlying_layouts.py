"""Asking for the layouts on which deviations rest, with compilers that lay records out as a table says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest
from msgspec.structs import replace

from abiprobe.harness.triage import underlying_layouts
from abiprobe.harness.triage.underlying_layouts import layouts_kept, with_layouts
from abiprobe.oracles.language.lang import Kind, Member, Param, Prototype, Record, Scalar
from abiprobe.oracles.language.question import ProbeKind, Question, probe
from abiprobe.oracles.model import Target
from abiprobe.results.causes.blame import Blame, Configuration, Stand
from abiprobe.results.causes.cluster import Finding, cluster
from abiprobe.results.causes.fingerprint import Fingerprint, Symptom
from abiprobe.results.causes.traits import traits
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict

TARGET = "x86_64-sysv"
INNER = Record("I", (Member(Scalar(Kind.INT), "a"),))
OUTER = Record("O", (Member(INNER, "a"),))
STEADY = True


def found(example: Question, *subjects: str, symptom: Symptom = Symptom.MISPLACED) -> Finding:
    return Finding(
        Fingerprint(TARGET, symptom, "x86_64:pass.integer"),
        example,
        1,
        traits(example),
        Blame(Stand.UNOPPOSED, subjects),
        "O0",
        "",
        STEADY,
        ("p",),
        dict.fromkeys(subjects, 1),
    )


CALL = Prototype("f", None, (Param("a", OUTER),))
WRONG = "x86_64:type.record"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """The records that are asked for; clang is wrong about both, gcc about the inner one alone, tcc in another way."""
    wrong = {"clang": {"O": WRONG, "I": WRONG}, "gcc": {"I": WRONG}, "tcc": {"O": "x86_64:type.union"}}
    batches: list[tuple[str, ...]] = []

    def answers(
        _target: Target, questions: Sequence[Record], subjects: Iterable[Configuration]
    ) -> dict[Configuration, dict[str, tuple[Verdict, ...]]]:
        batches.append(tuple(one.tag for one in questions))
        return {
            asked: {
                probe(one).id: (verdict(one, wrong[asked[0]][one.tag]),)
                for one in questions
                if one.tag in wrong[asked[0]]
            }
            for asked in subjects
        }

    def verdict(record: Record, clause: str) -> Verdict:
        return Verdict(probe(record).id, ProbeKind.LAYOUT, Judgement.DEVIATES, Outcome.OBSERVED, clause, "")

    monkeypatch.setattr(underlying_layouts, "ask", answers)
    monkeypatch.setattr(underlying_layouts, "can_answer", lambda *_: True)
    return batches


ROWS = [
    # who deviates in a call with the outer record, and the records whose layouts are behind it
    (("clang",), ["O", "I"]),
    (("gcc",), []),
    (("clang", "gcc"), []),
    (("clang", "tcc"), []),
    (("tcc",), ["O"]),
]


@pytest.mark.parametrize(("subjects", "expected"), ROWS)
def test_a_call_follows_from_the_layout_of_its_own_type_only(
    asked: list[tuple[str, ...]], subjects: tuple[str, ...], expected: list[str]
) -> None:
    (one,) = with_layouts([found(CALL, *subjects)])
    assert [layout.record.tag for layout in one.layouts] == expected
    assert asked == [("O", "I", "S_")]


def test_a_record_follows_from_the_layouts_of_its_members(asked: list[tuple[str, ...]]) -> None:
    (one,) = with_layouts([found(OUTER, "gcc", symptom=Symptom.LAYOUT)])
    assert [layout.record for layout in one.layouts] == [INNER]
    assert asked == [("I", "S_")]


def test_compilers_that_are_not_here_are_not_asked(asked: list[tuple[str, ...]]) -> None:
    given = found(CALL, "clang")
    assert with_layouts([given], frozenset({"clang"})) == (given,)
    assert asked == []


def test_findings_share_one_batch(asked: list[tuple[str, ...]]) -> None:
    with_layouts([found(CALL, "clang"), found(OUTER, "gcc", symptom=Symptom.LAYOUT)])
    assert len(asked) == 1


def test_what_was_found_is_kept(asked: list[tuple[str, ...]]) -> None:
    given = found(CALL, "clang")
    clusters = cluster(with_layouts([given]))
    assert len(asked) == 1
    (again,) = layouts_kept([given], clusters)
    assert again.layouts == clusters[0].first.layouts != ()
    other = replace(given, fingerprint=replace(given.fingerprint, clause="x86_64:pass.sse"))
    assert layouts_kept([other], clusters) == (other,)
