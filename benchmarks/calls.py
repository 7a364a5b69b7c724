"""How many prototypes per second one compiler is asked about, caller, callee and result probes included.

    python benchmarks/calls.py [TARGET] [SUBJECT] [PROTOTYPES]

Prints one line per batch size: prototypes per second on all cores, and how the CPU time is shared. The rates depend
on the machine; compare them within one run.
"""

from __future__ import annotations

import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import islice

from abiprobe.generators.pool import stream
from abiprobe.generators.scope import EXTENSIONS, FEATURES
from abiprobe.harness.base.workers import start_worker
from abiprobe.harness.observers.batch import Job, run_job
from abiprobe.harness.subjects.find import at_level
from abiprobe.oracles.language.question import Sort
from abiprobe.oracles.registry import find_target

SIZES = (50, 100, 250, 500)
SEED = 1


def jobs(target: str, subject: str, prototypes: int, size: int) -> list[Job]:
    """`prototypes` drawn prototypes of ISO C in batches of `size`."""
    source = stream(seed=SEED, kind=Sort.PROTOTYPES, features=FEATURES - EXTENSIONS)
    questions = tuple(islice(source, prototypes))
    return [
        Job(
            find_target(target),
            number,
            Sort.PROTOTYPES,
            questions[start : start + size],
            (at_level((subject, "O0")),),
        )
        for number, start in enumerate(range(0, prototypes, size))
    ]


def main() -> None:
    """Measure every batch size."""
    target, subject, prototypes = (*sys.argv[1:], *("riscv64-lp64d", "clang-22", "2000")[len(sys.argv) - 1 :])
    cores = len(os.sched_getaffinity(0))
    print(f"{target}, {subject}, {prototypes} prototypes, {cores} cores")
    for size in SIZES:
        waiting = jobs(target, subject, int(prototypes), size)
        with ProcessPoolExecutor(cores, initializer=start_worker, initargs=(os.getpid(),)) as pool:
            list(pool.map(run_job, waiting[:2]))
            began = time.perf_counter()
            done = [batch for batches in pool.map(run_job, waiting) for batch in batches]
            seconds = time.perf_counter() - began
        ours = sum(batch.own_seconds for batch in done)
        compilers = sum(batch.compile_seconds + batch.link_seconds for batch in done)
        rate, share = int(prototypes) / seconds, ours / (ours + compilers)
        print(f"batches of {size:5}: {rate:7.0f} prototypes/s, ours to compilers and linkers {share:.0%}")


if __name__ == "__main__":
    main()
