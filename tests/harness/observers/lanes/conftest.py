"""A batch of vector functions, compiled once, and put to models that are right or wrong."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

from abiprobe.generators.simd import Bounds, stream
from abiprobe.harness.machines.readers.elf import functions
from abiprobe.harness.observers.attempt import Attempt
from abiprobe.harness.observers.lanes.lanes import Lanes, run_lanes
from abiprobe.harness.observers.lanes.plan import VectorPlan, plan_batch
from abiprobe.harness.observers.lanes.unit import vectors_unit
from abiprobe.harness.observers.lanes.workbench import VectorBench, vector_bench
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.find import build, parse_subject
from abiprobe.oracles.abis.vfabi import VectorModel
from abiprobe.oracles.registry import find_model, find_target

TARGET = "x86_64-vfabi"
COMPILERS = ("gcc-12", "gcc-11", "gcc")
CASES = 30


def model() -> VectorModel:
    found = find_model(TARGET)
    assert isinstance(found, VectorModel)
    return found


def compiler() -> str:
    """A gcc; skips where there is none."""
    for name in COMPILERS:
        if build(parse_subject(name), find_target(TARGET), "O0") is not None:
            return name
    pytest.skip("no gcc is installed for x86-64")


class Batch:
    """Functions, the object that gcc made of them, and what there is to run it."""

    def __init__(self, folder: Path) -> None:
        built = build(parse_subject(compiler()), find_target(TARGET), "O0")
        assert built is not None
        self.attempt = Attempt(None, built, folder, Limits())
        self.questions = tuple(islice(stream(seed=7, bounds=Bounds(refused=False)), CASES))
        self.plans = plan_batch(model(), self.questions).plans
        source, self.unit = folder / "batch.c", folder / "batch.o"
        source.write_text(vectors_unit(model().types, self.plans, compute=True), "utf-8")
        from abiprobe.harness.base import child

        done = child.run((*built.command, "-c", str(source), "-o", str(self.unit)), timeout=120)
        assert done.ok, done.stderr
        self.names = functions(self.unit.read_bytes())

    def run(self, bench: VectorBench, plans: tuple[VectorPlan, ...] | None = None) -> list[Lanes]:
        """How the functions fare with the places of `plans`."""
        asked = self.plans if plans is None else plans
        named = [self.names & plan.variants.symbols for plan in asked]
        found = run_lanes(self.attempt, bench, model().types, asked, named, self.unit)
        assert isinstance(found, list), found
        return found


@pytest.fixture(scope="session")
def batch(tmp_path_factory: pytest.TempPathFactory) -> Batch:
    return Batch(tmp_path_factory.mktemp("vectors"))


@pytest.fixture(scope="session")
def bench() -> VectorBench:
    return vector_bench()


Caught = Callable[[tuple[VectorPlan, ...]], int]
