"""Count of how many Debian packages a declaration meets each known bug of gcc and clang, by the models alone.

    python benchmarks/exposure.py 2000 --keep FOLDER [--cxx N]

The packages are those of this machine's Debian release that most others depend on. `results/known/exposure.tsv` gets a row for each known
bug about C, or about layouts and calls of C++, with the first edition of C in which its example, or what met it, can be said,
`docs/data/exposure.tsv` those that are met, `results/known/looks.tsv` what declarations look like, and `docs/data/headers-read.tsv` what
was read, and why some was not. Headers of C++ take ten times as long as those of C: they are read of the first N packages alone, which bugs
of C++ are counted of. For another machine than this one they need its standard library (`libstdc++-12-dev-arm64-cross`). A count that
ends before its time goes on where it was, if the same folder keeps it.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

import msgspec

from abiprobe.harness.api.arguments import named_targets, workers
from abiprobe.harness.base.cache import replace
from abiprobe.harness.base.stopwatch import cpu_seconds
from abiprobe.harness.base.table_file import Row, put
from abiprobe.harness.base.workers import Work, in_order, results
from abiprobe.harness.exposure.debian import most_used, packages
from abiprobe.harness.exposure.meeting import Release
from abiprobe.harness.exposure.sweep import Asked, Exposed, Look, exposed, lost
from abiprobe.harness.triage.quirk_examples import examples_of
from abiprobe.oracles.language.iso_c import first_edition
from abiprobe.oracles.quirks.in_force import EVERY, SHIPPED
from abiprobe.oracles.quirks.quirk import Quirk
from abiprobe.oracles.registry import TARGETS as TARGETS_BY_NAME
from abiprobe.results.known.exposure import NAMED, TABLE
from abiprobe.results.known.looks import BETWEEN
from abiprobe.results.known.looks import TABLE as LOOKS

ROOT = Path(__file__).parents[1]
MET, READ = (ROOT / "docs" / "data" / name for name in ("exposure.tsv", "headers-read.tsv"))
REMARK = "Made by `python benchmarks/exposure.py {command}`, which writes {name}, of packages of Debian 12."
OF_CXX = frozenset({"classes", "calls"})
"""Policies of known bugs about layouts and calls of C++, which headers can meet; names and tables are not read."""
CXX = "C++"
TARGETS = "x86_64-sysv,aarch64-aapcs64"
RELEASES = ("gcc-11", "gcc-16", "clang-14", "clang-19", "clang-22", "clang-24")
"""Releases of which each known bug has one."""
NUMBERS = ("packages", "of", "declarations")
NAMES = re.compile(r"'[^']*'|\"[^\"]*\"")
"""The names in a reason, which are left out to count it with its like."""
REASONS = 12
"""Reasons that are told by themselves."""


def main() -> None:
    """Write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--jobs", default=None)
    parser.add_argument("--keep", type=Path, required=True)
    parser.add_argument("--cxx", type=int, default=0)
    asked = parser.parse_args()
    asked.keep.mkdir(parents=True, exist_ok=True)
    targets = named_targets(TARGETS)
    read = packages(most_used(asked.count, print), print)
    releases = tuple(map(Release, RELEASES))
    every = [
        Asked(one, target, releases, SHIPPED, cxx=number < asked.cxx)
        for number, one in enumerate(read)
        for target in targets
    ]
    left = [one for one in every if not kept(asked.keep, one).exists()]
    for one, answer in zip(
        left, in_order(results(Work(exposed, lost), left, workers(asked.jobs))), strict=True
    ):
        replace(kept(asked.keep, one), msgspec.json.encode(answer))
        print(one.package.name, one.target, flush=True)
    found = [msgspec.json.decode(kept(asked.keep, one).read_bytes(), type=Exposed) for one in every]
    of_cxx = [answer for one, answer in zip(every, found, strict=True) if one.cxx]
    write(found, of_cxx, f"{asked.count} --cxx {asked.cxx}")
    print(f"{cpu_seconds():.0f} s of CPU")


