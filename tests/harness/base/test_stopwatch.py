"""Stages count for themselves alone, and what they spent is told by differences."""

from __future__ import annotations

import time

import pytest

from abiprobe.harness.base import stopwatch


def test_a_stage_within_a_stage_counts_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter((0.0, 1.0, 4.0, 6.0))
    monkeypatch.setattr(time, "process_time", lambda: next(clock))
    before = stopwatch.spent()
    with stopwatch.stage("outer of this test"), stopwatch.stage("inner of this test"):
        pass
    assert stopwatch.since(before) == pytest.approx({"outer of this test": 3.0, "inner of this test": 3.0})


def test_children_are_charged() -> None:
    before = stopwatch.spent()
    stopwatch.charge(stopwatch.RUN, 0.5)
    stopwatch.charge(stopwatch.RUN, 0.25)
    assert stopwatch.since(before) == pytest.approx({stopwatch.RUN: 0.75})


def test_a_stage_that_fails_is_counted() -> None:
    before = stopwatch.spent()
    with pytest.raises(KeyError), stopwatch.stage("failing stage"):
        _ = {}["x"]
    assert set(stopwatch.since(before)) <= {"failing stage"}
