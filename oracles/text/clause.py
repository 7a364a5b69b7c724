"""Clause sheets: what each written source says, and which code says it after them.

A sheet is a `clauses.toml` (or a file named after the sheet) beside the code that implements it, and gives its `name`. Its `[source]` has the document and edition;
each `[clause."..."]` has a section and a sentence in our own words. A clause that no code cites must say why:
`silent`, `contradicted` (by which) or `out_of_scope`. Citing an unknown clause fails at import.
"""

from __future__ import annotations

import datetime as dt
import re
import tomllib
from collections.abc import Callable
from difflib import get_close_matches
from importlib import resources
from typing import Any, Protocol, TypeVar

import msgspec

from abiprobe.oracles.text.sheet_error import SheetError, UnknownClauseError

F = TypeVar("F", bound=Callable[..., object])
Struct = TypeVar("Struct", bound=msgspec.Struct)
NAME = re.compile(r"[a-z][\w-]*:[a-z][\w.+-]*")
"""How clauses are named; no declaration and hardly a file has such a name."""
YEAR = 366
"""So many days an edition may be old before that is told."""
PARTS = ("name", "source", "clause")
"""The keys of a sheet."""


class Source(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A document: its title, edition and public address.

    `pages` gives the address of the page or heading for sections that begin with the key, where the document has one.
    `date` is the day of the edition, of the oldest where there are several documents; newer editions appear at the
    address `newer`. A newer one that the rules do not follow is what it is `superseded` by, with the reason.
    """

    title: str
    edition: str
    url: str
    pages: dict[str, str] = {}
    date: dt.date | None = None
    newer: str = ""
    superseded: str = ""

    def is_old(self, today: dt.date) -> bool:
        """Return whether the edition is older than a year, as far as its day is known."""
        return self.date is not None and (today - self.date).days > YEAR

    def age(self, today: dt.date) -> str:
        """Return what is to be known of an edition that is older than a year or not the newest; empty of any other."""
        if not (self.is_old(today) or self.superseded):
            return ""
        newer = (
            f"superseded by {self.superseded}" if self.superseded else f"newer ones would be at {self.newer}"
        )
        return f"of {self.date}, older than a year; {newer}" if self.is_old(today) else newer

    def page(self, section: str) -> str:
        """The address closest to a section: the page of the longest key that it begins with, else the document."""
        fitting = [key for key in self.pages if section.startswith(key)]
        return self.pages[max(fitting, key=len)] if fitting else self.url


class Clause(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One rule of a source: `id` is `sheet:name`, `section` says where it stands, `says` what it says.

    `ambiguous` says how else the source can be read, and why it is taken as it is; `literal` what its words say as they stand,
    where they are taken otherwise, or to leave the question open.
    """

    id: str
    section: str
    says: str
    ambiguous: str = ""
    literal: str = ""
    silent: str = ""
    contradicted: str = ""
    out_of_scope: str = ""

    @property
    def excuse(self) -> str:
        """The reason why no code needs to cite this clause, or an empty string."""
        return self.silent or self.contradicted or self.out_of_scope


class Sheet:
    """The clauses of one source, and the names of the functions that implement them; `file` is where they were read."""

    def __init__(self, name: str, source: Source, clauses: dict[str, Clause], file: str = "") -> None:
        self.name = name
        self.file = file
        self.source = source
        self.clauses = clauses
        self.implementers: dict[str, list[str]] = {}

    def cite(self, name: str, by: str = "") -> str:
        """The full id of clause `name`, noted as implemented; raises `UnknownClauseError` for an unknown one."""
        clause = self.clauses.get(name)
        if clause is None:
            close = get_close_matches(name, self.clauses, 1)
            hint = f"did you mean {close[0]}?" if close else f'add [clause."{name}"] to it'
            raise UnknownClauseError(
                self.file or self.name, f"has no clause {name}, which {by or 'a module'} cites", hint
            )
        self.implementers.setdefault(name, []).append(by or "table")
        return clause.id

    def implements(self, *names: str) -> Callable[[F], F]:
        """Tie a function to the clauses it implements; raises `UnknownClauseError` for an unknown one."""

        def tie(function: F) -> F:
            for name in names:
                self.cite(name, f"{function.__module__.removeprefix('abiprobe.')}.{function.__qualname__}")
            return function

        return tie


class Cite(Protocol):
    """`Sheet.cite` of a sheet."""

    def __call__(self, name: str, by: str = "") -> str: ...


class Implements(Protocol):
    """`Sheet.implements` of a sheet."""

    def __call__(self, *names: str) -> Callable[[F], F]: ...


_SHEETS: dict[str, Sheet] = {}


def load_sheet(package: str, file: str = "clauses.toml") -> Sheet:
    """Read the `file` of `package` once; ids become `name:clause`, with the name that it gives its sheet.

    Raises `SheetError` for a file that is no sheet, or has the name of another one.
    """
    path = f"{package.removeprefix('abiprobe.').replace('.', '/')}/{file}"
    loaded = next((sheet for sheet in _SHEETS.values() if sheet.file == path), None)
    if loaded is not None:
        return loaded
    table = _read(package, file, path)
    name = table["name"]
    if name in _SHEETS:
        raise SheetError(path, f"{_SHEETS[name].file} has the name {name!r}, too", "choose another name")
    clauses = {
        key: _converted(f'{path}: [clause."{key}"]', body, Clause, id=f"{name}:{key}")
        for key, body in table["clause"].items()
    }
    source = _converted(f"{path}: [source]", table["source"], Source)
    _SHEETS[name] = Sheet(name, source, clauses, path)
    return _SHEETS[name]


def _read(package: str, file: str, path: str) -> dict[str, Any]:
    """The three parts of a sheet, as they are in its file."""
    form = """a sheet has a name, a [source] and a [clause."..."] for each rule"""
    try:
        table = tomllib.loads(resources.files(package).joinpath(file).read_text("utf-8"))
    except FileNotFoundError:
        raise SheetError(path, "there is no such file", form) from None
    except tomllib.TOMLDecodeError as error:
        raise SheetError(path, f"is no TOML ({error})", form) from None
    for key in table:
        if key not in PARTS:
            close = get_close_matches(key, PARTS, 1)
            raise SheetError(
                path, f"has an unknown key [{key}]", f"did you mean [{close[0]}]?" if close else form
            )
    for key, kind in zip(PARTS, (str, dict, dict), strict=True):
        if not isinstance(table.get(key), kind):
            raise SheetError(path, f"has no {key}" if key == PARTS[0] else f"has no [{key}]", form)
    return table


def _converted(where: str, body: object, kind: type[Struct], **given: str) -> Struct:
    """A part of a sheet as a value, with what its file does not give."""
    keys = [key for key in kind.__struct_fields__ if key not in given]
    if not isinstance(body, dict):
        raise SheetError(where, "is no table", f"its keys are {', '.join(keys)}")
    try:
        return msgspec.convert({**body, **given}, kind)
    except msgspec.ValidationError as error:
        raise SheetError(where, str(error), f"its keys are {', '.join(keys)}") from None


def citing(package: str) -> tuple[Cite, Implements]:
    """Return `cite` and `implements` of the sheet in a package, for the modules that follow its text."""
    sheet = load_sheet(package)
    return sheet.cite, sheet.implements


def sheets() -> tuple[Sheet, ...]:
    """Every sheet that has been loaded, by name."""
    return tuple(_SHEETS[name] for name in sorted(_SHEETS))


def source_of(clause_id: str) -> Source:
    """The document of the clause with the full id `sheet:name`; raises `KeyError` when no loaded sheet has that name."""
    return _SHEETS[clause_id.partition(":")[0]].source


def address(clause_id: str) -> str:
    """Return the address of a clause in its document; raises `KeyError` for an unknown one."""
    return source_of(clause_id).page(find_clause(clause_id).section)


def recorded_address(clause_id: str) -> str:
    """Return the address of a clause that a run names; empty if only another version of abiprobe knows it."""
    return recorded_source(clause_id).page(recorded_clause(clause_id).section)


def is_clause_name(text: str) -> bool:
    """Return whether a text has the form of a clause's name, whether or not such a clause exists."""
    return NAME.fullmatch(text) is not None


def find_clause(clause_id: str) -> Clause:
    """The clause with the full id `sheet:name`; raises `KeyError` when no loaded sheet has it.

    Importing `abiprobe.oracles.registry` loads every sheet.
    """
    sheet, _, name = clause_id.partition(":")
    return _SHEETS[sheet].clauses[name]


def recorded_clause(clause_id: str) -> Clause:
    """The clause that a run names; where only another version of abiprobe knows it, one that says so."""
    try:
        return find_clause(clause_id)
    except KeyError:
        return Clause(clause_id, "unknown section", "this version of abiprobe does not know the clause")


def literal_reading(clause_id: str) -> str:
    """Return what the words of a clause say as they stand, where the model takes them otherwise; empty for any other."""
    return recorded_clause(clause_id).literal


def recorded_source(clause_id: str) -> Source:
    """The document of such a clause."""
    try:
        return source_of(clause_id)
    except KeyError:
        return Source("unknown document", "unknown edition", "")
