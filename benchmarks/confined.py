"""The cost of `--confine`: the CPU time of one run with and without it, in turns, and of the start of a program.

    python benchmarks/confined.py [CASES] [TIMES] [SUBJECTS]

Asks CASES (150) prototypes and records about riscv64-lp64d and x86_64-sysv of SUBJECTS (clang-22,gcc-12) at -O0 and -O2,
TIMES (3) times each way. Needs bubblewrap.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from run import TARGETS, digest, measured

from abiprobe.harness.base import child
from abiprobe.harness.base.confinement import Confinement

STARTS = 50


def start() -> float:
    """Wall seconds for the start of a program that does nothing."""
    began = time.perf_counter()
    for _ in range(STARTS):
        child.run(("true",), timeout=60.0)
    return (time.perf_counter() - began) / STARTS


def main(cases: str = "150", times: str = "3", subjects: str = "clang-22,gcc-12") -> None:
    """Print the medians and what is added."""
    common = (
        "run",
        *TARGETS,
        "--cc",
        subjects,
        "--cases",
        cases,
        "--seed",
        "1",
        "--opt",
        "O0,O2",
        "--fresh",
        "--no-tours",
    )
    taken: dict[str, list[float]] = {"": [], "--confine": []}
    digests = set()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["ABIPROBE_CACHE"] = str(folder / "cache")
        measured(folder, *common, "--no-triage", "--out", "warm")
        for number in range(int(times)):
            for option, seconds in taken.items():
                out = f"{number}{option}"
                _, cpu = measured(folder, *common, "--no-triage", *filter(None, (option,)), "--out", out)
                seconds.append(cpu)
                digests.add(digest(folder / out))
    free, confined = map(statistics.median, taken.values())
    print(f"{cases} prototypes and records, {' '.join(TARGETS)}, {subjects}, -O0 and -O2")
    print(f"CPU without {free:.1f} s, confined {confined:.1f} s: {confined / free - 1:+.1%}")
    print(f"single runs: {', '.join(f'{a:.1f} and {b:.1f}' for a, b in zip(*taken.values(), strict=True))}")
    print("the same digest" if len(digests) == 1 else f"digests differ: {digests}")
    before = start()
    child.confine(Confinement.here())
    print(f"start of a program: {before * 1e3:.1f} ms, confined {start() * 1e3:.1f} ms")


if __name__ == "__main__":
    main(*sys.argv[1:])
