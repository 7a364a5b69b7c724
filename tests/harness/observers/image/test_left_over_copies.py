"""A copy that a caller leaves in a register is no place of a value whose address nobody followed."""

from __future__ import annotations

import pytest

from abiprobe.harness.machines.runtime.s390x import S390X
from abiprobe.harness.machines.runtime.script import Paired
from abiprobe.harness.observers.image.open_inference import Inference, infer
from abiprobe.harness.observers.image.open_plan import plan_open
from abiprobe.harness.observers.image.open_shown import shown_part
from abiprobe.harness.observers.image.tracing import State, noise_of
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.supposed import supposed
from abiprobe.oracles.language.lang import Array, Kind, Member, Param, Prototype, Record, Scalar
from abiprobe.oracles.registry import find_model
from abiprobe.oracles.text.place import Unspecified
from abiprobe.results.verdicts.wording import spot_text

SCRATCH = "r0"
SMALL, LARGE = 16, 4096
"""Bytes: there are fewer words of memory to look at than may hold an address, if a large value is among the arguments."""


def inferences(size: int) -> Inference:
    """A call of a 16-byte integer that is passed by reference, and a struct of `size` bytes; its callee cannot be asked."""
    model = find_model("s390x")
    large = Record("S", (Member(Array(Scalar(Kind.CHAR), size), "a"),))
    function = Prototype("f", None, (Param("v", Scalar(Kind.INT128)), Param("s", large)))
    silence = Unspecified("s390x:open", "by way of example")
    types = supposed(model.types, Reading.GCC)
    one = infer(plan_open(model, "p", function, silence, {}, S390X.files), types, model.types, S390X)
    at, width = S390X.registers[SCRATCH]
    states = []
    for turn, values in enumerate(one.plan.turns):
        block = bytearray(noise_of(turn)[: len(S390X.initial)])
        block[at : at + width] = values.values[0][:width]
        states.append(State(bytes(block), noise_of(turn)[-one.window :], {}))
    one.passed = tuple(states)
    one.arrived = tuple(
        Paired(0, out=turn.stored.bits.to_bytes(one.plan.slots.size, "little")) for turn in one.plan.turns
    )
    return one


@pytest.mark.parametrize(("size", "places"), [(SMALL, (SCRATCH,)), (LARGE, ())])
def test_a_lone_copy_counts_only_where_every_address_was_followed(size: int, places: tuple[str, ...]) -> None:
    one = inferences(size)
    assert one.followed is bool(places)
    assert tuple(map(spot_text, shown_part(one, one.parts[0], S390X).at)) == places
