"""Putting vector functions to one compiler: the names it makes, and what the functions do with each lane."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from abiprobe.harness.observe import Attempt, Failed, bisected
from abiprobe.harness.readers.elf import functions
from abiprobe.harness.vectors.bench import VectorBench
from abiprobe.harness.vectors.lanes import Lanes, run_lanes
from abiprobe.harness.vectors.plan import VectorPlan
from abiprobe.harness.vectors.render import needs_cxx
from abiprobe.harness.vectors.tools import tool
from abiprobe.harness.vectors.unit import vectors_unit
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.vfabi import NotAVectorNameError, parse_name
from abiprobe.results.record import Outcome

TOGETHER = 100
"""Functions in one unit: gcc makes eight or more of each, and of many takes longer than of each by itself."""
ATTRIBUTE = re.compile(rb'"(_ZGV[^"]*)"')


class Seen(msgspec.Struct, frozen=True):
    """What a compiler made of one function: the names, and how the variants behind them fare.

    `lanes` is `None` where the compiler makes no functions.
    """

    names: frozenset[str]
    lanes: Lanes | None


def observe_vectors(
    attempt: Attempt, bench: VectorBench | None, types: TypeTable, plans: Sequence[VectorPlan]
) -> Iterator[tuple[VectorPlan, Seen | Failed]]:
    """Everything about `plans`, C and C++ apart; a plan that the tools refuse costs itself only."""

    def together(attempt: Attempt, plans: Sequence[VectorPlan], text: str | None) -> Sequence[Seen] | Failed:
        made = text or vectors_unit(types, plans, compute=bench is not None)
        return _together(attempt, bench, types, plans, made)

    for cxx in (False, True):
        alike = [plan for plan in plans if needs_cxx(plan.question) is cxx]
        for start in range(0, len(alike), TOGETHER):
            yield from bisected(attempt, alike[start : start + TOGETHER], together)


def _together(
    attempt: Attempt, bench: VectorBench | None, types: TypeTable, plans: Sequence[VectorPlan], text: str
) -> Sequence[Seen] | Failed:
    cxx = any(needs_cxx(plan.question) for plan in plans)
    source = attempt.scratch(".cc" if cxx else ".c")
    source.write_text(text, "utf-8")
    if bench is None:
        found = _attributes(attempt, source, len(plans))
        return found if isinstance(found, Failed) else [Seen(names, None) for names in _shared(plans, found)]
    unit = tool(attempt, (str(source), "-c"), source.with_suffix(".o"), len(plans))
    if isinstance(unit, Failed):
        return unit
    try:
        named = _shared(plans, functions(unit.read_bytes()))
    except ValueError as error:
        return Failed(Outcome.REFUSED, f"the object file is not readable: {error}")
    lanes = run_lanes(attempt, bench, types, plans, named, unit)
    if isinstance(lanes, Failed):
        return lanes
    return [Seen(names, own) for names, own in zip(named, lanes, strict=True)]


def _attributes(attempt: Attempt, source: Path, probes: int) -> frozenset[str] | Failed:
    """The names that clang attaches to functions in its own language."""
    output = tool(attempt, (str(source), "-S", "-emit-llvm"), source.with_suffix(".ll"), probes)
    if isinstance(output, Failed):
        return output
    return frozenset(name.decode() for name in ATTRIBUTE.findall(output.read_bytes()))


def _shared(plans: Sequence[VectorPlan], names: frozenset[str]) -> list[frozenset[str]]:
    """The vector names of each function."""
    by_function: dict[str, set[str]] = {}
    for name in names:
        try:
            by_function.setdefault(parse_name(name).function, set()).add(name)
        except NotAVectorNameError:
            continue
    return [frozenset(by_function.get(plan.function.name, ())) for plan in plans]
