"""News: from one run to the next, and against an earlier edition of the folder.

Every item has the date of the run that brought it, not of the day on which the pages were written, so that the same runs give
the same pages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from itertools import groupby

import msgspec

from abiprobe.oracles.quirks.versions import family, release_numbers
from abiprobe.results.causes.blame import list_in_words
from abiprobe.results.causes.timeline import VersionResult
from abiprobe.results.history.figures import figures_of
from abiprobe.results.site.cause_status import StatusTable
from abiprobe.results.site.sightings import Sighted, Triaged

KEPT = 100
"""Items that an edition keeps of the past."""
NIGHTS = 400
"""Nights whose figures an edition keeps."""
FEW = 3
"""Versions of a family that are named one by one."""


class Kind(Enum):
    """The kind of an item of news."""

    APPEARED = "new cause"
    """no run before shows it"""
    SPREAD = "more compilers"
    """a compiler shows it that did not, or was not asked before"""
    CEASED = "fewer compilers"
    """a compiler does not show it any more"""
    GONE = "not shown"
    """an earlier edition has it, and no run of this one shows it"""


class News(msgspec.Struct, frozen=True):
    """One item: when (UTC, ISO 8601), what, about which cause, and in words."""

    when: str
    kind: Kind
    cause: str
    title: str
    text: str


class Remembered(msgspec.Struct, frozen=True):
    """A cause as an edition knows it: when it was first and last seen, and what each compiler showed.

    `gone` says that no run of the edition shows it; its page says so then. `link` is its upstream report, if it is known.
    """

    id: str
    title: str
    symptom: str
    targets: tuple[str, ...]
    clauses: tuple[str, ...]
    first_seen: str
    last_seen: str
    shown: StatusTable
    status: str = ""
    link: str = ""
    gone: bool = False


class NightFigures(msgspec.Struct, frozen=True):
    """A run in figures: when it began (UTC, ISO 8601), its digest, causes and news, the probes that show causes, CPU seconds."""

    started: str
    digest: str
    causes: int
    news: int
    probes: int
    cpu: float


class Past(msgspec.Struct, frozen=True):
    """An earlier edition: the digests of its runs, its causes, its news, other names of causes, and its nights, oldest first."""

    runs: tuple[str, ...] = ()
    causes: tuple[Remembered, ...] = ()
    news: tuple[News, ...] = ()
    moved: Mapping[str, str] = {}
    nights: tuple[NightFigures, ...] = ()


def nights_of(runs: Iterable[Triaged], items: Iterable[News], past: Past) -> tuple[NightFigures, ...]:
    """Return the figures of some runs, with those of earlier editions, whose runs may be gone."""
    news = Counter(item.when for item in items)
    found = {one.digest: one for one in past.nights}
    for run in runs:
        name = digest_of(run)
        figures = figures_of(run.run.batches, run.clusters)
        # What was news then is none for a later edition of the same run.
        fresh = found[name].news if name in found else news[run.started]
        found[name] = NightFigures(run.started, name, len(run.clusters), fresh, figures.probes, figures.cpu)
    return tuple(sorted(found.values(), key=lambda one: (one.started, one.digest)))[-NIGHTS:]


def digest_of(one: Triaged) -> str:
    """Return the identity of a run: its beginning and the digest of its verdicts."""
    footer = one.run.footer
    return f"{one.started} {footer.digest if footer is not None else ''}".strip()


def news_of(cause: Sighted, title: str, past: Past) -> list[News]:
    """Return the news of a cause in the runs that an earlier edition does not have."""
    before = remembered(cause, past)
    seen: StatusTable | None = None if before is None or before.gone else before.shown
    news = []
    for sighting in cause.sightings:
        if digest_of(sighting.of) in past.runs:
            continue
        now = Sighted((sighting,)).statuses()
        if seen is None:
            words = f"shown by {everybody(now)}"
            news.append(News(sighting.of.started, Kind.APPEARED, cause.id, title, words))
            seen = now
            continue
        news += [
            News(sighting.of.started, kind, cause.id, title, words) for kind, words in changes(seen, now)
        ]
        seen = merged(seen, now)
    return news


def remembered(cause: Sighted, past: Past) -> Remembered | None:
    """The cause as an earlier edition has it, under this name or another one."""
    names = (cause.id, *cause.former)
    return next((one for name in names for one in past.causes if one.id == name), None)


def changes(before: StatusTable, now: StatusTable) -> list[tuple[Kind, str]]:
    """Return the compilers that show a cause now and did not before, and those that no longer do, in words."""
    found = []
    spread = {target: sorted(shows(now, target) - shows(before, target)) for target in sorted(now)}
    ceased = {target: sorted(shows(before, target) & follows(now, target)) for target in sorted(now)}
    if any(spread.values()):
        found.append((Kind.SPREAD, f"also shown by {by_target(spread)}"))
    if any(ceased.values()):
        found.append((Kind.CEASED, f"no longer shown by {by_target(ceased)}"))
    return found


def shows(statuses: StatusTable, target: str) -> set[str]:
    """Return the compilers that show a cause on a target."""
    return {name for name, one in statuses.get(target, {}).items() if one.shows is VersionResult.BAD}


def follows(statuses: StatusTable, target: str) -> set[str]:
    """Return the compilers that were observed not to show a cause on a target."""
    return {name for name, one in statuses.get(target, {}).items() if one.shows is VersionResult.GOOD}


def everybody(statuses: StatusTable) -> str:
    """Name the compilers that show a cause."""
    return by_target({target: sorted(shows(statuses, target)) for target in sorted(statuses)})


def by_target(found: Mapping[str, Sequence[str]]) -> str:
    """Compilers by target, in words."""
    return "; ".join(f"{in_short(names)} ({target})" for target, names in found.items() if names)


def in_short(names: Iterable[str]) -> str:
    """Compilers in words; of many versions of a family the first and the last."""
    parts = []
    for _, members in groupby(sorted(names, key=version_of), key=family):
        mine = list(members)
        numbered = [name for name in mine if version_of(name)[1]]
        if len(numbered) > FEW:
            mine = [name for name in mine if name not in numbered]
            parts.append(f"{numbered[0]} to {numbered[-1]} ({len(numbered)})")
        parts += mine
    return list_in_words(parts)


def version_of(subject: str) -> tuple[str, tuple[int, ...], str]:
    """Sort key of a compiler by its name."""
    return family(subject), release_numbers(subject), subject


def merged(before: StatusTable, now: StatusTable) -> StatusTable:
    """Return the status after a further run."""
    targets = dict.fromkeys((*before, *now))
    return {target: {**before.get(target, {}), **now.get(target, {})} for target in targets}


def gone_news(causes: Iterable[Sighted], past: Past, when: str) -> list[News]:
    """Causes of an earlier edition that no run shows."""
    here = names_of(causes)
    return [
        News(when, Kind.GONE, one.id, one.title, f"last seen {one.last_seen[:10]}")
        for one in past.causes
        if not one.gone and one.id not in here
    ]


def names_of(causes: Iterable[Sighted]) -> set[str]:
    """Every name under which these causes were ever known."""
    return {name for one in causes for name in (one.id, *one.former)}


def newest(items: Iterable[News]) -> tuple[News, ...]:
    """The items to keep, newest first."""
    order = list(Kind)
    ranked = sorted(items, key=lambda item: (order.index(item.kind), item.title, item.cause, item.text))
    return tuple(sorted(ranked, key=lambda item: item.when, reverse=True)[:KEPT])
