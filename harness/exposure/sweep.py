"""Packages read and asked, a process for each at a time: what each declares, what cannot be read, and what it meets."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from glob import escape
from pathlib import Path
from typing import TypeAlias

import msgspec

from abiprobe.harness.api.asking import name_of
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.workers import Work, in_order, results
from abiprobe.harness.exposure.meeting import Declaration, Meeting, Release, meetings_of
from abiprobe.harness.exposure.mixed import Mixture, mixtures_of
from abiprobe.harness.exposure.packages import INCLUDED, SUFFIXES, Package, behind
from abiprobe.harness.input import Classes, ReadOptions
from abiprobe.harness.input.declared import PACKAGE_SECONDS, Declared, by_target, declared_in_headers
from abiprobe.harness.input.together import OF_CXX
from abiprobe.oracles.language.anonymous import REMEMBERED, nameless
from abiprobe.oracles.language.lang import Record
from abiprobe.oracles.language.question import CQuestion, Question, by_probe
from abiprobe.oracles.model import Target
from abiprobe.oracles.quirks.in_force import Choice
from abiprobe.results.causes.traits import traits
from abiprobe.results.known.looks import FUNCTION, RECORD

CXX = re.compile(rb"^\s*(?:namespace|template|class|using|public:)\b", re.MULTILINE)
OBJECTIVE_C = re.compile(rb"^\s*@(?:interface|protocol|class)\b", re.MULTILINE)
OF_OBJECTIVE_C = "the header is for Objective-C"
LATE = f"its package takes more than {PACKAGE_SECONDS:g} s"
LIBRARY_OF_CXX = re.compile(r"'(?:\w+/)?\w+' file not found")
"""Clang's message about the headers of the standard library of C++, which it does not find for C."""


Look: TypeAlias = tuple[str, tuple[str, ...]]
"""The word for a record or a function of C, whichever is declared, and its traits."""


class Asked(msgspec.Struct, frozen=True):
    """A package, and the target, releases and choice of quirks for which it is asked.

    `mixed` asks for their mixed builds, too, and without `cxx` headers of C++ are left out.
    """

    package: Package
    target: Target
    releases: tuple[Release, ...]
    choice: Choice
    mixed: bool = False
    cxx: bool = True


