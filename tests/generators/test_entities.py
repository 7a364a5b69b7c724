"""The generator of C++ entities, the programs about them, and their reduction."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice

from abiprobe.generators.entities import has_own_name, stream
from abiprobe.generators.reduction.candidates import candidates
from abiprobe.generators.reduction.cost import cost
from abiprobe.harness.machines.render.entities import UnwritableError
from abiprobe.harness.machines.render.name_units import declarations, marked, require_writable, unit, unmarked
from abiprobe.oracles.abis.itanium.names import MangledName, mangle
from abiprobe.oracles.language.question import decode, encode, probe
from abiprobe.oracles.quirks.names import F_OF_NULL
from abiprobe.oracles.text.place import Unspecified

DRAWN = tuple(islice(stream(seed=11), 500))


def test_the_same_seed_draws_the_same_entities_and_none_twice() -> None:
    assert tuple(islice(stream(seed=11), 500)) == DRAWN
    assert len({probe(one).id for one in DRAWN}) == len(DRAWN)
    assert all(map(has_own_name, DRAWN))


def test_every_entity_survives_as_json() -> None:
    assert all(decode(encode(one)) == one for one in DRAWN)


def test_every_entity_has_a_program_and_a_name() -> None:
    assert unit(DRAWN).count("#line") == len(DRAWN)
    assert all(isinstance(mangle(one), MangledName) for one in DRAWN)


def test_every_clause_that_a_declaration_can_need_decides_a_drawn_name() -> None:
    decided = {
        clause for one in DRAWN if isinstance(found := mangle(one), MangledName) for clause in found.clauses
    }
    assert len(decided) >= 30


def test_a_suffix_is_taken_out_of_a_name_wherever_it_stands() -> None:
    """A name with the suffix of its question, less that, is the name of the question."""
    for number, one in enumerate(DRAWN):
        plain, told = mangle(one), mangle(marked(one, number))
        assert isinstance(plain, MangledName)
        assert isinstance(told, MangledName)
        assert unmarked(told.text) == (number, plain.text)
    assert unmarked("_ZTISt9type_info") is None


def test_every_candidate_of_a_reduction_is_cheaper() -> None:
    for one in DRAWN[:60]:
        assert all(cost(simpler) < cost(one) for simpler in candidates(one))


def test_every_candidate_has_a_name_and_a_program_or_a_reason_for_none() -> None:
    for one in DRAWN[:100]:
        for simpler in candidates(one):
            assert not isinstance(mangle(simpler), Unspecified)
            with suppress(UnwritableError):
                require_writable(simpler)


def test_a_program_is_told_without_what_all_have_in_common() -> None:
    assert declarations(F_OF_NULL).splitlines() == [
        "template <auto T0> struct NT {  };",
        "void f(::NT<nullptr>);",
        "void (*abi_use_0)(::NT<nullptr>) = &::f;",
    ]
