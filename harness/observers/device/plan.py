"""Questions about calls of CUDA devices: what the model says, ready to be asked of compilers."""

from __future__ import annotations

import msgspec

from abiprobe.harness.observers.device.ptxas.probes import RESULT
from abiprobe.harness.observers.device.unit import Slots, slots
from abiprobe.oracles.lang import Prototype
from abiprobe.oracles.place import Assignment, Unspecified, Unsupported
from abiprobe.oracles.question import ProbeKind
from abiprobe.results.record import Judgement, Outcome, Verdict, unobserved


class DevicePlan(msgspec.Struct, frozen=True):
    """Everything about one prototype that no compiler changes; `number` is its place in the batch."""

    number: int
    probe: str
    prototype: Prototype
    assignment: Assignment
    slots: Slots


def planned(
    number: int, probe: str, question: Prototype, answer: Assignment | Unspecified | Unsupported
) -> DevicePlan | tuple[Verdict, ...]:
    """A prototype of which the model gives `answer`, ready to be asked, or the verdicts that settle it."""
    match answer:
        case Assignment():
            places = slots(
                [(passed.size, passed.align) for passed in answer.params],
                None if answer.result is None else (answer.result.size, answer.result.align),
            )
            used = sum(place.size + 8 for place in places.params)
            if used <= RESULT:
                return DevicePlan(number, probe, question, answer, places)
            words = f"{used} bytes"
            return tuple(unobserved(probe, kind, Outcome.TOO_LARGE, words) for kind in kinds(question))
        case Unspecified(clause, why):
            return tuple(
                Verdict(probe, kind, Judgement.UNSPECIFIED, Outcome.OBSERVED, clause, why)
                for kind in kinds(question)
            )
        case Unsupported(why):
            return tuple(unobserved(probe, kind, Outcome.UNSUPPORTED, why) for kind in kinds(question))


def kinds(function: Prototype) -> tuple[ProbeKind, ...]:
    """The kinds of probe that make sense for a prototype."""
    if function.kernel:
        return (ProbeKind.PARAM,)
    sides = (ProbeKind.CALLER, ProbeKind.CALLEE) if function.params else ()
    result = (ProbeKind.RESULT,) if function.result is not None else ()
    return (ProbeKind.PARAM, *sides, *result)
