"""Write what the dialects of compilers leave unexplained in some runs, by target and compiler.

    python benchmarks/dialects.py FOLDER... --table docs/data/dialects.tsv

A question counts once for a compiler, whatever levels it was asked at. It deviates if the compiler does not do at one of them what the
text says; then its quirks explain it, or an entry of the list of known crashes, refusals and marks does, or it is left.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from abiprobe.harness.base.table_file import Row, put
from abiprobe.harness.runs.run_files import read_run
from abiprobe.harness.triage.known_files import read_known
from abiprobe.results.journal.journal import Run
from abiprobe.results.known.matches import match_known
from abiprobe.results.verdicts.record import Judgement

REMARK = "Made by `python benchmarks/dialects.py FOLDER... --table docs/data/dialects.tsv`, of runs of `abiprobe run all`."
Asked = tuple[str, str]
"""A target and a compiler with its version."""


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--table", type=Path, required=True)
    asked = parser.parse_args()
    put(asked.table, REMARK, [row for folder in asked.folders for row in rows(read_run(folder))])


def rows(run: Run) -> Iterator[Row]:
    """The row of each target and compiler of a run."""
    asked, deviating, quirky = counted(run)
    found = match_known(run.batches, read_known().in_force(datetime.now(UTC).date()), run.versions)
    left: dict[Asked, set[str]] = defaultdict(set)
    for group in found.left:
        for member in group.members:
            for subject in group.subjects:
                left[group.fingerprint.target, subject].add(member.probe)
    for key in sorted(asked):
        wrong = deviating[key] | left[key]
        yield {
            "target": key[0],
            "compiler": key[1],
            "questions": f"{len(asked[key]):,}",
            "deviating by the text": f"{len(wrong):,}",
            "explained by quirks": f"{len(quirky[key] - left[key]):,}",
            "in the list of crashes and refusals": f"{len(wrong - quirky[key] - left[key]):,}",
            "left": f"{len(left[key]):,}",
        }


def counted(run: Run) -> tuple[dict[Asked, set[str]], dict[Asked, set[str]], dict[Asked, set[str]]]:
    """The probes that were compared, that deviate, and of which every deviation has its quirks."""
    asked: dict[Asked, set[str]] = defaultdict(set)
    deviating: dict[Asked, set[str]] = defaultdict(set)
    plain: dict[Asked, set[str]] = defaultdict(set)
    for batch in run.batches:
        key = batch.key.target, batch.key.subject
        for one in batch.verdicts:
            if one.verdict is not Judgement.UNOBSERVED:
                asked[key].add(one.probe)
            if one.verdict is Judgement.DEVIATES:
                deviating[key].add(one.probe)
                if not one.quirks:
                    plain[key].add(one.probe)
    quirky = {key: deviating[key] - plain[key] for key in asked}
    return asked, deviating, quirky


if __name__ == "__main__":
    main()
