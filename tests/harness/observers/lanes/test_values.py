"""The values with which C counts: small, and as aligned as the pragmas promise."""

from __future__ import annotations

from typing import Any

import pytest

from abiprobe.harness.observers.lanes.values import Bytes, alignments, small_values, travelling
from abiprobe.oracles.abis.vfabi.variant import VariantPlaces, Variants
from abiprobe.oracles.language.lang import Kind, Param, Pointer, Prototype, Scalar
from abiprobe.oracles.language.simd import Aligned, Linear, Simd

from .conftest import model

MODEL = model()
POINTER = Pointer("int")
GROWING = Simd(linear=(Linear(("b",), -129),))


def function(*pragmas: Simd) -> Prototype:
    return Prototype("f", Scalar(Kind.INT), (Param("p", POINTER), Param("n", Scalar(Kind.INT))), simd=pragmas)


@pytest.mark.parametrize(
    "clauses",
    [{}, {"uniform": ("p",)}, {"linear": (Linear(("p",)),)}],
    ids=["a pointer for each lane", "uniform", "linear"],
)
@pytest.mark.parametrize("promised", [4, 32, 64])
def test_a_pointer_keeps_what_is_promised_of_it(clauses: dict[str, Any], promised: int) -> None:
    asked = function(Simd(aligned=(Aligned(("p",), promised),), **clauses))
    answer = MODEL.variants(asked)
    assert isinstance(answer, Variants)
    assert answer.variants
    for variant in answer.variants:
        assert isinstance(variant.places, VariantPlaces)
        pointers, numbers = small_values(MODEL.types, asked, variant, variant.places, Bytes("a seed"))
        assert all(int.from_bytes(value, "little") % promised == 0 for value in pointers)
        assert any(int.from_bytes(value, "little") % promised for value in numbers)


def test_every_pragma_is_kept() -> None:
    promised = function(Simd(aligned=(Aligned(("p",), 12),)), Simd(aligned=(Aligned(("p",), 8),)))
    assert alignments(promised) == {"p": 24}


def test_a_clause_without_a_number_promises_the_widest() -> None:
    assert alignments(function(Simd(aligned=(Aligned(("p",)),)))) == {"p": 64}


@pytest.mark.parametrize("turn", [0, 1])
def test_a_linear_bool_is_zero_or_one(turn: int) -> None:
    flag = Prototype(
        "f", Scalar(Kind.INT), (Param("b", Scalar(Kind.BOOL)), Param("n", Scalar(Kind.INT))), simd=(GROWING,)
    )
    answer = MODEL.variants(flag)
    assert isinstance(answer, Variants)
    for variant in answer.variants:
        assert isinstance(variant.places, VariantPlaces)
        (value,), _ = travelling(MODEL.types, flag, variant, variant.places, Bytes("a seed"), turn)
        assert value in {b"\0", b"\1"}
