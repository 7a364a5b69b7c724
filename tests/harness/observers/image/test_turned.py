"""What is lost where a callee forwards its parameters in the opposite order is not expected of that callee."""

from __future__ import annotations

import msgspec
import pytest

from abiprobe.harness.machines.render.arrange import Manner, in_manner
from abiprobe.harness.observers.image.observer import ProgramObserver
from abiprobe.harness.observers.observer import PredictionKey
from abiprobe.oracles.language.lang import BitInt, Kind, Member, Param, Prototype, Record, Scalar
from abiprobe.oracles.language.question import probe
from abiprobe.oracles.model import Target
from abiprobe.oracles.quirks.in_force import QUIRKS, dialect_of
from abiprobe.oracles.registry import find_target

FLOAT = Scalar(Kind.FLOAT)
OVERLAPPING = Record("S", (Member(Scalar(Kind.INT), "a", width=3), Member(FLOAT, "b")), packed=True)
REALS = tuple(Param(name, FLOAT) for name in "abcdeghi")
BEHIND_REALS = Prototype("f", None, (*REALS, Param("j", OVERLAPPING)))
TEXT = find_target("riscv64-lp64d")
LOSES = (
    QUIRKS["clang before 23 takes a bit-field to be as wide as its declared type"],
    QUIRKS["clang loses what it takes to go beyond the end of a struct that is an argument"],
)


BESIDE_REAL = Record("S", (Member(BitInt(7), "a"), Member(FLOAT, "b")))
"""With reals in front, all of it is in one integer register, extended; with none, its `_BitInt` is alone in one, where bit 7 is open."""


def seen(target: Target, manner: Manner, function: Prototype = BEHIND_REALS) -> bytes:
    """The bits of the struct that the callee is expected to see."""
    (plan,) = ProgramObserver(PredictionKey(target)).prepare([probe(in_manner(function, manner))]).plans
    view = plan.turns[0].views[-1]
    return view.care.to_bytes(view.care.bit_length() // 8 + 1, "little").rstrip(b"\0")


@pytest.mark.parametrize("manner", [Manner.PLAIN, Manner.FORWARDED, Manner.TURNED])
def test_by_the_text_all_of_a_struct_is_seen(manner: Manner) -> None:
    assert seen(TEXT, manner) == b"\x07\xff\xff\xff\xff"


@pytest.mark.parametrize(("manner", "bits"), [(Manner.FORWARDED, 0xFF), (Manner.TURNED, 0x7F)])
def test_what_the_text_leaves_open_above_a_bit_int_is_not_seen(manner: Manner, bits: int) -> None:
    function = msgspec.structs.replace(BEHIND_REALS, params=(*REALS, Param("j", BESIDE_REAL)))
    assert seen(TEXT, manner, function) == bytes([bits, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF])


def test_by_a_dialect_that_loses_the_end_of_a_struct_in_two_registers_it_is_not_seen() -> None:
    clang = dialect_of(TEXT, "clang-22", LOSES)
    assert seen(clang, Manner.PLAIN) == b"\x07\xff\xff\xff\xff"
    assert seen(clang, Manner.TURNED) == b"\x07\xff\xff\xff"


def test_the_prediction_says_so() -> None:
    whole, kept = (
        ProgramObserver(PredictionKey(dialect_of(TEXT, "clang-22", quirks))) for quirks in (LOSES, LOSES[:1])
    )
    plain, turned = (probe(in_manner(BEHIND_REALS, manner)) for manner in (Manner.PLAIN, Manner.TURNED))
    assert whole.prediction(plain) == kept.prediction(plain)
    assert whole.prediction(turned) != kept.prediction(turned)
    assert msgspec.structs.replace(turned.question, name="f") == BEHIND_REALS
