"""Calls with vectors that a `target` attribute has a say in."""

from __future__ import annotations

from itertools import islice

import pytest
from msgspec.structs import replace

from abiprobe.generators.wide_vectors import EVERYWHERE, SORTS, stream
from abiprobe.oracles.language.lang import Isa, Prototype, widest_vector
from abiprobe.oracles.language.question import decode, encode, probe
from abiprobe.oracles.registry import find_model
from abiprobe.oracles.text.place import Assignment

COUNT = 300


def drawn(isa: Isa, seed: int = 3) -> list[Prototype]:
    return list(islice(stream(seed=seed, isa=isa), COUNT))


@pytest.mark.parametrize("isa", Isa)
def test_each_has_the_attribute_and_a_vector_that_it_matters_to(isa: Isa) -> None:
    found = drawn(isa)
    assert {one.isa for one in found} == {isa}
    assert all(widest_vector(one) > EVERYWHERE for one in found)
    assert {widest_vector(one) for one in found} == {32, 64}
    assert len({probe(one).id for one in found}) == COUNT


def test_a_seed_draws_the_same_and_another_seed_others() -> None:
    assert drawn(Isa.AVX) == drawn(Isa.AVX)
    assert not {probe(one).id for one in drawn(Isa.AVX)} & {probe(one).id for one in drawn(Isa.AVX, seed=4)}


def test_both_attributes_are_asked_with_the_same_prototypes() -> None:
    plain = [[replace(one, isa=None) for one in drawn(isa)] for isa in Isa]
    assert plain[0] == plain[1]


def test_a_question_can_be_written_and_read_back() -> None:
    assert all(decode(encode(one)) == one for one in drawn(Isa.AVX512))


def test_the_attribute_decides_what_is_open_without_it() -> None:
    model = find_model("x86_64-sysv")

    def decided(isa: Isa | None) -> int:
        return sum(isinstance(model.assign(replace(one, isa=isa)), Assignment) for one in drawn(Isa.AVX))

    assert decided(None) == 0 < decided(Isa.AVX) < decided(Isa.AVX512)


def test_there_is_a_sort_for_each() -> None:
    assert set(SORTS.values()) == set(Isa)
