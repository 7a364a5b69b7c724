"""Journals of every version that wrote one are read by this one."""

from __future__ import annotations

from pathlib import Path

import pytest

from abiprobe.results.journal import read_complete
from abiprobe.results.record import Judgement

KEPT = {"0.1.0": (4, 48)}
FOLDER = Path(__file__).parent / "journals"


@pytest.mark.parametrize("version", KEPT)
def test_old_journals_still_read(version: str) -> None:
    run = read_complete(FOLDER / f"{version}.jsonl")
    verdicts = [verdict for batch in run.batches for verdict in batch.verdicts]
    assert (len(run.batches), len(verdicts)) == KEPT[version]
    assert Judgement.AGREES in {verdict.verdict for verdict in verdicts}


def test_every_kept_journal_is_listed() -> None:
    assert {path.stem for path in FOLDER.glob("*.jsonl")} == set(KEPT)
