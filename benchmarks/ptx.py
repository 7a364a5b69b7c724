"""How many device functions per second are checked against ptxas, callees and callers, ptxas and ours together.

    python benchmarks/ptx.py [FUNCTIONS]

Prints one line per side, and one for both: functions per second of wall time on all cores, and on as many cores by CPU time.
The rates depend on the machine and on who else uses it; CPU time depends on that least.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

from abiprobe.generators.ptx import device_pool
from abiprobe.harness.observers.device.assembler.assemble import Assembler
from abiprobe.harness.ptxas.physical import SHARE, Side
from abiprobe.harness.ptxas.sweep import Share, checked
from abiprobe.harness.subjects.cuda_tools import need_tool
from abiprobe.oracles.abis.ptx.parameter import Signature

SEED = 1


def cpu() -> float:
    """CPU seconds of this process and of all that it waited for."""
    return sum(
        usage.ru_utime + usage.ru_stime
        for usage in (
            resource.getrusage(resource.RUSAGE_SELF),
            resource.getrusage(resource.RUSAGE_CHILDREN),
        )
    )


def main() -> None:
    """Measure callees and callers."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    cores = len(os.sched_getaffinity(0))
    assembler = Assembler(need_tool("ptxas"))
    pool = device_pool(SEED, count)
    print(
        f"ptxas {assembler.tool.release}, {assembler.arch} -{assembler.level}, {count} functions, {cores} cores"
    )
    walls = used = 0.0
    for side in (Side.CALLEE, Side.CALLER):
        wall, seconds = measured(assembler, side, pool, cores)
        walls, used = walls + wall, used + seconds
        show(side.value, count, wall, seconds, cores)
    show("both", count, walls, used, cores)


def measured(assembler: Assembler, side: Side, pool: Sequence[Signature], cores: int) -> tuple[float, float]:
    """Wall and CPU seconds that it takes to check one side of all signatures; each has to be answered."""
    shares = [Share(assembler, side, tuple(pool[at : at + SHARE])) for at in range(0, len(pool), SHARE)]
    began, used = time.perf_counter(), cpu()
    with ProcessPoolExecutor(cores) as workers:
        answers = [one for found in workers.map(checked, shares) for one in found]
    assert len(answers) == len(pool), "every function is answered"
    print(f"{side.value:7}:", dict(Counter(one.outcome.value for one in answers)))
    return time.perf_counter() - began, cpu() - used


def show(what: str, count: int, wall: float, used: float, cores: int) -> None:
    """Print one line."""
    print(
        f"{what:7}: {count / wall:6.0f} functions/s of wall time, {count / used * cores:6.0f}/s on {cores} cores by CPU time"
    )


if __name__ == "__main__":
    main()
