"""The generator of questions about tables, and their reduction."""

from __future__ import annotations

from itertools import islice

from abiprobe.generators.reduction.candidates import candidates
from abiprobe.generators.reduction.cost import cost
from abiprobe.generators.tables import constructed, stream, tables
from abiprobe.harness.machines.render.declaration import declaration
from abiprobe.oracles.abis.itanium.definitions import is_dynamic
from abiprobe.oracles.abis.itanium.graph import virtual_bases
from abiprobe.oracles.language.question import decode, encode, probe
from abiprobe.oracles.registry import cxx_model, find_target
from abiprobe.oracles.text.tables import ClassTables

DRAWN = tuple(islice(stream(seed=11), 200))


def test_the_same_seed_draws_the_same_questions_and_none_twice() -> None:
    assert tuple(islice(stream(seed=11), 200)) == DRAWN
    assert len({probe(one).id for one in DRAWN}) == len(DRAWN)


def test_every_question_survives_as_json_and_has_tables() -> None:
    assert all(decode(encode(one)) == one and is_dynamic(one.of) for one in DRAWN)
    assert all(f"{one.of.keyword} " in declaration(one) and tables(one.of) == one for one in DRAWN)
    assert all(constructed(one.of) == one.of for one in DRAWN)


def test_every_candidate_of_a_reduction_is_cheaper() -> None:
    for one in DRAWN[:40]:
        assert all(cost(simpler) < cost(one) for simpler in candidates(one))


def test_a_class_has_a_table_of_tables_if_it_has_virtual_bases() -> None:
    model = cxx_model(find_target("x86_64-sysv"))
    told = [(one, found) for one in DRAWN if isinstance(found := model.tables(one.of), ClassTables)]
    assert len(told) > len(DRAWN) * 8 // 10
    for one, found in told:
        assert bool(found.pointers) is bool(virtual_bases(one.of))
        assert found.group[0].path == ()
        assert all(table.address_point >= 2 for table in found.group)
