"""CPU milliseconds that one prototype and one record cost on each target, compiler, linker and executor included.

    python benchmarks/targets.py [CASES] [SUBJECTS] [TARGET...]

Runs CASES (1000) prototypes and as many records at -O0 on every TARGET (all) with each of SUBJECTS (gcc-12,clang-22) that
compiles for it, one at a time, without tours and triage, and then twice as many. Prints the CPU time of the second command
beyond that of the first, divided by CASES, and that of the first as a whole. A busy machine makes both longer: compare the
lines of one run.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from run import measured

from abiprobe.harness.subjects.find import installed, parse_subject
from abiprobe.oracles.registry import TARGETS, find_target

OPTIONS = (
    "--opt",
    "O0",
    "--seed",
    "1",
    "--no-tours",
    "--no-triage",
    "--pairs",
    "none",
    "--jobs",
    "1",
    "--fresh",
)


def cpu_seconds(folder: Path, target: str, subject: str, cases: int) -> float:
    """CPU seconds of a run, its children included."""
    return measured(folder, "run", target, "--cc", subject, "--cases", str(cases), *OPTIONS)[1]


def main() -> None:
    """Measure every target with every compiler."""
    cases, subjects, *targets = (*sys.argv[1:], *("1000", "gcc-12,clang-22")[len(sys.argv) - 1 :])
    more = int(cases)
    print(f"{'target':24} {'compiler':10} ms a prototype and record, seconds for {more} of both")
    with tempfile.TemporaryDirectory() as folder:
        for target in targets or TARGETS:
            for subject in subjects.split(","):
                if installed(parse_subject(subject), (find_target(target),)):
                    once = cpu_seconds(Path(folder), target, subject, more)
                    twice = cpu_seconds(Path(folder), target, subject, 2 * more)
                    print(
                        f"{target:24} {subject:10} {(twice - once) * 1000 / more:8.2f} {once:8.1f}",
                        flush=True,
                    )


if __name__ == "__main__":
    main()
