"""How many device functions per second are checked against ptxas, callees and callers, ptxas and ours together.

    python benchmarks/ptx.py [FUNCTIONS]

Prints one line per side: functions per second of wall time on all cores and per second of CPU time, and how the CPU time
is shared. The rates depend on the machine and on who else uses it; CPU time depends on that least.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from concurrent.futures import ProcessPoolExecutor

from abiprobe.generators.ptx import device_pool
from abiprobe.harness.commands.ptx import Share, work
from abiprobe.harness.ptx.assemble import Assembler
from abiprobe.harness.ptx.physical import BATCH, Side
from abiprobe.harness.ptx.tools import need_tool

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
    for side in (Side.CALLEE, Side.CALLER):
        shares = [Share(assembler, side, pool[at : at + BATCH]) for at in range(0, count, BATCH)]
        began, used = time.perf_counter(), cpu()
        with ProcessPoolExecutor(cores) as workers:
            answers = sum(len(found) for found in workers.map(work, shares))
        seconds, used = time.perf_counter() - began, cpu() - used
        print(
            f"{side.value:7}: {answers / seconds:6.0f}/s of wall time, "
            f"{answers / used * cores:6.0f}/s on {cores} cores by CPU time"
        )


if __name__ == "__main__":
    main()
