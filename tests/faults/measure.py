"""The long form of the fault laboratory: `python -m tests.faults.measure [TABLE[=TIMES]...] [--out docs/data]`.

Each fault is injected TIMES times at places and moments that are drawn from a fixed seed. Without a TABLE all are made, which
takes hours. `--out` puts the rows into the files of a folder. What falls is kept in `faults-fell`.
"""

from __future__ import annotations

import importlib
import shutil
import sys
import tempfile
from pathlib import Path

from abiprobe.harness.base.table_file import put

from .table import Measured

TABLES: dict[str, tuple[str, int]] = {
    "kills": ("kills.kills", 25),
    "caches": ("caches.caches", 1000),
    "journals": ("journals.journals", 1000),
    "c": ("inputs.c_files", 10_000),
    "objects": ("inputs.broken_objects", 5000),
    "lists": ("inputs.lists", 1000),
    "strings": ("strings.hostile", 200),
    "memory": ("memory.memory", 1_000_000),
}
"""Where each table is made, and how often each fault is injected; memory is measured for so many verdicts."""
REMARK = "Made by `tox -e faults -- --out docs/data`."
MEMORY = "memory"
MEMORY_REMARK = "Made by `tox -e faults -- memory --out docs/data`; a run of {:,} verdicts."
FORKED = frozenset({"kills", "caches"})
"""Tables whose runs are forked from here, so that nothing of a run may be known here."""
FELL = Path("faults-fell")


def main(*words: str) -> None:
    """Print the tables, or put them into files."""
    wanted, _, out = " ".join(words).partition("--out ")
    folder = Path(out.strip()) if out else None
    # Loaded once for everything that is forked.
    importlib.import_module("abiprobe.harness.cli.commands.run")
    # What is forked comes first: other tables leave what they have learned in this process.
    asked = [word.partition("=") for word in wanted.split() or TABLES]
    printed([one for one in asked if one[0] in FORKED], folder)
    from abiprobe.harness.base.scratch import scratch

    # Commands within one process share what is built for it.
    with scratch():
        printed([one for one in asked if one[0] not in FORKED], folder)


def printed(asked: list[tuple[str, str, str]], out: Path | None) -> None:
    """Print some tables, and keep what fell."""
    for name, _, times in asked:
        made, usual = TABLES[name]
        with tempfile.TemporaryDirectory() as path:
            folder = Path(path)
            module, _, function = made.rpartition(".")
            table: Measured = getattr(importlib.import_module(f".{module}", __package__), function)
            rows = []
            for line in table(int(times or usual), folder):
                rows.append(line.row)
                sys.stdout.write("\t".join((name, *line.row.values())) + "\n")
                sys.stdout.flush()
            if out is not None and name == MEMORY:
                put(out / "memory.tsv", MEMORY_REMARK.format(int(times or usual)), rows)
            elif out is not None:
                put(out / "faults.tsv", REMARK, rows, {"table": name})
            for fallen in folder.glob("fell*"):
                FELL.mkdir(exist_ok=True)
                shutil.move(fallen, FELL / f"{name}-{fallen.name}")


if __name__ == "__main__":
    main(*sys.argv[1:])
