"""A whole run measured: who uses the CPU, how much two jobs gain, what a repetition costs, and how soon an answer is there.

    python benchmarks/run.py [CASES] [SUBJECTS]

Asks CASES (500) prototypes and records about riscv64-lp64d and x86_64-sysv of SUBJECTS (the four compilers
clang-16,clang-19,clang-22,gcc-12) at -O0 and -O2, three times: with one job, with a job for each core, and once more from
memory, all without the triage at the end of a run. That is measured apart, by two repetitions from memory: the first one
reduces, the second one remembers. Shares are of CPU time and hold on a busy machine; the gain of two jobs is of wall time
and does not.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

TARGETS = ("riscv64-lp64d", "x86_64-sysv")
FOREIGN = ("compile_seconds", "link_seconds", "run_seconds")
MAIN = (sys.executable, "-c", "from abiprobe.harness.cli.main import main; main()")
DECLARATION = "struct S { float a; int : 0; float b; }; void f(struct S);"


def measured(folder: Path, *arguments: str) -> tuple[float, float]:
    """Wall and CPU seconds of one abiprobe command, its children included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    subprocess.run((*MAIN, *arguments), cwd=folder, stdout=subprocess.DEVNULL, check=False)
    seconds = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def lines(folder: Path) -> list[dict[str, Any]]:
    """The journal of a run."""
    return [json.loads(line) for line in (folder / "journal.jsonl").read_text("utf-8").splitlines()]


def shares(folder: Path, cpu: float) -> None:
    """Print who used the CPU seconds of a run, by tool and by stage of ours."""
    foreign: dict[str, float] = defaultdict(float)
    own: dict[str, float] = defaultdict(float)
    for line in lines(folder):
        for name in FOREIGN:
            foreign[name] += line.get(name, 0)
        for name, seconds in line.get("stages", ()):
            own[name] += seconds
    for name, seconds in foreign.items():
        print(f"  {name.removesuffix('_seconds'):10} {seconds / cpu:6.1%}")
    print(f"  {'ours':10} {1 - sum(foreign.values()) / cpu:6.1%}, of which")
    rest = cpu - sum(foreign.values()) - sum(own.values())
    for name, seconds in sorted((*own.items(), ("start, report, rest", rest))):
        print(f"    {name:20} {seconds / cpu:6.1%}")


def digest(folder: Path) -> str:
    """The digest of a run's verdicts."""
    return str(lines(folder)[-1]["digest"])


def main() -> None:
    """Measure three runs and three answers."""
    cases, subjects = (*sys.argv[1:], *("500", "clang-16,clang-19,clang-22,gcc-12")[len(sys.argv) - 1 :])
    asked = ("run", *TARGETS, "--cc", subjects, "--cases", cases, "--seed", "1", "--opt", "O0,O2")
    common = (*asked, "--no-triage")
    cores = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["ABIPROBE_CACHE"] = str(folder / "cache")
        measured(folder, "run", *TARGETS, "--cc", subjects, "--cases", "1", "--seed", "2", "--opt", "O0,O2")
        one, _ = measured(folder, *common, "--fresh", "--jobs", "1", "--out", "one")
        all_, cpu = measured(folder, *common, "--jobs", str(cores), "--out", "all")
        again, little = measured(folder, *common, "--jobs", str(cores), "--out", "again")
        print(
            f"{cases} prototypes and records, {' '.join(TARGETS)}, {subjects}, -O0 and -O2: {cpu:.1f} s of CPU"
        )
        shares(folder / "all", cpu)
        print(f"one job {one:.1f} s, {cores} jobs {all_:.1f} s: {one / all_:.2f} times")
        print(f"again {again:.1f} s, {all_ / again:.1f} times as fast; {cpu / little:.1f} times by CPU time")
        for number in ("first", "second"):
            wall, used = measured(folder, *asked, "--jobs", str(cores), "--out", number)
            print(f"{number} triage {wall - again:.1f} s, {used - little:.1f} s of CPU, compilers included")
        print(f"same verdicts: {len({digest(folder / run) for run in ('one', 'all', 'again')}) == 1}")
        (folder / "s.h").write_text(DECLARATION + "\n")
        check = ("check", "s.h", "--target", TARGETS[0], "--cc", subjects.rpartition(",")[2], "--opt", "O0")
        for words in (check, ("explain", DECLARATION, "--target", TARGETS[0]), ("--help",)):
            wall, used = min(measured(folder, *words) for _ in range(3))
            print(f"{words[0]:8} {wall:.2f} s, {used:.2f} s of CPU")
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
        print(f"largest process: {peak} MiB, compilers included")


if __name__ == "__main__":
    main()
