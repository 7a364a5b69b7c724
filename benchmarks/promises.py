"""Write the matrices of promises in some folders as a table.

    python benchmarks/promises.py FOLDER... --table docs/how-to/promises.tsv

A folder is that of `abiprobe promise --matrix`. A row is a promise: what became of it on the layouts and calls of each target, and
the release since which it is broken.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from abiprobe.harness.base.table_file import Row, put
from abiprobe.harness.runs.run_files import read_matrix
from abiprobe.results.report.promise_matrix import Matrix, columns, row_cells
from abiprobe.results.report.promise_text import base

REMARK = "Made by `python benchmarks/promises.py FOLDER... --table docs/how-to/promises.tsv` of `abiprobe promise --matrix`"


def rows(matrices: Sequence[Matrix]) -> Iterator[Row]:
    """The row of each promise of some matrices."""
    heads = columns(row for matrix in matrices for row in matrix.rows)
    for matrix in matrices:
        for row in matrix.rows:
            told = {
                f"{base(target)} {part}": cell.strip("-")
                for (target, part), cell in zip(heads, row_cells(row, heads), strict=True)
            }
            yield {"kind": row.heading, "promise": f"`{row.name}`", **told, "since": row.since}


def remark(matrices: Sequence[Matrix]) -> str:
    """The first line: how the rows were made, with the number of questions and the CPU time."""
    each = (
        f"{one.family}: {one.cases} cases, {', '.join(one.levels)}, {one.cpu_seconds / 60:.1f} CPU minutes"
        for one in matrices
    )
    return f"{REMARK}; {'; '.join(each)}."


def main() -> int:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--table", type=Path, required=True)
    asked = parser.parse_args()
    found = [matrix for folder in asked.folders if (matrix := read_matrix(folder)) is not None]
    if len(found) < len(asked.folders):
        sys.stderr.write("a folder has no matrix\n")
        return 2
    put(asked.table, remark(found), tuple(rows(found)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
