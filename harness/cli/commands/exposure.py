"""`abiprobe exposure`: which declarations of real headers meet a known bug of a compiler."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from rich.table import Table

from abiprobe.harness.api.arguments import named_targets, whole_number, workers
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.progress import steps
from abiprobe.harness.cli.commands.console import answers, asides, print_json, print_table
from abiprobe.harness.exposure.confirming import Confirmed, confirmed
from abiprobe.harness.exposure.debian import most_used, packages
from abiprobe.harness.exposure.meeting import Meeting, Release
from abiprobe.harness.exposure.mixed import Mixture
from abiprobe.harness.exposure.packages import Package, package_at
from abiprobe.harness.exposure.sweep import Asked, Exposed, sweep, unasked
from abiprobe.harness.subjects.find import parse_subject
from abiprobe.harness.subjects.own_quirks import chosen
from abiprobe.oracles.model import FAMILIES
from abiprobe.oracles.quirks.versions import NEWEST, family
from abiprobe.results.verdicts.quantity import quantity

EXAMPLES = 3
"""Declarations and packages that a row names."""
REASONS = 5
"""Reasons for what is not asked that text tells."""
BOTH = ("caller", "callee")
OPEN = "no document decides"
MET, NOTHING_READ = 0, 3


def exposure(
    names: Sequence[str],
    target: str,
    subjects: str | None,
    by: str,
    form: str,
    jobs: str | None,
    *,
    most: str | None,
    confirm: bool,
) -> int:
    """Print by known bug which declarations meet it, by package which bugs it meets, or by pair of compilers which do not go together.

    3 where nothing could be read.

    A name is that of a header, a folder of headers, or a development package of Debian, of which so many are asked as `most` says,
    those first that most others depend on. To `confirm`, compilers that are
    installed are asked about what meets a bug.
    """
    mixed = by == "pair"
    releases = tuple(release(one, languages=mixed) for one in (subjects or ",".join(newest())).split(","))
    if mixed and confirm:
        raise Problem("--confirm asks about known bugs", "leave it out with --by pair")
    if mixed and len(set(releases)) < len(BOTH):
        raise Problem("a mixed build needs two compilers", "name them: --cc gcc-16,clang-24")
    targets = named_targets(target)
    used = [] if most is None else most_used(whole_number(most, "--most", 1), tell)
    if not (names or used):
        raise Problem("no package is named", "name one, a header or a folder, or give --most N")
    read = packages_of([*names, *used])
    asked = [Asked(one, where, releases, chosen(), mixed) for one in read for where in targets]
    with steps("packages", len(asked)) as step:
        found = sweep(asked, workers(jobs), lambda one: step(one.package.name))
    shown = confirmed(found) if confirm else None
    if form == "json":
        print_json(as_json(found, shown or {}))
    else:
        if mixed:
            print_mixtures(found)
        else:
            print_rows(found, shown, by_package if by == "package" else by_cause)
        print_sum(found)
    return MET if any(one.declarations for one in found) else NOTHING_READ


def newest() -> list[str]:
    """The newest release of each family that the quirks were held against."""
    return [f"{name}-{version}" for name, version in NEWEST.items()]


def release(subject: str, *, languages: bool = False) -> Release:
    """A release of gcc or clang by its name, or a compiler of another language; raises `Problem` for any other name."""
    if languages and parse_subject(subject).family.language:
        return Release(subject)
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


def print_mixtures(found: Sequence[Exposed]) -> None:
    """Print, for each two compilers and each reason, the declarations that do not go together in a build with both."""
    causes = defaultdict(set)
    for one in found:
        for met in one.meetings:
            causes[met.target, met.subject, met.probe].add(met.cause)
    rows: dict[tuple[str, str, str], list[tuple[str, Mixture]]] = defaultdict(list)
    for one in found:
        for part in one.mixtures:
            known = (
                causes[part.target, part.caller, part.probe] | causes[part.target, part.callee, part.probe]
            )
            rows[part.caller, part.callee, "; ".join(sorted(known)) or OPEN].append((one.package, part))
    table = Table(box=None, pad_edge=False)
    for column in ("packages", "declarations", "caller", "callee", "targets", "because", "for example"):
        table.add_column(column)
    for (caller, callee, because), parts in sorted(rows.items(), key=lambda row: (-len(row[1]), row[0])):
        packages = {package for package, _ in parts}
        examples = some(f"{part.name} ({package})" for package, part in parts)
        counts = str(len(packages)), str(len({part.probe for _, part in parts}))
        targets = ", ".join(sorted({part.target for _, part in parts}))
        table.add_row(*counts, caller, callee, targets, because, examples)
    if rows:
        print_table(table)
    wrong = len({(package, part.target, part.probe) for parts in rows.values() for package, part in parts})
    unpredicted = sum(one.unpredicted for one in found)
    verb = "does" if wrong == 1 else "do"
    words = f"{quantity(wrong, 'declaration')} {verb} not go together in a mixed build"
    more = f"; of {unpredicted} no model tells, or a language cannot say them" if unpredicted else ""
    answers().print(words + more, soft_wrap=True)


def confirmed_in(met: Sequence[Meeting], shown: Confirmed) -> str:
    """Return how many of the meetings of installed compilers these show."""
    asked = [shown[one] for one in met if one in shown]
    return f"{sum(asked)} of {len(asked)}" if asked else "not installed"


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


def as_json(found: Sequence[Exposed], shown: Confirmed) -> list[dict[str, Any]]:
    """Each package on each target with what it meets; `confirmed` is null where no compiler was asked."""
    return [
        {
            "package": one.package,
            "target": one.target,
            "headers": one.headers,
            "declarations": one.declarations,
            "meets": [
                {
                    "cause": met.cause,
                    "subject": met.subject,
                    "declaration": met.name,
                    "probe": met.probe,
                    "confirmed": shown.get(met),
                }
                for met in one.meetings
            ],
            "mixed": [
                {
                    "caller": part.caller,
                    "callee": part.callee,
                    "declaration": part.name,
                    "probe": part.probe,
                }
                for part in one.mixtures
            ],
            "unpredicted": one.unpredicted,
            "unread": one.unread,
            "skipped": one.skipped,
            "lost": one.lost,
        }
        for one in found
    ]
