"""Observations of vector functions as plain values, and the selection of those that answer a question of today's model.

A call belongs to its operation, in which the model has a say: what is loaded where, and where the result is looked for. So
each call stands beside a digest of that, by the symbol of its variant and its turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

import msgspec

from abiprobe.harness.machines.runtime.machine import Machine
from abiprobe.harness.machines.runtime.script import Enter
from abiprobe.harness.machines.runtime.x86 import X86_64, X86_64_AVX, X86_64_AVX512
from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.observers.lanes.callers import Runs, replayed_loops
from abiprobe.harness.observers.lanes.cases import Case
from abiprobe.harness.observers.lanes.comparing import LaneObservation
from abiprobe.harness.observers.lanes.computing import Computed
from abiprobe.harness.observers.lanes.lanes import Lanes, Sums, lane_calls
from abiprobe.harness.observers.lanes.observe import ObservedFunction
from abiprobe.harness.observers.lanes.plan import VectorPlan
from abiprobe.harness.observers.lanes.typed import Typed, caller
from abiprobe.harness.observers.lanes.witness import TypedRun, calls_of, runs
from abiprobe.harness.observers.observer import OTHERWISE
from abiprobe.harness.observers.recording import Plain, digest
from abiprobe.oracles.abis.vfabi.dialect import Isa
from abiprobe.oracles.abis.vfabi.variant import VariantPlaces
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.results.verdicts.record import Outcome

STALE = Failed(Outcome.ASKED_OTHERWISE, OTHERWISE)
Called: TypeAlias = Case | Computed | Typed


class RecordedVariants(msgspec.Struct, frozen=True):
    """The observation of one function: its variants, and how they are called.

    `plain` are the lanes of what the compiler makes unoptimised, where they are wrong otherwise; `loops` what its loops pass,
    `typed` what its C with vector types passes. `vectors` are the bytes of a vector register of the machine that ran it.
    """

    made: ObservedFunction | Failed
    plain: Lanes | None = None
    loops: Runs | Failed | None = None
    typed: TypedRun | Failed | None = None
    vectors: int = 0
    isas: tuple[Isa, ...] = ()


class RecordedCall(msgspec.Struct, frozen=True, array_like=True):
    """One call: a digest of what was asked, and what it showed, or why nothing."""

    asked: bytes
    shown: LaneObservation | None = None
    sums: Sums | None = None
    failed: Failed | None = None

    @classmethod
    def of(cls, one: Called, seen: LaneObservation | Sums | Failed) -> RecordedCall:
        """Return a call as plain values."""
        return cls(
            asked(one),
            seen if isinstance(seen, LaneObservation) else None,
            seen if isinstance(seen, Sums) else None,
            seen if isinstance(seen, Failed) else None,
        )


Calls: TypeAlias = dict[str, RecordedCall]
"""Calls by the symbol of the variant and the turn."""


class Recorded(msgspec.Struct, frozen=True, array_like=True):
    """One function."""

    failed: Failed | None
    names: tuple[str, ...]
    reasons: tuple[str, ...] | None
    lanes: Calls | None
    plain: Calls | None
    loops: Runs | None
    no_loops: Failed | None
    typed: Calls | None
    no_typed: Failed | None
    vectors: int
    isas: tuple[Isa, ...]


def recorded(seen: RecordedVariants) -> Recorded:
    """Return the observation of one function as plain values."""
    made = seen.made if isinstance(seen.made, ObservedFunction) else ObservedFunction(frozenset(), None)
    return Recorded(
        seen.made if isinstance(seen.made, Failed) else None,
        tuple(sorted(made.names)),
        None if made.reasons is None else tuple(sorted(made.reasons)),
        None if made.lanes is None else calls((*made.lanes.copied, *made.lanes.computed)),
        None if seen.plain is None else calls((*seen.plain.copied, *seen.plain.computed)),
        None if isinstance(seen.loops, Failed) else seen.loops,
        seen.loops if isinstance(seen.loops, Failed) else None,
        calls(seen.typed.calls) if isinstance(seen.typed, TypedRun) else None,
        seen.typed if isinstance(seen.typed, Failed) else None,
        seen.vectors,
        seen.isas,
    )


def replayed(types: TypeTable, plan: VectorPlan, kept: Plain, *, alike: bool) -> RecordedVariants:
    """Return a recorded observation for a plan of today; `alike` says that its loops are those of today.

    Raises `msgspec.ValidationError` for what `recorded` did not write.
    """
    was = msgspec.convert(kept, Recorded)
    about = machine_with(was.vectors), was.isas
    names = frozenset(was.names)
    made: ObservedFunction | Failed = was.failed or ObservedFunction(
        names,
        None if was.lanes is None else lanes(types, plan, names, was.lanes, about),
        None if was.reasons is None else frozenset(was.reasons),
    )
    return RecordedVariants(
        made,
        None if was.plain is None else lanes(types, plan, names, was.plain, about),
        was.no_loops or (None if was.loops is None else replayed_loops(types, plan, was.loops, alike=alike)),
        was.no_typed or (None if was.typed is None else typed(types, plan, was.typed, about)),
        was.vectors,
        was.isas,
    )


def machine_with(vectors: int) -> Machine:
    """The machine whose vector registers have so many bytes."""
    return next((one for one in (X86_64_AVX, X86_64_AVX512) if one.vectors == vectors), X86_64)


def calls(every: Iterable[tuple[Called, LaneObservation | Sums | Failed]]) -> Calls:
    """Return the observations of calls, by symbol and turn."""
    found: Calls = {}
    for one, seen in every:
        found[key(one, found)] = RecordedCall.of(one, seen)
    return found


def key(one: Called, before: Mapping[str, object]) -> str:
    """The name of a call among those of its function, of which some came before."""
    kind = "sum" if isinstance(one, Computed) else "turn"
    number = sum(name.startswith(f"{one.variant.symbol} {kind} ") for name in before)
    return f"{one.variant.symbol} {kind} {number}"


def asked(one: Called) -> bytes:
    """A digest of what is asked, and of where the result is looked for; its number in the image has no part in it."""
    back = places_of(one.places)
    match one:
        case Computed():
            return digest((unnumbered(one.scalar), unnumbered(one.vector), one.lanes, back))
        case Typed():
            return digest((unnumbered(one.op), caller(one.plan, one.variant), one.given.active))
        case _:
            return digest((unnumbered(one.op), one.given.active, back))


def unnumbered(op: Enter) -> Enter:
    """An operation without its number."""
    return msgspec.structs.replace(op, index=0)


def places_of(places: VariantPlaces) -> Plain:
    """Return the places in which a result is looked for."""
    result = places.result
    if result is None:
        return None
    parts = [] if result.indirect else [(part.place, part.first, part.last) for part in result.parts]
    return (result.element, result.indirect, parts)


def still(
    one: Called, known: Mapping[str, RecordedCall], before: Mapping[str, object]
) -> RecordedCall | None:
    """The recorded call that answers one of today."""
    found = known.get(key(one, before))
    return found if found is not None and found.asked == asked(one) else None


def lanes(
    types: TypeTable,
    plan: VectorPlan,
    names: frozenset[str],
    known: Calls,
    about: tuple[Machine, Sequence[Isa]],
) -> Lanes:
    """The calls that would be made today, and what those that were made then showed."""
    today = lane_calls(about, types, plan, names, [])
    before: dict[str, object] = {}
    copied: list[tuple[Case, LaneObservation | Failed]] = []
    computed: list[tuple[Computed, Sums | Failed]] = []
    for case in today.copied:
        call = still(case, known, before)
        before[key(case, before)] = case
        copied.append((case, STALE if call is None else call.shown or call.failed or STALE))
    for one in today.computed:
        call = still(one, known, before)
        before[key(one, before)] = one
        computed.append((one, STALE if call is None else call.sums or call.failed or STALE))
    return Lanes(tuple(copied), tuple(computed), today.skipped)


def typed(types: TypeTable, plan: VectorPlan, known: Calls, about: tuple[Machine, Sequence[Isa]]) -> TypedRun:
    """The calls of variants with vector types, as `lanes`: the partner made those that were called."""
    machine, isas = about
    there = {name.split()[0] for name in known}
    variants = [one for one in plan.asked if runs(isas, one, there)]
    before: dict[str, object] = {}
    found: list[tuple[Typed, LaneObservation | Failed]] = []
    for one in calls_of(machine, types, plan, variants, []):
        call = still(one, known, before)
        before[key(one, before)] = one
        found.append((one, STALE if call is None else call.shown or call.failed or STALE))
    return TypedRun(tuple(found))
