"""Edges of clauses and pairs of features: what is drawn has both sides, and leaves out no pair that is C."""

from __future__ import annotations

from itertools import islice

import pytest

from abiprobe.generators.boundary import edges, grown, shrunk
from abiprobe.generators.growth import larger
from abiprobe.generators.pairwise import FACTORS, covering, missing, pairs, pairs_of_row, rows
from abiprobe.generators.pool import POOL_SORTS, stream
from abiprobe.generators.reduction.lawful import lawful
from abiprobe.harness.runs.clause_edges import decides
from abiprobe.oracles.language.lang import Array, Kind, Member, Param, Prototype, Record, Scalar
from abiprobe.oracles.registry import find_target

CHAR, LONG, DOUBLE = (Scalar(kind) for kind in (Kind.CHAR, Kind.LLONG, Kind.DOUBLE))
BY_REFERENCE = "riscv:int.aggregate-reference"


def bytes_of(length: int) -> Prototype:
    record = Record("S", (Member(Array(CHAR, length), "a"),))
    return Prototype("f", None, (Param("x", record),))


def test_a_limit_of_size_is_found_from_both_sides() -> None:
    told = decides(find_target("riscv64-lp64d"))
    assert BY_REFERENCE in told(bytes_of(17))
    assert BY_REFERENCE not in told(bytes_of(16))
    least = shrunk(told, BY_REFERENCE, bytes_of(40))
    assert BY_REFERENCE in told(least)
    last, beyond = grown(told, "riscv:int.aggregate", bytes_of(3))
    assert "riscv:int.aggregate" in told(last)
    assert beyond
    assert all("riscv:int.aggregate" not in told(one) for one in beyond)


@pytest.mark.parametrize("target", ["x86_64-sysv", "riscv32-ilp32d", "upmem-dpu"])
def test_edges_lie_where_they_say(target: str) -> None:
    told = decides(find_target(target))
    sample = [one for kind in POOL_SORTS for one in islice(stream(seed=3, kind=kind), 60)]
    found = list(edges(told, sample))
    assert len({edge.clause for edge in found}) == len(found) > 10
    for edge in found:
        assert all(edge.clause in told(one) for one in edge.inside)
        assert all(told(one) and edge.clause not in told(one) for one in edge.outside)
        assert all(map(lawful, edge.questions))
    assert sum(bool(edge.outside) for edge in found) > 0.8 * len(found)


def test_growth_is_one_step_of_each_kind() -> None:
    record = Record("S", (Member(CHAR, "a", 3), Member(DOUBLE, "b")))
    grown_to = list(larger(record))
    assert any(one.members[0].width == 4 for one in grown_to if isinstance(one, Record))
    assert any(len(one.members) == 3 for one in grown_to if isinstance(one, Record))
    assert all(one != record for one in grown_to)


def test_every_pair_is_covered_or_told() -> None:
    covered = {pair for row in rows()[0] for pair in pairs_of_row(row)}
    assert covered | missing() == set(pairs())
    assert not covered & missing()
    assert len(missing()) < 0.05 * len(list(pairs()))


def test_the_covering_array_is_small_lawful_and_always_the_same() -> None:
    asked = covering()
    widest, next_widest = sorted((len(values) for values in FACTORS.values()), reverse=True)[:2]
    assert len(rows()[0]) < 1.2 * widest * next_widest
    assert len(asked) < 2 * len(rows()[0])
    assert all(map(lawful, asked))
    assert len(set(asked)) == len(asked)
    rows.cache_clear()
    covering.cache_clear()
    assert covering() == asked
