"""Running the variants of a batch, and judging what each of them did with its lanes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

import msgspec

from abiprobe.harness import child
from abiprobe.harness.compile import classify, told
from abiprobe.harness.executors.replay import Died, Observation, observe
from abiprobe.harness.observe import Attempt, Failed
from abiprobe.harness.runtime.build import link
from abiprobe.harness.runtime.script import Enter, Entered
from abiprobe.harness.vectors.bench import VectorBench
from abiprobe.harness.vectors.cases import Case, cases
from abiprobe.harness.vectors.computing import SCALAR, SUM, Computed, all_computed, computes
from abiprobe.harness.vectors.copying import HEAD, RESULT_STRIDE
from abiprobe.harness.vectors.plan import VectorPlan
from abiprobe.harness.vectors.references import shows_lanes
from abiprobe.harness.vectors.unit import table_unit
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.place import Register
from abiprobe.oracles.vfabi.variant import Places, Variant
from abiprobe.results.lanes import Shown, judge_computed, judge_lanes, result_lanes
from abiprobe.results.record import Difference, Outcome

Told: TypeAlias = "tuple[Difference, ...] | Failed"


class Lanes(msgspec.Struct, frozen=True):
    """How the variants of one function fare; `calls` counts those made, `skipped` variants that nothing here runs."""

    told: Told
    calls: int
    skipped: int


class Asked(msgspec.Struct):
    """The calls for one function."""

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
    asked = [ask(bench, types, plan, names, symbols) for plan, names in zip(plans, named, strict=True)]
    ops = list(itertools.chain.from_iterable(one.ops for one in asked))
    if not ops:
        return [Lanes((), 0, one.skipped) for one in asked]
    image = image_of(attempt, bench, (unit,), table_unit(symbols))
    if isinstance(image, Failed):
        return image
    limits = attempt.limits
    answers = iter(
        observe(
            bench.executor,
            image,
            ops,
            bench.machine,
            timeout=limits.seconds(len(ops)),
            memory=limits.memory,
        )
    )
    image.unlink()
    found = []
    for one in asked:
        count = len(one.copied) + 2 * len(one.computed)
        found.append(Lanes(told_by(bench, one, list(itertools.islice(answers, count))), count, one.skipped))
    return found


def ask(
    bench: VectorBench, types: TypeTable, plan: VectorPlan, names: frozenset[str], symbols: list[str]
) -> Asked:
    """The calls of the variants of a plan that are there; what they enter is added to `symbols`."""
    asked = Asked(plan)
    sums: list[tuple[Variant, Places, int]] = []
    for variant in plan.variants.variants:
        if variant.symbol not in names or not isinstance(variant.places, Places):
            continue
        if not shows_lanes(plan.function, variant):
            continue
        if variant.name.isa not in bench.isas:
            asked.skipped += 1
            continue
        asked.copied += cases(types, bench.machine, plan, variant, variant.places, len(symbols))
        symbols.append(variant.symbol)
        if computes(plan):
            sums.append((variant, variant.places, len(symbols)))
            symbols.append(variant.symbol + SUM)
    if sums:
        asked.computed += all_computed(types, bench.machine, plan, sums, len(symbols))
        symbols.append(plan.function.name + SCALAR)
    return asked


def image_of(attempt: Attempt, bench: VectorBench, units: tuple[Path, ...], table: str) -> Path | Failed:
    """Units with the table of their functions and the runtime."""
    source = attempt.scratch(".c")
    source.write_text(table, "utf-8")
    output, image = source.with_suffix(".o"), source.with_suffix(".elf")
    command = (*bench.trusted.cc, "-O1", "-w", "-ffreestanding", "-fno-pic", "-c", str(source))
    done = child.run((*command, "-o", str(output)), timeout=attempt.limits.seconds(100))
    assert done.ok, done.stderr
    done = link((*units, output), bench.runtime, image, bench.trusted)
    attempt.link_seconds += done.cpu_seconds
    return image if done.ok else Failed(classify(done, image), f"link: {told(done, attempt.folder)}")


def told_by(bench: VectorBench, asked: Asked, answers: Sequence[Observation]) -> Told:
    """What the answers to the calls for one function come to."""
    found: list[Difference] = []
    copies, sums = answers[: len(asked.copied)], answers[len(asked.copied) :]
    for case, answer in zip(asked.copied, copies, strict=True):
        if isinstance(answer, Died):
            return dead(case.plan, case.variant.symbol, answer)
        assert isinstance(answer, Entered), "an Enter is answered by an Entered"
        names = [param.name for param in case.plan.function.params]
        found += judge_lanes(case.variant, case.places, case.given, shown(bench, case, answer), names)
    places_right = not found
    for one, (scalar, vector) in zip(asked.computed, zip(sums[::2], sums[1::2], strict=True), strict=True):
        if isinstance(vector, Died):
            return dead(one.plan, one.variant.symbol, vector)
        if isinstance(scalar, Died):
            return dead(one.plan, one.plan.question.name, scalar)
        assert isinstance(scalar, Entered), "an Enter is answered by an Entered"
        assert isinstance(vector, Entered), "an Enter is answered by an Entered"
        found += judge_computed(
            one.variant,
            one.places,
            one.lanes,
            scalar_results(one, scalar),
            returned(bench, one.variant, one.places, vector),
            places_right=places_right,
        )
    return tuple(found)


def dead(plan: VectorPlan, symbol: str, answer: Died) -> Failed:
    """A call that the program did not survive."""
    return Failed(Outcome.DIED, f"{plan.asked_name(symbol)}: {answer.why}")


def shown(bench: VectorBench, case: Case, answer: Entered) -> Shown:
    """What the record of a call says, lane by lane."""
    count = int.from_bytes(answer.out[:8], "little")
    sizes = [len(mask) for mask in case.given.masks]
    rows = tuple(
        tuple(
            answer.out[start + at : start + at + size] for at, size in zip(case.offsets, sizes, strict=True)
        )
        for row in range(min(count, len(case.given.active)))
        for start in (HEAD + case.row_bytes * row,)
    )
    return Shown(count, rows, returned(bench, case.variant, case.places, answer))


def returned(bench: VectorBench, variant: Variant, places: Places, answer: Entered) -> tuple[bytes, ...]:
    """What came back for each lane."""
    wanted = places.result
    registers = {}
    if wanted is not None and not wanted.indirect:
        names = [part.place.name for part in wanted.parts if isinstance(part.place, Register)]
        registers = {name: bench.machine.read(answer.left, name) for name in names}
    return result_lanes(places, registers, answer.blob, variant.name.lanes)


def scalar_results(one: Computed, answer: Entered) -> tuple[bytes, ...]:
    """What the scalar function returned for each lane."""
    assert one.places.result is not None, "only functions with a result compute"
    size = one.places.result.element
    starts = (HEAD + RESULT_STRIDE * lane for lane in range(one.variant.name.lanes))
    return tuple(answer.out[start : start + size] for start in starts)
