"""Questions about calls of CUDA devices: what the model says, ready to be asked of compilers."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from abiprobe.harness.observers.device.assembler.probes import RESULT, START
from abiprobe.harness.observers.device.unit import Slots, slots
from abiprobe.oracles.abis.ptx.unnamed import UnnamedMemory
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import ProbeKind
from abiprobe.oracles.text.place import Assignment, Unspecified, Unsupported
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict, unobserved


class DevicePlan(msgspec.Struct, frozen=True):
    """The plan of one prototype, which no compiler affects; `number` is its place in the batch.

    `silence` says why no text decides where its values are; then `readings` are what families of compilers assign, and
    `areas` where they have unnamed arguments.
    """

    number: int
    probe: str
    prototype: Prototype
    assignment: Assignment
    slots: Slots
    silence: Unspecified | None = None
    readings: Mapping[str, Assignment] = msgspec.field(default_factory=dict)
    areas: Mapping[str, UnnamedMemory] = msgspec.field(default_factory=dict)


def planned(
    number: int, probe: str, question: Prototype, answer: Assignment | Unspecified | Unsupported
) -> DevicePlan | tuple[Verdict, ...]:
    """A prototype of which the model gives `answer`, ready to be asked, or the verdicts that settle it."""
    match answer:
        case Assignment():
            return with_slots(DevicePlan(number, probe, question, answer, slots((), None)))
        case Unspecified(clause, why):
            return tuple(
                Verdict(probe, kind, Judgement.UNSPECIFIED, Outcome.OBSERVED, clause, why)
                for kind in kinds(question)
            )
        case Unsupported(why):
            return tuple(unobserved(probe, kind, Outcome.UNSUPPORTED, why) for kind in kinds(question))


def with_slots(plan: DevicePlan) -> DevicePlan | tuple[Verdict, ...]:
    """A plan with places for its values in memory, or the verdicts where they are too large."""
    said = plan.assignment
    places = slots(
        [(passed.size, passed.align) for passed in said.params],
        None if said.result is None else (said.result.size, said.result.align),
    )
    used = sum(place.size + 8 for place in places.params)
    if used <= RESULT - START:
        return msgspec.structs.replace(plan, slots=places)
    words = f"{used} bytes"
    return tuple(unobserved(plan.probe, kind, Outcome.TOO_LARGE, words) for kind in kinds(plan.prototype))


def kinds(function: Prototype) -> tuple[ProbeKind, ...]:
    """The kinds of probe that make sense for a prototype."""
    if function.kernel:
        return (ProbeKind.PARAM,)
    sides = (ProbeKind.CALLER, ProbeKind.CALLEE) if function.params else ()
    result = (ProbeKind.RESULT,) if function.result is not None else ()
    pointer = (ProbeKind.POINTER,) if sides or result else ()
    return (ProbeKind.PARAM, *sides, *result, *pointer)
