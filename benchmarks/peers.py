"""The cost of a case to other testers of calls and layouts, and to abiprobe, in turns, in one run.

    python benchmarks/peers.py [quest=PROGRAM] [struct-layout-1=FOLDER] [abitest=FOLDER] [turns=3] [table=FILE]

docs/comparison.md says where each peer is had and what its folder holds; a peer that is not named is left out. Each is
followed by ours on the same target with the same compilers. Everything counts on both sides: drawing, compiling, linking,
running, judging. `table=docs/data/peers.tsv` puts the rows into a file. CPU time is that of all processes; wall-clock time depends on who else uses the machine.
"""

from __future__ import annotations

import os
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import msgspec
from peer_lines import CLANG, COMMANDS, GCC, X86, Abiprobe, AbiTest, Line, Quest, StructLayout

from abiprobe.generators.pool import POOL_SORTS
from abiprobe.generators.scope import EXTENSIONS, FEATURES
from abiprobe.harness.base.table_file import Row, put

COLUMNS = ("who", "target", "compilers", "cases", "shown", "cases/s", "CPU ms a case")
REMARK = "Made by `python benchmarks/peers.py quest=PROGRAM struct-layout-1=FOLDER abitest=FOLDER turns=1 table=docs/data/peers.tsv`."
PEERS = ("quest", "struct-layout-1", "abitest")


class Cost(msgspec.Struct, frozen=True):
    """The cost of cases, in seconds."""

    cases: int = 0
    shown: int = 0
    wall: float = 0.0
    cpu: float = 0.0

    def __add__(self, other: Cost) -> Cost:
        return Cost(
            self.cases + other.cases, self.shown + other.shown, self.wall + other.wall, self.cpu + other.cpu
        )


def cpu() -> float:
    """CPU seconds of this process and of all that it waited for, their own children included."""
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def measured(line: Line, turn: int) -> Cost:
    """One turn of a line on all cores."""
    began, used = time.perf_counter(), cpu()
    with (
        tempfile.TemporaryDirectory(prefix="peers-") as folder,
        ProcessPoolExecutor(len(os.sched_getaffinity(0)), get_context("fork")) as pool,
    ):
        done = list(pool.map(line.work, line.units(Path(folder), turn)))
    cases, shown = sum(one.cases for one in done), sum(one.shown for one in done)
    return Cost(cases, shown, time.perf_counter() - began, cpu() - used)


def blocks(named: dict[str, str]) -> Iterator[tuple[Line, ...]]:
    """For each peer that is named, its lines and ours."""
    iso = FEATURES - EXTENSIONS
    records, calls = POOL_SORTS
    if "quest" in named:
        for target, subject in COMMANDS:
            small, large = (Quest(named["quest"], target, subject, size) for size in (20, 400))
            yield small, large, Abiprobe(target, (subject,), calls, iso)
    if "struct-layout-1" in named:
        folder = Path(named["struct-layout-1"]).absolute()
        for subjects in ((GCC,), (GCC, CLANG)):
            ours = (Abiprobe(X86, subjects, kind, FEATURES) for kind in (records, calls))
            yield StructLayout(folder, subjects[-1]), *ours
    if "abitest" in named:
        folder = Path(named["abitest"]).absolute()
        yield AbiTest(folder, layouts=False), Abiprobe(X86, (GCC, CLANG), calls, iso)
        yield AbiTest(folder, layouts=True), Abiprobe(X86, (GCC, CLANG), records, iso)


def main() -> None:
    """Measure each peer and ours in turns, and print a line for each."""
    named = dict(word.partition("=")[::2] for word in sys.argv[1:])
    turns, table = named.pop("turns", "3"), named.pop("table", "")
    if not named or not named.keys() <= set(PEERS) or not turns.isdecimal():
        sys.exit(
            f"name peers as NAME=PATH; there are {', '.join(PEERS)}; and, if not 3, turns=NUMBER, and table=FILE"
        )
    tools = [command[0] for command in COMMANDS.values()]
    missing = [path for path in named.values() if not Path(path).exists()]
    missing += [name for name in tools if shutil.which(name) is None]
    if missing:
        sys.exit(f"not there: {', '.join(missing)}")
    rows: list[Row] = []
    for lines in blocks(named):
        costs = dict.fromkeys(lines, Cost())
        for ours in (line for line in lines if isinstance(line, Abiprobe)):
            ours.work(next(ours.units(Path(), int(turns))))
        for turn in range(int(turns)):
            for line in lines:
                costs[line] += measured(line, turn)
        for line, cost in costs.items():
            rate, each = cost.cases / cost.wall, 1000 * cost.cpu / cost.cases
            numbers = (f"{cost.cases}", f"{cost.shown}", f"{rate:.0f}", f"{each:.2f}")
            rows.append(dict(zip(COLUMNS, (*line.title.split(" | "), *numbers), strict=True)))
            print(*rows[-1].values(), sep="\t", flush=True)
    if table:
        put(Path(table), REMARK, rows)


if __name__ == "__main__":
    main()
