"""glibc's vector functions: every name derived, every function called through the model's places."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.progress import shown_by
from abiprobe.harness.observers.lanes import libmvec
from abiprobe.harness.observers.lanes.floats import distance
from abiprobe.harness.observers.lanes.libmvec import check_library, find_library
from abiprobe.harness.observers.lanes.library import TOLERANCE
from abiprobe.oracles.abis.vfabi import VectorModel
from abiprobe.oracles.abis.vfabi.dialect import VectorPolicy
from abiprobe.oracles.language.lang import Kind

from .conftest import model


@pytest.fixture
def library() -> Path:
    try:
        return find_library()
    except Problem:
        pytest.skip("libmvec.so.1 is not installed")


class Told:
    """Counts what is shown of work, by what it is: how much there is, and how much was done."""

    def __init__(self) -> None:
        self.works: list[tuple[str, float | None]] = []
        self.done: list[float] = []

    def begin(
        self, what: str, total: float | None, seconds: float | None, done: Callable[[], float] | None
    ) -> int:
        self.works.append((what, total))
        self.done.append(0)
        return len(self.works) - 1

    def step(self, number: int, words: str, amount: float) -> None:
        self.done[number] += amount

    def end(self, number: int) -> None:
        pass

    def hide(self) -> None:
        pass


def test_every_symbol_is_derived_read_back_and_called(library: Path) -> None:
    told = Told()
    with shown_by(told):
        report = check_library(library)
    assert [what for what, _ in told.works] == ["what to call", "lanes of each function"]
    assert told.done == [total for _, total in told.works]
    assert report.exported >= 216
    assert (report.underived, report.unexported, report.unread) == ((), (), ())
    assert [one for one in report.checked if one.failed] == []
    assert sum(one.lanes > 0 or one.skipped for one in report.checked) == report.exported
    assert 0 < max(one.worst for one in report.checked) <= TOLERANCE


@pytest.mark.parametrize("places", [VectorPolicy(registers=16), VectorPolicy(parts_together=False)])
def test_a_wrong_model_is_caught(
    library: Path, monkeypatch: pytest.MonkeyPatch, places: VectorPolicy
) -> None:
    right = model()
    wrong = VectorModel(right.scalar, dataclasses.replace(right.dialect, places=places))
    monkeypatch.setattr(libmvec, "find_model", lambda _name: wrong)
    assert check_library(library).wrong


def test_another_library_exports_nothing_of_it(library: Path) -> None:
    report = check_library(library.with_name("libm.so.6"))
    assert report.exported == 0
    assert len(report.unexported) == 216
    assert report.wrong


def test_what_is_no_library_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "no.so").write_text("text")
    for name in ("no.so", "absent.so"):
        with pytest.raises(Problem):
            check_library(tmp_path / name)


def test_the_distance_counts_the_numbers_between() -> None:
    assert distance(Kind.FLOAT, 1.0, 1.0) == 0
    assert distance(Kind.DOUBLE, 1.0, 1.0000000000000002) == 1
    assert distance(Kind.FLOAT, -1e-45, 1e-45) == 2
    assert distance(Kind.DOUBLE, -0.0, 0.0) == 0
    assert distance(Kind.DOUBLE, float("nan"), 0.0) > 1 << 60
