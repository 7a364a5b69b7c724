"""Every clause is answered for, and every answer cites a clause."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from abiprobe.generators.prototypes import prototypes
from abiprobe.generators.types import records
from abiprobe.oracles.abis.ptx.sass import prototypes as _cites_too  # noqa: F401 - no model needs it
from abiprobe.oracles.abis.ptx.text import rules  # noqa: F401 - no model needs it
from abiprobe.oracles.clause import Clause, Sheet, Source, address, find_clause, load_sheet, sheets
from abiprobe.oracles.lang import Prototype, Record
from abiprobe.oracles.place import Assignment, Layout, Passed, Piece, Unspecified, Unsupported
from abiprobe.oracles.registry import TARGETS, find_model

SHEETS = sheets()
CLAUSES = [(sheet, name) for sheet in SHEETS for name in sheet.clauses]
MODELS = tuple(
    f"{name}@{dialect}" if dialect else name for name in TARGETS for dialect in TARGETS[name].dialects
)

each_clause = pytest.mark.parametrize(
    ("sheet", "name"), CLAUSES, ids=[sheet.clauses[name].id for sheet, name in CLAUSES]
)
each_sheet = pytest.mark.parametrize("sheet", SHEETS, ids=[sheet.name for sheet in SHEETS])
some_model = st.sampled_from(MODELS)
drawn = settings(
    max_examples=200,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@each_clause
def test_a_clause_is_cited_or_excused(sheet: Sheet, name: str) -> None:
    assert name in sheet.implementers or sheet.clauses[name].excuse


@each_clause
def test_a_clause_out_of_scope_is_not_cited(sheet: Sheet, name: str) -> None:
    assert not (sheet.clauses[name].out_of_scope and name in sheet.implementers)


@each_clause
def test_a_clause_is_found_by_its_id(sheet: Sheet, name: str) -> None:
    clause = sheet.clauses[name]
    assert find_clause(clause.id) is clause
    assert re.fullmatch(r"[a-z][a-z0-9_]*:([a-z]+\.)?[a-z0-9]+(-[a-z0-9]+)*", clause.id)


@each_clause
def test_a_clause_says_something_and_where_it_stands(sheet: Sheet, name: str) -> None:
    clause = sheet.clauses[name]
    assert clause.section
    assert re.fullmatch(r"\S.*\.", clause.says)


@each_clause
def test_a_clause_has_one_excuse_at_most(sheet: Sheet, name: str) -> None:
    clause = sheet.clauses[name]
    assert sum(map(bool, (clause.silent, clause.contradicted, clause.out_of_scope))) <= 1


@each_sheet
def test_a_sheet_names_its_source(sheet: Sheet) -> None:
    assert sheet.source.title
    assert sheet.source.edition
    assert sheet.source.url.startswith("https://")


@pytest.mark.parametrize("name", TARGETS)
def test_the_sheet_of_a_target_is_loaded(name: str) -> None:
    assert TARGETS[name].sheet in {sheet.name for sheet in SHEETS}


@each_sheet
def test_every_clause_has_an_address_in_its_document(sheet: Sheet) -> None:
    for key, page in sheet.source.pages.items():
        assert page.startswith("https://"), key
        assert any(clause.section.startswith(key) for clause in sheet.clauses.values()), key
    for clause in sheet.clauses.values():
        assert address(clause.id) in {sheet.source.url, *sheet.source.pages.values()}


def test_the_longest_beginning_of_a_section_gives_its_page() -> None:
    source = Source("", "", "https://a", {"6.33": "https://a/b", "6.33.1": "https://a/b/c"})
    assert [source.page(section) for section in ("6.33.1 x", "6.33.2 x", "7")] == [
        "https://a/b/c",
        "https://a/b",
        "https://a",
    ]


@each_sheet
def test_an_unknown_clause_cannot_be_cited(sheet: Sheet) -> None:
    with pytest.raises(KeyError):
        sheet.cite("no.such-clause")
    with pytest.raises(KeyError):
        sheet.implements("no.such-clause")(find_clause)
    with pytest.raises(KeyError):
        find_clause(f"{sheet.name}:no.such-clause")


def test_a_clause_of_an_unknown_sheet_is_not_found() -> None:
    with pytest.raises(KeyError):
        find_clause("no-such-sheet:int.scalar")


def test_a_sheet_knows_who_implements_its_clauses() -> None:
    sheet = Sheet("s", Source("", "", ""), {"a": Clause("s:a", "1", "A."), "b": Clause("s:b", "2", "B.")})
    assert sheet.cite("a") == "s:a"
    assert sheet.implements("a", "b")(find_clause) is find_clause
    assert sheet.implementers == {
        "a": ["table", "oracles.clause.find_clause"],
        "b": ["oracles.clause.find_clause"],
    }


def test_a_sheet_is_read_once() -> None:
    assert all(load_sheet("nowhere", sheet.name) is sheet for sheet in SHEETS)


@drawn
@given(some_model, records())
def test_layouts_cite_clauses(name: str, record: Record) -> None:
    answer = find_model(name).layout(record)
    for clause in cited_by_layout(answer):
        assert not find_clause(clause).out_of_scope


@drawn
@given(some_model, prototypes())
def test_assignments_cite_clauses(name: str, prototype: Prototype) -> None:
    answer = find_model(name).assign(prototype)
    for clause in cited_by_assignment(answer):
        assert not find_clause(clause).out_of_scope


@drawn
@given(some_model, prototypes())
def test_the_text_is_silent_or_contradicted_where_there_is_no_answer(name: str, prototype: Prototype) -> None:
    answer = find_model(name).assign(prototype)
    if isinstance(answer, Unspecified):
        clause = find_clause(answer.clause)
        assert clause.silent or clause.contradicted
        assert answer.why


def cited_by_layout(answer: Layout | Unspecified | Unsupported) -> Iterator[str]:
    match answer:
        case Layout(members=members, clause=clause):
            yield clause
            yield from (member.clause for member in members)
        case Unspecified(clause=clause):
            yield clause


def cited_by_assignment(answer: Assignment | Unspecified | Unsupported) -> Iterator[str]:
    match answer:
        case Assignment(params=params, result=result, hidden=hidden):
            for passed in (*params, *([result] if result else [])):
                yield from cited_by_passed(passed)
            yield from (clause for item in hidden for clause in cited_by_pieces(item.pieces))
        case Unspecified(clause=clause):
            yield clause


def cited_by_passed(passed: Passed) -> Iterator[str]:
    yield passed.clause
    yield from cited_by_pieces(passed.pieces)


def cited_by_pieces(pieces: tuple[Piece, ...]) -> Iterator[str]:
    for piece in pieces:
        yield piece.clause
        if piece.extension is not None:
            yield piece.extension_clause
