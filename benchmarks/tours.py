"""How soon a run has crossed every transition of a target's automaton: `python benchmarks/tours.py [TARGET...]`.

For each target a run of its own with one compiler at -O0: the tour, one random prototype and one record. Seconds are of CPU, of
abiprobe and all its tools together, so that a busy machine does not count; on two idle cores they are an upper bound of the time
that passes. Deriving a tour is done once for a version and left out.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from abiprobe.harness import tours
from abiprobe.harness.dispatch import has_calls
from abiprobe.oracles.registry import TARGETS

OTHERS = {
    "i386-sysv": "gcc-12",
    "colossus-ipu": "standin-armhf",
    "colossus-ipu-supervisor": "standin-xcore",
    "upmem-dpu": "standin-powerpc",
}
"""Who is asked instead of clang-22: on i386 it lacks _Float128, and where there is no compiler others stand in."""
COMMAND = (sys.executable, "-c", "from abiprobe.harness.cli import main; main()")


def spent() -> float:
    """CPU seconds of all children so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(target: str) -> str:
    """A row of the table."""
    subject = OTHERS.get(target, "clang-22")
    signatures = len(tours.questions(target))
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "run")
        asked = ("--cc", subject, "--opt", "O0", "--cases", "1", "--tours", "--seed", "1", "--fresh")
        before = spent()
        done = subprocess.run(
            [*COMMAND, "run", target, *asked, "--out", str(out)], capture_output=True, check=False
        )
        seconds = spent() - before
        if done.returncode not in {0, 1}:
            return f"| {target} | {subject} | {signatures} | | | | {done.stderr.decode().splitlines()[-1]} |"
        told = subprocess.run(
            [*COMMAND, "coverage", str(out), "--format", "json"], capture_output=True, check=True
        )
    (row,) = json.loads(told.stdout)["tours"]
    share = row["crossed"] / row["transitions"]
    return (
        f"| {target} | {subject} | {signatures} | {row['observed']} | {row['transitions']} | {row['crossed']} ({share:.1%})"
        f" | {seconds:.1f} s |"
    )


def main() -> None:
    """Print the table."""
    print("| target | subject | signatures | observed | transitions and results | crossed | CPU |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for target in sys.argv[1:] or TARGETS:
        if tours.parts(target) and (has_calls(target) or target in OTHERS):
            print(measure(target), flush=True)


if __name__ == "__main__":
    main()
