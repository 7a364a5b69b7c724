"""The files of data under docs: each names its command, is shown by a page, and holds what its neighbours hold."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from abiprobe.harness.base.table_file import Table, parse, read
from abiprobe.oracles.registry import TARGETS
from abiprobe.oracles.text.clause import sheets

from . import options
from .snippets import ROOT, documents

MOST_WORDS = 40_000
"""A person reads no more."""
FILES = {path.relative_to(ROOT).as_posix(): path for path in sorted((ROOT / "docs").rglob("*.tsv"))}
FINDINGS = read(ROOT / "docs" / "findings" / "findings.tsv").rows
SHOWN = re.compile(r"^```\{data-file\} (.+)$", re.MULTILINE)
LINK = re.compile(r"\[[^]]*\]\(([^)#:]+\.(?:md|tsv|toml))(?:#[^)]*)?\)")
SOURCES = ("benchmarks/*.py", "tests/laboratory/*.py", "tests/exports/*.py", "tests/faults/*.py")
CLAUSE = re.compile(r"`([a-z_0-9]+:[a-z][a-z0-9.-]*)`")


def sources() -> str:
    """The text of the programs that write files."""
    return "\n".join(path.read_text("utf-8") for pattern in SOURCES for path in sorted(ROOT.glob(pattern)))


def mistake(table: Table, name: str, written: str) -> str:
    """What is wrong with the command of a file, empty for nothing."""
    if not table.command:
        return "names no command in its first line"
    if table.is_made and Path(name).name not in f"{written} {table.command}":
        return "is written by no program"
    script = re.match(r"python (benchmarks/\S+)|python -m (\S+)|pytest (\S+)", table.command)
    if script:
        path = script[1] or script[3] or f"{script[2].replace('.', '/')}.py"
        return "" if (ROOT / path).exists() else f"names {path}, which does not exist"
    if table.command.startswith("abiprobe "):
        return "; ".join(options.mistakes(table.command))
    return "" if table.command.startswith("tox -e ") else f"names {table.command}"


@pytest.mark.parametrize("name", FILES)
def test_a_file_names_the_command_that_makes_it(name: str) -> None:
    table = read(FILES[name])
    assert mistake(table, name, sources()) == ""
    assert table.rows
    assert all(any(row[column] for row in table.rows) for column in table.columns)


@pytest.mark.parametrize(
    "text",
    [
        "# Of 2026.\na\n1\n",
        "# Made by `python benchmarks/silence.py`.\na\n1\n",
        "# Kept by hand; `python benchmarks/no.py` tells.\na\n1\n",
        "# Kept by hand; `abiprobe check --no-such` tells.\na\n1\n",
    ],
)
def test_a_file_without_its_command_is_found(text: str) -> None:
    assert mistake(parse(text), "docs/some.tsv", "other.tsv")


def shown_by_pages() -> set[str]:
    """The files that the pages show."""
    found = set()
    for document in documents():
        folder = Path(document).parent
        for names in SHOWN.findall((ROOT / document).read_text("utf-8")):
            found |= {(folder / name).as_posix() for name in names.split()}
    return found


def test_every_file_is_shown_by_a_page() -> None:
    assert shown_by_pages() == FILES.keys()


@pytest.mark.parametrize("column", ["page", "section"])
def test_every_page_of_the_findings_is_there(column: str) -> None:
    pages = {
        row["page"]
        for name in ("findings", "answers", "notes")
        for row in read(FILES[f"docs/findings/{name}.tsv"]).rows
    }
    assert {page for page in pages if not (ROOT / "docs" / "findings" / f"{page}.md").exists()} == set()
    assert all(row[column] for row in FINDINGS)


def test_a_finding_has_a_name_of_its_own() -> None:
    found = Counter((row["page"], row["id"]) for row in FINDINGS if row["id"])
    assert [name for name, count in found.items() if count > 1] == []


def test_a_finding_says_who_does_what() -> None:
    assert [
        row for row in FINDINGS if not (row["who"] and row["what"] and row["declaration"] and row["target"])
    ] == []


def test_targets_and_clauses_of_findings_exist() -> None:
    patterns = {one for row in FINDINGS for one in row["target"].split()}
    assert {one for one in patterns if not any(Path(name).match(one) for name in TARGETS)} == set()
    known = {clause.id for sheet in sheets() for clause in sheet.clauses.values()}
    assert {one for row in FINDINGS for one in CLAUSE.findall(row["clause"])} - known == set()


def links(document: str) -> set[Path]:
    """The files that a document or a file of data links to, within the repository; cells link from where their page is."""
    text = (ROOT / document).read_text("utf-8")
    folder = (ROOT / document).parent
    return {(folder.parent if folder.name == "runs" else folder) / one for one in LINK.findall(text)}


@pytest.mark.parametrize("document", [*documents(), *FILES])
def test_links_lead_to_files(document: str) -> None:
    assert {one for one in links(document) if not one.exists()} == set()


def test_a_person_reads_no_more_than_that() -> None:
    words = {name: len((ROOT / name).read_text("utf-8").split()) for name in (*documents(), "CHANGELOG.md")}
    assert sum(words.values()) < MOST_WORDS, sorted(words.items(), key=lambda item: -item[1])[:8]
