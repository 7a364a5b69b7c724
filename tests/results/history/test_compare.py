"""What became of a probe, as a table."""

from __future__ import annotations

import pytest
from laboratory import said

from abiprobe.oracles.language.question import ProbeKind
from abiprobe.results.history.compare import News, change, compare, matched
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict, unobserved

P = "0123456789ab"
SIDE = ("x86_64-sysv", "cc", "O0")
CALLER, LAYOUT = ProbeKind.CALLER, ProbeKind.LAYOUT


def agrees(kind: ProbeKind = CALLER) -> Verdict:
    return Verdict(P, kind, Judgement.AGREES)


def deviates(clause: str = "x86_64:pass.integer") -> Verdict:
    wrong = said.difference("caller", "a", "rdi", "1", "2", clause)
    return Verdict(P, CALLER, Judgement.DEVIATES, clause=clause, detail=str(wrong), differences=(wrong,))


def reads(reading: str) -> Verdict:
    return Verdict(P, LAYOUT, Judgement.UNSPECIFIED, clause="gnu:x", reading=reading)


def missing(outcome: Outcome) -> Verdict:
    return unobserved(P, CALLER, outcome, "why")


TABLE = [
    (agrees(), agrees(), None),
    (deviates(), deviates(), None),
    (agrees(), deviates(), News.NEW),
    (deviates(), agrees(), News.GONE),
    (deviates(), deviates("x86_64:pass.memory"), News.CHANGED),
    (agrees(), missing(Outcome.CRASHED), News.LOST),
    (deviates(), missing(Outcome.REFUSED), News.LOST),
    (agrees(), missing(Outcome.UNSUPPORTED), News.UNSUPPORTED),
    (missing(Outcome.UNSUPPORTED), agrees(), News.FOUND),
    (missing(Outcome.UNSUPPORTED), deviates(), News.NEW),
    (missing(Outcome.UNSUPPORTED), missing(Outcome.REFUSED), None),
    (reads("gcc"), reads("clang"), News.READS),
    (reads("gcc"), reads("gcc"), None),
]


@pytest.mark.parametrize(("before", "after", "news"), TABLE)
def test_news_of_one_probe(before: Verdict, after: Verdict, news: News | None) -> None:
    found = change(SIDE, SIDE, P, (before,), (after,))
    assert (found.news if found else None) is news


def test_a_witness_that_only_one_run_has_asked_is_no_news() -> None:
    shown = Verdict(P, ProbeKind.VALUES, Judgement.DEVIATES, clause="gnu:x", detail="values")
    assert change(SIDE, SIDE, P, (agrees(LAYOUT),), (agrees(LAYOUT), shown)) is None


def test_only_what_both_have_asked_is_compared() -> None:
    old, new = {"a": (agrees(),), "b": (agrees(),)}, {"b": (deviates(),), "c": (deviates(),)}
    hashes = (
        {probe: hash(one) for probe, one in old.items()},
        {probe: hash(one) for probe, one in new.items()},
    )
    found = compare(SIDE, SIDE, hashes, ({"b": old["b"]}, {"b": new["b"]}))
    assert (found.both, found.only_old, found.only_new) == (1, 1, 1)
    assert [item.probe for item in found.changes] == ["b"]


def test_who_is_compared_with_whom() -> None:
    old, new = ("t", "clang-19", "O0"), ("t", "clang-22", "O0")
    gcc = ("t", "gcc-12", "O0")
    assert list(matched([old], [new], {})) == [(old, new)]
    assert list(matched([old, gcc], [new, gcc], {})) == [(gcc, gcc)]
    assert list(matched([old, gcc], [new, gcc], {"clang-19": "clang-22"})) == [(old, new)]
    assert list(matched([old], [gcc, new], {})) == []
