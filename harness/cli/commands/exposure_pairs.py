"""The table of `abiprobe exposure --by pair`: what goes wrong where one compiler calls what another built."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TypeAlias

from rich.table import Table

from abiprobe.harness.cli.commands.console import answers, print_table
from abiprobe.harness.cli.commands.exposure_rows import some
from abiprobe.harness.exposure.mixed import Mixture
from abiprobe.harness.exposure.sweep import Exposed
from abiprobe.results.verdicts.quantity import quantity

OPEN = "no document decides"


Row: TypeAlias = tuple[str, str, str]
"""The caller, the callee, and the reason why they do not go together."""


def print_mixtures(found: Sequence[Exposed]) -> None:
    """Print, for each two compilers and each reason, the declarations that do not go together in a build with both."""
    rows = by_reason(found)
    table = Table(box=None, pad_edge=False)
    for column in ("packages", "declarations", "caller", "callee", "targets", "because", "for example"):
        table.add_column(column)
    for row, parts in sorted(rows.items(), key=lambda one: (-len(one[1]), one[0])):
        table.add_row(*cells(row, parts))
    if rows:
        print_table(table)
    wrong = len({(package, part.target, part.probe) for parts in rows.values() for package, part in parts})
    unpredicted = sum(one.unpredicted for one in found)
    verb = "does" if wrong == 1 else "do"
    words = f"{quantity(wrong, 'declaration')} {verb} not go together in a mixed build"
    more = f"; of {unpredicted} no model tells, or a language cannot say them" if unpredicted else ""
    answers().print(words + more, soft_wrap=True)


def by_reason(found: Sequence[Exposed]) -> dict[Row, list[tuple[str, Mixture]]]:
    """The mixtures with their packages, by the two compilers and the known bugs of either that the declaration meets."""
    causes: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for met in (met for one in found for met in one.meetings):
        causes[met.target, met.subject, met.probe].add(met.cause)
    rows: dict[Row, list[tuple[str, Mixture]]] = defaultdict(list)
    for package, part in ((one.package, part) for one in found for part in one.mixtures):
        both = (causes[part.target, subject, part.probe] for subject in (part.caller, part.callee))
        known = "; ".join(sorted(set().union(*both)))
        rows[part.caller, part.callee, known or OPEN].append((package, part))
    return rows


def cells(row: Row, parts: Sequence[tuple[str, Mixture]]) -> tuple[str, ...]:
    """The cells of a row."""
    caller, callee, because = row
    packages = {package for package, _ in parts}
    declarations = {part.probe for _, part in parts}
    targets = ", ".join(sorted({part.target for _, part in parts}))
    examples = some(f"{part.name} ({package})" for package, part in parts)
    return (str(len(packages)), str(len(declarations)), caller, callee, targets, because, examples)
