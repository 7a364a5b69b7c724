"""The tables of `abiprobe exposure`: known bugs with the packages that meet them, and what was read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from rich.table import Table

from abiprobe.harness.cli.commands.console import answers, print_table
from abiprobe.harness.exposure.confirming import Confirmed
from abiprobe.harness.exposure.meeting import Meeting
from abiprobe.harness.exposure.sweep import Exposed, unasked
from abiprobe.results.verdicts.quantity import quantity

EXAMPLES = 3
"""Declarations and packages that a row names."""
REASONS = 5
"""Reasons for what is not asked that text tells."""

Row = tuple[str, Sequence[Meeting], Iterable[str]]
"""The package, or their number, the meetings of a known bug, and examples."""


def print_rows(
    found: Sequence[Exposed],
    shown: Confirmed | None,
    rows: Callable[[Sequence[Exposed]], tuple[str, list[Row]]],
) -> None:
    """Print a table of what is met, if anything is, with what was confirmed, if that was asked for."""
    first, every = rows(found)
    columns = (first, "declarations", "known bug", "compilers", "targets", "confirmed", "for example")
    table = Table(box=None, pad_edge=False)
    for column in columns:
        if column != "confirmed" or shown is not None:
            table.add_column(column)
    for name, met, examples in every:
        table.add_row(
            name,
            str(len({one.probe for one in met})),
            met[0].cause,
            ", ".join(sorted({one.subject for one in met})),
            ", ".join(sorted({one.target for one in met})),
            *(() if shown is None else (confirmed_in(met, shown),)),
            some(examples),
        )
    if every:
        print_table(table)


def confirmed_in(met: Sequence[Meeting], shown: Confirmed) -> str:
    """Return how many of the meetings show of which compilers could be asked."""
    asked = [shown[one] for one in met if one in shown]
    return f"{sum(asked)} of {len(asked)}" if asked else "not asked"


def by_cause(found: Sequence[Exposed]) -> tuple[str, list[Row]]:
    """The known bugs that are met, those first that most packages meet."""
    every = [(one.package, meeting) for one in found for meeting in one.meetings]
    mine: dict[str, list[tuple[str, Meeting]]] = {}
    for name, meeting in every:
        mine.setdefault(meeting.cause, []).append((name, meeting))
    packages = {cause: len({name for name, _ in met}) for cause, met in mine.items()}
    order = sorted(mine, key=lambda cause: (-packages[cause], cause))
    return "packages", [
        (
            str(packages[cause]),
            [one for _, one in mine[cause]],
            [f"{one.name} ({name})" for name, one in mine[cause]],
        )
        for cause in order
    ]


def by_package(found: Sequence[Exposed]) -> tuple[str, list[Row]]:
    """The packages with the known bugs that each meets, the most frequent first."""
    rows: list[Row] = []
    for package in dict.fromkeys(one.package for one in found if one.meetings):
        every = [meeting for one in found if one.package == package for meeting in one.meetings]
        for cause, _ in Counter(one.cause for one in every).most_common():
            mine = [one for one in every if one.cause == cause]
            rows.append((package, mine, [one.name for one in mine]))
    return "package", rows


def some(names: Iterable[str]) -> str:
    """The first of some names, and how many more there are."""
    every = list(dict.fromkeys(names))
    more = len(every) - EXAMPLES
    return ", ".join(every[:EXAMPLES]) + (f" and {more} more" if more > 0 else "")


def print_sum(found: Sequence[Exposed]) -> None:
    """Print what was read, and what was not, with the reasons."""
    console = answers()
    names = {one.package for one in found}
    meeting = {one.package for one in found if one.meetings}
    declarations = quantity(sum(one.declarations for one in found), "declaration")
    console.print(
        f"{quantity(len(meeting), 'package')} of {len(names)} meet a known bug; {declarations} of "
        f"{quantity(sum(one.headers for one in found), 'header')} were asked about, of all targets together",
        soft_wrap=True,
    )
    every = unasked(found)
    if every:
        told = "; ".join(f"{reason} ({many})" for reason, many in every.most_common(REASONS))
        more = f"; {len(every) - REASONS} more reasons" if len(every) > REASONS else ""
        console.print(
            f"{every.total()} headers and declarations not asked about: {told}{more}", soft_wrap=True
        )
    for one in found:
        if one.lost:
            console.print(f"{one.package} on {one.target}: its process died", soft_wrap=True)
