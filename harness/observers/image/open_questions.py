"""Questions about calls on which the text is silent: what is asked of them all the same, and the verdicts."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from abiprobe.harness.observers.image.open_calls import ObservedOpenCall
from abiprobe.harness.observers.image.open_plan import plan_open
from abiprobe.harness.observers.image.plan import CallPlan, TooLargeError
from abiprobe.harness.observers.image.prediction import settled, unspecified
from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import Probe
from abiprobe.oracles.model import AbiModel
from abiprobe.oracles.text.place import Files, Unspecified
from abiprobe.results.coverage.differing import follows
from abiprobe.results.verdicts.readings import NONE
from abiprobe.results.verdicts.record import Outcome, Verdict


def predict_open(
    model: AbiModel, asked: Probe, answer: object, readings: Mapping[str, AbiModel], files: Files
) -> CallPlan | tuple[Verdict, ...]:
    """A plan for a question on which the text is silent, or the verdicts that settle it."""
    question = asked.question
    assert isinstance(question, Prototype), "records are asked about otherwise"
    silence = answer if isinstance(answer, Unspecified) else silence_of(model, question)
    try:
        return plan_open(model, asked.id, question, silence, readings, files)
    except TooLargeError:
        return unspecified(asked.id, question, silence.clause, silence.why)
    except AbsentError as absence:
        return settled(asked.id, question, Outcome.UNSUPPORTED, str(absence))


def silence_of(model: AbiModel, question: Prototype) -> Unspecified:
    """Return the silence about the values of a call whose places the text decides."""
    for c_type in question.types:
        try:
            model.types.mask(c_type)
        except SilentError as silence:
            return Unspecified(silence.clause, silence.why)
    return Unspecified("", "")


def judged_open(plan: CallPlan, seen: ObservedOpenCall) -> tuple[Verdict, ...]:
    """The verdicts on an open question: whose reading the subject follows, and what it shows."""
    assert plan.silence is not None, "only open questions are seen so"
    first, *others = unspecified(plan.probe, plan.prototype, plan.silence.clause, plan.silence.why)
    followed = [name for name, expected in plan.readings.items() if follows(seen.shown, expected)]
    reading = (" and ".join(followed) or NONE) if plan.readings else ""
    return (msgspec.structs.replace(first, reading=reading, shown=seen.shown), *others)
