"""Two lies beside each quirk that a compiler shows in a call: each is told as new, since a quirk says every byte."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from abiprobe.harness.machines.executors.replay import Observation
from abiprobe.harness.machines.runtime.machine import Machine
from abiprobe.harness.machines.runtime.script import Called, Entered
from abiprobe.harness.observers.ask import ask
from abiprobe.harness.observers.image import observe
from abiprobe.harness.observers.image.plan import OPS_PER_PROBE, CallPlan
from abiprobe.oracles.engine.expect import Expected, contents
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import ProbeKind, probe
from abiprobe.oracles.quirks.in_force import dialect_of, in_force
from abiprobe.oracles.quirks.quirk import Side
from abiprobe.oracles.registry import find_target
from abiprobe.oracles.text.place import Assignment, Passing, Register, Unspecified, Unsupported
from abiprobe.results.verdicts.record import Judgement, Verdict
from tests.skipping import needs_executor

from .quirk_examples import QUICK, examples, pairs, version_of

LEVEL = "O2"
"""A level at which every quirk shows."""
Verdicts = dict[tuple[str, ProbeKind], Verdict]
"""What is said of a question, by its probe, and a kind of probe."""
Lie = Callable[[CallPlan, int, Observation, Machine], Observation]
"""Changes the observation of an operation of a plan, in some turn."""


def flipped(data: bytes, bit: int) -> bytes:
    at = bit // 8
    return data[:at] + bytes([data[at] ^ 1 << bit % 8]) + data[at + 1 :]


def lowest(bits: int) -> int:
    """The number of the lowest bit that is set."""
    return (bits & -bits).bit_length() - 1


class CalleeLie:
    """A callee reads another value of the last argument of which a bit counts by the dialect."""

    def __init__(self, answers: dict[str, Assignment]) -> None:
        self.told: dict[str, ProbeKind] = {}
        self.answers = answers

    def __call__(self, plan: CallPlan, turn: int, seen: Observation, machine: Machine) -> Observation:
        if not isinstance(seen, Entered) or plan.probe not in self.answers:
            return seen
        masks = [int.from_bytes(one.mask, "little") for one in self.answers[plan.probe].params]
        views = [view.care & mask for view, mask in zip(plan.turns[turn].views, masks, strict=True)]
        for number, view in reversed(list(enumerate(views))):
            slot = plan.slots.params[number]
            if view and not slot.narrow:
                self.told[plan.probe] = kind_of(plan.prototype, number, ProbeKind.CALLEE)
                return replace(seen, out=flipped(seen.out, 8 * slot.offset + lowest(view)))
        return seen


class CallerLie:
    """A caller puts another value where the dialect has the last argument that travels itself."""

    def __init__(self, answers: dict[str, Assignment]) -> None:
        self.told: dict[str, ProbeKind] = {}
        self.answers = answers

    def __call__(self, plan: CallPlan, turn: int, seen: Observation, machine: Machine) -> Observation:
        if not isinstance(seen, Called) or plan.probe not in self.answers:
            return seen
        passed, values = self.answers[plan.probe].params, plan.turns[turn].values
        for number, one in reversed(list(enumerate(passed))):
            places = contents(one, values[number]) if one.passing is Passing.DIRECT else ()
            cared = next((place for place in places if place.care), None)
            if cared is not None and len(values[number]) == one.size:
                self.told[plan.probe] = kind_of(plan.prototype, number, ProbeKind.CALLER)
                return altered(seen, cared, machine)
        return seen


def altered(seen: Called, at: Expected, machine: Machine) -> Called:
    """What a caller shows, with a bit of a place turned over."""
    bit = lowest(at.care)
    if isinstance(at.place, Register):
        start, _ = machine.registers[at.place.name]
        return replace(seen, captured=flipped(seen.captured, 8 * start + bit))
    bit += 8 * at.place.offset
    return replace(seen, window=flipped(seen.window, bit)) if bit < 8 * len(seen.window) else seen


def is_as_long(answer: Assignment, written: Assignment | Unspecified | Unsupported) -> bool:
    """Return whether values have the sizes by the text that they have by a dialect, so that programs for one can be lied about to the other."""
    return not isinstance(written, Assignment) or [one.size for one in answer.params] == [
        one.size for one in written.params
    ]


def kind_of(prototype: Prototype, number: int, side: ProbeKind) -> ProbeKind:
    return side if number < len(prototype.params) else ProbeKind.VARIADIC


@pytest.mark.parametrize("side", sorted(Side, key=lambda side: side.value))
@pytest.mark.parametrize(("target", "subject"), pairs(of_c=True))
def test_a_lie_beside_a_quirk_is_new(
    target: str, subject: str, side: Side, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = version_of(target, subject)
    about = find_target(target)
    if not about.machine:
        pytest.skip(f"nothing runs programs of {target}")
    needs_executor(target)
    questions = questions_of(target)
    dialect = dialect_of(about, subject, in_force(about, subject, version, LEVEL, side))
    answers = {name: dialect.model().assign(one) for name, one in questions.items()}
    written = {name: about.model().assign(one) for name, one in questions.items()}
    decided = {
        name: one
        for name, one in answers.items()
        if isinstance(one, Assignment) and is_as_long(one, written[name])
    }
    truth, tape = honest(target, subject)
    lie = (CallerLie if side is Side.CALLER else CalleeLie)(decided)
    with monkeypatch.context() as patch:
        tape.on(patch)
        patch.setattr(observe, "seen_calls", lying(lie))
        lied = asked(target, subject)
    assert lie.told or (target, subject) not in QUICK
    excused = [
        (str(questions[name]), kind.value, lied[name, kind].quirks)
        for name, kind in lie.told.items()
        if (name, kind) in truth
        and (truth[name, kind].verdict is Judgement.AGREES or truth[name, kind].quirks)
        and (lied[name, kind].verdict is not Judgement.DEVIATES or lied[name, kind].quirks)
    ]
    assert excused == []


def lying(lie: Lie) -> Callable[..., Any]:
    honest = observe.seen_calls

    def seen_calls(
        plans: Sequence[CallPlan], answers: Sequence[Observation], machine: Machine, *rest: Any
    ) -> Any:
        told = [
            lie(plans[number // OPS_PER_PROBE], number % OPS_PER_PROBE // 2, seen, machine)
            for number, seen in enumerate(answers)
        ]
        return honest(plans, told, machine, *rest)

    return seen_calls


def questions_of(target: str) -> dict[str, Prototype]:
    """The calls among the examples of quirks, by their probes."""
    return {
        probe(one).id: one
        for found in examples(target).values()
        for one in found
        if isinstance(one, Prototype) and one.isa is None
    }


def asked(target: str, subject: str) -> Verdicts:
    """The verdicts of a subject on each question, by kind."""
    questions = list(questions_of(target).values())
    return {
        (name, verdict.kind): verdict
        for found in ask(find_target(target), questions, [(subject, LEVEL)]).values()
        for name, verdicts in found.items()
        for verdict in verdicts
    }


class Tape:
    """What came of compiling, linking and running: recorded of an honest compiler, and played back under the lies."""

    def __init__(self) -> None:
        self.kept: dict[object, Any] = {}

    def on(self, patch: pytest.MonkeyPatch) -> None:
        """Let observers have what is kept, and keep what is not."""
        for name, key in KEYS.items():
            patch.setattr(observe, name, self._kept(name, key, getattr(observe, name)))

    def _kept(self, name: str, key: Callable[..., object], do: Callable[..., Any]) -> Callable[..., Any]:
        def get(*given: Any) -> Any:
            asked = name, key(*given)
            if asked not in self.kept:
                self.kept[asked] = do(*given)
            return self.kept[asked]

        return get


KEYS: dict[str, Callable[..., object]] = {
    "objects_of": lambda attempt, plans, text: (attempt.table, attempt.options, probes_of(plans), text),
    "linked": lambda _attempt, table, *unit: (table, unit),
    "run_image": lambda _attempt, _bench, image, messages, _probes: (image, tuple(messages)),
    "marks_of": lambda path, count: (path, count),
}
"""The steps of an observation that start programs or read files, and what decides their outcome."""


def probes_of(plans: Sequence[CallPlan]) -> tuple[str, ...]:
    return tuple(plan.probe for plan in plans)


@cache
def honest(target: str, subject: str) -> tuple[Verdicts, Tape]:
    """The same while nothing is changed, and what the programs answered: asked once for both sides."""
    tape = Tape()
    with pytest.MonkeyPatch.context() as patch:
        tape.on(patch)
        return asked(target, subject), tape
