"""Places: where the text puts the values in which a deviation shows."""

from __future__ import annotations

import pytest
from laboratory import said

from abiprobe.oracles.language.question import ProbeKind
from abiprobe.results.causes.fingerprint import Fingerprint, Symptom
from abiprobe.results.causes.places import Place, place_of, places_of
from abiprobe.results.verdicts.record import Difference, Judgement, Outcome, Verdict

MISPLACED = Fingerprint("t", Symptom.MISPLACED, "t:one")


def difference(what: str, place: str, side: str = "caller", clause: str = "t:one") -> Difference:
    return said.difference(side, what, place, "1", "2", clause)


@pytest.mark.parametrize(
    ("what", "place", "expected"),
    [
        ("result", "rax", Place.RESULT),
        ("result", "memory at rdi", Place.RESULT),
        ("a", "rdi", Place.REGISTER),
        ("a", "rdi, stack+0", Place.STACK),
        ("a", "address in rcx", Place.MEMORY),
        ("stack pointer", "rsp", Place.STACK),
    ],
)
def test_a_value_is_in_a_place(what: str, place: str, expected: Place) -> None:
    assert place_of(difference(what, place)) is expected


def test_only_the_first_misplaced_value_of_each_side_counts() -> None:
    found = (
        difference("stack pointer", "rsp"),
        difference("a", "rdi"),
        difference("a", "stack+0", side="callee"),
        difference("b", "rsi", side="callee"),
    )
    verdict = Verdict("id", ProbeKind.CALLER, Judgement.DEVIATES, Outcome.OBSERVED, "t:one", "", found)
    assert places_of(MISPLACED, (verdict,)) == ("stack",)


def test_a_pair_has_no_part_in_what_one_compiler_shows() -> None:
    alone = (difference("a", "address in stack+96"),)
    both = (difference("a", "stack+96", side="pair"),)
    found = (
        Verdict("id", ProbeKind.CALLER, Judgement.DEVIATES, Outcome.OBSERVED, "t:one", "", alone),
        Verdict("id", ProbeKind.PAIR, Judgement.DEVIATES, Outcome.OBSERVED, "t:one", "", both),
    )
    assert places_of(MISPLACED, found) == ("memory",)
