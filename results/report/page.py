"""A run as one HTML page that needs no server and no network."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from abiprobe.results.history.index import Night, Point
from abiprobe.results.report.course import course
from abiprobe.results.report.drawing import map_svg
from abiprobe.results.report.standing import Standing, Story, says
from abiprobe.results.summary import COLUMNS

RECENT = 30
"""Runs of which the page shows a table at once."""


class Past(msgspec.Struct, frozen=True):
    """The runs beside this one, oldest first and this one among them.

    `points` has each cluster of this run over the nights, `counts` the number of causes of each run, and `replaced` the
    compilers that are others than in the run before.
    """

    nights: tuple[Night, ...] = ()
    points: Mapping[str, Sequence[Point]] = {}
    counts: tuple[int, ...] = ()
    replaced: tuple[tuple[str, ...], ...] = ()


def page(story: Story, past: Past, *, triaged: bool) -> str:
    """The whole page."""
    environment = Environment(
        loader=PackageLoader("abiprobe.results", "report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    head = story.run.header
    return environment.get_template("page.html.j2").render(
        head=head,
        footer=story.run.footer,
        columns=COLUMNS,
        rows=story.rows,
        targets=sorted({row.target for row in story.rows}),
        subjects=sorted({row.subject for row in story.rows}),
        told=story.told,
        triaged=triaged,
        says=says,
        draw=map_svg,
        clauses=table(story.standings),
        asked=asked(story.standings),
        nights=past.nights,
        courses={item.cluster.id: course_of(past, item.cluster.id) for item in story.told},
        versions={item.cluster.id: versions(past.points.get(item.cluster.id, ())) for item in story.told},
        overall=overall(past),
        names=dates(past),
        moment=moment,
        listed=list(zip(past.nights, past.counts, past.replaced, strict=True))[::-1],
        recent=RECENT,
    )


def asked(standings: Iterable[Standing]) -> dict[str, list[str]]:
    """The subjects of each target."""
    return {
        target: sorted({item.subject for item in items})
        for target, items in groupby(standings, key=lambda item: item.target)
    }


def table(standings: Sequence[Standing]) -> list[tuple[str, list[tuple[str, list[Standing | None]]]]]:
    """For each target its clauses, with a cell for each subject; those from which somebody deviates first."""
    found = []
    for target, names in asked(standings).items():
        cells = {(item.clause, item.subject): item for item in standings if item.target == target}
        clauses = sorted(
            {clause for clause, _ in cells},
            key=lambda clause: (
                not any(one.deviates for (name, _), one in cells.items() if name == clause),
                clause,
            ),
        )
        found.append(
            (target, [(clause, [cells.get((clause, name)) for name in names]) for clause in clauses])
        )
    return found


def course_of(past: Past, cluster: str) -> Markup:
    """The probes that show a cluster, night by night; empty without a past."""
    if len(past.nights) < 2:
        return Markup()
    shown: dict[str, int] = {}
    for point in past.points.get(cluster, ()):
        shown[point.started] = shown.get(point.started, 0) + point.probes
    return course(dates(past), [shown.get(night.started, 0) for night in past.nights], "probes")


def dates(past: Past) -> list[str]:
    """When each run began, as people read it."""
    return [moment(night.started) for night in past.nights]


def moment(started: str) -> str:
    """A time (ISO 8601, UTC) as people read it."""
    return started[:16].replace("T", " ")


def versions(points: Sequence[Point]) -> list[tuple[str, str, bool]]:
    """Every version line that was asked about a cluster, and whether it deviates."""
    found: dict[tuple[str, str], bool] = {}
    for point in points:
        for told, bad in ((point.deviating, True), (point.agreeing, False)):
            for version in filter(None, told.values()):
                found[version, point.target] = found.get((version, point.target), False) or bad
    return [(*key, bad) for key, bad in sorted(found.items())]


def overall(past: Past) -> list[tuple[str, Markup]]:
    """The courses of a store as a whole."""
    if len(past.nights) < 2:
        return []
    pace = [round(night.verdicts / night.seconds, 1) if night.seconds else 0.0 for night in past.nights]
    return [
        ("Causes", course(dates(past), past.counts, "causes")),
        ("Verdicts per second", course(dates(past), pace, "per second")),
    ]
