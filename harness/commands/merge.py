"""`abiprobe merge`: the shards of a run put together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from abiprobe.harness.commands.console import asides
from abiprobe.harness.problem import Problem
from abiprobe.harness.runs import read_run, write_run
from abiprobe.results.history.merge import merged
from abiprobe.results.journal import JournalError


def merge(folders: Sequence[Path], out: Path) -> int:
    """Write the run that `folders` are the parts of; 0, or 4 when a part is missing or was interrupted."""
    try:
        whole = merged([read_run(folder) for folder in folders])
    except JournalError as error:
        raise Problem(str(error)) from error
    write_run(out, whole)
    verdicts = sum(len(batch.verdicts) for batch in whole.batches)
    told = "" if whole.footer is None else f", digest {whole.footer.digest}"
    asides().print(f"{len(whole.batches)} batches, {verdicts} verdicts{told}", soft_wrap=True)
    if whole.footer is None:
        asides().print("a shard is missing or was interrupted: the run is incomplete", soft_wrap=True)
        return 4
    return 0
