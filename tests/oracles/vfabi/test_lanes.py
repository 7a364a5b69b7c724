"""The rows of `lanes.tsv`: where lanes lie, and the clauses behind it."""

from __future__ import annotations

import pytest
from laboratory.golden.lanes import answer, facts, question, rows, variant_of

from abiprobe.oracles.registry import find_model, find_target


@pytest.mark.parametrize(("target", "source", "said", "clauses"), rows())
def test_a_variant_is_as_the_table_says(target: str, source: str, said: str, clauses: str) -> None:
    found = answer(find_model(target), question(source), variant_of(said))
    assert found == (said, clauses or found[1])


def test_rows_are_facts_about_bytes_and_then_about_clauses() -> None:
    found = facts()
    assert [one.cites for one in found] == sorted(one.cites for one in found)
    one = found[0]
    assert one.holds(find_target(one.target), find_model(one.target))
    assert not one.holds(find_target("x86_64-vfabi"), find_model("x86_64-vfabi@clang-reading"))
