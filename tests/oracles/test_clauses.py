"""Every clause is answered for, and every answer cites a clause."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from laboratory.dialects import SPELLINGS

from abiprobe import oracles
from abiprobe.generators.prototypes import prototypes
from abiprobe.generators.types import records
from abiprobe.oracles.abis.ptx.sass import prototypes as _cites_too  # noqa: F401 - no model needs it
from abiprobe.oracles.abis.ptx.text import rules  # noqa: F401 - no model needs it
from abiprobe.oracles.abis.riscv import integer
from abiprobe.oracles.language.lang import Prototype, Record
from abiprobe.oracles.registry import TARGETS, find_model
from abiprobe.oracles.text.clause import Clause, Sheet, Source, address, find_clause, load_sheet, sheets
from abiprobe.oracles.text.place import Assignment, Layout, Passed, Piece, Unspecified, Unsupported
from abiprobe.oracles.unwinding import locations as _debug_info  # noqa: F401 - no model needs it

SHEETS = sheets()
CLAUSES = [(sheet, name) for sheet in SHEETS for name in sheet.clauses]

each_clause = pytest.mark.parametrize(
    ("sheet", "name"), CLAUSES, ids=[sheet.clauses[name].id for sheet, name in CLAUSES]
)
each_sheet = pytest.mark.parametrize("sheet", SHEETS, ids=[sheet.name for sheet in SHEETS])
some_model = st.sampled_from(SPELLINGS)
drawn = settings(
    max_examples=200,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@each_clause
def test_an_entry_of_a_sheet(sheet: Sheet, name: str) -> None:
    """It says something and where that stands, is found by its id, and is cited or has one excuse."""
    clause = sheet.clauses[name]
    assert clause.section
    assert re.fullmatch(r"\S.*\.", clause.says)
    assert find_clause(clause.id) is clause
    assert re.fullmatch(r"[a-z][a-z0-9_]*:([a-z]+\.)?[a-z0-9]+(-[a-z0-9]+)*", clause.id)
    assert name in sheet.implementers or clause.excuse
    assert not (clause.out_of_scope and name in sheet.implementers)
    assert sum(map(bool, (clause.silent, clause.contradicted, clause.out_of_scope))) <= 1


@each_sheet
def test_a_sheet_names_its_source(sheet: Sheet) -> None:
    assert sheet.source.title
    assert sheet.source.edition
    # Only where no text is followed is there no document.
    assert sheet.source.url.startswith("https://") == (sheet.name != "no_model")


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
        "a": ["table", "oracles.text.clause.find_clause"],
        "b": ["oracles.text.clause.find_clause"],
    }


def test_a_sheet_is_read_once() -> None:
    sheet = load_sheet("abiprobe.oracles.abis.riscv")
    assert load_sheet("abiprobe.oracles.abis.riscv") is sheet
    assert sheet in SHEETS


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


MODULES = sorted(Path(oracles.__file__).parent.rglob("*.py"))
BY_COMMENT = re.compile(r"\s*#((?: \[[a-z][a-z0-9_]*:[a-z0-9.-]+\])+)")


def named_by(module: ModuleType, decorator: ast.expr) -> list[str]:
    """The clauses in `@implements(...)`, or in that of a sheet."""
    if not isinstance(decorator, ast.Call):
        return []
    sheet, _, function = ast.unparse(decorator.func).rpartition(".")
    if function != "implements":
        return []
    prefix = (getattr(module, sheet) if sheet else module.implements.__self__).name
    return [f"{prefix}:{ast.literal_eval(name)}" for name in decorator.args]


def cited_at_branches(module: ModuleType, function: ast.FunctionDef, text: str) -> set[str]:
    """The clauses that stand inside a function: in a comment above a branch, or as a constant of the module."""
    lines = ast.get_source_segment(text, function).splitlines()  # type: ignore[union-attr] - it has a place
    found = {
        one
        for line in lines
        if (match := BY_COMMENT.fullmatch(line))
        for one in match[1].strip("[ ]").split("] [")
    }
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "cite":
            (name,) = map(ast.literal_eval, node.args)
            found.add(module.cite(name))
        elif isinstance(node, ast.Name | ast.Attribute):
            found |= clauses_of(constant(module, ast.unparse(node)))
    return found


def constant(module: ModuleType, name: str) -> object:
    """What a name stands for in a module, of the constants of itself and of modules that it imports."""
    first, _, rest = name.partition(".")
    value = getattr(module, first, None)
    return getattr(value, rest, None) if rest and isinstance(value, ModuleType) else None if rest else value


def clauses_of(value: object) -> set[str]:
    """The clauses that a constant holds."""
    match value:
        case str():
            return {value}
        case dict():
            return {clause for each in value.values() for clause in clauses_of(each)}
        case tuple() | list():
            return {clause for each in value for clause in clauses_of(each)}
        case _:
            clause = getattr(value, "clause", "")
            return {clause} if isinstance(clause, str) else set()


def not_at_branches(module: ModuleType, text: str) -> set[str]:
    """The clauses that functions implement with others, and that stand above none of their branches."""
    return {
        f"{function.name}: {name}"
        for function in ast.walk(ast.parse(text))
        if isinstance(function, ast.FunctionDef)
        for decorator in function.decorator_list
        if len(names := named_by(module, decorator)) > 1
        for name in names
        if name not in cited_at_branches(module, function, text)
    }


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(MODULES[0].parent)))
def test_each_of_several_clauses_stands_at_its_branch(path: Path) -> None:
    """And comments name clauses that there are."""
    for line in path.read_text("utf-8").splitlines():
        match = BY_COMMENT.fullmatch(line)
        for clause in match[1].strip("[ ]").split("] [") if match else ():
            assert not find_clause(clause).out_of_scope
    name = ".".join(("abiprobe.oracles", *path.relative_to(MODULES[0].parent).with_suffix("").parts))
    assert (
        not_at_branches(importlib.import_module(name.removesuffix(".__init__")), path.read_text("utf-8"))
        == set()
    )


def test_a_clause_far_from_its_branch_is_noticed() -> None:
    text = """
@implements("int.scalar", "int.aggregate", "int.real", "int.empty")
def place(value):
    # [riscv:int.scalar]
    if value:
        return AGGREGATE
    return cite("int.real")
"""
    assert not_at_branches(integer, text) == {"place: riscv:int.empty"}
    with pytest.raises(KeyError):
        find_clause("riscv:int.no-such")
