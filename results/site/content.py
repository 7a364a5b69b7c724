"""The content of the pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from abiprobe.oracles.text.clause import Clause, Source
from abiprobe.results.causes.cluster import Finding
from abiprobe.results.causes.fingerprint import OPEN, Symptom
from abiprobe.results.causes.timeline import VersionResult
from abiprobe.results.coverage.pair_matrix import PairMatrix
from abiprobe.results.journal.journal import Header
from abiprobe.results.known.deviations import Entry, KnownCause
from abiprobe.results.report.maps import Map
from abiprobe.results.report.recorded_examples import RecordedExample
from abiprobe.results.site.cause_status import CauseStatus, StatusTable
from abiprobe.results.site.compilers import Compiler, by_family
from abiprobe.results.site.edition import Edition
from abiprobe.results.site.news import News, Remembered
from abiprobe.results.site.spans import in_words

NEW, FLAKY = "new", "flaky"
"""Statuses of causes that no entry covers: never met before, and not shown by every fresh run."""
UNDECIDED = "undecided"
"""The status of a difference about which no text decides and no entry says anything."""
STATUSES: Mapping[str, str] = {
    NEW: "not among the known deviations",
    "bug": "the compiler is wrong",
    "wontfix": "wrong, and kept for compatibility",
    "documented": "the compiler does it on purpose and says where",
    "ambiguous": "the text can be read otherwise",
    UNDECIDED: "the documents leave it open, and compilers disagree; none is to blame",
    FLAKY: "not shown by every fresh run",
}
"""Every status with what it means, in the order in which causes are listed."""


class Download(msgspec.Struct, frozen=True):
    """A file beside the page of a cause: its path in the folder, what it is, and its bytes."""

    path: str
    label: str
    data: bytes


class Cause(msgspec.Struct, frozen=True):
    """A cause as its page tells it.

    `title` is the name of the known deviation, or else `traits`, its features in words. `example` is the smallest one in C,
    `languages` the same in other languages. `blames` says in a sentence for each target who shows it. `findings` are the
    examples by which it shows, the smallest first. `commands` are lines for a shell; `run` is where they are to be started.
    `asked` is the question of the example for the playground, as the part of an address behind `#`; empty for one in C++.
    """

    id: str
    title: str
    traits: str
    symptom: Symptom
    status: str
    targets: tuple[str, ...]
    clauses: tuple[str, ...]
    example: str
    languages: Mapping[str, str]
    blames: Mapping[str, str]
    statuses: StatusTable
    findings: tuple[tuple[Finding, str], ...]
    probes: int
    first_seen: str
    last_seen: str
    run: str
    entries: tuple[KnownCause, ...] = ()
    maps: tuple[Map, ...] = ()
    recorded: RecordedExample | None = None
    words: str = ""
    confirmed: str = ""
    commands: tuple[str, ...] = ()
    downloads: tuple[Download, ...] = ()
    explorer: str = ""
    asked: str = ""

    @property
    def is_open(self) -> bool:
        """Return whether no text decides."""
        return self.symptom in OPEN

    @property
    def link(self) -> str:
        """The upstream report, if there is one."""
        return next((one.link for one in self.entries if one.link.startswith(("https://", "http://"))), "")

    def at(self, target: str, subject: str) -> CauseStatus | None:
        """Return the status of a compiler on a target; `None` if it was not asked."""
        return self.statuses.get(target, {}).get(subject)

    def overall(self, subject: str) -> CauseStatus | None:
        """Return the status of a compiler over all targets: bad if it is bad on one."""
        found = [each[subject] for each in self.statuses.values() if subject in each]
        order = (VersionResult.BAD, VersionResult.OTHERWISE, VersionResult.GOOD, VersionResult.SILENT)
        return min(found, key=lambda one: order.index(one.shows), default=None)


class Examples(msgspec.Struct, frozen=True):
    """Examples in C of what a clause decides on a target, and of what one step away it does not."""

    target: str
    inside: tuple[str, ...]
    outside: tuple[str, ...]


class Tally(msgspec.Struct, frozen=True):
    """The number of a compiler's probes that agree with a clause and that deviate from it, on a target."""

    target: str
    subject: str
    agrees: int
    deviates: int


class ClauseAbout(msgspec.Struct, frozen=True):
    """A clause as its page tells it; `targets` are those of the runs whose ABI it belongs to."""

    clause: Clause
    source: Source
    address: str
    targets: tuple[str, ...]
    examples: tuple[Examples, ...] = ()
    known: tuple[Entry, ...] = ()
    tallies: tuple[Tally, ...] = ()

    @property
    def sheet(self) -> str:
        """The sheet that it stands on."""
        return self.clause.id.partition(":")[0]


class Abi(msgspec.Struct, frozen=True):
    """A target: its name, what people call it, its document, and the compilers that were asked.

    `asked` gives the number of probes of each compiler that were compared. Without a model `source` is `None`. `calls` are
    those between its compilers, of all runs; `None` if there are none. `conforms` gives for each compiler whose calls were asked
    in complete suites the modes in which it conforms, with the number of hidden states up to which.
    """

    name: str
    title: str
    source: Source | None
    sheet: str
    asked: Mapping[str, int]
    calls: PairMatrix | None = None
    conforms: Mapping[str, Mapping[str, int]] = {}


class RunAbout(msgspec.Struct, frozen=True):
    """A run: the name of its folder, its header, the command that repeats it, its verdicts and their digest."""

    name: str
    head: Header
    again: str
    verdicts: int
    digest: str


class OtherPage(msgspec.Struct, frozen=True):
    """A page that is about no run: of promises, or of unwind tables, debug information or debuggers."""

    title: str
    path: str
    text: str


class Content(msgspec.Struct, frozen=True):
    """Everything that the pages tell. `edition` is what is kept for the next edition; `playground` says that its page is there, too."""

    title: str
    runs: tuple[RunAbout, ...]
    compilers: tuple[Compiler, ...]
    abis: tuple[Abi, ...]
    causes: tuple[Cause, ...]
    clauses: tuple[ClauseAbout, ...]
    edition: Edition
    others: tuple[OtherPage, ...] = ()
    playground: bool = False

    @property
    def news(self) -> tuple[News, ...]:
        """The news, newest first."""
        return self.edition.past.news

    @property
    def gone(self) -> tuple[Remembered, ...]:
        """The causes that only earlier editions show."""
        return tuple(one for one in self.edition.past.causes if one.gone)


def extent(cause: Cause, compilers: Sequence[Compiler], target: str = "") -> tuple[str, ...]:
    """Return who shows a cause, since when and until when, in words by family, on one target or on any."""

    def status(subject: str) -> CauseStatus | None:
        return cause.at(target, subject) if target else cause.overall(subject)

    placed = [(one, found) for one in compilers if (found := status(one.subject)) is not None]
    letters = sorted({found.group for _, found in placed if found.group})
    return tuple(
        f"{letter}: {words}" if letter else words
        for letter in letters or [""]
        for family in by_family(one for one, _ in placed)
        if (words := in_words(family, of_family(placed, family, letter)))
    )


def of_family(
    placed: Iterable[tuple[Compiler, CauseStatus]], family: str, letter: str
) -> list[tuple[str, VersionResult]]:
    """Return the result of each version of a family, or whether it is in a group."""
    return [
        (one.display_name, found.shows if found.group == letter or not found.group else VersionResult.GOOD)
        for one, found in placed
        if one.family == family
    ]
