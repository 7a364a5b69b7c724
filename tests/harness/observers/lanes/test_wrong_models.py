"""Models that are wrong on purpose: one batch catches each of them, and finds nothing against the right one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from abiprobe.harness.observers.lanes.plan import plan_batch
from abiprobe.harness.observers.lanes.workbench import VectorBench
from abiprobe.oracles.abis.vfabi import VectorModel, calling
from abiprobe.oracles.abis.vfabi.dialect import REGISTER, Dialect, Isa, VectorPolicy
from abiprobe.oracles.language.lang import Type

from .conftest import Batch, model

WRONG = {
    "small pieces in vector registers": {"small": frozenset[int]()},
    "pieces of 8 bytes in general registers": {"small": frozenset({2, 4, 8})},
    "only 4-byte pieces in general registers": {"small": frozenset({4})},
    "further parts at the end": {"parts_together": False},
    "mask first": {"mask_last": False},
    "mask elements are int": {"mask_of_cdt": False},
    "AVX-512 mask as vectors": {"mask_bits": False},
    "AVX-512 mask in k1": {"mask_file": "k"},
    "uniform reals in general registers": {"reals_in_vectors": False},
    "sixteen vector registers": {"registers": 16},
    "seven vector registers": {"registers": 7},
    "stack aligned to 16 at most": {"largest_alignment": 16},
    "results of several vectors in registers": {"result_in_memory": False},
}


def caught(batch: Batch, bench: VectorBench, wrong: VectorModel) -> int:
    """How many functions tell that the places of `wrong` are not gcc's."""
    found = batch.run(bench, plan_batch(wrong, batch.questions).plans)
    return sum(one.differences != () for one in found)


def test_the_right_model_is_right(batch: Batch, bench: VectorBench) -> None:
    found = batch.run(bench)
    assert [one.differences for one in found if one.differences != ()] == []
    assert sum(one.calls for one in found) > 500


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_model_is_caught(batch: Batch, bench: VectorBench, name: str) -> None:
    visible = "AVX-512" not in name or Isa.AVX512 in bench.isas
    right = model()
    places = right.dialect.places
    assert places is not None
    wrong = replace(right, dialect=replace(right.dialect, places=replace(places, **WRONG[name])))
    assert (caught(batch, bench, wrong) > 0) is visible


def test_avx_integers_of_256_bits_are_caught(
    batch: Batch, bench: VectorBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wide(_dialect: Dialect, isa: Isa, _type: Type) -> tuple[int, str]:
        return REGISTER[isa], ""

    monkeypatch.setattr(calling, "register_bytes", wide)
    assert caught(batch, bench, model()) > 0


def test_every_policy_has_a_wrong_model() -> None:
    told = {field for wrong in WRONG.values() for field in wrong}
    assert told == set(VectorPolicy.__dataclass_fields__)