def kept(folder: Path, asked: Asked) -> Path:
    """The file that keeps what was counted of a package for a target."""
    return folder / f"{asked.package.name}_{asked.target}{'_cxx' if asked.cxx else ''}.json"


def write(found: Sequence[Exposed], of_cxx: Sequence[Exposed], command: str) -> None:
    """Write the tables of what was counted, of which some has C++."""
    causes = list(cause_rows(found, of_cxx))
    met = [row for row in causes if row["packages"] not in {"", "0"}]
    tables = {TABLE: causes, MET: met, READ: list(reading_rows(found)), LOOKS: list(look_rows(found))}
    for path, rows in tables.items():
        put(path, REMARK.format(command=command, name=path.relative_to(ROOT)), rows)


def look_rows(found: Sequence[Exposed]) -> Iterator[Row]:
    """Yield what declarations of C look like, with the packages that have such, by their numbers."""
    numbers = {name: at for at, name in enumerate(dict.fromkeys(one.package for one in found))}
    packages: dict[Look, set[int]] = defaultdict(set)
    for one in found:
        for look in one.looks:
            packages[look].add(numbers[one.package])
    for (what, traits), mine in sorted(packages.items()):
        numbered = " ".join(map(str, sorted(mine)))
        yield {"declared": what, "traits": BETWEEN.join(traits), "packages": numbered}


def is_counted(quirk: Quirk) -> bool:
    """Return whether a release can have a known bug on one of the targets."""
    names = [target.name for target in named_targets(TARGETS)]
    return any(quirk.has(name, who, who.rpartition("-")[2]) for name in names for who in RELEASES)


def edition(quirk: Quirk, found: Sequence[Exposed]) -> str:
    """The first edition of C in which the example of a known bug, or what meets it, can be said, or C++."""
    examples = (
        question
        for target in TARGETS_BY_NAME.values()
        for _, questions in examples_of(target, (quirk,))
        for question in questions
    )
    met = (
        one.questions[meeting.probe]
        for one in found
        for meeting in one.meetings
        if meeting.cause == quirk.name
    )
    first = first_edition(chain(examples, met))
    return CXX if first is None else first.words


def cause_rows(found: Sequence[Exposed], of_cxx: Sequence[Exposed]) -> Iterator[Row]:
    """Yield the row of each known bug, those first that most packages meet, of those of which anything could be read."""
    met: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for one in found:
        for meeting in one.meetings:
            met[meeting.cause][one.package].add(meeting.name)
    read = {
        cxx: len({one.package for one in some if one.declarations})
        for cxx, some in ((False, found), (True, of_cxx))
    }
    asked = [one for one in EVERY if not one.cxx or OF_CXX & one.policies.keys()]
    counted = {one.name for one in asked if read[one.cxx] and is_counted(one)}
    for quirk in sorted(asked, key=lambda one: (-len(met[one.name]), one.name not in counted, one.name)):
        mine = met[quirk.name]
        most = sorted(mine, key=lambda package: (-len(mine[package]), package))
        numbers = (len(mine), read[quirk.cxx], sum(map(len, mine.values())))
        yield {
            "known bug": quirk.name,
            "edition": edition(quirk, found),
            **dict(zip(NUMBERS, map(str, numbers) if quirk.name in counted else ("", "", ""), strict=True)),
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
            reasons: Counter[str] = Counter()
            for why, many in ((why, many) for one in mine for why, many in getattr(one, each).items()):
                reasons[NAMES.sub("'...'", why)] += many
            yield from (row(target, f"{kind}: {why}", many) for why, many in reasons.most_common(REASONS))
            others = reasons.total() - sum(many for _, many in reasons.most_common(REASONS))
            if others:
                yield row(target, f"{kind}: {len(reasons) - REASONS} other reasons", others)


def row(target: str, what: str, number: int) -> Row:
    """A number about all packages."""
    return {"target": target, "what": what, "number": str(number)}


if __name__ == "__main__":
    main()
