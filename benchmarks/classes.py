"""The cost of a C++ class: the CPU milliseconds of compilers and of ours for each, in batches of several sizes.

    python benchmarks/classes.py [TARGET] [SUBJECT,...] [CLASSES]

Each size asks the same drawn classes of all subjects (g++-16,clang++-24) at -O0, as a worker of a run does; the ratios hold on any machine.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Sequence
from itertools import islice

from abiprobe.generators.classes import stream
from abiprobe.generators.pool import BATCH
from abiprobe.harness.base.workers import SELDOM
from abiprobe.harness.observers.batch import Job, run_job
from abiprobe.harness.subjects.find import parse_subject
from abiprobe.harness.subjects.subject import AtLevel
from abiprobe.oracles.language.classes import Class
from abiprobe.oracles.language.question import Sort
from abiprobe.oracles.registry import find_target

SEED = 1
SIZES = (BATCH, BATCH // 10, 4 * BATCH)


def main() -> None:
    """Measure each size of a batch."""
    gc.set_threshold(*SELDOM)
    given = (*sys.argv[1:], *("x86_64-sysv", "g++-16,clang++-24", "1000")[len(sys.argv) - 1 :])
    target, subjects, count = given[0], given[1].split(","), int(given[2])
    began = time.process_time()
    asked = tuple(islice(stream(seed=SEED), count))
    drawing = time.process_time() - began
    asking(target, subjects, asked[:1], 1)
    cost = {size: asking(target, subjects, asked, size) for size in SIZES}
    print(f"{target}, {', '.join(subjects)}, {count} classes; drawing {drawing * 1000 / count:.2f} ms each")
    for size, (tools, own) in cost.items():
        ratio = (tools + own) / sum(cost[BATCH])
        print(
            f"  batches of {size:4}: compilers, linker, programs {tools:5.2f} ms, ours {own:5.2f} ms, ratio {ratio:.2f}"
        )


def asking(target: str, subjects: Sequence[str], asked: Sequence[Class], size: int) -> tuple[float, float]:
    """CPU milliseconds a class: of compilers, linker and programs, and of ours."""
    where = find_target(target)
    at = tuple(AtLevel(parse_subject(one), "O0") for one in subjects)
    tools, began = 0.0, time.process_time()
    for number, start in enumerate(range(0, len(asked), size)):
        job = Job(where, number, Sort.CLASSES, tuple(asked[start : start + size]), at)
        for done in run_job(job):
            tools += done.compile_seconds + done.link_seconds + done.run_seconds
    own = time.process_time() - began
    return tools * 1000 / len(asked), own * 1000 / len(asked)


if __name__ == "__main__":
    main()
