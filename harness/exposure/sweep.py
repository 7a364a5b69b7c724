"""Packages read and asked, a process for each at a time: what each declares, what cannot be read, and what it meets."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from abiprobe.harness.api.asking import name_of
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.workers import Work, in_order, results
from abiprobe.harness.exposure.meeting import Declaration, Meeting, Release, meetings_of
from abiprobe.harness.exposure.mixed import Mixture, mixtures_of
from abiprobe.harness.exposure.packages import Package
from abiprobe.harness.input import ReadOptions
from abiprobe.harness.input.declared import Declared, by_target, declared_in_headers
from abiprobe.harness.input.together import OF_CXX
from abiprobe.oracles.language.question import Question, by_probe
from abiprobe.oracles.model import Target
from abiprobe.oracles.quirks.in_force import Choice

INCLUDE = re.compile(rb"^[ \t]*#[ \t]*include[ \t]*[<\"]([^>\"]+)", re.MULTILINE)
CXX = re.compile(rb"^\s*(?:namespace|template|class|using|public:)\b", re.MULTILINE)


class Asked(msgspec.Struct, frozen=True):
    """A package, and the target, releases and choice of quirks for which it is asked; `mixed` asks for their mixed builds, too."""

    package: Package
    target: Target
    releases: tuple[Release, ...]
    choice: Choice
    mixed: bool = False


class Exposed(msgspec.Struct, frozen=True):
    """The findings in a package for a target.

    `declarations` are those that were asked about, `questions` those that meet anything, by the id of their probe; `unread` are headers that cannot be read by themselves, and `skipped`
    declarations that cannot be asked about, both by their reasons. `mixtures` are what goes wrong in mixed builds, `unpredicted` the
    declarations of which that cannot be told.
    """

    package: str
    target: str
    headers: int
    declarations: int
    meetings: tuple[Meeting, ...] = ()
    unread: dict[str, int] = {}
    skipped: dict[str, int] = {}
    questions: dict[str, Question] = {}
    lost: bool = False
    mixtures: tuple[Mixture, ...] = ()
    unpredicted: int = 0


def sweep(asked: Sequence[Asked], jobs: int, progress: Callable[[Asked], None]) -> tuple[Exposed, ...]:
    """Ask packages, `jobs` at a time, in their order; one that kills its process is told as lost."""
    found = []
    for one, answer in zip(asked, in_order(results(Work(exposed, lost), asked, jobs)), strict=True):
        progress(one)
        found.append(answer)
    return tuple(found)


def lost(asked: Asked) -> Exposed:
    """The answer for a package whose process died."""
    return Exposed(asked.package.name, str(asked.target), len(asked.package.headers), 0, lost=True)


def exposed(asked: Asked) -> Exposed:
    """Read a package and ask what its declarations meet."""
    unread: Counter[str] = Counter()
    skipped: Counter[str] = Counter()
    questions: dict[Target, dict[Declaration, str]] = {}
    for found in declared(asked, unread):
        skipped.update(one.reason for one in found.skipped)
        for part in by_target([found]):
            mine: tuple[Declaration, ...] = (*part.records, *part.functions)
            questions.setdefault(part.target, {}).update((one, name_of(one)) for one in mine)
    meetings = [
        meeting
        for target, names in questions.items()
        for meeting in meetings_of(target, asked.releases, asked.choice).of(names)
    ]
    mixed = [
        (mixtures_of(target, asked.releases, asked.choice), names)
        for target, names in questions.items()
        if asked.mixed
    ]
    met = {one.probe for one in meetings}
    every = by_probe(one for names in questions.values() for one in names)
    return Exposed(
        asked.package.name,
        str(asked.target),
        len(asked.package.headers),
        sum(map(len, questions.values())),
        tuple(meetings),
        dict(unread),
        dict(skipped),
        {identity: question for identity, question in every.items() if identity in met},
        mixtures=tuple(one for mixture, names in mixed for one in mixture.of(names)),
        unpredicted=sum(mixture.unpredicted(names) for mixture, names in mixed),
    )


def declared(asked: Asked, unread: Counter[str]) -> Iterator[Declared]:
    """Yield what the headers of a package declare, and count the reasons why some are not read."""
    headers = [one for one in asked.package.headers if not is_cxx(one)]
    if left_out := len(asked.package.headers) - len(headers):
        unread[OF_CXX] = left_out
    if headers:
        yield from together(asked, outer_first(headers), unread)


def outer_first(headers: Sequence[Path]) -> list[Path]:
    """The headers of a package in the order in which they are included: first that of its folder's name, then those that include most others."""
    names = {one.name for one in headers}
    others = {one: sum(Path(name).name in names for name in included_in(one)) for one in headers}
    return sorted(headers, key=lambda one: (not one.parent.name.startswith(one.stem), -others[one]))


def included_in(header: Path) -> set[str]:
    """The names that a header includes."""
    return {name.decode(errors="replace") for name in INCLUDE.findall(header.read_bytes())}


def together(asked: Asked, headers: Sequence[Path], unread: Counter[str]) -> Iterator[Declared]:
    """Yield what headers declare, all read by one process; where that does not end, in halves."""
    how = ReadOptions(asked.package.options, included=asked.package.own, strict=False)
    try:
        found, reasons = declared_in_headers(headers, asked.target, how)
    except Problem as problem:
        if len(headers) == 1:
            unread[problem.message] += 1
            return
        middle = len(headers) // 2
        yield from together(asked, headers[:middle], unread)
        yield from together(asked, headers[middle:], unread)
        return
    unread.update(reasons.values())
    yield from found


def is_cxx(header: Path) -> bool:
    """Return whether a header is for C++ alone, as far as its text tells without being read as C."""
    text = header.read_bytes()
    return b"__cplusplus" not in text and CXX.search(text) is not None


def unasked(found: Sequence[Exposed]) -> Counter[str]:
    """The reasons why headers were not read and declarations not asked about, and how many there are of each."""
    every: Counter[str] = Counter()
    for one in found:
        every.update(one.unread)
        every.update(one.skipped)
    return every
