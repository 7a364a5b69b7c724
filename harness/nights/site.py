"""Put together what the pages of `site` tell: the causes of some runs, the clauses of their targets, and what is new."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote, urlencode

import msgspec

from abiprobe.generators.boundary import Edge
from abiprobe.harness.machines.render.declaration import declaration
from abiprobe.harness.nights.command_lines import cause_lines, run_line
from abiprobe.harness.triage.cause_details import other_languages
from abiprobe.oracles.language.question import CXX_QUESTIONS
from abiprobe.oracles.registry import find_target, is_followed
from abiprobe.oracles.text.clause import sheets
from abiprobe.results.causes.blame import families
from abiprobe.results.causes.cluster import Cluster
from abiprobe.results.causes.traits import described
from abiprobe.results.coverage.complete import conformance, marks
from abiprobe.results.coverage.counts import rows
from abiprobe.results.coverage.pair_matrix import PairMatrix, pair_matrices
from abiprobe.results.coverage.pairs import pairings
from abiprobe.results.known.deviations import Known, KnownCause
from abiprobe.results.known.matches import KnownMatches, match_known
from abiprobe.results.report.maps import Map
from abiprobe.results.report.recorded_examples import RecordedExample, recorded_examples
from abiprobe.results.report.run_report import title
from abiprobe.results.site.addresses import CAUSE
from abiprobe.results.site.archive import archive
from abiprobe.results.site.cause_status import StatusTable
from abiprobe.results.site.compilers import ordered
from abiprobe.results.site.content import (
    FLAKY,
    NEW,
    STATUSES,
    UNDECIDED,
    Abi,
    Cause,
    ClauseAbout,
    Content,
    Download,
    Examples,
    RunAbout,
    Tally,
)
from abiprobe.results.site.edition import KIND, SCHEMA, Edition, kept, moved
from abiprobe.results.site.news import (
    Past,
    Remembered,
    digest_of,
    gone_news,
    newest,
    news_of,
    nights_of,
    remembered,
)
from abiprobe.results.site.sightings import Sighted, Sighting, Triaged, in_order, sighted
from abiprobe.results.verdicts.record import Judgement

SUITES: Mapping[str, str] = {
    "filecheck": "Test for clang/test",
    "gcc-dg": "Test for gcc.dg",
    "rustc": "Test for rustc's suite",
    "zig": "Test for zig's test/c_abi",
    "c": "Test in C, with a Makefile",
}
"""Names of the forms of tests."""


class Bundle(msgspec.Struct, frozen=True):
    """A bundle that reproduces a cause: the files by name, and an address that opens it in Compiler Explorer, if there is one.

    `tests` are tests for the suites of compilers, by their form (`repro --as`), each with its files by name.
    """

    files: Mapping[str, str]
    explorer: str = ""
    tests: Mapping[str, Mapping[str, str]] = {}


class Extras(msgspec.Struct, frozen=True):
    """Optional content, for which compilers are run or models searched: maps and bundle of a cause, and edges of clauses."""

    maps: Callable[[Sighting], tuple[Map, ...]] = lambda _: ()
    bundle: Callable[[Sighting, Sequence[Map], StatusTable], Bundle | None] = lambda _one, _maps, _shown: None
    edges: Callable[[str], Iterable[Edge]] = lambda _: ()


def build_content(runs: Sequence[Triaged], known: Known, past: Past, name: str, extras: Extras) -> Content:
    """Everything that the pages tell; `past` is what an earlier edition had, and `name` the title of all pages."""
    runs = in_order(runs)
    entries = known.in_force(datetime.now(UTC).date())
    matches = {one.name: match_known(one.run.batches, entries, one.run.versions) for one in runs}
    every = [one for one in sighted(runs) if CAUSE.fullmatch(one.id)]
    recorded = {one.name: recorded_examples(one.run.batches, one.clusters) for one in runs}
    causes = distinct_titles(
        [
            cause(one, status_of(one, entries, matches), past, extras, recorded[one.last.of.name].get(one.id))
            for one in every
        ]
    )
    updated = max((one.started for one in runs), default="")
    return Content(
        name,
        tuple(map(run_about, runs)),
        ordered(info for one in runs for info in one.run.header.subjects),
        abis(runs),
        tuple(sorted(causes, key=rank)),
        clauses(runs, known, extras),
        edition(every, causes, runs, past, updated),
    )


def distinct_titles(causes: Sequence[Cause]) -> list[Cause]:
    """The causes with titles that differ: those that share one are told by more of what they are."""
    more: tuple[Callable[[Cause], str], ...] = (
        lambda one: one.traits,
        lambda one: ", ".join(one.targets),
        lambda one: one.id,
    )
    found = list(causes)
    for tell in more:
        counts = Counter(one.title for one in found)
        found = [
            one
            if counts[one.title] == 1 or tell(one) in one.title
            else msgspec.structs.replace(one, title=f"{one.title}; {tell(one)}")
            for one in found
        ]
    return found


def rank(one: Cause) -> tuple[int, int, str]:
    """Sort key: by status, and what many probes show first."""
    return list(STATUSES).index(one.status), -one.probes, one.id


def status_of(
    one: Sighted, entries: Sequence[KnownCause], matches: Mapping[str, KnownMatches]
) -> tuple[str, tuple[KnownCause, ...]]:
    """The status of a cause in the newest run that shows it, and the entries that cover it."""
    cluster, run = one.last.cluster, one.last.of.run
    versions = run.versions_by_subject
    _, mine = matches[one.last.of.name].known_of(cluster, entries, versions)
    if not cluster.first.steady:
        return FLAKY, mine
    if mine:
        return mine[0].status.value, mine
    return (UNDECIDED if cluster.first.blame.groups else NEW), ()


def cause(
    one: Sighted,
    status: tuple[str, tuple[KnownCause, ...]],
    past: Past,
    extras: Extras,
    recorded: RecordedExample | None,
) -> Cause:
    """A cause as its page tells it; `recorded` is a probe of it as its run recorded it."""
    sighting = one.last
    cluster, first = sighting.cluster, sighting.cluster.first
    shown = one.statuses()
    pictures = extras.maps(sighting)
    bundle = extras.bundle(sighting, pictures, shown)
    before = remembered(one, past)
    example = declaration(first.example)
    return Cause(
        id=one.id,
        title=status[1][0].name if len(status[1]) == 1 else heading(cluster),
        traits=described(cluster.traits),
        symptom=cluster.symptom,
        status=status[0],
        targets=one.targets,
        clauses=one.clauses,
        example=example,
        languages=other_languages(cluster),
        blames=blames(one),
        statuses={target: shown[target] for target in sorted(shown)},
        findings=tuple((finding, declaration(finding.example)) for finding in cluster.findings),
        probes=one.probes,
        first_seen=min(filter(None, (before.first_seen if before else "", one.sightings[0].of.started))),
        last_seen=sighting.of.started,
        run=sighting.of.name,
        entries=status[1],
        maps=pictures,
        recorded=recorded,
        words=first.fingerprint.words,
        confirmed=first.confirmed,
        commands=commands(one, example),
        downloads=() if bundle is None else tuple(packed(one.id, bundle)),
        explorer="" if bundle is None else bundle.explorer,
        asked="" if isinstance(first.example, CXX_QUESTIONS) else asked(first.fingerprint.target, example),
    )


def asked(target: str, example: str) -> str:
    """Return the part of the playground's address that asks about an example."""
    return urlencode({"target": target, "c": example}, quote_via=quote)


