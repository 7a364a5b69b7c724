"""Count of how many packages of headers a declaration meets each known bug.

    python benchmarks/exposure.py 60 --table results/known/exposure.tsv

The packages are those of this machine's Debian release that most others depend on; all releases of gcc and clang that have a quirk are
asked for. No compiler runs.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from abiprobe.harness.api.arguments import named_targets, workers
from abiprobe.harness.base.stopwatch import cpu_seconds
from abiprobe.harness.base.table_file import Row, put
from abiprobe.harness.exposure.debian import most_used, packages
from abiprobe.harness.exposure.meeting import Release
from abiprobe.harness.exposure.sweep import Asked, Exposed, sweep
from abiprobe.oracles.quirks.in_force import EVERY, SHIPPED

REMARK = "Made by `python benchmarks/exposure.py {count} --table results/known/exposure.tsv`, of Debian's packages."
TARGETS = "x86_64-sysv,aarch64-aapcs64"
RELEASES = ("gcc-12", "gcc-16", "clang-14", "clang-19", "clang-22", "clang-24")


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--table", type=Path, required=True)
    parser.add_argument("--jobs", default=None)
    asked = parser.parse_args()
    releases = tuple(map(Release, RELEASES))
    read = packages(most_used(asked.count, print), print)
    every = [Asked(one, target, releases, SHIPPED) for one in read for target in named_targets(TARGETS)]
    found = sweep(every, workers(asked.jobs), lambda one: print(one.package.name, one.target, flush=True))
    put(asked.table, REMARK.format(count=asked.count), list(rows(found, len(read))))
    told = sum(one.declarations for one in found), sum(one.headers for one in found)
    print(f"{told[0]} declarations of {told[1]} headers, {cpu_seconds():.0f} s of CPU without the readers")


def rows(found: tuple[Exposed, ...], of: int) -> Iterator[Row]:
    """The row of each known bug about C that reaches one of the targets, those first that most packages meet."""
    met: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for one in found:
        for meeting in one.meetings:
            met[meeting.cause].add((one.package, meeting.name))
    names = [
        one.name
        for one in EVERY
        if not one.cxx and any(one.reaches(target.name) for target in named_targets(TARGETS))
    ]
    packages_of = {name: {package for package, _ in met[name]} for name in names}
    for name in sorted(names, key=lambda name: (-len(packages_of[name]), name)):
        yield {
            "known bug": name,
            "packages": str(len(packages_of[name])),
            "of": str(of),
            "declarations": str(len(met[name])),
        }


if __name__ == "__main__":
    main()
