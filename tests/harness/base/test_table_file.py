"""Tables in files are read as they are written, and rows are put in the place of others."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from abiprobe.harness.base.table_file import Table, parse, put, read, text_of

MADE = "Made by `make it`; seconds."


def test_what_is_written_is_read() -> None:
    table = Table(MADE, ("a", "b"), ({"a": '"x" \\ `y|z`', "b": ""}, {"a": "", "b": "# 1"}))
    assert parse(text_of(table)) == table
    assert (table.command, table.is_made) == ("make it", True)
    assert text_of(table).splitlines()[2] == '"x" \\ `y|z`\t'


def test_rows_are_put_where_the_old_ones_were(tmp_path: Path) -> None:
    path = tmp_path / "some" / "file.tsv"
    put(path, "x", [{"n": "1"}, {"n": "2"}], {"of": "a"})
    put(path, "x", [{"n": "3"}], {"of": "b"})
    put(path, MADE, [{"n": "4", "more": "5"}], {"of": "a"})
    assert path.read_text() == f"# {MADE}\nof\tn\tmore\na\t4\t5\nb\t3\t\n"
    put(path, MADE, [], {"of": "b"})
    assert read(path).where({"of": "a"}) == read(path).rows
    put(path, MADE, [{"of": "c"}])
    assert [row["of"] for row in read(path).rows] == ["c"]


@pytest.mark.parametrize("text", ["a\tb\n1\t2\n", "# Made by `x`.\na\tb\n1\n"])
def test_what_is_no_table_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"names no command|argument 2"):
        parse(text)


@pytest.mark.parametrize("cell", ["a\tb", "a\nb"])
def test_a_cell_is_one_line(cell: str) -> None:
    with pytest.raises(csv.Error):
        text_of(Table(MADE, ("a",), ({"a": cell},)))


def test_who_keeps_rows_by_hand_says_how_they_are_checked() -> None:
    table = Table("Kept by hand; `abiprobe check FILE` shows each.", ("a",), ())
    assert (table.command, table.is_made) == ("abiprobe check FILE", False)
    assert not Table("By somebody.", ("a",), ()).command
