"""Running the variants of a batch: what each of them did with its lanes, and what that comes to."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

import msgspec

from abiprobe.harness.base import child
from abiprobe.harness.machines.executors.replay import Died, Observation, observe
from abiprobe.harness.machines.runtime.build import link
from abiprobe.harness.machines.runtime.machine import Machine
from abiprobe.harness.machines.runtime.script import Enter, Entered, Op
from abiprobe.harness.observers.attempt import Attempt, Failed
from abiprobe.harness.observers.lanes.cases import Case, cases
from abiprobe.harness.observers.lanes.comparing import (
    LaneObservation,
    judge_computed,
    judge_lanes,
    result_lanes,
)
from abiprobe.harness.observers.lanes.computing import SCALAR, SUM, Computed, all_computed, computes
from abiprobe.harness.observers.lanes.copying import HEAD, RESULT_STRIDE
from abiprobe.harness.observers.lanes.plan import VectorPlan
from abiprobe.harness.observers.lanes.references import shows_lanes
from abiprobe.harness.observers.lanes.unit import table_unit
from abiprobe.harness.observers.lanes.workbench import VectorBench
from abiprobe.harness.subjects.compile import classify, failure_text
from abiprobe.oracles.abis.vfabi.dialect import Isa
from abiprobe.oracles.abis.vfabi.variant import Variant, VariantPlaces
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.text.place import Register
from abiprobe.results.verdicts.record import Difference, Outcome

Differences: TypeAlias = "tuple[Difference, ...] | Failed"


class Sums(msgspec.Struct, frozen=True):
    """The results of the scalar function and a variant for each lane."""

    scalar: tuple[bytes, ...]
    vector: tuple[bytes, ...]


class LaneCalls(msgspec.Struct):
    """The calls for one function; `skipped` counts variants that nothing here runs."""

    plan: VectorPlan
    copied: list[Case] = msgspec.field(default_factory=list)
    computed: list[Computed] = msgspec.field(default_factory=list)
    skipped: int = 0

    @property
    def ops(self) -> Iterator[Enter]:
        """The operations, those of each computation after the copies."""
        yield from (case.op for case in self.copied)
        for one in self.computed:
            yield from (one.scalar, one.vector)


class Lanes(msgspec.Struct, frozen=True):
    """The calls of the variants of one function, and what each of them showed; `skipped` variants nothing here runs."""

    copied: tuple[tuple[Case, LaneObservation | Failed], ...]
    computed: tuple[tuple[Computed, Sums | Failed], ...]
    skipped: int

    @property
    def decided(self) -> Lanes:
        """Return the lanes whose places the text decides."""
        copied = tuple(one for one in self.copied if not one[0].plan.is_read(one[0].variant))
        return Lanes(copied, self.computed, self.skipped)

    @property
    def calls(self) -> int:
        """The number of calls."""
        return len(self.copied) + 2 * len(self.computed)

    @property
    def differences(self) -> Differences:
        """The differences that the calls show, or the first call that was not observed."""
        found: list[Difference] = []
        for case, seen in self.copied:
            if isinstance(seen, Failed):
                return seen
            names = [param.name for param in case.plan.function.params]
            found += judge_lanes(case.variant, case.places, case.given, seen, names)
        places_right = not found
        for one, sums in self.computed:
            if isinstance(sums, Failed):
                return sums
            found += judge_computed(
                one.variant, one.places, one.lanes, sums.scalar, sums.vector, places_right=places_right
            )
        return tuple(found)


def run_lanes(
    attempt: Attempt,
    bench: VectorBench,
    types: TypeTable,
    plans: Sequence[VectorPlan],
    named: Sequence[frozenset[str]],
    unit: Path,
) -> Sequence[Lanes] | Failed:
    """Call every variant that `unit` has as the model says, and look at each lane."""
    symbols: list[str] = []
    about = bench.machine, bench.isas
    asked = [lane_calls(about, types, plan, names, symbols) for plan, names in zip(plans, named, strict=True)]
    ops = list(itertools.chain.from_iterable(one.ops for one in asked))
    if not ops:
        return [Lanes((), (), one.skipped) for one in asked]
    image = image_of(attempt, bench, (unit,), table_unit(symbols))
    if isinstance(image, Failed):
        return image
    answers = iter(answered(attempt, bench, image, ops))
    return [seen_lanes(bench.machine, one, answers) for one in asked]


def lane_calls(
    about: tuple[Machine, Sequence[Isa]],
    types: TypeTable,
    plan: VectorPlan,
    names: frozenset[str],
    symbols: list[str],
) -> LaneCalls:
    """The calls of the variants of a plan that are there, on a machine with some ISAs; what they enter is added to `symbols`."""
    machine, isas = about
    asked = LaneCalls(plan)
    sums: list[tuple[Variant, VariantPlaces, int]] = []
    for variant in plan.asked:
        if variant.symbol not in names or not isinstance(variant.places, VariantPlaces):
            continue
        if not shows_lanes(plan.function, variant):
            continue
        if variant.name.isa not in isas:
            asked.skipped += not plan.is_read(variant)
            continue
        asked.copied += cases(types, machine, plan, variant, variant.places, len(symbols))
        symbols.append(variant.symbol)
        if computes(plan) and not plan.is_read(variant):
            sums.append((variant, variant.places, len(symbols)))
            symbols.append(variant.symbol + SUM)
    if sums:
        asked.computed += all_computed(types, machine, plan, sums, len(symbols))
        symbols.append(plan.function.name + SCALAR)
    return asked


def seen_lanes(machine: Machine, asked: LaneCalls, answers: Iterator[Observation]) -> Lanes:
    """Return the observations in the answers to the calls for one function."""
    copied = tuple((case, copied_by(machine, case, next(answers))) for case in asked.copied)
    computed = tuple((one, summed(machine, one, next(answers), next(answers))) for one in asked.computed)
    return Lanes(copied, computed, asked.skipped)


def copied_by(machine: Machine, case: Case, answer: Observation) -> LaneObservation | Failed:
    """Return the observation of one call of a variant."""
    if isinstance(answer, Died):
        return dead(case.plan, case.variant.symbol, answer)
    assert isinstance(answer, Entered), "an Enter is answered by an Entered"
    return shown(machine, case, answer)


def summed(machine: Machine, one: Computed, scalar: Observation, vector: Observation) -> Sums | Failed:
    """Return the results of one variant and of the scalar function."""
    if isinstance(vector, Died):
        return dead(one.plan, one.variant.symbol, vector)
    if isinstance(scalar, Died):
        return dead(one.plan, one.plan.question.name, scalar)
    assert isinstance(scalar, Entered), "an Enter is answered by an Entered"
    assert isinstance(vector, Entered), "an Enter is answered by an Entered"
    return Sums(scalar_results(one, scalar), returned(machine, one.variant, one.places, vector))


def answered(attempt: Attempt, bench: VectorBench, image: Path, ops: Sequence[Op]) -> list[Observation]:
    """Run an image on some operations, an answer to each, and remove it."""
    limits = attempt.limits
    seconds = limits.seconds(len(ops))
    answers = observe(bench.executor, image, ops, bench.machine, timeout=seconds, memory=limits.memory)
    image.unlink()
    return answers


def image_of(attempt: Attempt, bench: VectorBench, units: tuple[Path, ...], table: str) -> Path | Failed:
    """Units with the table of their functions and the runtime."""
    source = attempt.written(".c", table)
    output, image = source.with_suffix(".o"), source.with_suffix(".elf")
    command = (*bench.trusted.cc, "-O1", "-w", "-ffreestanding", "-fno-pic", "-c", str(source))
    done = child.run(
        (*command, "-o", str(output)), timeout=attempt.limits.seconds(100), scratch=output.parent
    )
    assert done.ok, done.stderr
    done = link((*units, output), bench.runtime, image, bench.trusted)
    attempt.link_seconds += done.cpu_seconds
    return image if done.ok else Failed(classify(done, image), f"link: {failure_text(done, attempt.folder)}")


def dead(plan: VectorPlan, symbol: str, answer: Died) -> Failed:
    """A call that the program did not survive."""
    return Failed(Outcome.DIED, f"{plan.asked_name(symbol)}: {answer.why}")


def shown(machine: Machine, case: Case, answer: Entered) -> LaneObservation:
    """Return the observation in the record of a call, lane by lane."""
    count = int.from_bytes(answer.out[:8], "little")
    sizes = [len(mask) for mask in case.given.masks]
    rows = tuple(
        tuple(
            answer.out[start + at : start + at + size] for at, size in zip(case.offsets, sizes, strict=True)
        )
        for row in range(min(count, len(case.given.active)))
        for start in (HEAD + case.row_bytes * row,)
    )
    return LaneObservation(count, rows, returned(machine, case.variant, case.places, answer))


def returned(machine: Machine, variant: Variant, places: VariantPlaces, answer: Entered) -> tuple[bytes, ...]:
    """Return the result of each lane."""
    wanted = places.result
    registers = {}
    if wanted is not None and not wanted.indirect:
        names = [part.place.name for part in wanted.parts if isinstance(part.place, Register)]
        registers = {name: machine.read(answer.left, name) for name in names}
    return result_lanes(places, registers, answer.blob, variant.name.lanes)


def scalar_results(one: Computed, answer: Entered) -> tuple[bytes, ...]:
    """Return the results of the scalar function for each lane."""
    assert one.places.result is not None, "only functions with a result compute"
    size = one.places.result.element
    starts = (HEAD + RESULT_STRIDE * lane for lane in range(one.variant.name.lanes))
    return tuple(answer.out[start : start + size] for start in starts)