def heading(cluster: Cluster) -> str:
    """A cause that no single entry names: what is unusual about its types, how it shows, and for whom."""
    return f"{title(cluster)}: {cluster.symptom.value} ({', '.join(families(cluster.first.blame.deviating))})"


def blames(one: Sighted) -> dict[str, str]:
    """Map each target to a sentence that names the compilers which show a cause: that of the newest run which shows it there."""
    found: dict[str, str] = {}
    for sighting in reversed(one.sightings):
        here: dict[str, str] = {}
        for finding in sighting.cluster.findings:
            words = finding.blame.describe(finding.fingerprint.symptom)
            here.setdefault(finding.fingerprint.target, words)
        found = {**here, **found}
    return dict(sorted(found.items()))


def commands(one: Sighted, example: str) -> tuple[str, ...]:
    """Return the commands that reproduce a cause, without the folder of its run."""
    return cause_lines(one.last.cluster, example, Path(one.last.of.name))


def packed(name: str, bundle: Bundle) -> Iterator[Download]:
    """A bundle and each of its tests, as a file each."""
    yield Download(
        f"bundle/{name}.tar.gz",
        "Bundle: sources and a Makefile that show it without abiprobe",
        archive(f"abiprobe-{name}", bundle.files),
    )
    for form, files in bundle.tests.items():
        yield Download(f"test/{name}-{form}.tar.gz", SUITES.get(form, form), archive(f"{name}-{form}", files))


def run_about(one: Triaged) -> RunAbout:
    """A run as the pages tell it."""
    head, footer = one.run.header, one.run.footer
    return RunAbout(
        one.name,
        head,
        run_line(head.plan, footer),
        footer.verdicts if footer else 0,
        footer.digest if footer else "",
    )


