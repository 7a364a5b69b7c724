"""What compilers showed in a batch, kept small, so that a corrected model can judge it without any compiler.

An answer of a program belongs to the operation that was asked, which the model has a say in: where a callee's
parameters are loaded, what a call returns. So each answer comes with digests of its operation, and only an answer to
the very operation that a model would ask today is believed.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias, assert_never

import msgspec

from abiprobe.harness.bench import Bench
from abiprobe.harness.calls.operations import operations
from abiprobe.harness.calls.plan import CallPlan
from abiprobe.harness.executors.replay import Died, Observation
from abiprobe.harness.layouts import LayoutPlan
from abiprobe.harness.observe import Failed
from abiprobe.harness.runtime.machine import Machine
from abiprobe.harness.runtime.script import Call, Called, Entered, Paired, Peeked
from abiprobe.oracles.model import RegisterConvention
from abiprobe.oracles.question import ProbeKind
from abiprobe.results.record import Outcome
from abiprobe.results.seen import PairSeen
from abiprobe.results.witnesses import Shown

DIGEST = 6
"""Bytes of a digest: enough to tell the operations of one probe apart."""
CALLED, ENTERED, DIED = range(3)

Answer: TypeAlias = tuple[Any, ...]
"""One observation as plain values, the first of which says what it is."""


class Said(msgspec.Struct, frozen=True, array_like=True):
    """What a witness said of a record, or the outcome and the words with which it failed."""

    size: int
    align: int | None
    places: dict[str, tuple[int, int]]
    outcome: str = ""
    words: str = ""

    @classmethod
    def of(cls, said: Shown | Failed) -> Said:
        """What is kept of it."""
        if isinstance(said, Failed):
            return cls(0, None, {}, said.outcome.value, said.words)
        return cls(said.size, said.align, dict(said.places))

    @property
    def testimony(self) -> Shown | Failed:
        """What it said."""
        if self.outcome:
            return Failed(Outcome(self.outcome), self.words)
        return Shown(self.size, self.align, self.places)


class Arrived(msgspec.Struct, frozen=True, array_like=True):
    """What arrived in one turn of a pair, or the outcome and the words with which it failed."""

    params: tuple[bytes, ...]
    result: bytes
    outcome: str = ""
    words: str = ""

    @classmethod
    def of(cls, turn: PairSeen | Failed) -> Arrived:
        """What is kept of it."""
        if isinstance(turn, Failed):
            return cls((), b"", turn.outcome.value, turn.words)
        return cls(turn.params, turn.result)

    @property
    def seen(self) -> PairSeen | Failed:
        """What was seen."""
        if self.outcome:
            return Failed(Outcome(self.outcome), self.words)
        return PairSeen(self.params, self.result)


class Script(msgspec.Struct, frozen=True, array_like=True):
    """Digests of the four operations of a prototype, and of parts of its calls.

    `before` is all that a caller can know until it is captured, `given` what a caller is given.
    """

    operations: tuple[bytes, ...]
    before: tuple[bytes, ...]
    given: tuple[bytes, ...]


class Tape(msgspec.Struct, array_like=True):
    """What one subject, at one level, showed of each probe of a batch; `scripts` are digests of what was asked."""

    scripts: dict[str, Script] = {}
    calls: dict[str, tuple[Answer, ...]] = {}
    layouts: dict[str, dict[str, Said]] = {}
    pairs: dict[str, dict[str, tuple[Arrived, ...]]] = {}

    def keep_call(self, probe: str, answers: Iterable[Observation]) -> None:
        """Keep the observations of one prototype."""
        self.calls[probe] = tuple(map(flattened, answers))

    def keep_layout(self, probe: str, heard: Mapping[ProbeKind, Shown | Failed]) -> None:
        """Keep what the witnesses of one record said."""
        self.layouts[probe] = {kind.value: Said.of(said) for kind, said in heard.items()}

    def keep_pair(self, partner: str, probe: str, turns: Sequence[PairSeen | Failed]) -> None:
        """Keep what arrived when a partner's callee was called."""
        self.pairs.setdefault(partner, {})[probe] = tuple(map(Arrived.of, turns))


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(Tape)
_DIGESTS = msgspec.msgpack.Decoder(dict[str, bytes])


def packed(tape: Tape) -> bytes:
    """A tape as compressed bytes."""
    return zlib.compress(_ENCODER.encode(tape), 6)


def unpacked(data: bytes) -> Tape:
    """The tape that `packed` wrote; raises `ValueError` for anything else."""
    try:
        return _DECODER.decode(zlib.decompress(data))
    except (zlib.error, msgspec.DecodeError) as error:
        raise ValueError(f"no record of observations ({error})") from error


def packed_digests(predictions: Mapping[str, bytes]) -> bytes:
    """Digests of what the model said, by probe, as bytes."""
    return _ENCODER.encode(predictions)


def unpacked_digests(data: bytes) -> dict[str, bytes]:
    """The digests that `packed_digests` wrote; raises `ValueError` for anything else."""
    try:
        return _DIGESTS.decode(data)
    except msgspec.DecodeError as error:
        raise ValueError(f"no record of predictions ({error})") from error


def digest(value: object) -> bytes:
    """A digest of plain values."""
    return hashlib.blake2b(_ENCODER.encode(value), digest_size=DIGEST).digest()


def prediction(plan: CallPlan | LayoutPlan) -> bytes:
    """A digest of all that a verdict on a plan takes from the model, the names of clauses included."""
    if isinstance(plan, CallPlan):
        return digest(plan.assignment)
    return digest((plan.predicted, plan.silence, plan.readings))


def script(plan: CallPlan, machine: Machine, registers: RegisterConvention) -> Script:
    """Digests of what a program is asked about a prototype; its number in the image has no part in them."""
    asked = operations(plan, 0, machine, registers)
    calls = [op for op in asked if isinstance(op, Call)]
    return Script(tuple(map(digest, asked)), tuple(map(before, calls)), tuple(map(given, calls)))


def marks(
    plans: Sequence[CallPlan | LayoutPlan], bench: Bench | None
) -> tuple[dict[str, bytes], dict[str, Script]]:
    """For each plan what the model said, and for those that are run what was therefore asked."""
    run = [plan for plan in plans if isinstance(plan, CallPlan)] if bench is not None else []
    scripts = {plan.probe: script(plan, bench.machine, bench.registers) for plan in run if bench is not None}
    return {plan.probe: prediction(plan) for plan in plans}, scripts


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
            return (CALLED, answer.sp, answer.captures, *seen, answer.left, answer.out)
        case Entered():
            return (ENTERED, answer.sp, answer.blob_address, answer.left, answer.out, answer.blob)
        case Died():
            return (DIED, answer.why, answer.ran)
        case Paired():
            raise AssertionError("what a pair shows is kept as such")
        case _:
            assert_never(answer)


def observation(kept: Answer, index: int) -> Observation:
    """The observation that `flattened` wrote."""
    match kept:
        case (0, sp, captures, captured, window, peeks, stored, left, out):
            peeked = tuple(Peeked(address, data) for address, data in peeks)
            return Called(index, sp, captures, captured, window, peeked, tuple(stored), left, out)
        case (1, sp, address, left, out, blob):
            return Entered(index, sp, address, left, out, blob)
        case (2, why, ran):
            return Died(index, why, ran)
        case _:
            raise ValueError("no observation")


def heard(kept: Mapping[str, Said]) -> dict[ProbeKind, Shown | Failed]:
    """What the witnesses of a record said."""
    return {ProbeKind(kind): said.testimony for kind, said in kept.items()}
