"""Runs that a program in Python starts."""

from __future__ import annotations

from pathlib import Path

import pytest

import abiprobe
from abiprobe.results.journal.journal import Writer, read
from tests.harness.cli.commands.calling import needed

TARGET = "x86_64-sysv"


def test_a_run_that_is_interrupted_in_preparation_leaves_its_journal_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("abiprobe.harness.api.running.prepare", interrupt)
    with pytest.raises(KeyboardInterrupt) as interrupted:
        abiprobe.run(TARGET, [needed("gcc-12", TARGET)], cases=10, folder=tmp_path / "run")
    # Its frames live as long as what was raised.
    assert interrupted.tb is not None
    Writer.extend(tmp_path / "run").close()
    assert read(tmp_path / "run").footer is None
