"""What lies beside a value that is stored too wide: no more bytes may be wrong than the dialect says."""

from __future__ import annotations

import pytest

from abiprobe.harness.input.declared import declared_in_ours
from abiprobe.harness.observers.image.overruns import without_overwritten
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import ProbeKind
from abiprobe.oracles.registry import find_model, find_target
from abiprobe.oracles.text.place import Assignment, Located, Register
from abiprobe.results.verdicts.locations import BYTES, InPlaces
from abiprobe.results.verdicts.record import Difference, Judgement, Outcome, Verdict, from_differences
from abiprobe.results.verdicts.values import Bytes

TARGET = "riscv64-lp64d"
TEXT = "struct S { float a; unsigned b : 8; } __attribute__((packed)); struct S f(struct S a, long b);"
"""Clang stores eight bytes of a struct of five, since the bit-field is an `unsigned` to it."""
AGREES, DEVIATES = Judgement.AGREES, Judgement.DEVIATES
TAKEN = TEXT.replace("struct S f", "long f")
"""A function whose caller has no more to store than a `long`."""
ROWS = [
    ("clang-22", "caller", "ff ff ff 13 14 15 16 17", AGREES),
    ("clang-22", "callee", "10 11 12 ff ff ff 16 17", AGREES),
    ("clang-22", "callee", "ff ff ff ff 14 15 16 17", DEVIATES),
    ("clang-22", "callee", "ff 11 12 ff 14 15 16 17", DEVIATES),
    ("clang-22", "object", "ff 11 12 13 14 15 16 17", DEVIATES),
    ("clang-24", "callee", "ff 11 12 13 14 15 16 17", DEVIATES),
    ("clang-reading", "callee", "ff 11 12 13 14 15 16 17", DEVIATES),
]


def assignment(dialect: str, text: str = TEXT) -> Assignment:
    """The places of the function in a dialect."""
    (function,) = (
        one for one in declared_in_ours(text, find_target(TARGET)).questions if isinstance(one, Prototype)
    )
    answer = find_model(f"{TARGET}@{dialect}").assign(function)
    assert isinstance(answer, Assignment)
    return answer


@pytest.mark.parametrize(("dialect", "side", "seen", "expected"), ROWS)
def test_no_more_may_be_wrong_than_is_overwritten(
    dialect: str, side: str, seen: str, expected: Judgement
) -> None:
    (found,) = without_overwritten([shown_by(side, seen)], assignment(dialect))
    assert found.verdict is expected


@pytest.mark.parametrize(("side", "expected"), [("caller", DEVIATES), ("callee", AGREES)])
def test_a_caller_stores_no_more_than_its_result(side: str, expected: Judgement) -> None:
    (found,) = without_overwritten([shown_by(side, "ff 11 12 13 14 15 16 17")], assignment("clang-22", TAKEN))
    assert found.verdict is expected


def test_bits_beside_a_value_in_its_register_are_not_overwritten() -> None:
    """Of seven bits in a byte the eighth may be anything, and one byte alone is wrong."""
    text = TEXT.replace("long b)", "long b, struct T { int c : 15; } d)")
    at = InPlaces((Located(Register("a2")),))
    given, seen = (Bytes(f"{first} .. .. .. .. .. ..") for first in ("99 39", "dd b9"))
    wrong = Difference("caller", "d", at, given, seen, "riscv:int.aggregate")
    called = assignment("clang-22", text)
    assert [piece.place for piece in called.params[2].pieces] == [Register("a2")]
    (found,) = without_overwritten([from_differences("p", ProbeKind.CALLER, (wrong,))], called)
    assert found.verdict is AGREES


def shown_by(side: str, seen: str) -> Verdict:
    """A deviation of the bytes of `b` on a side."""
    given = Bytes("10 11 12 13 14 15 16 17")
    wrong = Difference(side, "b", BYTES, given, Bytes(seen), "riscv:int.scalar")
    return from_differences("p", ProbeKind.CALLEE, (wrong,))


@pytest.mark.parametrize(("dialect", "expected"), [("clang-22", AGREES), ("clang-reading", DEVIATES)])
def test_an_address_may_be_overwritten(dialect: str, expected: Judgement) -> None:
    died = Verdict("p", ProbeKind.CALLEE, DEVIATES, Outcome.DIED, "riscv:int.scalar", "died")
    (found,) = without_overwritten([died], assignment(dialect))
    assert found.verdict is expected
