"""Records so large that asking about them would cost more than a compiler, or we, can be asked for."""

from __future__ import annotations

import pytest

from abiprobe.harness.machines.render import layouts
from abiprobe.harness.machines.render.layouts import all_bits
from abiprobe.harness.observers.objects import prediction
from abiprobe.harness.observers.objects.layouts import LayoutPlan
from abiprobe.harness.observers.objects.prediction import predict_layout
from abiprobe.oracles.language.lang import Array, Kind, Member, Record, Scalar, Type
from abiprobe.oracles.language.question import ProbeKind, probe
from abiprobe.oracles.registry import find_model
from abiprobe.oracles.text.place import MemberPlace
from abiprobe.results.verdicts.record import Judgement, Outcome

INT, CHAR = Scalar(Kind.INT), Scalar(Kind.CHAR)
BITS = Record("B", tuple(Member(INT, f"m{number}", width=3) for number in range(1000)))


def test_constants_that_are_too_large_are_not_asked_for() -> None:
    record = Record("R", (Member(Array(CHAR, 1 << 20), "a"), *BITS.members))
    said = predict_layout(find_model("x86_64-sysv"), probe(record).id, record)
    assert isinstance(said, tuple)
    (verdict,) = said
    assert (verdict.kind, verdict.verdict, verdict.outcome) == (
        ProbeKind.LAYOUT,
        Judgement.UNOBSERVED,
        Outcome.TOO_LARGE,
    )
    assert verdict.detail == f"{1000 * ((1 << 20) + 400)} bytes of constants for its 1000 bit-fields"


@pytest.mark.parametrize(("room", "kind"), [(BITS.members[0].width, tuple), (prediction.LARGEST, LayoutPlan)])
def test_the_limit_is_one_of_bytes(monkeypatch: pytest.MonkeyPatch, room: int, kind: type) -> None:
    monkeypatch.setattr(prediction, "LARGEST", room)
    assert isinstance(predict_layout(find_model("x86_64-sysv"), probe(BITS).id, BITS), kind)


def test_a_member_is_found_without_going_through_all_others(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[Type] = []
    strip = layouts.strip

    def counting(c_type: Type) -> Type:
        looked_at.append(c_type)
        return strip(c_type)

    monkeypatch.setattr(layouts, "strip", counting)
    for member in BITS.members:
        assert all_bits(BITS, MemberPlace(member.name, 0, 3, "", bit_field=True)) == "-1"
    assert len(looked_at) <= 2 * len(BITS.members)
