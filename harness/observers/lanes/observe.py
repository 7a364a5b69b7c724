"""Putting vector functions to one compiler: the names it makes, and what the functions do with each lane."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from abiprobe.harness.machines.readers.elf import functions
from abiprobe.harness.machines.render.simd import needs_cxx
from abiprobe.harness.observers.attempt import Attempt, Failed, bisected
from abiprobe.harness.observers.lanes.lanes import Lanes, run_lanes
from abiprobe.harness.observers.lanes.plan import VectorPlan
from abiprobe.harness.observers.lanes.refusals import reasons
from abiprobe.harness.observers.lanes.tools import speaking_tool, tool
from abiprobe.harness.observers.lanes.unit import vectors_unit
from abiprobe.harness.observers.lanes.workbench import VectorBench
from abiprobe.oracles.abis.vfabi import NotAVectorNameError, parse_name
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.results.verdicts.record import Outcome

TOGETHER = 100
"""Functions in one unit: gcc makes eight or more of each, and of many takes longer than of each by itself."""
ATTRIBUTE = re.compile(rb'"(_ZGV[^"]*)"')


class ObservedFunction(msgspec.Struct, frozen=True):
    """The observation of a compiler on one function: the names, and the behaviour of the variants behind them.

    `lanes` is `None` where the compiler makes no functions, or nothing runs them. `reasons` are why it refuses pragmas, in
    its words; `None` where it gives none.
    """

    names: frozenset[str]
    lanes: Lanes | None
    reasons: frozenset[str] | None = None


def observe_vectors(
    attempt: Attempt,
    bench: VectorBench | None,
    types: TypeTable,
    plans: Sequence[VectorPlan],
    *,
    bodies: bool,
) -> Iterator[tuple[VectorPlan, ObservedFunction | Failed]]:
    """Everything about `plans`, C and C++ apart; a plan that the tools refuse costs itself only.

    `bodies` says that the compiler makes functions, not only their names; `bench` runs them, if there is one.
    """

    def together(
        attempt: Attempt, plans: Sequence[VectorPlan], _text: str | None
    ) -> Sequence[ObservedFunction] | Failed:
        if not bodies:
            return _attributes(attempt, types, plans)
        return _together(attempt, bench, types, plans)

    for cxx in (False, True):
        alike = [plan for plan in plans if needs_cxx(plan.question) is cxx]
        for start in range(0, len(alike), TOGETHER):
            yield from bisected(attempt, alike[start : start + TOGETHER], together)


def _together(
    attempt: Attempt, bench: VectorBench | None, types: TypeTable, plans: Sequence[VectorPlan]
) -> Sequence[ObservedFunction] | Failed:
    text = vectors_unit(types, plans, compute=bench is not None)
    source = _written(attempt, plans, text)
    options = (str(source), "-c", "-Wno-psabi")
    unit, said = speaking_tool(attempt, options, source.with_suffix(".o"), len(plans))
    if isinstance(unit, Failed):
        return unit
    try:
        named = _shared(plans, functions(unit.read_bytes()))
    except ValueError as error:
        return Failed(Outcome.REFUSED, f"the object file is not readable: {error}")
    given = reasons(plans, text, said)
    if bench is None:
        return [ObservedFunction(names, None, why) for names, why in zip(named, given, strict=True)]
    lanes = run_lanes(attempt, bench, types, plans, named, unit)
    if isinstance(lanes, Failed):
        return lanes
    return [ObservedFunction(*one) for one in zip(named, lanes, given, strict=True)]


def _written(attempt: Attempt, plans: Sequence[VectorPlan], text: str) -> Path:
    return attempt.written(".cc" if any(needs_cxx(plan.question) for plan in plans) else ".c", text)


def _attributes(
    attempt: Attempt, types: TypeTable, plans: Sequence[VectorPlan]
) -> Sequence[ObservedFunction] | Failed:
    """The names that clang attaches to functions in its own language."""
    source = _written(attempt, plans, vectors_unit(types, plans, compute=False))
    output = tool(attempt, (str(source), "-S", "-emit-llvm"), source.with_suffix(".ll"), len(plans))
    if isinstance(output, Failed):
        return output
    found = frozenset(name.decode() for name in ATTRIBUTE.findall(output.read_bytes()))
    return [ObservedFunction(names, None) for names in _shared(plans, found)]


def _shared(plans: Sequence[VectorPlan], names: frozenset[str]) -> list[frozenset[str]]:
    """The vector names of each function."""
    by_function: dict[str, set[str]] = {}
    for name in names:
        try:
            by_function.setdefault(parse_name(name).function, set()).add(name)
        except NotAVectorNameError:
            continue
    return [frozenset(by_function.get(plan.function.name, ())) for plan in plans]
