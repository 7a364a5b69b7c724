"""A run as one HTML page that needs no server and no network."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby

import msgspec
from jinja2 import Environment
from markupsafe import Markup

from abiprobe.oracles.language.question import probe
from abiprobe.oracles.text.clause import recorded_address
from abiprobe.results.causes.cluster import Cluster
from abiprobe.results.coverage.counts import COLUMNS
from abiprobe.results.coverage.open_clauses import open_clauses
from abiprobe.results.history.index import Night, Point
from abiprobe.results.known.exposure import met_by
from abiprobe.results.known.looks import declared_so
from abiprobe.results.report.bar_chart import bar_chart
from abiprobe.results.report.cause_groups import (
    MEANINGS,
    blames,
    grouped,
    headline,
    named,
    target_list,
    unexpected,
)
from abiprobe.results.report.changes_since import ChangesSince
from abiprobe.results.report.complete_text import whole
from abiprobe.results.report.drawing import key, map_svg
from abiprobe.results.report.html_pages import html_templates, moment
from abiprobe.results.report.open_text import undecided_lines
from abiprobe.results.report.recorded_examples import probes, recorded_examples
from abiprobe.results.report.run_report import ClauseResult, RunReport, clause_text
from abiprobe.results.verdicts.quantity import quantity

RECENT = 30
"""Runs of which the page shows a table at once."""
FEW = 4
"""Causes that the headline names as come or gone."""
OPENED = 5
"""New causes that are open when the page is."""
LISTED = 200
"""Probes of a cause that are listed."""


class Past(msgspec.Struct, frozen=True):
    """The runs beside this one, oldest first and this one among them.

    `points` has each cluster of this run over the nights, `counts` the number of causes of each run, `news` those that no
    run before it shows, and `replaced` the compilers that are others than in the run before. `since` is what changed since the last run of the same plan.
    """

    nights: tuple[Night, ...] = ()
    points: Mapping[str, Sequence[Point]] = {}
    counts: tuple[int, ...] = ()
    news: tuple[int, ...] = ()
    replaced: tuple[tuple[str, ...], ...] = ()
    since: ChangesSince | None = None


class Lines(msgspec.Struct, frozen=True):
    """Command lines for a shell.

    `again` asks the same questions, `triage` finds the causes, `compare` compares the run with the one before; `causes` has
    for each cluster what leads on from it.
    """

    again: str
    triage: str
    compare: str
    causes: Mapping[str, Sequence[str]]


def page(story: RunReport, past: Past, lines: Lines, *, triaged: bool) -> str:
    """The whole page."""
    head = story.run.header
    ids = [item.cluster.id for item in story.causes]
    shown = recorded_examples(story.run.batches, [item.cluster for item in story.causes])
    display_name = naming(story)
    opened = open_clauses(story.run.batches)
    return (
        environment(display_name)
        .get_template("page.html.j2")
        .render(
            head=head,
            footer=story.run.footer,
            columns=COLUMNS,
            rows=story.rows,
            uncompared=story.covered.lines,
            complete=whole(story.run),
            pairs=story.pairs,
            targets=target_list(head.plan.targets),
            target_names=sorted({row.target for row in story.rows}),
            subjects=sorted({row.subject for row in story.rows}),
            compilers=[display_name(name) for name in head.plan.subjects],
            causes=story.causes,
            groups=grouped(story.causes),
            finding=headline(story),
            meanings=MEANINGS,
            titles={item.cluster.id: item.title for item in story.causes},
            unexpected=unexpected(story.causes),
            opened=OPENED,
            triaged=triaged,
            clauses=table(story.clause_results),
            asked=subjects_by_target(story.clause_results),
            open=opened,
            undecided=list(undecided_lines(opened)),
            again=lines.again,
            triage=lines.triage,
            compare=lines.compare,
            lines=lines.causes,
            recorded={one: shown.get(one) for one in ids},
            probes={
                item.cluster.id: sorted({one for _, one in probes(item.cluster)}) for item in story.causes
            },
            most=LISTED,
            since=past.since,
            few=FEW,
            nights=past.nights,
            courses={one: causes_chart(past, one) for one in ids},
            versions={item.cluster.id: versions(of_example(past, item.cluster)) for item in story.causes},
            overall=overall(past),
            names=dates(past),
            listed=list(zip(past.nights, past.counts, past.replaced, strict=True))[::-1],
            recent=RECENT,
        )
    )


def environment(display_name: Callable[[str], str]) -> Environment:
    """The templates with the functions that they call; `display_name` names a compiler for people."""
    made = html_templates("report")
    made.filters["named"] = display_name
    made.globals.update(
        says=clause_text,
        address=recorded_address,
        draw=map_svg,
        draw_key=key,
        counted=quantity,
        met_by=met_by,
        declared_so=declared_so,
        blames=blames,
        named=display_name,
        moment=moment,
    )
    return made


def naming(story: RunReport) -> Callable[[str], str]:
    """Return a function that names a compiler of the run for people."""
    lines = story.run.versions_by_subject
    return lambda subject: named(subject, lines.get(subject, ""))


def subjects_by_target(clause_results: Iterable[ClauseResult]) -> dict[str, list[str]]:
    """The subjects of each target."""
    return {
        target: sorted({item.subject for item in items})
        for target, items in groupby(clause_results, key=lambda item: item.target)
    }


def table(
    clause_results: Sequence[ClauseResult],
) -> list[tuple[str, list[tuple[str, list[ClauseResult | None]]]]]:
    """Return for each target its clauses with a cell for each subject, clauses with deviations first."""
    found = []
    for target, names in subjects_by_target(clause_results).items():
        cells = {(item.clause, item.subject): item for item in clause_results if item.target == target}
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


def causes_chart(past: Past, cluster: str) -> Markup:
    """The probes that show a cluster, night by night; empty without a past."""
    if len(past.nights) < 2:
        return Markup()
    shown: dict[str, int] = {}
    for point in past.points.get(cluster, ()):
        shown[point.started] = shown.get(point.started, 0) + point.probes
    return bar_chart(dates(past), [shown.get(night.started, 0) for night in past.nights], "probes")


def dates(past: Past) -> list[str]:
    """Return the start of each run as people read it."""
    return [moment(night.started) for night in past.nights]


def of_example(past: Past, cluster: Cluster) -> tuple[Point, ...]:
    """The nights in which the example that is shown was asked, and not another one of the same cause."""
    shown = probe(cluster.first.example).id
    return tuple(point for point in past.points.get(cluster.id, ()) if point.example == shown)


def versions(points: Sequence[Point]) -> list[tuple[str, str, bool]]:
    """Every version line that was asked about a cluster, and whether it deviates."""
    found: dict[tuple[str, str], bool] = {}
    for point in points:
        for subjects, bad in ((point.deviating, True), (point.agreeing, False)):
            for version in filter(None, subjects.values()):
                found[version, point.target] = found.get((version, point.target), False) or bad
    return [(*key, bad) for key, bad in sorted(found.items())]


def overall(past: Past) -> list[tuple[str, Markup]]:
    """Return the charts over all runs of a folder."""
    if len(past.nights) < 2:
        return []
    pace = [round(night.verdicts / night.seconds, 1) if night.seconds else 0.0 for night in past.nights]
    return [
        ("Causes", bar_chart(dates(past), past.counts, "causes")),
        ("Causes that no run before shows", bar_chart(dates(past), past.news, "causes")),
        (
            "Probes that show causes",
            bar_chart(dates(past), [night.probes for night in past.nights], "probes"),
        ),
        ("CPU seconds", bar_chart(dates(past), [round(night.cpu) for night in past.nights], "CPU seconds")),
        ("Verdicts per second", bar_chart(dates(past), pace, "verdicts per second")),
    ]
