"""The cost of vector functions, and gcc's treatment of lanes and registers of which nothing is judged.

    python benchmarks/vectors.py [FUNCTIONS [LEVEL [SEED]]]

Draws functions of which gcc makes variants, has it build them, calls every variant through the model's places, and counts
calls, lanes, and the lanes that are wrong. Beside that it counts masked-off lanes whose result is zero (the document says all),
and calls with a result in memory after which rax holds its address (the psABI says all). Seconds are CPU time of the
tools, so that shares can be compared on a busy machine.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from itertools import islice
from pathlib import Path

from abiprobe.generators.simd import Bounds, stream
from abiprobe.harness.machines.executors.replay import observe
from abiprobe.harness.machines.readers.elf import functions
from abiprobe.harness.machines.runtime.script import Entered
from abiprobe.harness.observers.attempt import Attempt, Failed
from abiprobe.harness.observers.lanes.cases import Case
from abiprobe.harness.observers.lanes.lanes import image_of, lane_calls, seen_lanes, shown
from abiprobe.harness.observers.lanes.observe import TOGETHER
from abiprobe.harness.observers.lanes.plan import VectorPlan, plan_batch
from abiprobe.harness.observers.lanes.tools import tool
from abiprobe.harness.observers.lanes.unit import table_unit, vectors_unit
from abiprobe.harness.observers.lanes.workbench import VectorBench, vector_bench
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.find import build, parse_subject
from abiprobe.oracles.abis.vfabi import VectorModel
from abiprobe.oracles.registry import find_model, find_target

TARGET, SUBJECT = "x86_64-vfabi", "gcc-12"


def batch(
    attempt: Attempt, bench: VectorBench, model: VectorModel, plans: list[VectorPlan], count: Counter[str]
) -> None:
    """Build and call one batch, and add to the counts."""
    source = attempt.scratch(".c")
    source.write_text(vectors_unit(model.types, plans, compute=True), "utf-8")
    unit = tool(attempt, ("-c", str(source)), source.with_suffix(".o"), len(plans))
    assert not isinstance(unit, Failed), unit
    named, symbols = functions(unit.read_bytes()), list[str]()
    asked = [
        lane_calls((bench.machine, bench.isas), model.types, plan, named & plan.variants.symbols, symbols)
        for plan in plans
    ]
    image = image_of(attempt, bench, (unit,), table_unit(symbols))
    assert not isinstance(image, Failed), image
    ops = [op for one in asked for op in one.ops]
    started = time.monotonic()
    answers = iter(observe(bench.executor, image, ops, bench.machine, timeout=300, memory=8 << 30))
    for one in asked:
        own = list(islice(answers, len(one.copied) + 2 * len(one.computed)))
        count["functions"] += 1
        count["variants"] += len({case.variant.symbol for case in one.copied})
        count["calls"] += len(own)
        told = seen_lanes(bench.machine, one, iter(own)).differences
        wrong = isinstance(told, Failed) or [each for each in told if "computed" not in each.what]
        count["functions placed wrong"] += bool(wrong)
        count["functions computed wrong"] += bool(told) and not wrong
        for case, answer in zip(one.copied, own, strict=False):
            if isinstance(answer, Entered):
                look(bench, case, answer, count)
    count["milliseconds of calls and judging"] += round(1000 * (time.monotonic() - started))


def look(bench: VectorBench, case: Case, answer: Entered, count: Counter[str]) -> None:
    """Count what one call left where nothing is judged."""
    count["lanes"] += len(case.given.active)
    result = case.places.result
    if result is not None:
        off = set(range(case.variant.name.lanes)) - set(case.given.active)
        left = shown(bench.machine, case, answer).results
        count["masked-off lanes"] += len(off)
        count["masked-off lanes that are zero"] += sum(not any(left[lane]) for lane in off)
    if case.places.hidden is not None:
        count["results in memory"] += 1
        rax = bench.machine.number(answer.left, "rax")
        count["results in memory with their address in rax"] += rax == answer.blob_address


def main() -> None:
    """Measure, and print a line for each count."""
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    level = sys.argv[2] if len(sys.argv) > 2 else "O1"
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    model, bench = find_model(TARGET), vector_bench()
    assert isinstance(model, VectorModel), "the target has vector functions"
    built = build(parse_subject(SUBJECT), find_target(TARGET), level)
    assert built is not None, f"{SUBJECT} is not installed"
    drawn = stream(seed=seed, bounds=Bounds(refused=False))
    started = time.process_time()
    able = (plan for plan in plan_batch(model, islice(drawn, 2 * wanted)).plans if plan.variants.variants)
    plans = list(islice(able, wanted))
    planned = time.process_time() - started
    count: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        attempt = Attempt(None, built, Path(folder), Limits(base_seconds=300))
        for start in range(0, len(plans), TOGETHER):
            batch(attempt, bench, model, plans[start : start + TOGETHER], count)
    print(f"{SUBJECT} -{level}, seed {seed}, {' '.join(isa.name for isa in bench.isas)}")
    for name, number in count.items():
        print(f"{number:9} {name}")
    print(
        f"{planned:9.1f} s model, {attempt.compile_seconds:.1f} s compiler, {attempt.link_seconds:.1f} s linker (CPU)"
    )


if __name__ == "__main__":
    main()
