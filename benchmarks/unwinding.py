"""Count of the instructions at which the unwind tables of compilers are wrong, by known bug.

    python benchmarks/unwinding.py 1000 --keep FOLDER [--table docs/how-to/unwinding.tsv]

Each compiler is asked by itself about as many functions on each target, at every level and in every variant that `abiprobe unwind` has, and
its answer kept in the folder, so that a count that ends before its time goes on where it was. CPU seconds are of abiprobe and the compiler
together.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from abiprobe.harness.base.cache import replace
from abiprobe.harness.base.stopwatch import cpu_seconds
from abiprobe.harness.base.table_file import Row, put

TARGETS = (
    "x86_64-sysv",
    "i386-sysv",
    "aarch64-aapcs64",
    "arm-aapcs",
    "riscv64-lp64d",
    "s390x",
    "powerpc64le-elfv2",
)
COMPILERS = ("gcc-12", "gcc-14", "gcc-16", "clang-14", "clang-22", "clang-24")
REMARK = "Made by `python benchmarks/unwinding.py {count} --keep FOLDER --table {table}`: functions, and instructions of all that is compiled of them."
PROGRAM = Path(sys.executable).with_name("abiprobe")
EXPECTED = (0, 1, 3)
"""The exit statuses of a count: nothing new, something new, not all could be compared."""


def main() -> None:
    """Ask, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--keep", type=Path, required=True)
    parser.add_argument("--table", type=Path)
    parser.add_argument("--target", action="append", choices=TARGETS)
    asked = parser.parse_args()
    asked.keep.mkdir(parents=True, exist_ok=True)
    rows: list[Row] = []
    for target in asked.target or TARGETS:
        for compiler in COMPILERS:
            answer = asked.keep / f"{target}_{compiler}.json"
            if not answer.exists():
                ask(target, compiler, asked.count, answer)
            rows += row(msgspec.json.decode(answer.read_bytes()))
            print(*rows[-1].values(), sep="\t", flush=True)
    if asked.table:
        put(asked.table, REMARK.format(count=asked.count, table=asked.table), rows)


def ask(target: str, compiler: str, count: int, answer: Path) -> None:
    """Ask one compiler, and keep the answer with its CPU seconds."""
    words = ("unwind", target, "--cc", compiler, "--cases", str(count), "--jobs", "1", "--format", "json")
    before = cpu_seconds()
    done = subprocess.run((PROGRAM, *words), stdout=subprocess.PIPE, check=False)
    if done.returncode not in EXPECTED:
        sys.exit(f"abiprobe {' '.join(words)}: exit status {done.returncode}")
    found = {**msgspec.json.decode(done.stdout), "cpu_seconds": round(cpu_seconds() - before)}
    replace(answer, msgspec.json.encode(found))


def row(found: dict[str, Any]) -> Iterator[Row]:
    """Yield the row of each subject of an answer."""
    known = "; ".join(f"{one['name']}: {functions(one['functions'])} functions" for one in found["known"])
    for subject in found["subjects"]:
        yield {
            "target": subject["target"],
            "compiler": subject["subject"],
            "functions": f"{found['cases']:,}",
            "instructions": f"{subject['instructions']:,}",
            "wrong": f"{subject['wrong']:,}",
            "facts": f"{subject['facts']:,}",
            "functions not compared": f"{sum(subject['failures'].values()) + len(subject['ended']):,}",
            "new causes": str(len(found["causes"])),
            "CPU seconds": f"{found['cpu_seconds']:,}",
            "known bugs": known,
        }


def functions(counts: list[dict[str, Any]]) -> str:
    """The functions that a known bug explains, each at every level and in every variant."""
    return f"{sum(one['functions'] for one in counts):,}"


if __name__ == "__main__":
    main()
