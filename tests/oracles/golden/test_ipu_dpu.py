"""The golden vectors of the IPU and the DPU: both dialects say what their evidence says."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from laboratory.golden.devices import holds, target, vectors
from laboratory.golden.frames import told

from abiprobe.oracles.registry import find_model, find_target

VECTORS = vectors()
ABOUT_CONVENTIONS = [vector for vector in VECTORS if vector["kind"] == "convention"]
ABOUT_TYPES_AND_CALLS = [vector for vector in VECTORS if vector["kind"] != "convention"]
OTHERWISE = {
    "ipu-call-040": "a double result is a pair of $a registers",
    "ipu-call-057": "a long long takes an aligned pair",
    "ipu-call-060": "a float4 takes a quad, and a0:3 is the only one",
    "ipu-call-061": "an int4 takes a quad, and m0:3 is the only one",
}
"""Of the vectors with which the document is in conflict, those of which it says something else.

In the others it contradicts itself or has no words for the case, and is read as the compiler has it.
"""


def named(vector: dict[str, Any]) -> str:
    return f"{vector['id']}-{vector['evidence']['level']}-{vector['document']}"


@pytest.mark.parametrize("vector", ABOUT_TYPES_AND_CALLS, ids=named)
def test_the_compiler_dialect_says_all_of_them(vector: dict[str, Any]) -> None:
    assert holds(find_model(f"{target(vector)}@compiler"), vector)


@pytest.mark.parametrize("vector", ABOUT_TYPES_AND_CALLS, ids=named)
def test_the_document_says_all_that_it_is_not_in_conflict_with(vector: dict[str, Any]) -> None:
    assert holds(find_model(target(vector)), vector) is (vector["id"] not in OTHERWISE)
    assert vector["document"] == "conflict" or vector["id"] not in OTHERWISE


def test_every_kind_of_evidence_is_there() -> None:
    levels = Counter((vector["abi"], vector["evidence"]["level"]) for vector in VECTORS)
    assert levels == {
        ("ipu-colossus32", "test"): 33,
        ("ipu-colossus32", "source"): 29,
        ("ipu-colossus32", "standin"): 16,
        ("upmem-dpu", "binary"): 54,
        ("upmem-dpu", "source"): 8,
        ("upmem-dpu", "standin"): 7,
    }


@pytest.mark.parametrize("vector", ABOUT_CONVENTIONS, ids=named)
def test_conventions(vector: dict[str, Any]) -> None:
    found, _ = find_target(target(vector))
    assert told(found, find_model(f"{found.name}@compiler"), vector) == vector["value"]
