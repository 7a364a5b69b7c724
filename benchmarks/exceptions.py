"""`python benchmarks/exceptions.py [SUBJECT,...] [THROWS] [LEVEL] [SOURCE]`: exceptions through frames of two C++ compilers.

Each half of the program beside this file is built by each subject, each first half linked with each second one and run.
A line says what was thrown, ended and thrown on, in how many rounds objects were lost, and the sum over all that happened;
it must be the same for all. The host's `g++` links, with its library. Exits with 1 where something is lost or differs.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from itertools import product
from pathlib import Path

from abiprobe.harness.subjects.find import build, parse_subject
from abiprobe.oracles.registry import find_target

TARGET = "x86_64-sysv"
LINKERS = ("g++", *(f"g++-{version}" for version in range(16, 11, -1)))
DEFAULTS = ("g++-12,clang++-22", "1000", "O1", str(Path(__file__).with_suffix(".cc")))
COLUMNS = "first\tsecond\tthrown\tended\tthrown on\trounds with lost objects\tsum"
HALVES = {"first": ("-DUNIT=first", "-DMAIN"), "second": ("-DUNIT=second",)}


def half(name: str, which: str, level: str, source: str, folder: Path) -> Path:
    """The object of one half by one subject."""
    built = build(parse_subject(name), find_target(TARGET), level)
    if built is None:
        raise SystemExit(f"{name} is not installed")
    made = folder / f"{name}-{which}.o"
    words = (built.command[0], "-x", "c++", "-std=c++17", f"-{level}", "-w", *HALVES[which], "-c", source)
    subprocess.run((*words, "-o", made), check=True)
    return made


def said(first: Path, second: Path, throws: str) -> str:
    """The line of the program that two halves make; how it ended if there is none."""
    program = first.with_suffix(f".{second.stem}")
    linker = next(filter(None, map(shutil.which, LINKERS)), None)
    if linker is None:
        raise SystemExit("g++ is not installed, which links")
    subprocess.run((linker, first, second, "-o", program), check=True)
    done = subprocess.run((program, throws), capture_output=True, text=True, check=False)
    return done.stdout.strip() or f"ended by {-done.returncode}"


def compared(names: str, throws: str, level: str, source: str, columns: str = COLUMNS) -> int:
    """Build, link, run, and print a line for each two; return 1 where lines differ or something is lost."""
    lines = {}
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        halves = {
            (name, which): half(name, which, level, source, folder)
            for name, which in product(names.split(","), HALVES)
        }
        print(columns)
        for first, second in product(names.split(","), repeat=2):
            line = said(halves[first, "first"], halves[second, "second"], throws)
            lines[first, second] = line.split()
            print(first, second, *line.split(), sep="\t")
    alike = len({tuple(one) for one in lines.values()}) == 1
    return 0 if alike and all(one[0] == one[1] and one[3] == "0" for one in lines.values()) else 1


if __name__ == "__main__":
    sys.exit(compared(*sys.argv[1:], *DEFAULTS[len(sys.argv) - 1 :]))
