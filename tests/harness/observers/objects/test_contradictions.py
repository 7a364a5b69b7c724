"""Witnesses of one compiler that contradict each other: each verdict names who says what."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from abiprobe.results.verdicts.locations import MemberAt
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict
from abiprobe.results.verdicts.wording import note_text

from .conftest import Verdicts

Lied = Callable[..., Verdicts]

TEXT = """
struct Two { int a; char c; int d; };
struct Bits { int x : 3, y : 9; long z; };
struct Plain { long a; };
"""
MEMBER = ("char c;", "char : 8; char c;")
BIT_FIELD = ("y: 9;", ": 1; int y: 9;")


def said(verdict: Verdict) -> list[tuple[str, str, str]]:
    return [(item.side, item.what, note_text(item.note)) for item in verdict.differences]


CONTRADICTIONS = [
    (
        "debug",
        MEMBER,
        "Two",
        {
            "debug info": (
                "debug info",
                "c",
                "object says 32:8, DWARF says 40:8, running code says 32:8",
            )
        },
    ),
    (
        "values",
        MEMBER,
        "Two",
        {"values": ("values", "c", "object says 32:8, DWARF says 32:8, running code says 40:8")},
    ),
    (
        "object",
        MEMBER,
        "Two",
        {
            "layout": ("object", "c", ""),
            "debug info": ("object", "c", "object says 40:8, DWARF says 32:8, running code says 32:8"),
            "values": ("object", "c", "object says 40:8, DWARF says 32:8, running code says 32:8"),
        },
    ),
    (
        "debug",
        BIT_FIELD,
        "Bits",
        {"debug info": ("debug info", "y", "object says 3:9, DWARF says 4:9, running code says 3:9")},
    ),
    (
        "values",
        BIT_FIELD,
        "Bits",
        {"values": ("values", "y", "object says 3:9, DWARF says 3:9, running code says 4:9")},
    ),
]


@pytest.mark.parametrize(("unit", "lie", "tag", "expected"), CONTRADICTIONS)
def test_a_contradiction_names_who_departs_and_what_each_says(
    lied: Lied, unit: str, lie: tuple[str, str], tag: str, expected: dict[str, tuple[str, str, str]]
) -> None:
    verdicts = lied(TEXT, *lie, unit)
    deviating = {key for key, verdict in verdicts.items() if verdict.verdict is Judgement.DEVIATES}
    assert deviating == {(tag, kind) for kind in expected}
    for kind, difference in expected.items():
        assert said(verdicts[tag, kind]) == [difference]
        assert verdicts[tag, kind].clause


def test_all_witnesses_of_a_wrong_compiler_may_agree(lied: Lied) -> None:
    verdicts = lied(TEXT, *MEMBER, "object", "debug", "values")
    assert {key: verdict.verdict for key, verdict in verdicts.items() if key[0] == "Two"} == {
        ("Two", "layout"): Judgement.DEVIATES,
        ("Two", "debug info"): Judgement.AGREES,
        ("Two", "values"): Judgement.DEVIATES,
    }
    assert said(verdicts["Two", "values"]) == [("values", "c", "")]


def test_a_program_that_dies_costs_the_values_of_its_record(lied: Lied) -> None:
    verdicts = lied(TEXT, "struct Bits_1 *o =", "*(volatile int *)8 = 1; struct Bits_1 *o =", "values")
    deviating = {key for key, verdict in verdicts.items() if verdict.verdict is not Judgement.AGREES}
    assert deviating == {("Bits", "values")}
    assert verdicts["Bits", "values"].outcome is Outcome.DIED
    assert "SIGSEGV" in verdicts["Bits", "values"].detail


def test_a_refusal_costs_one_witness_of_one_record(lied: Lied) -> None:
    verdicts = lied(TEXT, "int x: 3;", "int x: 3000;", "debug")
    broken = {
        key: verdict.outcome for key, verdict in verdicts.items() if verdict.verdict is not Judgement.AGREES
    }
    assert broken == {("Bits", "debug info"): Outcome.REFUSED}


def test_no_dwarf_is_no_agreement(lied: Lied) -> None:
    verdicts = lied(TEXT, "", "", "stripped")
    seen = {verdict.outcome for (_, kind), verdict in verdicts.items() if kind == "debug info"}
    assert seen == {Outcome.UNSUPPORTED}
    assert {verdict.verdict for (_, kind), verdict in verdicts.items() if kind != "debug info"} == {
        Judgement.AGREES
    }


OPEN = "struct Open { int a; int _Complex b; char c; };"
AFTER = ("char c;", "char : 8; char c;")


@pytest.mark.parametrize(
    ("unit", "at", "taken"),
    [("values", 12, 13), ("object", 13, 12), ("debug", 12, None)],
)
def test_code_that_has_a_member_of_an_open_layout_elsewhere_contradicts_itself(
    lied: Lied, unit: str, at: int, taken: int | None
) -> None:
    verdicts = lied(OPEN, *AFTER, unit)
    assert {verdict.verdict for verdict in verdicts.values()} == {Judgement.UNSPECIFIED}
    shown = {item.what: (item.at, item.taken) for item in verdicts["Open", "layout"].shown}
    assert shown["a"] == ((MemberAt(0),), ())
    assert shown["c"] == ((MemberAt(8 * at),), () if taken is None else (MemberAt(8 * taken),))
