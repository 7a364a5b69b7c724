"""`abiprobe explain CLAUSE`: where a clause stands, what it says, who departs from it, and questions on both sides of its edge."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from abiprobe.generators.boundary import Edge
from abiprobe.harness.api.arguments import named_targets
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.suggestions import hint
from abiprobe.harness.cli.commands.console import print_json, print_lines
from abiprobe.harness.cli.commands.listing import status
from abiprobe.harness.machines.render.declaration import declaration
from abiprobe.harness.triage.quirk_clauses import clauses_of
from abiprobe.oracles.quirks.in_force import QUIRKS
from abiprobe.oracles.quirks.quirk import Quirk
from abiprobe.oracles.registry import TARGETS, is_followed
from abiprobe.oracles.text.clause import Clause, address, find_clause, sheets, source_of
from abiprobe.results.known.deviations import Entry, shipped

OF_FILES = "it is about object files: abiprobe object compares them, and abiprobe unwind their unwind tables"
SEARCHED = 4
"""So many targets are searched for quirks that change what a clause decides."""
WIDTH = 118
"""Columns of a paragraph."""


def explain_clause(name: str, target: str | None, form: str) -> int:
    """Print what is known of a clause; with targets, examples of what it decides and of what it does not."""
    clause = found(name)
    edges = {base: edge(base, clause) for base in bases(clause, target)}
    if form == "json":
        print_json(as_json(clause, edges))
    else:
        print_lines(lines(clause, edges))
    return 0


def found(name: str) -> Clause:
    """The clause of a name; raises `Problem` if no sheet has it."""
    try:
        return find_clause(name)
    except KeyError:
        known = [clause.id for sheet in sheets() for clause in sheet.clauses.values()]
        raise Problem(f"unknown clause {name!r}", hint(name, known, "see: abiprobe list clauses")) from None


def bases(clause: Clause, target: str | None) -> tuple[str, ...]:
    """The targets for which examples are wanted; raises `Problem` for one that does not follow the clause."""
    names = tuple(one.name for one in named_targets(target)) if target else ()
    for name in names:
        if name not in followers(clause):
            able = ", ".join(followers(clause))
            raise Problem(
                f"{name} does not follow {clause.id}", f"these targets do: {able}" if able else OF_FILES
            )
    return tuple(dict.fromkeys(names))


def followers(clause: Clause) -> tuple[str, ...]:
    """The targets whose model may cite a clause."""
    return tuple(base for base in TARGETS if is_followed(clause.id.partition(":")[0], base))


def edge(base: str, clause: Clause) -> Edge | None:
    """Return the questions on both sides of a clause's edge, if anything that is compared depends on it."""
    from abiprobe.harness.runs.clause_edges import edges_of

    return next((one for one in edges_of(TARGETS[base]) if one.clause == clause.id), None)


def departures(clause: Clause) -> tuple[Entry | Quirk, ...]:
    """The known deviations from a clause: quirks whose example rests on it, and the entries that name it."""
    entries = (entry for entry in shipped().entries if clause.id in entry.clauses)
    return (*quirks_from(clause), *entries)


def quirks_from(clause: Clause) -> Iterator[Quirk]:
    """Yield the quirks that change what a clause decides of their example, on the targets that come first of those that follow it."""
    found = (clauses_of(TARGETS[name]) for name in followers(clause)[:SEARCHED])
    names = (quirk for cited in found for quirk, clauses in cited.items() if clause.id in clauses)
    yield from map(QUIRKS.__getitem__, dict.fromkeys(names))


def implementation(clause: Clause) -> str:
    """Return the code that implements a clause, or the reason why there is none."""
    sheet, _, key = clause.id.partition(":")
    return status(next(one for one in sheets() if one.name == sheet), key)


def lines(clause: Clause, edges: dict[str, Edge | None]) -> Iterator[str]:
    """A clause as text."""
    source = source_of(clause.id)
    yield clause.id
    yield from wrapped(f"{source.title}, {source.edition}; {clause.section}")
    if source.superseded:
        yield from wrapped(f"superseded by {source.superseded}")
    yield f"  {address(clause.id)}"
    yield ""
    yield from wrapped(clause.says)
    if clause.ambiguous:
        yield ""
        yield from wrapped(f"Ambiguous: {clause.ambiguous}")
    if clause.literal:
        yield ""
        yield from wrapped(f"Read literally: {clause.literal}")
    yield ""
    yield from wrapped(f"model: {implementation(clause)}")
    where = followers(clause)
    yield from wrapped(f"targets: {', '.join(where)}" if where else OF_FILES)
    known = departures(clause)
    yield ""
    yield f"  known deviations: {len(known) or 'none'}"
    for entry in known:
        yield f"    {entry.name} ({entry.status.value}; {', '.join(entry.subjects)})  {entry.link}"
    for base, one in edges.items():
        yield ""
        if one is None:
            yield f"  {base}: nothing that is compared depends on this clause alone; see: abiprobe coverage"
            continue
        yield f"  {base}, decided by this clause:"
        yield from examples(one.inside)
        yield f"  {base}, one step away and not decided by it:"
        yield from examples(one.outside)
    if where and not edges:
        yield ""
        yield f"  examples on both sides of its edge: abiprobe explain {clause.id} -t {where[0]}"


def wrapped(text: str) -> list[str]:
    """A paragraph, indented."""
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent="  ",
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def examples(questions: Sequence[Any]) -> Iterator[str]:
    """Questions in C, indented."""
    for question in questions:
        yield from (f"    {line}" for line in declaration(question).splitlines())


def as_json(clause: Clause, edges: dict[str, Edge | None]) -> dict[str, Any]:
    """A clause as JSON."""
    source = source_of(clause.id)
    return {
        "clause": clause.id,
        "document": source.title,
        "edition": source.edition,
        "section": clause.section,
        "address": address(clause.id),
        "says": clause.says,
        "ambiguous": clause.ambiguous,
        "literal": clause.literal,
        "model": implementation(clause),
        "targets": list(followers(clause)),
        "known": [
            {"name": entry.name, "status": entry.status.value, "link": entry.link}
            for entry in departures(clause)
        ],
        "edges": {
            base: None
            if one is None
            else {
                "decides": [*map(declaration, one.inside)],
                "does_not_decide": [*map(declaration, one.outside)],
            }
            for base, one in edges.items()
        },
    }
