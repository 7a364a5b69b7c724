"""How much a comparison of lowerings costs: CPU seconds of `abiprobe lowerings`, from a cache without answers.

    python benchmarks/lowerings.py [ARGUMENTS OF abiprobe lowerings ...]

Without arguments: BPF with clang 24 and LLVM's ABI library, of which nothing is known, which finds results in registers on
one side and in memory on the other. Prints CPU seconds of the fastest of three (on a busy machine times vary), what the
compilers took of them, and wall seconds. What `abiprobe toolchains install` has fetched is used; other answers are not.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from abiprobe.harness.subjects import releases

MAIN = (sys.executable, "-c", "from abiprobe.harness.cli.main import main; main()", "lowerings")
ASKED = ("bpfel", "--cc", "clang-24,clang-24+llvmabi", "--no-known")
TIMES = 3


def measured(arguments: tuple[str, ...]) -> tuple[float, float, float, int]:
    """CPU seconds of one comparison, those of compilers on prototypes, wall seconds, and the number of causes."""
    installed = releases.folder()
    with tempfile.TemporaryDirectory() as name:
        if installed.is_dir():
            Path(name, installed.name).symlink_to(installed)
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        done = subprocess.run(
            (*MAIN, *arguments, "--format", "json"),
            env={**os.environ, "ABIPROBE_CACHE": name},
            stdout=subprocess.PIPE,
            check=False,
        )
        wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    told = json.loads(done.stdout)
    compilers = sum(tally["cpu_seconds"] for tally in told["tallies"])
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, compilers, wall, len(told["causes"])


def main() -> None:
    """Measure, and print the fastest."""
    found = [measured(tuple(sys.argv[1:]) or ASKED) for _ in range(TIMES)]
    cpu, compilers, wall, causes = min(found)
    print(f"{causes} causes, {cpu:.1f} s of CPU ({compilers:.1f} s compilers on prototypes), {wall:.1f} s")
    print(f"all: {', '.join(f'{one[0]:.1f}' for one in found)} s of CPU")


if __name__ == "__main__":
    main()
