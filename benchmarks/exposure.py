"""Count of how many Debian packages a declaration meets each known bug of gcc and clang, by the models alone.

    python benchmarks/exposure.py 200

The packages are those of this machine's Debian release that most others depend on. `results/known/exposure.tsv` gets a row for each known
bug, `docs/data/exposure.tsv` those that are met, and `docs/data/headers-read.tsv` what was read, and why some was not.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from abiprobe.harness.api.arguments import named_targets, workers
from abiprobe.harness.base.stopwatch import cpu_seconds
from abiprobe.harness.base.table_file import Row, put
from abiprobe.harness.exposure.debian import most_used, packages
from abiprobe.harness.exposure.meeting import Release
from abiprobe.harness.exposure.sweep import Asked, Exposed, sweep
from abiprobe.oracles.quirks.in_force import EVERY, SHIPPED
from abiprobe.oracles.quirks.quirk import Quirk
from abiprobe.results.known.exposure import NAMED, TABLE

ROOT = Path(__file__).parents[1]
MET, READ = (ROOT / "docs" / "data" / name for name in ("exposure.tsv", "headers-read.tsv"))
REMARK = "Made by `python benchmarks/exposure.py {count}`, which writes {name}, of packages of Debian 12."
TARGETS = "x86_64-sysv,aarch64-aapcs64"
RELEASES = ("gcc-11", "gcc-16", "clang-14", "clang-19", "clang-22", "clang-24")
"""Releases of which each known bug has one."""
REASONS = 12
"""Reasons that are told by themselves."""


def main() -> None:
    """Write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--jobs", default=None)
    asked = parser.parse_args()
    targets = named_targets(TARGETS)
    read = packages(most_used(asked.count, print), print)
    every = [Asked(one, target, tuple(map(Release, RELEASES)), SHIPPED) for one in read for target in targets]
    found = sweep(every, workers(asked.jobs), lambda one: print(one.package.name, one.target, flush=True))
    causes = list(cause_rows(found, len(read)))
    met = [row for row in causes if row["packages"] != "0"]
    for path, rows in ((TABLE, causes), (MET, met), (READ, list(reading_rows(found)))):
        put(path, REMARK.format(count=asked.count, name=path.relative_to(ROOT)), rows)
    print(f"{cpu_seconds():.0f} s of CPU")


def counted() -> tuple[Quirk, ...]:
    """The known bugs that a release can have on one of the targets, about C."""
    names = [target.name for target in named_targets(TARGETS)]
    return tuple(
        one
        for one in EVERY
        if not one.cxx
        and any(one.has(name, who, who.rpartition("-")[2]) for name in names for who in RELEASES)
    )


def cause_rows(found: Sequence[Exposed], of: int) -> Iterator[Row]:
    """Yield the row of each known bug, those first that most packages meet."""
    met: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for one in found:
        for meeting in one.meetings:
            met[meeting.cause][one.package].add(meeting.name)
    for quirk in sorted(counted(), key=lambda one: (-len(met[one.name]), one.name)):
        mine = met[quirk.name]
        most = sorted(mine, key=lambda package: (-len(mine[package]), package))
        yield {
            "known bug": quirk.name,
            "packages": str(len(mine)),
            "of": str(of),
            "declarations": str(sum(map(len, mine.values()))),
            "for example": ", ".join(most[:NAMED]),
        }


def reading_rows(found: Sequence[Exposed]) -> Iterator[Row]:
    """Yield what was read of all packages for each target, then how many headers and declarations were not, by reason."""
    for target in dict.fromkeys(one.target for one in found):
        mine = [one for one in found if one.target == target]
        yield row(target, "packages", len(mine))
        yield row(
            target, "packages of which nothing could be read", sum(not one.declarations for one in mine)
        )
        yield row(target, "headers", sum(one.headers for one in mine))
        yield row(target, "declarations asked about", sum(one.declarations for one in mine))
        yield row(target, "packages that meet a known bug", sum(bool(one.meetings) for one in mine))
        for kind, each in (("header", "unread"), ("declaration", "skipped")):
            reasons = sum((Counter(getattr(one, each)) for one in mine), Counter())
            yield from (row(target, f"{kind}: {why}", many) for why, many in reasons.most_common(REASONS))
            others = reasons.total() - sum(many for _, many in reasons.most_common(REASONS))
            if others:
                yield row(target, f"{kind}: {len(reasons) - REASONS} other reasons", others)


def row(target: str, what: str, number: int) -> Row:
    """A number about all packages."""
    return {"target": target, "what": what, "number": str(number)}


if __name__ == "__main__":
    main()
