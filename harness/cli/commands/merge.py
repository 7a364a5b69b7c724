"""`abiprobe merge`: the shards of a run put together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.cli.commands.console import asides, print_json
from abiprobe.harness.runs.run_files import read_begun_run, write_run
from abiprobe.results.history.merge import merged
from abiprobe.results.journal.journal import JournalError
from abiprobe.results.report.json_form import SCHEMA

INCOMPLETE = 4


def merge(folders: Sequence[Path], out: Path, form: str = "text") -> int:
    """Write the run that `folders` are the parts of; 0, or 4 when a part is missing or was interrupted."""
    try:
        whole = merged([read_begun_run(folder) for folder in folders])
    except JournalError as error:
        raise Problem(str(error)) from error
    write_run(out, whole)
    verdicts = sum(len(batch.verdicts) for batch in whole.batches)
    if form == "json":
        digest = None if whole.footer is None else whole.footer.digest
        as_json = {
            "schema": SCHEMA,
            "folder": str(out),
            "batches": len(whole.batches),
            "verdicts": verdicts,
        }
        print_json(as_json | {"digest": digest, "complete": digest is not None})
        return 0 if digest is not None else INCOMPLETE
    digest_words = "" if whole.footer is None else f", digest {whole.footer.digest}"
    asides().print(f"{len(whole.batches)} batches, {verdicts} verdicts{digest_words}", soft_wrap=True)
    if whole.footer is None:
        asides().print("a shard is missing or was interrupted: the run is incomplete", soft_wrap=True)
        return INCOMPLETE
    return 0