class Exposed(msgspec.Struct, frozen=True):
    """The findings in a package for a target.

    `declarations` are those that were asked about, `questions` those that meet anything, by the id of their probe; `unread` are headers that cannot be read by themselves, and `skipped`
    declarations that cannot be asked about, both by their reasons. `mixtures` are what goes wrong in mixed builds, `unpredicted` the
    declarations of which that cannot be told, `looks` what is declared in C, each once.
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
    looks: tuple[Look, ...] = ()


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
    unread: dict[Path, str] = {}
    skipped: Counter[str] = Counter()
    questions: dict[Target, dict[Declaration, str]] = {}
    for found in declared(asked, unread):
        skipped.update(one.reason for one in found.skipped)
        for part in by_target([found]):
            questions.setdefault(part.target, {}).update((one, name_of(one)) for one in declarations(part))
    meetings = [
        meeting
        for target, names in questions.items()
        for meeting in meetings_of(target, asked.releases, asked.choice).of(names)
    ]
    mixed = [
        (mixtures_of(target, asked.releases, asked.choice), of_c(names))
        for target, names in questions.items()
        if asked.mixed
    ]
    of_cxx = sum(map(len, questions.values())) - sum(len(names) for _, names in mixed)
    met = {one.probe for one in meetings}
    every = by_probe(one for names in questions.values() for one in names)
    return Exposed(
        asked.package.name,
        str(asked.target),
        len(asked.package.headers),
        sum(map(len, questions.values())),
        tuple(meetings),
        dict(Counter(unread.values())),
        dict(skipped),
        {identity: question for identity, question in every.items() if identity in met},
        mixtures=tuple(one for mixture, names in mixed for one in mixture.of(names)),
        unpredicted=sum(mixture.unpredicted(names) for mixture, names in mixed) + of_cxx * asked.mixed,
        looks=tuple(sorted({look(nameless(one)) for names in questions.values() for one in of_c(names)})),
    )


def declarations(found: Declared) -> tuple[Declaration, ...]:
    """Everything that is asked about."""
    return (*found.records, *found.functions, *found.classes, *found.calls)


@lru_cache(REMEMBERED)
def look(declaration: CQuestion) -> Look:
    """Return what a declaration looks like."""
    return RECORD if isinstance(declaration, Record) else FUNCTION, tuple(sorted(traits(declaration)))


def of_c(names: Mapping[Declaration, str]) -> dict[CQuestion, str]:
    """The declarations of C among others, with their names."""
    return {one: name for one, name in names.items() if isinstance(one, CQuestion)}


def declared(asked: Asked, unread: dict[Path, str]) -> Iterator[Declared]:
    """Yield what the headers of a package declare, those that are no C read as C++, and tell why some are not read."""
    of_cxx = {one for one in asked.package.headers if is_cxx(one)}
    others = {one for one in asked.package.headers if one not in of_cxx and is_objective_c(one)}
    unread.update((one.resolve(), OF_OBJECTIVE_C) for one in others)
    plain = [one for one in asked.package.headers if one not in of_cxx | others]
    options = (*asked.package.options, *behind(asked.package, asked.package.headers if asked.cxx else plain))
    how = ReadOptions(options, included=asked.package.own, strict=False)
    yield from together(asked, outer_first(plain), how, unread, time.monotonic() + PACKAGE_SECONDS)
    if not asked.cxx:
        unread.update(dict.fromkeys(of_cxx, OF_CXX))
        return
    of_cxx |= {header for header, why in unread.items() if why == OF_CXX or LIBRARY_OF_CXX.fullmatch(why)}
    # What of these includes others that are read as C is not read once more.
    own = tuple(escape(str(path)) for one in of_cxx for path in (one, one.resolve()))
    cxx = ReadOptions(options, included=own, strict=False, classes=Classes.ALONE)
    yield from together(asked, outer_first(sorted(of_cxx)), cxx, unread, time.monotonic() + PACKAGE_SECONDS)


def outer_first(headers: Sequence[Path]) -> list[Path]:
    """The headers of a package in the order in which they are included: first that of its folder's name, then those that include most others."""
    names = {one.name for one in headers}
    others = {one: sum(Path(name).name in names for name in included_in(one)) for one in headers}
    return sorted(headers, key=lambda one: (not one.parent.name.startswith(one.stem), -others[one]))


def included_in(header: Path) -> set[str]:
    """The names that a header includes."""
    return {name for _, name in INCLUDED.findall(header.read_text("utf-8", "replace"))}


def together(
    asked: Asked, headers: Sequence[Path], how: ReadOptions, unread: dict[Path, str], end: float
) -> Iterator[Declared]:
    """Yield what headers declare, all read by one process; where that does not end, in halves, as long as there is time."""
    if not headers:
        return
    if time.monotonic() > end:
        unread.update((header.resolve(), LATE) for header in headers)
        return
    try:
        found, reasons = declared_in_headers(headers, asked.target, how)
    except Problem as problem:
        if len(headers) == 1:
            unread[headers[0].resolve()] = problem.message
            return
        middle = len(headers) // 2
        yield from together(asked, headers[:middle], how, unread, end)
        yield from together(asked, headers[middle:], how, unread, end)
        return
    for header in headers:
        unread.pop(header.resolve(), None)
    unread.update((Path(header), why) for header, why in reasons.items())
    yield from found


def is_cxx(header: Path) -> bool:
    """Return whether a header is for C++ alone, as far as its name and its text tell without being read as C."""
    text = header.read_bytes()
    return header.suffix != SUFFIXES[0] or (b"__cplusplus" not in text and CXX.search(text) is not None)


def is_objective_c(header: Path) -> bool:
    """Return whether a header is for Objective-C alone, as far as its text tells."""
    text = header.read_bytes()
    return b"__OBJC__" not in text and OBJECTIVE_C.search(text) is not None


def unasked(found: Sequence[Exposed]) -> Counter[str]:
    """The reasons why headers were not read and declarations not asked about, and how many there are of each."""
    every: Counter[str] = Counter()
    for one in found:
        every.update(one.unread)
        every.update(one.skipped)
    return every
