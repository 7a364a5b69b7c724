"""Write what the complete suites of some runs came to as a table.

    python benchmarks/complete.py FOLDER... --table docs/how-to/complete.tsv

A folder is that of a run with `--complete` or `--complete-records`. A row is a mode of a target's calls, or its records, with a subject at
a level; CPU seconds are of the compiler, the executor and abiprobe together. What deviates by known quirks of the compiler only is counted
by their names: of a text nothing is proved then, of the compiler's own dialect everything but these quirks.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from abiprobe.harness.base.table_file import Row, put
from abiprobe.harness.runs.run_files import read_run
from abiprobe.results.coverage.complete import Conformance, conformance
from abiprobe.results.journal.journal import Run

REMARK = "Made by `python benchmarks/complete.py FOLDER... --table docs/how-to/complete.tsv`, of runs with `--complete` and `--complete-records`."


def rows(run: Run) -> Iterator[Row]:
    """The row of each mode, subject and level of a run."""
    spent = seconds(run)
    for one in conformance(run):
        yield {
            "target": one.target,
            "calls or records": one.mode,
            "K": str(one.records or one.extra),
            "states": str(one.states or ""),
            "classes": str(one.classes),
            "asked": f"{one.signatures:,}",
            "compiler": f"{one.subject} -{one.level}",
            "deviate": f"{one.deviating:,}",
            "by quirks": f"{one.known:,}",
            "lacking": f"{one.lacking:,}",
            "not compared": f"{one.uncompared:,}",
            "not asked": f"{one.unasked:,}",
            "conforms": answer(one),
            "CPU seconds": str(round(spent[key(one)])),
            "quirks": "; ".join(f"{name}: {count:,}" for name, count in one.quirks.items()),
        }


def answer(one: Conformance) -> str:
    """Return whether a subject conforms, if only by its dialect, or why that is not known."""
    if one.conforms:
        return "yes"
    if one.is_proved:
        return "but for quirks"
    return "not by the text" if one.explained else "no"


def key(one: Conformance) -> tuple[str, str, str, str]:
    """The mode of a subject at a level."""
    return one.target, one.subject, one.level, one.mode


def seconds(run: Run) -> dict[tuple[str, str, str, str], float]:
    """CPU seconds of the batches of each mode."""
    found: dict[tuple[str, str, str, str], float] = defaultdict(float)
    for batch in run.batches:
        for suite in run.header.complete:
            at = batch.key.number - suite.first
            if (batch.key.target, batch.key.sort) == (suite.target, suite.sort) and 0 <= at < suite.batches:
                asked = (batch.key.target, batch.key.subject, batch.key.level, suite.mode)
                found[asked] += batch.cpu_seconds
    return found


def main() -> int:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--table", type=Path, required=True)
    asked = parser.parse_args()
    found = [row for folder in asked.folders for row in rows(read_run(folder))]
    if not found:
        sys.stderr.write("no run has a complete suite\n")
        return 2
    put(asked.table, REMARK, tuple(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
