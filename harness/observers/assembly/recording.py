"""States in assembly as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from abiprobe.harness.observers.assembly.assembly import Held, Other, State
from abiprobe.harness.observers.assembly.observing import ObservedAssembly
from abiprobe.harness.observers.recording import Plain


def recorded(seen: ObservedAssembly) -> Plain:
    """Return the states of a plan as plain values."""
    return (seen.source, [_state(one) for one in seen.calls], [_state(one) for one in seen.results])


def replayed(kept: Plain) -> ObservedAssembly:
    """The states that `recorded` wrote; raises `ValueError` for anything else."""
    match kept:
        case (str(source), calls, results):
            return ObservedAssembly(source, tuple(map(_held_state, calls)), tuple(map(_held_state, results)))
        case _:
            raise ValueError("no record of assembly")


def _state(state: State | None) -> Plain:
    if state is None:
        return None
    registers = [(name, _plain(held)) for name, held in state.registers.items()]
    return (registers, [(at, _plain(held)) for at, held in state.stack.items()], state.shift)


def _plain(held: Held) -> int | str:
    return held.value if isinstance(held, Other) else held


def _held_state(kept: Sequence[Any] | None) -> State | None:
    if kept is None:
        return None
    registers, stack, shift = kept
    return State(
        {}, {name: _held(one) for name, one in registers}, {at: _held(one) for at, one in stack}, shift
    )


def _held(kept: int | str) -> Held:
    return Other(kept) if isinstance(kept, str) else kept
