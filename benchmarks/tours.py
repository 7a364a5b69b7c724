"""How soon a run has crossed every transition of a target's automaton.

    python benchmarks/tours.py [TARGET...] [--out docs/data/tour-seconds.tsv]

For each target a run of its own with one compiler at -O0 on two workers: the tour, one random prototype and one record. Seconds are
of CPU, of abiprobe and all its tools together, and of the clock, which other jobs on the machine lengthen. Deriving the tour is done
once for a version, and its seconds of CPU stand by themselves. Transitions are those that the compiler can cross; beside them are those
that need a type which it lacks.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from abiprobe.generators.tours import tour
from abiprobe.harness.base.table_file import Row, put
from abiprobe.harness.observers.registry import has_calls
from abiprobe.harness.runs import tours
from abiprobe.oracles.registry import TARGETS, find_model, find_target

REMARK = "Made by `python benchmarks/tours.py TARGET --out docs/data/tour-seconds.tsv`."
MORE = {
    "i386-sysv": ("clang-22", "gcc-12"),
    "powerpc-sysv": ("clang-22", "gcc-12"),
    "riscv64-lp64d-vector": ("clang-22", "clang-19"),
    "aarch64_sve-aapcs64": ("clang-22", "gcc-12"),
}
OTHERS = {
    "colossus-ipu": "standin-xcore",
    "colossus-ipu-supervisor": "standin-xcore",
    "upmem-dpu": "standin-powerpc",
}
"""The compilers asked instead of clang-22: where there is no compiler others stand in."""
COMMAND = (sys.executable, "-c", "from abiprobe.harness.cli.main import main; main()")


def spent() -> float:
    """CPU seconds of all children so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def derived(target: str) -> float:
    """CPU seconds of deriving the tour of a target."""
    model, before = find_model(target), time.process_time()
    tour(model, find_target(target).toured)
    return time.process_time() - before


def measure(target: str, subject: str) -> Row:
    """A row of the table; of a run that ended with an error only why."""
    signatures = str(len(tours.questions(find_target(target))))
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "run")
        asked = (
            "--cc",
            subject,
            "--opt",
            "O0",
            "--cases",
            "1",
            "--tours",
            "--seed",
            "1",
            "--fresh",
            "--jobs",
            "2",
        )
        before, started = spent(), time.monotonic()
        done = subprocess.run(
            [*COMMAND, "run", target, *asked, "--out", str(out)], capture_output=True, check=False
        )
        passed, seconds = time.monotonic() - started, spent() - before
        if done.returncode not in {0, 1}:
            return {"signatures": signatures, "crossed": done.stderr.decode().splitlines()[-1]}
        told = subprocess.run(
            [*COMMAND, "coverage", str(out), "--format", "json"], capture_output=True, check=False
        )
    (row,) = json.loads(told.stdout)["tours"]
    share = row["crossed"] / max(row["transitions"], 1)
    return {
        "signatures": signatures,
        "observed": str(row["observed"]),
        "transitions and results": str(row["transitions"]),
        "lacks types for": str(row["lacks"]),
        "crossed": f"{row['crossed']} ({share:.1%})",
        "CPU": f"{seconds:.1f} s",
        "clock": f"{passed:.1f} s",
        "deriving": f"{derived(target):.1f} s",
    }


def main() -> None:
    """Print the rows, or put them into a file."""
    parser = argparse.ArgumentParser()
    parser.add_argument("targets", nargs="*", default=list(TARGETS))
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    for target in asked.targets:
        if tours.parts(find_target(target)) and (has_calls(find_target(target)) or target in OTHERS):
            for subject in MORE.get(target, (OTHERS.get(target, "clang-22"),)):
                row = measure(target, subject)
                print(target, subject, *row.values(), sep="\t", flush=True)
                if asked.out:
                    put(asked.out, REMARK, [row], {"target": target, "subject": subject})


if __name__ == "__main__":
    main()
