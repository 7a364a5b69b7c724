"""How many records per second one compiler is asked about, by batch size; witness: constants in the object file.

    python benchmarks/layouts.py [TARGET] [SUBJECT] [RECORDS]

Prints one line per batch size: records per second on all cores, and the share of CPU time that is ours. The rates
depend on the machine; compare them within one run.
"""

from __future__ import annotations

import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import islice

from abiprobe.generators.pool import stream
from abiprobe.harness.observers.batch import Job, run_job
from abiprobe.harness.subjects.find import at_level
from abiprobe.oracles.language.question import Sort
from abiprobe.oracles.registry import find_target

SIZES = (50, 100, 250, 500, 1000)
SEED = 1


def jobs(target: str, subject: str, records: int, size: int) -> list[Job]:
    """`records` drawn records in batches of `size`."""
    source = stream(seed=SEED, kind=Sort.RECORDS)
    questions = tuple(islice(source, records))
    return [
        Job(
            find_target(target),
            number,
            Sort.RECORDS,
            questions[start : start + size],
            (at_level((subject, "O0")),),
        )
        for number, start in enumerate(range(0, records, size))
    ]


def measure(target: str, subject: str, records: int, size: int) -> tuple[float, float]:
    """Records per second, and our share of the CPU time."""
    waiting = jobs(target, subject, records, size)
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        list(pool.map(run_job, waiting[:2]))
        began = time.perf_counter()
        done = [batch for batches in pool.map(run_job, waiting) for batch in batches]
        seconds = time.perf_counter() - began
    ours = sum(batch.own_seconds for batch in done)
    theirs = sum(batch.compile_seconds for batch in done)
    return records / seconds, ours / (ours + theirs)


def main() -> None:
    """Measure every batch size."""
    target, subject, records = (*sys.argv[1:], *("x86_64-sysv", "clang-22", "4000")[len(sys.argv) - 1 :])
    print(f"{target}, {subject}, {records} records, {len(os.sched_getaffinity(0))} cores")
    for size in SIZES:
        rate, share = measure(target, subject, int(records), size)
        print(f"batches of {size:5}: {rate:7.0f} records/s, our share of CPU time {share:.0%}")


if __name__ == "__main__":
    main()
