"""The cost of the checks against faults: their share of the CPU time of a run, compilers included.

    python benchmarks/checks.py [CASES] [SUBJECTS]

Asks CASES (150) prototypes and records about riscv64-lp64d and x86_64-sysv of SUBJECTS (clang-22,gcc-12) at -O0 and -O2 in
this process, with every check timed. That measures a share of a hundredth on a busy machine, where two whole runs differ by
more than the checks cost.
"""

from __future__ import annotations

import functools
import importlib
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from abiprobe.harness.base.scratch import scratch
from abiprobe.harness.machines.workbench import bench
from abiprobe.harness.observers.batch import run_job
from abiprobe.harness.runs import session
from abiprobe.harness.runs.budget_sharing import TargetSeconds
from abiprobe.harness.runs.compiler_guard import run_guarded, with_digests
from abiprobe.oracles.language.question import WITNESSES
from abiprobe.oracles.registry import find_target
from abiprobe.results.journal.journal import Plan, Writer

TARGETS = ("riscv64-lp64d", "x86_64-sysv")
CHECKS = {
    "results.journal.journal:sealed": "a checksum for each line of the journal",
    "harness.base.cache:_digest": "digests of what the cache keeps",
    "harness.base.cache:obstacle": "who may write to the cache",
    "harness.base.child:end_strays": "what a child left running",
    "harness.subjects.compile:unusable": "whether an object is a file",
    "harness.subjects.compile:replace": "a unit written in one step",
    "harness.subjects.wholeness:is_as_sealed": "whether a release is as it was unpacked",
    "harness.machines.render.c:own": "names of parameters, types and constants",
    "harness.machines.render.call_units:own": "names of parameters in calls",
    "harness.machines.render.c:own_member": "names of members",
    "harness.machines.render.layouts:own_path": "paths of members",
}
"""Functions that only check, by module and name."""


class Taken:
    """Calls and CPU seconds of the checks; one within another counts once."""

    def __init__(self) -> None:
        self.calls = dict.fromkeys(CHECKS, 0)
        self.seconds = dict.fromkeys(CHECKS, 0.0)
        self.inside = False

    def timed(self, name: str, check: Callable[..., Any]) -> Callable[..., Any]:
        """A check that notes what it takes."""

        @functools.wraps(check)
        def call(*args: Any, **options: Any) -> Any:
            if self.inside:
                return check(*args, **options)
            self.inside, began = True, time.thread_time()
            try:
                return check(*args, **options)
            finally:
                self.seconds[name] += time.thread_time() - began
                self.calls[name] += 1
                self.inside = False

        return call


def cpu() -> float:
    """CPU seconds of this process and of the children that it waited for."""
    found = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in found)


def main(cases: str = "150", subjects: str = "clang-22,gcc-12") -> None:
    """Print the share of each check."""
    taken = Taken()
    for name in CHECKS:
        module, _, function = name.partition(":")
        there = importlib.import_module(f"abiprobe.{module}")
        setattr(there, function, taken.timed(name, getattr(there, function)))
    levels, named = ("O0", "O2"), tuple(subjects.split(","))
    plan = Plan(1, int(cases), TARGETS, named, levels, sampled=tuple(WITNESSES.values()))
    with scratch(), tempfile.TemporaryDirectory() as folder:
        for target in TARGETS:
            bench(find_target(target))
        before = cpu()
        head = session.header(plan)
        writer, verdicts = Writer.create(Path(folder), head), 0
        settings = session.Settings(1)
        for job in session.pending_jobs(plan, frozenset(), settings, TargetSeconds()):
            for batch in run_guarded(run_job, with_digests(job, head.subjects)):
                writer.write(batch)
                verdicts += len(batch.verdicts)
        writer.close()
        whole = cpu() - before
    print(f"{verdicts} verdicts, {whole:.1f} s of CPU")
    for name, words in CHECKS.items():
        seconds = taken.seconds[name]
        print(f"  {words:45} {taken.calls[name]:8} calls {seconds * 1e3:8.1f} ms {seconds / whole:7.2%}")
    print(f"  {'all':45} {sum(taken.seconds.values()) / whole:32.2%}")


if __name__ == "__main__":
    main(*sys.argv[1:])
