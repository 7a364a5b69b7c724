"""The answers of programs as plain values, and which of them answer what a model of today would ask.

An answer belongs to the operation that was asked, in which the model has a say: where a callee's parameters are loaded,
what a call returns. So digests of the operations stand beside the answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias, assert_never

import msgspec

from abiprobe.harness.machines.executors.replay import Died, Observation
from abiprobe.harness.machines.runtime.machine import Machine
from abiprobe.harness.machines.runtime.script import NO_CODE, Call, Called, Entered, Paired, Peeked, Written
from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.observers.image.observe import ObservedCall, seen_calls
from abiprobe.harness.observers.image.operations import operations
from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.harness.observers.observer import OTHERWISE
from abiprobe.harness.observers.recording import digest
from abiprobe.oracles.model import RegisterConvention
from abiprobe.oracles.text.place import Files
from abiprobe.results.verdicts.addresses import Addresses
from abiprobe.results.verdicts.observations import ObservedCaller, ObservedPair
from abiprobe.results.verdicts.record import Outcome

CALLED, ENTERED, DIED, MARKED = range(4)

Answer: TypeAlias = Sequence[Any]
"""One observation as plain values, the first of which says what it is."""


class Script(msgspec.Struct, frozen=True, array_like=True):
    """Digests of the four operations of a prototype, and of parts of its calls.

    `before` is all that a caller can know until it is captured, `given` what a caller is given.
    """

    operations: tuple[bytes, ...]
    before: tuple[bytes, ...]
    given: tuple[bytes, ...]


class Arrived(msgspec.Struct, frozen=True, array_like=True):
    """The observation of one turn of a pair, or the outcome and the words with which it failed."""

    params: tuple[bytes, ...]
    result: bytes
    outcome: str = ""
    words: str = ""
    addresses: Addresses | None = None

    @classmethod
    def of(cls, turn: ObservedPair | Failed) -> Arrived:
        """Return an observation as plain values."""
        if isinstance(turn, Failed):
            return cls((), b"", turn.outcome.value, turn.words)
        return cls(turn.params, turn.result, addresses=turn.addresses)

    def seen(self, files: Files) -> ObservedPair | Failed:
        """Return the observation, on a machine whose registers have these files."""
        if self.outcome:
            return Failed(Outcome(self.outcome), self.words)
        return ObservedPair(self.params, self.result, files, addresses=self.addresses)


def script(plan: CallPlan, machine: Machine, registers: RegisterConvention) -> Script:
    """Digests of what a program is asked about a prototype; its number in the image has no part in them."""
    asked = operations(plan, 0, machine, registers)
    calls = [op for op in asked if isinstance(op, Call)]
    return Script(tuple(map(digest, asked)), tuple(map(before, calls)), tuple(map(given, calls)))


def before(op: Call) -> bytes:
    """A digest of the part of a call that happens before it is captured, and of what is then recorded."""
    return digest((given(op), op.stack_window, op.peeks))


def given(op: Call) -> bytes:
    """A digest of what a caller is given: values, registers and stack."""
    return digest((op.enter, op.inputs, op.stack_poison, op.sp_bias))


def flattened(answer: Observation) -> Answer:
    """An observation as plain values."""
    match answer:
        case Called():
            peeks = tuple((peek.address, peek.data) for peek in answer.peeks)
            seen = (answer.captured, answer.window, peeks, answer.stored)
            return (
                CALLED,
                answer.sp,
                answer.captures,
                *seen,
                answer.left,
                answer.out,
                answer.code,
                flat_written(answer.written),
            )
        case Entered():
            return (
                ENTERED,
                answer.sp,
                answer.blob_address,
                answer.left,
                answer.out,
                answer.blob,
                answer.code,
                flat_written(answer.written),
            )
        case Died():
            return (DIED, answer.why, answer.ran, *([True] if answer.unsupported else []))
        case Paired():
            raise AssertionError("what a pair shows is kept as such")
        case _:
            assert_never(answer)


def recorded_call(seen: ObservedCall) -> tuple[Answer, ...]:
    """All that is kept of a call: the answers, and behind them the mark of the callee, if it was looked at."""
    mark = () if seen.mark is None else ((MARKED, seen.mark),)
    return (*map(flattened, seen.answers), *mark)


def observation(kept: Answer) -> Observation:
    """The observation that `flattened` wrote."""
    match kept:
        case (0, sp, captures, captured, window, peeks, stored, left, out, *rest):
            peeked = tuple(Peeked(address, data) for address, data in peeks)
            code, written = read_rest(rest)
            return Called(0, sp, captures, captured, window, peeked, tuple(stored), left, out, code, written)
        case (1, sp, address, left, out, blob, *rest):
            return Entered(0, sp, address, left, out, blob, *read_rest(rest))
        case (2, why, ran):
            return Died(0, why, ran)
        case (2, why, ran, unsupported):
            return Died(0, why, ran, unsupported)
        case _:
            raise ValueError("no observation")


def flat_written(written: Sequence[Written]) -> tuple[tuple[int, int], ...]:
    return tuple((one.offset, one.size) for one in written)


def read_rest(kept: Sequence[Any]) -> tuple[tuple[int, int], tuple[Written, ...]]:
    """Return the bounds of code and the changes of watched memory, as far as a run kept them."""
    if not kept:
        return NO_CODE, ()
    code, written = kept
    return tuple(code), tuple(Written(*one) for one in written)


def replayed(
    plan: CallPlan,
    answers: Sequence[Answer],
    then: Script,
    today: Script,
    about: tuple[Machine, RegisterConvention],
) -> ObservedCall:
    """Return the observation of a plan by recorded answers, as far as they answer today's questions; the others are missing."""
    *_, last = answers
    if last[0] == MARKED:
        seen = replayed(plan, answers[:-1], then, today, about)
        return msgspec.structs.replace(seen, mark=last[1])
    if then == today:
        return seen_calls([plan], list(map(observation, answers)), *about)[0]
    same = [old == new for old, new in zip(then.operations, today.operations, strict=True)]
    # What a caller passes does not depend on what it gets back, unless it died of that.
    until = [
        fine
        or (number % 2 == 0 and answer[0] != DIED and then.before[number // 2] == today.before[number // 2])
        for number, (fine, answer) in enumerate(zip(same, answers, strict=True))
    ]
    usable = [
        observation(answer) if fine else Died(0, OTHERWISE, ran=False)
        for fine, answer in zip(until, answers, strict=True)
    ]
    seen = seen_calls([plan], usable, *about)[0]
    missing = Failed(Outcome.ASKED_OTHERWISE, OTHERWISE)

    def only(
        good: Sequence[bool], callers: tuple[ObservedCaller | Failed, ...]
    ) -> tuple[ObservedCaller | Failed, ...]:
        return tuple(one if fine else missing for one, fine in zip(callers, good[::2], strict=True))

    callees = tuple(one if fine else missing for one, fine in zip(seen.callees, same[1::2], strict=True))
    return ObservedCall(only(same, seen.callers), callees, (), only(until, seen.callers))
