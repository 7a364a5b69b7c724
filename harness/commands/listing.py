"""`abiprobe list`: targets, toolchains, clauses."""

from __future__ import annotations

from typing import Any

from rich.table import Table

from abiprobe.harness.commands.console import answers, print_json
from abiprobe.harness.toolchains.find import command, discover, identity
from abiprobe.oracles.clause import Sheet, sheets
from abiprobe.oracles.registry import TARGETS

TRIPLES = (
    "SUBJECT@TRIPLE asks for layouts on any target that a clang has: {0}@aarch64-linux-gnu, "
    "{0}@x86_64-windows-gnu, {0}@arm64-apple-macos"
)


def listing(what: str, form: str) -> int:
    """Print one of the lists."""
    columns, found = {"targets": list_targets, "toolchains": list_toolchains, "clauses": list_clauses}[what]()
    if form == "json":
        print_json({"schema": 1, what: found})
        return 0
    table = Table(*columns, box=None, pad_edge=False, header_style="bold")
    for item in found:
        table.add_row(*(shown(item[column]) for column in columns))
    answers().print(table, soft_wrap=False)
    able = [item["toolchain"] for item in found if item.get("any_triple")]
    if able:
        answers().print(f"\n{TRIPLES.format(able[0])}", soft_wrap=True)
    return 0


def shown(value: object) -> str:
    """A cell of a table."""
    return ", ".join(str(part) for part in value) if isinstance(value, (list, tuple)) else str(value)


def list_targets() -> tuple[tuple[str, ...], list[dict[str, Any]]]:
    """Targets with their dialects, and the edition of the text they follow."""
    sources = {sheet.name: sheet.source for sheet in sheets()}
    found: list[dict[str, Any]] = [
        {
            "target": target.name,
            "title": target.title,
            "dialects": list(dict.fromkeys(name or target.plain for name in target.dialects)),
            "text": f"{sources[target.sheet].title}, {sources[target.sheet].edition}",
        }
        for target in TARGETS.values()
    ]
    return ("target", "title", "dialects", "text"), found


def list_toolchains() -> tuple[tuple[str, ...], list[dict[str, Any]]]:
    """Every installed subject, its version and the targets it builds for."""
    names = tuple(TARGETS)
    found: list[dict[str, Any]] = []
    for subject in discover(names):
        commands = {target: words for target in names if (words := command(subject, target)) is not None}
        found.append(
            {
                "toolchain": subject.spelling,
                "version": identity(next(iter(commands.values()))).version,
                "targets": list(commands),
                "any_triple": subject.family.any_triple,
            }
        )
    return ("toolchain", "version", "targets"), found


def list_clauses() -> tuple[tuple[str, ...], list[dict[str, Any]]]:
    """Every clause: where it stands, what it says, and what implements it."""
    found: list[dict[str, Any]] = [
        {
            "clause": clause.id,
            "section": clause.section,
            "says": clause.says,
            "status": status(sheet, name),
        }
        for sheet in sheets()
        for name, clause in sheet.clauses.items()
    ]
    return ("clause", "section", "says", "status"), found


def status(sheet: Sheet, name: str) -> str:
    """Who implements a clause, or why nobody does."""
    clause = sheet.clauses[name]
    if clause.excuse:
        kind = "silent" if clause.silent else "contradicted" if clause.contradicted else "out of scope"
        return f"{kind}: {clause.excuse}"
    functions = [by for by in sheet.implementers.get(name, []) if by != "table"]
    return ", ".join(dict.fromkeys(functions)) or "a table of the model"
