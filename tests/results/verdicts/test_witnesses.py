"""Judging the witnesses of a layout: who contradicts whom, and who departs from the text."""

from __future__ import annotations

import pytest

from abiprobe.oracles.language.question import ProbeKind
from abiprobe.oracles.text.place import Layout, MemberPlace
from abiprobe.results.verdicts.record import Difference, Judgement
from abiprobe.results.verdicts.witnesses import WitnessObservation, judge_debug_info, judge_values
from abiprobe.results.verdicts.wording import note_text, value_text

PREDICTED = Layout(
    16, 8, (MemberPlace("a", 0, 32, "first"), MemberPlace("b", 35, 7, "bits", bit_field=True)), "record"
)
PLACES = {"a": (0, 32), "b": (35, 7)}
RIGHT = WitnessObservation(16, 8, PLACES)
ODD = WitnessObservation(16, 8, {**PLACES, "b": (40, 7)})
LESS = WitnessObservation(16, None, {"a": (0, 32)})
LARGE = WitnessObservation(24, 8, PLACES)
OVERALIGNED = WitnessObservation(16, 16, PLACES)


def told(item: Difference) -> tuple[str, str, str, str]:
    return item.side, item.what, value_text(item.seen), note_text(item.note)


DEBUG = [
    (RIGHT, RIGHT, []),
    (ODD, ODD, []),
    (RIGHT, WitnessObservation(16, None, PLACES), []),
    (RIGHT, ODD, [("debug info", "b", "40:7", "object says 35:7, DWARF says 40:7")]),
    (ODD, RIGHT, [("object", "b", "40:7", "object says 40:7, DWARF says 35:7")]),
    (RIGHT, LESS, [("debug info", "b", "nothing", "object says 35:7, DWARF says nothing")]),
    (RIGHT, LARGE, [("debug info", "sizeof", "24", "object says 16, DWARF says 24")]),
    (RIGHT, OVERALIGNED, [("debug info", "_Alignof", "16", "object says 8, DWARF says 16")]),
]


@pytest.mark.parametrize(("own", "dwarf", "expected"), DEBUG)
def test_dwarf_is_held_against_the_constants(
    own: WitnessObservation, dwarf: WitnessObservation, expected: list[tuple[str, str, str, str]]
) -> None:
    shown = {ProbeKind.LAYOUT: own, ProbeKind.DEBUG_INFO: dwarf}
    verdict = judge_debug_info("p", PREDICTED, shown)
    assert verdict.kind is ProbeKind.DEBUG_INFO
    assert [told(item) for item in verdict.differences] == expected
    assert verdict.verdict is (Judgement.DEVIATES if expected else Judgement.AGREES)


VALUES = [
    (RIGHT, RIGHT, []),
    (ODD, ODD, [("values", "b", "40:7", "")]),
    (RIGHT, ODD, [("values", "b", "40:7", "object says 35:7, running code says 40:7")]),
    (ODD, RIGHT, [("object", "b", "40:7", "object says 40:7, running code says 35:7")]),
    (LARGE, RIGHT, [("object", "sizeof", "24", "object says 24, running code says 16")]),
]


@pytest.mark.parametrize(("own", "values", "expected"), VALUES)
def test_running_code_is_held_against_text_and_constants(
    own: WitnessObservation, values: WitnessObservation, expected: list[tuple[str, str, str, str]]
) -> None:
    verdict = judge_values("p", PREDICTED, {ProbeKind.LAYOUT: own, ProbeKind.VALUES: values})
    assert [told(item) for item in verdict.differences] == expected


def test_a_detail_names_every_witness() -> None:
    shown = {ProbeKind.LAYOUT: RIGHT, ProbeKind.DEBUG_INFO: ODD, ProbeKind.VALUES: RIGHT}
    detail = judge_debug_info("p", PREDICTED, shown).detail
    assert "(object says 35:7, DWARF says 40:7, running code says 35:7)" in detail
