"""The observed facts of `measured.tsv` as questions of ours."""

from __future__ import annotations

from typing import Any

from laboratory.golden.vector_functions import measured, question

from abiprobe.oracles.abis.vfabi import VectorModel
from abiprobe.oracles.registry import TARGETS

__all__ = ["identity", "model", "of_kind", "question"]


def of_kind(*kinds: str) -> list[Any]:
    """The facts of some kinds, as parameters of a test."""
    return [fact for fact in measured() if fact["kind"] in kinds]


def identity(fact: dict[str, Any]) -> str:
    return str(fact["id"])


def model(dialect: str) -> VectorModel:
    found = TARGETS["x86_64-vfabi"].in_dialect(dialect).model()
    assert isinstance(found, VectorModel)
    return found
