"""Tables of classes as they were checked by hand against the text, held against the model."""

from __future__ import annotations

from pathlib import Path

import pytest

from abiprobe.oracles.abis.itanium.policy import policy_of
from abiprobe.oracles.abis.itanium.tables import tables_of
from abiprobe.oracles.registry import cxx_model, find_target
from abiprobe.oracles.text.tables import ClassTables, VirtualTable, spelled

from .tables import CLASSES

TABLE = Path(__file__).with_name("tables.tsv")
ROWS = [
    line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")
]


def found(name: str, target: str) -> ClassTables:
    model = cxx_model(find_target(target))
    return tables_of(CLASSES[name], model.by(policy_of(model.types.reading, model.types.policies)))


def table_line(table: VirtualTable) -> str:
    words = [spelled(entry) for entry in table.entries]
    words.insert(table.address_point, "|")
    return " ".join(words)


def lines(tables: ClassTables) -> dict[str, str]:
    """The tables in the notation of the rows, by what they are."""
    told = {f"table of {'::'.join(one.path) or 'itself'}": table_line(one) for one in tables.group}
    pointers = (f"{one.of}:{'::'.join(one.table.path) or 'itself'}" for one in tables.pointers)
    if tables.pointers:
        told["pointers"] = " ".join(pointers)
    told["information"] = " ".join(spelled(entry) for entry, _ in tables.information)
    return told


@pytest.mark.parametrize(("target", "name", "what", "line"), ROWS, ids=[" ".join(one[:3]) for one in ROWS])
def test_a_table_is_as_the_text_has_it(target: str, name: str, what: str, line: str) -> None:
    assert lines(found(name, target))[what] == line


def test_the_rows_have_every_table() -> None:
    assert len(ROWS) >= 40
    for name in CLASSES:
        assert {row[2] for row in ROWS if row[:2] == ["x86_64-sysv", name]} == set(
            lines(found(name, "x86_64-sysv"))
        )
