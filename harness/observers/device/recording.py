"""Observations of a device compiler as plain values: declarations, and the machine code, which is read again."""

from __future__ import annotations

import msgspec

from abiprobe.harness.machines.readers.ptx import PtxDeclaration
from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.observers.device.assembler.cubin import KernelRecord
from abiprobe.harness.observers.device.cuda.runs import Run, Runs
from abiprobe.harness.observers.device.device_calls import NO_CALLER, ObservedDeviceCall, followed
from abiprobe.harness.observers.device.pairs import Linked, ObservedDevicePair
from abiprobe.harness.observers.device.sass.state import State
from abiprobe.harness.observers.device.unnamed import Area
from abiprobe.harness.observers.recording import Plain


class Side(msgspec.Struct, frozen=True, array_like=True):
    """The machine code of a caller or callee, or why there is none."""

    code: bytes
    failed: Failed | None = None

    @classmethod
    def of(cls, state: State | Failed, code: bytes) -> Side:
        """Return a side as plain values; code that could not be followed is kept, for a decoder that can."""
        return cls(b"", state) if isinstance(state, Failed) and not code else cls(code)

    @property
    def state(self) -> State | Failed:
        """The state at its end."""
        return self.failed or followed(self.code)


class Recorded(msgspec.Struct, frozen=True, array_like=True):
    """One prototype."""

    signature: PtxDeclaration | None
    declared: PtxDeclaration | None
    callee: Side
    caller: Side
    kernel: KernelRecord | None
    no_kernel: Failed | None
    taken: Area = Area()
    passed: Area = Area()
    pointed: PtxDeclaration | None = None
    pointer: Side | None = None
    ran: Runs = Runs()

    @classmethod
    def of(cls, seen: ObservedDeviceCall) -> Recorded:
        """Return an observation as plain values."""
        return cls(
            seen.signature,
            seen.declared,
            Side.of(seen.callee, seen.callee_code),
            Side.of(seen.caller, seen.caller_code),
            seen.kernel if isinstance(seen.kernel, KernelRecord) else None,
            seen.kernel if isinstance(seen.kernel, Failed) else None,
            seen.taken,
            seen.passed,
            seen.pointed,
            None if seen.pointer is None else Side.of(seen.pointer, seen.pointer_code),
            seen.ran,
        )

    @property
    def seen(self) -> ObservedDeviceCall:
        """The observation, without the objects to link."""
        kernel = self.kernel or self.no_kernel
        if kernel is not None:
            return ObservedDeviceCall(self.signature, NO_CALLER, NO_CALLER, kernel, ran=self.ran)
        sides = self.callee.state, self.caller.state
        return ObservedDeviceCall(
            self.signature,
            *sides,
            None,
            self.declared,
            self.callee.code,
            self.caller.code,
            taken=self.taken,
            passed=self.passed,
            pointed=self.pointed,
            pointer=None if self.pointer is None else self.pointer.state,
            pointer_code=b"" if self.pointer is None else self.pointer.code,
            ran=self.ran,
        )


class RecordedPair(msgspec.Struct, frozen=True, array_like=True):
    """One pair."""

    there: Recorded
    here: Recorded
    strings: tuple[str, str]
    said: Linked | None
    ran: Run | None = None

    @classmethod
    def of(cls, seen: ObservedDevicePair) -> RecordedPair:
        """Return an observation of a pair as plain values."""
        return cls(Recorded.of(seen.there), Recorded.of(seen.here), seen.strings, seen.said, seen.ran)

    @property
    def seen(self) -> ObservedDevicePair:
        """The observation of the pair."""
        return ObservedDevicePair(self.there.seen, self.here.seen, self.strings, self.said, self.ran)


def recorded(seen: ObservedDeviceCall) -> Plain:
    """Return the observation of one prototype as plain values."""
    return Recorded.of(seen)


def replayed(kept: Plain) -> ObservedDeviceCall:
    """Return the observation that `recorded` wrote; raises `ValueError` for anything else."""
    return msgspec.convert(kept, Recorded).seen


def replayed_pair(kept: Plain) -> ObservedDevicePair:
    """The pair that was recorded; raises `ValueError` for anything else."""
    return msgspec.convert(kept, RecordedPair).seen
