"""CPU time of a run: seconds of this process by stage, and of its children by what they are.

One process does one thing at a time, so there is one stopwatch. A stage within a stage counts for itself alone.
"""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import msgspec

RUN = "run"
"""The time of executors, emulators included, and of the code that they run."""

_spent: defaultdict[str, float] = defaultdict(float)
_inner = [0.0]


@contextmanager
def stage(name: str) -> Iterator[None]:
    """Count the CPU time of this process until the end of the block as that of a stage."""
    began, before = time.process_time(), _inner[0]
    try:
        yield
    finally:
        whole = time.process_time() - began
        _spent[name] += whole - (_inner[0] - before)
        _inner[0] = before + whole


def cpu_seconds() -> float:
    """CPU seconds of this process and of its children that have ended."""
    return sum(os.times()[:4])


def charge(name: str, seconds: float) -> None:
    """Count the CPU time of a child."""
    _spent[name] += seconds


class Lapse(msgspec.Struct):
    """CPU seconds of this process while something was done, and those of them that are a stage's or a child's, by name."""

    own: float = 0.0
    stages: dict[str, float] = msgspec.field(default_factory=dict)


@contextmanager
def lapse(known: Lapse | None = None) -> Iterator[Lapse]:
    """Measure a block; what it takes is added to what is `known` already."""
    used, began, before = known or Lapse(), time.process_time(), spent()
    try:
        yield used
    finally:
        used.own += time.process_time() - began
        for name, seconds in since(before).items():
            used.stages[name] = used.stages.get(name, 0.0) + seconds


def spent() -> dict[str, float]:
    """CPU seconds by stage, since this process began."""
    return dict(_spent)


def since(before: Mapping[str, float]) -> dict[str, float]:
    """CPU seconds by stage since `before`, what `spent` said then; what took none is left out."""
    lapse = {name: seconds - before.get(name, 0.0) for name, seconds in spent().items()}
    return {name: seconds for name, seconds in lapse.items() if seconds > 0}
