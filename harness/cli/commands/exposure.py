"""`abiprobe exposure`: which declarations of real headers meet a known bug of a compiler."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from rich.table import Table

from abiprobe.harness.api.arguments import named_targets, workers
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.progress import steps
from abiprobe.harness.cli.commands.console import answers, asides, print_json, print_table
from abiprobe.harness.exposure.debian import packages
from abiprobe.harness.exposure.meeting import Meeting, Release
from abiprobe.harness.exposure.packages import Package, package_at
from abiprobe.harness.exposure.sweep import Asked, Exposed, sweep, unasked
from abiprobe.harness.subjects.own_quirks import chosen
from abiprobe.oracles.model import FAMILIES
from abiprobe.oracles.quirks.versions import NEWEST, family
from abiprobe.results.verdicts.quantity import quantity

EXAMPLES = 3
"""Declarations and packages that a row names."""
REASONS = 5
"""Reasons for what is not asked that text tells."""
MET, NOTHING_READ = 0, 3


def exposure(
    names: Sequence[str], target: str, subjects: str | None, by: str, form: str, jobs: str | None
) -> int:
    """Print by known bug which declarations meet it, or by package which bugs it meets; 3 where nothing could be read.

    A name is that of a header, a folder of headers, or a development package of Debian.
    """
    releases = tuple(map(release, (subjects or ",".join(newest())).split(",")))
    targets = named_targets(target)
    read = packages_of(names)
    asked = [Asked(one, where, releases, chosen()) for one in read for where in targets]
    with steps("packages", len(asked)) as step:
        found = sweep(asked, workers(jobs), lambda one: step(one.package.name))
    if form == "json":
        print_json(as_json(found))
    else:
        print_rows(found, by_package if by == "package" else by_cause)
        print_sum(found)
    return MET if any(one.declarations for one in found) else NOTHING_READ


def newest() -> list[str]:
    """The newest release of each family that the quirks were held against."""
    return [f"{name}-{version}" for name, version in NEWEST.items()]


def release(subject: str) -> Release:
    """A release by its name; raises `Problem` for a name without one."""
    if family(subject) not in FAMILIES or not subject.rpartition("-")[2].isdigit():
        raise Problem(f"{subject} names no release of a compiler", f"name one such as {newest()[0]}")
    return Release(subject)


def packages_of(names: Sequence[str]) -> list[Package]:
    """The packages with these names: those that are paths here, then those that Debian has."""
    here = [name for name in names if Path(name).exists()]
    there = [name for name in names if name not in here]
    return [*(package_at(Path(name)) for name in here), *(packages(there, tell) if there else ())]


def tell(line: str) -> None:
    """Print a line on standard error."""
    asides().print(line, soft_wrap=True, markup=False, highlight=False)


Rows = Callable[[Sequence[Exposed]], Table]


def print_rows(found: Sequence[Exposed], rows: Rows) -> None:
    """Print a table of what is met, if anything is."""
    if any(one.meetings for one in found):
        print_table(rows(found))


def by_cause(found: Sequence[Exposed]) -> Table:
    """The known bugs that are met, those first that most packages meet."""
    every = [(one.package, meeting) for one in found for meeting in one.meetings]
    table = table_of("packages", "declarations", "known bug", "compilers", "targets", "for example")
    causes = dict.fromkeys(meeting.cause for _, meeting in every)
    mine = {cause: [(name, one) for name, one in every if one.cause == cause] for cause in causes}
    for cause, met in sorted(mine.items(), key=lambda item: (-len({name for name, _ in item[1]}), item[0])):
        meetings = [one for _, one in met]
        table.add_row(
            str(len({name for name, _ in met})),
            str(len({one.probe for one in meetings})),
            cause,
            *compilers_and_targets(meetings),
            some(f"{one.name} ({name})" for name, one in met),
        )
    return table


def by_package(found: Sequence[Exposed]) -> Table:
    """The packages with the known bugs that each meets."""
    table = table_of("package", "declarations", "known bug", "compilers", "targets", "for example")
    for package in dict.fromkeys(one.package for one in found if one.meetings):
        every = [meeting for one in found if one.package == package for meeting in one.meetings]
        for cause, many in Counter(one.cause for one in every).most_common():
            mine = [one for one in every if one.cause == cause]
            probes = len({one.probe for one in mine})
            assert many
            table.add_row(
                package, str(probes), cause, *compilers_and_targets(mine), some(one.name for one in mine)
            )
    return table


def table_of(*columns: str) -> Table:
    """A table without lines."""
    table = Table(box=None, pad_edge=False)
    for column in columns:
        table.add_column(column, no_wrap=False)
    return table


def compilers_and_targets(met: Iterable[Meeting]) -> tuple[str, str]:
    """The compilers and the targets of some meetings."""
    every = list(met)
    return (
        ", ".join(sorted({one.subject for one in every})),
        ", ".join(sorted({one.target for one in every})),
    )


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


def as_json(found: Sequence[Exposed]) -> list[dict[str, Any]]:
    """Each package on each target with what it meets."""
    return [
        {
            "package": one.package,
            "target": one.target,
            "headers": one.headers,
            "declarations": one.declarations,
            "meets": [
                {"cause": met.cause, "subject": met.subject, "declaration": met.name, "probe": met.probe}
                for met in one.meetings
            ],
            "unread": one.unread,
            "skipped": one.skipped,
            "lost": one.lost,
        }
        for one in found
    ]
