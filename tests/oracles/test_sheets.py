"""A mistake in a sheet is told in one line: the file, the key, and what to do."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from abiprobe.oracles import registry
from abiprobe.oracles.abis import riscv  # noqa: F401 - another sheet
from abiprobe.oracles.text.clause import Clause, Sheet, Source, load_sheet, sheets
from abiprobe.oracles.text.sheet_error import SheetError, UnknownClauseError

HEAD = 'name = "wonderland"\n[source]\ntitle = "T"\nedition = "1"\nurl = "https://example.org"\n'
CLAUSE = '[clause."a.b"]\nsection = "1"\nsays = "A."\n'
FILE = "{}/clauses.toml"
FORM = """a sheet has a name, a [source] and a [clause."..."] for each rule"""
KEYS = "its keys are section, says, ambiguous, literal, silent, contradicted, out_of_scope"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (HEAD + CLAUSE.replace("clause", "clauses"), f"{FILE}: has an unknown key [clauses]; did you mean [clause]?"),
        (HEAD + CLAUSE + "[words]\n", f"{FILE}: has an unknown key [words]; {FORM}"),
        (HEAD, f"{FILE}: has no [clause]; {FORM}"),
        ('name = "wonderland"\n' + CLAUSE, f"{FILE}: has no [source]; {FORM}"),
        (HEAD.partition("\n")[2] + CLAUSE, f"{FILE}: has no name; {FORM}"),
        (HEAD.replace("wonderland", "riscv") + CLAUSE, f"{FILE}: oracles/abis/riscv/clauses.toml has the name 'riscv', too; choose another name"),
        (HEAD + CLAUSE + "[", f"{FILE}: is no TOML ("),
        (HEAD + CLAUSE.replace("says", "say"), f'{FILE}: [clause."a.b"]: Object contains unknown field `say`; {KEYS}'),
        (HEAD + CLAUSE.partition("says")[0], f'{FILE}: [clause."a.b"]: Object missing required field `says`; {KEYS}'),
        (HEAD + CLAUSE.replace('"1"', "1"), f'{FILE}: [clause."a.b"]: Expected `str`, got `int` - at `$.section`; {KEYS}'),
        (HEAD + '[clause]\na = "A."\n', f'{FILE}: [clause."a"]: is no table; {KEYS}'),
        (HEAD.replace("edition", "version") + CLAUSE, f"{FILE}: [source]: Object contains unknown field `version`; its keys are title, edition, url, pages, date, newer, superseded"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_file_and_key(
    text: str, told: str, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = f"sheet_{request.node.callspec.indices['text']}"
    (tmp_path / package).mkdir()
    (tmp_path / package / "__init__.py").touch()
    (tmp_path / package / "clauses.toml").write_text(text, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(SheetError) as raised:
        load_sheet(package)
    assert str(raised.value).startswith(told.format(package))
    assert "\n" not in str(raised.value)
    assert "wonderland" not in {sheet.name for sheet in sheets()}


def test_a_package_without_a_sheet() -> None:
    with pytest.raises(SheetError, match=r"^oracles/text/clauses\.toml: there is no such file; a sheet has"):
        load_sheet("abiprobe.oracles.text")


@pytest.mark.parametrize(
    ("name", "told"),
    [("scaler", "x/clauses.toml: has no clause scaler, which a module cites; did you mean scalar?"),
     ("frame", 'x/clauses.toml: has no clause frame, which a module cites; add [clause."frame"] to it')],
)  # fmt: skip
def test_an_unknown_clause_is_told_with_its_sheet(name: str, told: str) -> None:
    sheet = Sheet("x", Source("", "", ""), {"scalar": Clause("x:scalar", "1", "A.")}, "x/clauses.toml")
    with pytest.raises(UnknownClauseError) as raised:
        sheet.cite(name)
    assert str(raised.value) == told


TODAY = date(2026, 11, 29)


def source(**more: Any) -> Source:
    return Source("T", "1", "https://example.org", newer="https://example.org/newer", **more)


def test_an_edition_is_old_after_a_year() -> None:
    assert not source(date=date(2025, 11, 29)).is_old(TODAY)
    assert source(date=date(2025, 11, 27)).is_old(TODAY)
    assert not source().is_old(TODAY)


def test_an_old_edition_says_where_newer_ones_would_be() -> None:
    assert source(date=TODAY).age(TODAY) == ""
    assert (
        source(date=date(2020, 1, 1)).age(TODAY).endswith("newer ones would be at https://example.org/newer")
    )


def test_a_superseded_edition_says_by_what() -> None:
    assert source(date=TODAY, superseded="2, unread").age(TODAY) == "superseded by 2, unread"
    assert source(date=date(2020, 1, 1), superseded="2").age(TODAY) == (
        "of 2020-01-01, older than a year; superseded by 2"
    )


def test_every_dated_sheet_says_where_newer_editions_are() -> None:
    assert registry.TARGETS, "every sheet is loaded"
    assert [sheet.name for sheet in sheets() if sheet.source.date and not sheet.source.newer] == []
