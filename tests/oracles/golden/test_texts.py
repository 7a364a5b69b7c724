"""What the texts say of questions in C, worked out by hand: each model says the same, and rests it on the same clauses."""

from __future__ import annotations

import pytest
from laboratory.golden.texts import facts

from abiprobe.harness.runs.golden import cites, keeps, options_of, question, says
from abiprobe.oracles.golden import REGISTERS, Row, parsed, rows, spelled_out
from abiprobe.oracles.registry import find_model, find_target


def named(row: Row) -> str:
    """The name of the test of a row, with its clauses, so that `pytest tests/oracles -k aapcs64:c.10` finds it."""
    return f"{row.target}: {row.source.rpartition(chr(10))[2]} {' '.join(sorted(row.clauses))}"


@pytest.mark.parametrize("row", rows(), ids=map(named, rows()))
def test_a_model_says_what_its_text_says(row: Row) -> None:
    if row.source == REGISTERS:
        assert keeps(find_target(row.target), row)
        return
    model, asked = find_model(row.target, options_of(row)), question(row)
    assert says(model, asked, row)
    assert cites(model, asked, row)


TABLE = """# A remark
TYPES\t=\ttypedef int word;
TWO\t=\tword, word\trdi, rsi
x86_64-sysv -mavx\tvoid f(TWO, word, word)\tTWO, rdx, rcx; pops 0\tx86_64:pass.integer
x86_64-sysv\tvoid f(word)\trdi\tonly x86_64:pass.integer x86_64:pass.upper\ta remark
"""


def test_the_test_of_a_row_is_found_by_its_clauses() -> None:
    first, second = spelled_out(parsed(TABLE))
    assert "x86_64:pass.integer" in named(first)
    assert {"x86_64:pass.integer", "x86_64:pass.upper"} <= set(named(second).split())


def test_names_stand_for_types_and_places() -> None:
    first, second = spelled_out(parsed(TABLE))
    assert first.source == "typedef int word;\nvoid f(word, word, word, word);"
    assert first.answer == "rdi, rsi, rdx, rcx; pops 0"
    assert options_of(first).vectors == 32
    assert second.exact
    assert second.clauses == {"x86_64:pass.integer", "x86_64:pass.upper"}


def test_a_wrong_row_is_noticed() -> None:
    model = find_model("x86_64-sysv")
    row = Row(
        "x86_64-sysv", (), "void f(int);", "rdi; pops 0", frozenset({"x86_64:pass.integer"}), exact=False
    )
    asked = question(row)
    assert says(model, asked, row)
    assert not says(model, asked, row._replace(answer="rsi"))
    assert not says(model, asked, row._replace(answer="rdi; pops 4"))
    assert not cites(model, asked, row._replace(clauses=frozenset({"x86_64:pass.sse"})))
    assert cites(model, asked, row)
    assert not cites(model, asked, row._replace(clauses=frozenset(), exact=True))


def test_facts_about_bytes_come_before_those_about_clauses() -> None:
    found = facts("x86_64-ms")
    assert [one.cites for one in found] == sorted(one.cites for one in found)
