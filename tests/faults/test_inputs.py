"""The quick form of the laboratory's tables about files and strings of others: nothing falls."""

from __future__ import annotations

from pathlib import Path

import pytest

from abiprobe.harness.base.scratch import scratch

from .inputs import broken_objects, c_files, lists
from .strings import hostile
from .table import Measured


@pytest.mark.parametrize(
    ("table", "times"), [(c_files, 30), (broken_objects, 200), (lists, 40), (hostile, 1)]
)
def test_nothing_falls(table: Measured, times: int, tmp_path: Path) -> None:
    with scratch():
        lines = list(table(times, tmp_path))
    assert sum(line.injected for line in lines)
    assert {
        line.fault: line.injected - line.survived for line in lines if line.survived < line.injected
    } == {}


@pytest.mark.long
@pytest.mark.parametrize(
    ("table", "times"), [(c_files, 1000), (broken_objects, 5000), (lists, 1000), (hostile, 20)]
)
def test_nothing_falls_in_the_long_run(table: Measured, times: int, tmp_path: Path) -> None:
    test_nothing_falls(table, times, tmp_path)
