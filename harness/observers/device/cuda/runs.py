"""Observations of launches: what a function was given and what was there afterwards, in two turns with other values."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from abiprobe.harness.observers.device.assembler.launches import Launched
from abiprobe.harness.observers.device.assembler.probes import OUT, RESULT, START
from abiprobe.harness.observers.device.cuda.partners import Raw
from abiprobe.results.verdicts.record import Outcome


class Turn(msgspec.Struct, frozen=True, array_like=True):
    """The bytes from `START` and from `RESULT` on, and those that are stored `OUT` bytes behind them."""

    given: bytes
    result: bytes
    seen: bytes
    seen_result: bytes

    def before(self, address: int) -> int:
        """The byte that is loaded from an address."""
        return at(self.given, self.result, address)

    def after(self, address: int) -> int:
        """The byte that is stored of a value which is, or would be, loaded from an address."""
        return at(self.seen, self.seen_result, address)


def at(params: bytes, result: bytes, address: int) -> int:
    """A byte of parameters or a result."""
    return result[address - RESULT] if address >= RESULT else params[address - START]


class Run(msgspec.Struct, frozen=True, array_like=True):
    """The launches of one function: how they ended, and each turn.

    `raw` is what hand-written code took or passed.
    """

    outcome: Outcome
    words: str = ""
    turns: tuple[Turn, ...] = ()
    raw: Raw | None = None

    @classmethod
    def of(
        cls,
        windows: Sequence[bytes],
        ends: Sequence[Launched],
        sizes: tuple[int, int],
        raw: Raw | None = None,
    ) -> Run:
        """The run by the memories before and the ends of its launches; `sizes` are the bytes of parameters and result that count."""
        failed = next((one for one in ends if one.outcome is not Outcome.OBSERVED), None)
        if failed is not None:
            return cls(failed.outcome, failed.words, raw=raw)
        turns = (
            Turn(*cut(window, 0, sizes), *cut(end.seen, OUT, sizes))
            for window, end in zip(windows, ends, strict=True)
        )
        return cls(Outcome.OBSERVED, "", tuple(turns), raw)


def cut(memory: bytes, shift: int, sizes: tuple[int, int]) -> tuple[bytes, bytes]:
    """Parameters and result in a memory."""
    params, result = sizes
    start, behind = START + shift, RESULT + shift
    return memory[start : start + params], memory[behind : behind + result]


class KernelRun(msgspec.Struct, frozen=True, array_like=True):
    """The launches of a kernel by one way of passing: how they ended, and for each turn the parameters given and what was stored.

    `given` is the parameter block, or the values one by one.
    """

    outcome: Outcome
    words: str = ""
    given: tuple[tuple[bytes, ...], ...] = ()
    seen: tuple[bytes, ...] = ()

    @classmethod
    def of(cls, given: Sequence[tuple[bytes, ...]], ends: Sequence[Launched], size: int) -> KernelRun:
        """The run by what was given and the ends of its launches; `size` is in bytes, of all copies."""
        failed = next((one for one in ends if one.outcome is not Outcome.OBSERVED), None)
        if failed is not None:
            return cls(failed.outcome, failed.words)
        seen = (cut(end.seen, OUT, (size, 0))[0] for end in ends)
        return cls(Outcome.OBSERVED, "", tuple(given), tuple(seen))


class Runs(msgspec.Struct, frozen=True, array_like=True):
    """All that a GPU has run of one prototype, the GPU's architecture, and the machine code that it was.

    `block` and `values` are a kernel's, by its parameter block and value by value.
    """

    arch: str = ""
    caller: Run | None = None
    callee: Run | None = None
    block: KernelRun | None = None
    values: KernelRun | None = None
    caller_code: bytes = b""
    callee_code: bytes = b""
