"""What a run derives from models is derived once, by workers, and kept; without a cache nothing is done ahead."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest

from abiprobe.harness.runs import golden, preparation, small_scope, tours
from abiprobe.oracles.language.lang import Kind, Param, Prototype, Scalar
from abiprobe.oracles.language.question import Sort
from abiprobe.oracles.model import Target
from abiprobe.oracles.registry import find_target
from abiprobe.results.journal.journal import Plan

TARGETS = ("riscv32-ilp32e", "wasm32")
PLAN = Plan(1, 1000, TARGETS, ("clang", "gcc"), ("O0",), tours=True)
QUESTION = Prototype("f", None, (Param("a", Scalar(Kind.INT)),))


@pytest.fixture
def pids(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A file for the processes that derive something, in a cache of the test's own."""
    monkeypatch.setenv("ABIPROBE_CACHE", str(tmp_path / "cache"))
    said = tmp_path / "pids"

    def note() -> None:
        with said.open("a") as file:
            file.write(f"{os.getpid()}\n")

    def ordered(_target: Target, _sort: object) -> tuple[tuple[Prototype, ...], tuple[Prototype, ...]]:
        note()
        return (QUESTION,), (QUESTION,) * 300

    def derived(_target: Target) -> tuple[object, ...]:
        note()
        return ()

    for function in (small_scope.first, small_scope.second, tours.parts, golden.contradictions):
        function.cache_clear()
    monkeypatch.setattr(small_scope, "ordered", cache(ordered))
    monkeypatch.setattr(tours, "derived", derived)
    monkeypatch.setattr(golden, "found_wrong", derived)
    return said


def test_workers_derive_what_the_cache_lacks_once(pids: Path) -> None:
    needed = list(preparation.needed(PLAN))
    asked = [one for one in needed if one.sort is not None]
    assert {one.target for one in asked} == set(TARGETS)
    assert len(asked) == 3 * len(TARGETS)
    preparation.prepare(PLAN, 2)
    assert all(path.exists() for one in needed for path in one.entries())
    found = pids.read_text()
    assert str(os.getpid()) not in found.split()
    preparation.prepare(PLAN, 2)
    assert pids.read_text() == found


def test_a_run_reads_what_workers_kept(pids: Path) -> None:
    preparation.prepare(PLAN, 1)
    before = pids.read_text()
    where, sort = find_target(TARGETS[0]), Sort.SMALL_CALLS
    assert small_scope.part(where, sort, 0) == (QUESTION,)
    assert [len(small_scope.part(where, sort, number)) for number in (1, 2)] == [250, 50]
    assert pids.read_text() == before


def test_without_a_cache_a_run_derives_by_itself(pids: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparation, "obstacle", lambda _: "the cache folder cannot be written")
    preparation.prepare(PLAN, 2)
    assert not pids.exists()


def test_a_run_without_tours_needs_golden_vectors_alone() -> None:
    plan = Plan(1, 100, TARGETS, ("clang",), ("O0",))
    asked = golden.asked_of(map(find_target, TARGETS))
    assert [*preparation.needed(plan)] == [preparation.Derived(None, one.spelling) for one in asked]


def test_golden_vectors_are_put_to_models_ahead(pids: Path) -> None:
    preparation.prepare(Plan(1, 100, TARGETS, ("clang",), ("O0",)), 2)
    before = pids.read_text()
    assert golden.contradicted(map(find_target, TARGETS)) == ()
    assert pids.read_text() == before
