"""`abiprobe list`: targets, toolchains, clauses, known deviations."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from fnmatch import fnmatchcase
from typing import Any

from rich.table import Column, Table
from rich.text import Text

from abiprobe.harness.api.arguments import named_target
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.progress import counted
from abiprobe.harness.base.suggestions import hint
from abiprobe.harness.cli.commands.console import answers, print_json, print_table
from abiprobe.harness.cli.commands.explain_quirk import as_json, sides_in_words
from abiprobe.harness.cli.commands.languages import languages
from abiprobe.harness.cli.commands.target_families import FAMILIES, family_of
from abiprobe.harness.subjects.find import command, discover, versions
from abiprobe.oracles.model import Target
from abiprobe.oracles.quirks.in_force import QUIRKS
from abiprobe.oracles.registry import TARGETS, is_followed
from abiprobe.oracles.text.clause import Sheet, Source, sheets
from abiprobe.results.known.deviations import shipped, shipped_file
from abiprobe.results.known.exposure import met_by_many, packages_meeting

TRIPLES = (
    "SUBJECT@TRIPLE asks for layouts on any target that a clang has: {0}@aarch64-linux-gnu, "
    "{0}@x86_64-windows-gnu, {0}@arm64-apple-macos"
)
COMPARED = "no model; its compilers are compared with each other"


def listing(
    what: str, form: str, *, pattern: str | None = None, target: str | None = None, sheet: str | None = None
) -> int:
    """Print one of the lists, or the part of it that is asked for; raises `Problem` when that is empty."""
    base = named_target(target).name if target else ""
    if sheet is not None and what != "clauses":
        raise Problem(f"--sheet does not apply to {what}", "use --sheet with: abiprobe list clauses")
    columns, every = LISTS[what](base, sheet)
    found = [item for item in every if pattern is None or fits(pattern, item, columns)]
    if not found:
        names = [name for item in every for name in bare(str(item[columns[0]]))]
        words = f"no {what.removesuffix('s')} matches" + (f" {pattern!r}" if pattern else "")
        raise Problem(words, hint(pattern or "", names, f"all of them: abiprobe list {what}"))
    if form == "json":
        print_json({"schema": 1, what: found})
        return 0
    if what == "targets":
        print_families(found)
        return 0
    table = Table(
        *(Column(name, overflow="fold") for name in columns), box=None, pad_edge=False, header_style="bold"
    )
    for item in found:
        table.add_row(*(Text(cell_text(item[column])) for column in columns))
    print_table(table)
    if what == "known":
        answers().print(f"\nfrom {shipped_file()}", soft_wrap=True, markup=False, highlight=False)
    able = [item["toolchain"] for item in found if item.get("any_triple")]
    if able:
        answers().print(f"\n{TRIPLES.format(able[0])}", soft_wrap=True)
    return 0


def print_families(targets: Sequence[dict[str, Any]]) -> None:
    """Targets by family and text, each with its title and its dialects."""
    console = answers()
    names, titles = (max(len(item[column]) for item in targets) for column in ("target", "title"))
    families = {one: [item for item in targets if item["family"] == one] for one in FAMILIES}
    for number, (family, members) in enumerate((one, found) for one, found in families.items() if found):
        console.print(f"\n{family}" if number else family, style="bold")
        for text, mine in by_text(members).items():
            console.print(Text(f"  {text}"), style="dim", soft_wrap=True)
            for age in dict.fromkeys(item["age"] for item in mine if item["age"]):
                console.print(Text(f"  {age}"), style="yellow", soft_wrap=True)
            for item in mine:
                words = f"{item['target']:{names}}  {item['title']:{titles}}  {cell_text(item['dialects'])}"
                console.print(Text(f"    {words}"), soft_wrap=True)


def by_text(targets: Iterable[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Targets by the text that they follow."""
    found: dict[str, list[dict[str, Any]]] = {}
    for item in targets:
        found.setdefault(item["text"], []).append(item)
    return found


def fits(pattern: str, item: dict[str, Any], columns: Sequence[str]) -> bool:
    """Return whether a row matches the pattern: a whole name, or any substring of its cells."""
    wanted = pattern.lower()
    name, *rest = (cell_text(item[column]).lower() for column in columns)
    if any(sign in wanted for sign in "*?["):
        return fnmatchcase(name, wanted)
    return any(wanted in text for text in (name, *rest))


def bare(name: str) -> tuple[str, ...]:
    """A name, and a clause without its sheet."""
    _, colon, rest = name.partition(":")
    return (name, rest) if colon else (name,)


def cell_text(value: object) -> str:
    """A cell of a table."""
    return ", ".join(str(part) for part in value) if isinstance(value, (list, tuple)) else str(value)


