"""For every clause a compiler that breaks it: the blame falls on that clause, or it is said why it cannot."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from laboratory.forking import FORK
from laboratory.liars import CANNOT, MISSING, PACKAGES, Liar, blamed_clauses, every_mutant, table

from abiprobe.harness.base.table_file import read
from abiprobe.oracles import registry
from abiprobe.oracles.text.clause import sheets

assert registry.TARGETS, "every sheet is loaded"
ROWS = tuple(table())
LIARS = tuple(Liar(*row) for row in ROWS if row[1] not in {CANNOT, MISSING})
MENU = tuple(one for one in LIARS if "->" in one.mutant)
MISTAKES = tuple(one for one in LIARS if one not in MENU)
SHARE = 0.95
COUNTED = Path(__file__).parents[1] / "docs" / "data" / "clauses-blamed.tsv"


def test_every_clause_has_a_row() -> None:
    wanted = {
        clause.id
        for sheet in sheets()
        if sheet.name in PACKAGES
        for clause in sheet.clauses.values()
        if not clause.excuse
    }
    assert Counter(row[0] for row in ROWS) == dict.fromkeys(wanted, 1)


def test_the_page_counts_what_the_table_has() -> None:
    found: dict[str, Counter[str]] = {name: Counter() for name in PACKAGES}
    for clause, mistake, *_ in ROWS:
        found[clause.partition(":")[0]][mistake if mistake in {CANNOT, MISSING} else "blamed"] += 1
    found["all"] = sum(found.values(), Counter())
    told = {row["sheet"]: row for row in read(COUNTED).rows}
    assert told == {
        name: {
            "sheet": name,
            "clauses": str(counts.total()),
            "blamed exactly": str(counts["blamed"]),
            "cannot": str(counts[CANNOT]),
            "no liar": str(counts[MISSING]),
        }
        for name, counts in found.items()
    }


def test_what_cannot_be_blamed_says_why() -> None:
    assert all(len(row) == 3 and len(row[2]) > 15 for row in ROWS if row[1] in {CANNOT, MISSING})


def test_nearly_every_clause_that_a_byte_can_show_is_blamed_exactly() -> None:
    missing = sum(row[1] == MISSING for row in ROWS)
    assert len(LIARS) >= SHARE * (len(LIARS) + missing)


@pytest.mark.parametrize("sheet", PACKAGES)
def test_every_wrong_model_of_the_table_can_be_made(sheet: str) -> None:
    wanted = {one.mutant for one in MENU if one.clause.startswith(f"{sheet}:")}
    assert wanted - {one.name for one in every_mutant(sheet)} == set()


def name_of(found: Liar) -> str:
    return found.clause


def told(found: Liar) -> set[str]:
    """The clauses that are blamed, found in a process of its own, whose models are wrong afterwards."""
    ours, theirs = FORK.Pipe(duplex=False)

    def work() -> None:
        theirs.send(blamed_clauses(found.clause.partition(":")[0], found))

    process = FORK.Process(target=work, daemon=True)
    process.start()
    theirs.close()
    answer: set[str] = ours.recv()
    process.join()
    return answer


@pytest.mark.parametrize("found", MISTAKES, ids=name_of)
def test_a_mistake_is_blamed_on_its_clause(found: Liar) -> None:
    assert blamed_clauses(found.clause.partition(":")[0], found) == {found.clause}


@pytest.mark.parametrize("found", MENU, ids=name_of)
def test_a_wrong_model_is_blamed_on_the_clause_that_it_breaks(found: Liar) -> None:
    assert told(found) == {found.clause}