def abis(runs: Sequence[Triaged]) -> tuple[Abi, ...]:
    """The targets of some runs, in the order in which the runs name them."""
    asked: dict[str, dict[str, int]] = {}
    for one in runs:
        for info in one.run.header.subjects:
            asked.setdefault(info.target, {}).setdefault(info.subject, 0)
        for row in rows(one.run.batches):
            compared = sum(row.counts[name.value] for name in (Judgement.AGREES, Judgement.DEVIATES))
            mine = asked.setdefault(row.target, {})
            mine[row.subject] = mine.get(row.subject, 0) + compared
    calls = calls_of(runs)
    marked = marks(item for one in runs for item in conformance(one.run))
    by_sheet = {sheet.name: sheet.source for sheet in sheets()}
    found = []
    for name, compilers in asked.items():
        target = find_target(name)
        source = by_sheet.get(target.sheet) if target.modelled else None
        conforms = {subject: modes for (about, subject), modes in marked.items() if about == name}
        found.append(Abi(name, target.title, source, target.sheet, compilers, calls.get(name), conforms))
    return tuple(found)


def calls_of(runs: Iterable[Triaged]) -> dict[str, PairMatrix]:
    """The calls between the compilers of each target, of all runs."""
    every = list(runs)
    found = [item for one in every for item in pairings(one.run.batches)]
    infos = [info for one in every for info in one.run.header.subjects]
    return {matrix.target: matrix for matrix in pair_matrices(found, infos)}


def clauses(runs: Sequence[Triaged], known: Known, extras: Extras) -> tuple[ClauseAbout, ...]:
    """Every clause of the sheets that a target of some runs follows."""
    targets = tuple(dict.fromkeys(name for one in runs for name in one.run.header.plan.targets))
    tallies = tallies_of(runs)
    examples = examples_of(targets, extras)
    found = []
    for sheet in sheets():
        followers = tuple(name for name in targets if is_followed(sheet.name, find_target(name).name))
        if followers:
            found += [
                ClauseAbout(
                    clause,
                    sheet.source,
                    sheet.source.page(clause.section),
                    followers,
                    examples.get(clause.id, ()),
                    tuple(entry for entry in known.entries if clause.id in entry.clauses),
                    tallies.get(clause.id, ()),
                )
                for clause in sheet.clauses.values()
            ]
    return tuple(found)


def tallies_of(runs: Iterable[Triaged]) -> dict[str, tuple[Tally, ...]]:
    """For each clause the probes that agree and deviate, of all runs and levels."""
    counts: dict[tuple[str, str, str], tuple[int, int]] = {}
    for one in runs:
        for batch in one.run.batches:
            for clause, (good, bad) in batch.clauses.items():
                key = (clause, batch.key.target, batch.key.subject)
                before = counts.get(key, (0, 0))
                counts[key] = (before[0] + good, before[1] + bad)
    found: dict[str, list[Tally]] = {}
    for (clause, target, subject), (good, bad) in sorted(counts.items()):
        found.setdefault(clause, []).append(Tally(target, subject, good, bad))
    return {clause: tuple(items) for clause, items in found.items()}


def examples_of(targets: Iterable[str], extras: Extras) -> dict[str, tuple[Examples, ...]]:
    """Examples on both sides of each clause's edge, on the first target that has them."""
    found: dict[str, tuple[Examples, ...]] = {}
    for name in dict.fromkeys(find_target(target).name for target in targets):
        for edge in extras.edges(name):
            if edge.clause not in found:
                sides = (tuple(map(declaration, side)) for side in (edge.inside, edge.outside))
                found[edge.clause] = (Examples(name, *sides),)
    return found


def edition(
    every: Sequence[Sighted], causes: Sequence[Cause], runs: Sequence[Triaged], past: Past, updated: str
) -> Edition:
    """Return the data kept for the next edition."""
    items = [item for one, made in zip(every, causes, strict=True) for item in news_of(one, made.title, past)]
    items += gone_news(every, past, updated)
    digests = tuple(sorted({*past.runs, *map(digest_of, runs)}))
    here = kept(past, every, map(as_remembered, causes))
    news = newest((*items, *past.news))
    return Edition(
        KIND, SCHEMA, updated, Past(digests, here, news, moved(past, every), nights_of(runs, items, past))
    )


def as_remembered(one: Cause) -> Remembered:
    """A cause as the next edition will know it."""
    return Remembered(
        one.id,
        one.title,
        one.symptom.value,
        one.targets,
        one.clauses,
        one.first_seen,
        one.last_seen,
        one.statuses,
        one.status,
        one.link,
    )