def list_targets(base: str = "", _: str | None = None) -> tuple[tuple[str, ...], list[dict[str, Any]]]:
    """Targets with their families and dialects, and the edition of the text they follow."""
    sources = {sheet.name: sheet.source for sheet in sheets()}
    today = dt.date.today()  # noqa: DTZ011 - a day of the year is meant, wherever that is
    found: list[dict[str, Any]] = [
        {
            "target": target.name,
            "family": family_of(target.name),
            "title": target.title,
            "dialects": list(dict.fromkeys(name or target.plain for name in target.dialects)),
            "text": text_of(target, sources[target.sheet]),
            "date": str(sources[target.sheet].date or ""),
            "newer": sources[target.sheet].newer,
            "age": sources[target.sheet].age(today) if target.modelled else "",
        }
        for target in TARGETS.values()
        if base in {"", target.name}
    ]
    return ("target", "family", "title", "dialects", "text"), found


def text_of(target: Target, source: Source) -> str:
    """The text that a target follows, with its edition; or that there is no model."""
    return f"{source.title}, {source.edition}" if target.modelled else COMPARED


def list_toolchains(base: str = "", _: str | None = None) -> tuple[tuple[str, ...], list[dict[str, Any]]]:
    """Every installed compiler of C, its version and the targets it builds for; then other languages, and libraries."""
    targets = (TARGETS[base],) if base else tuple(TARGETS.values())
    return ("toolchain", "version", "targets"), [*toolchains(targets), *languages(targets)]


def toolchains(targets: Sequence[Target]) -> list[dict[str, Any]]:
    """Every installed compiler of C, its version and the targets it builds for.

    One may be a different program for each target; `versions` gives the targets of each version line.
    """
    found: list[dict[str, Any]] = []
    every = discover(tuple(targets))
    for subject in counted(every, "versions of compilers", len(every)):
        commands = {
            target.name: words for target in targets if (words := command(subject, target)) is not None
        }
        by_version = versions(commands)
        found.append(
            {
                "toolchain": subject.spelling,
                "version": next(iter(by_version)),
                "versions": by_version,
                "targets": list(commands),
                "any_triple": subject.family.any_triple,
                "installed": True,
            }
        )
    return found


def list_clauses(base: str = "", name: str | None = None) -> tuple[tuple[str, ...], list[dict[str, Any]]]:
    """Every clause, or those of a target or a sheet: where it stands, what it says, and what implements it."""
    known = [sheet.name for sheet in sheets()]
    if name is not None and name not in known:
        raise Problem(f"unknown sheet {name!r}", hint(name, known))
    found: list[dict[str, Any]] = [
        {
            "clause": clause.id,
            "section": clause.section,
            "says": clause.says,
            "status": status(sheet, key),
        }
        for sheet in sheets()
        if name in {None, sheet.name} and (not base or is_followed(sheet.name, base))
        for key, clause in sheet.clauses.items()
    ]
    return ("clause", "section", "says", "status"), found


def list_known(base: str, _sheet: str | None) -> tuple[tuple[str, ...], list[dict[str, Any]]]:
    """Every known deviation that comes with abiprobe, or those of a target, quirks first, and of these those that most packages of headers meet."""
    found: list[dict[str, Any]] = [
        {
            **as_json(quirk),
            "shows": [sides_in_words(quirk)],
            "quirk": True,
            "headers": met_by_many(quirk.name),
        }
        for quirk in sorted(QUIRKS.values(), key=lambda one: -packages_meeting(one.name))
        if not base or quirk.reaches(base)
    ]
    found += [
        {
            "name": entry.name,
            "targets": list(entry.targets),
            "subjects": list(entry.subjects),
            "shows": [f"{symptom.value}: {name}" for symptom, named in entry.shows.items() for name in named],
            "status": entry.status.value,
            "link": entry.link,
            "reason": entry.reason,
            "clauses": list(entry.clauses),
            "traits": list(entry.traits),
            "others": [list(one) for one in entry.others],
            "without": list(entry.without),
            "places": [place.value for place in entry.places],
            "since": entry.since.isoformat(),
            "example": entry.example.strip(),
            "headers": "",
        }
        for entry in shipped().entries
        if not base or entry.is_about(base)
    ]
    return ("name", "targets", "subjects", "shows", "status", "headers", "link", "reason"), found


LISTS: dict[str, Callable[[str, str | None], tuple[tuple[str, ...], list[dict[str, Any]]]]] = {
    "targets": list_targets,
    "toolchains": list_toolchains,
    "clauses": list_clauses,
    "known": list_known,
}


def status(sheet: Sheet, name: str) -> str:
    """Return the functions that implement a clause, or why none does."""
    clause = sheet.clauses[name]
    if clause.excuse:
        kind = "silent" if clause.silent else "contradicted" if clause.contradicted else "out of scope"
        return f"{kind}: {clause.excuse}"
    functions = [by for by in sheet.implementers.get(name, []) if by != "table"]
    return ", ".join(dict.fromkeys(functions)) or "a table of the model"
