"""`abiprobe exposure`: which declarations of real headers meet a known bug of a compiler."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from abiprobe.harness.api.arguments import named_targets, whole_number, workers
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.progress import steps
from abiprobe.harness.cli.commands.console import asides, print_json
from abiprobe.harness.cli.commands.exposure_pairs import print_mixtures
from abiprobe.harness.cli.commands.exposure_rows import by_cause, by_package, print_rows, print_sum
from abiprobe.harness.exposure.confirming import Confirmed, confirmed
from abiprobe.harness.exposure.debian import most_used, packages
from abiprobe.harness.exposure.meeting import Release
from abiprobe.harness.exposure.packages import Package, package_at
from abiprobe.harness.exposure.sweep import Asked, Exposed, sweep
from abiprobe.harness.subjects.find import parse_subject
from abiprobe.harness.subjects.own_quirks import chosen
from abiprobe.oracles.model import FAMILIES
from abiprobe.oracles.quirks.versions import NEWEST, family

BOTH = ("caller", "callee")
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
