"""What changed from one run to another: causes, compilers, coverage and speed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from abiprobe.oracles.question import Question
from abiprobe.results.cluster import Cluster
from abiprobe.results.fingerprint import Fingerprint
from abiprobe.results.history.compare import (
    BAD,
    Change,
    Compared,
    News,
    Side,
    compare,
    matched,
    questions,
    sides,
)
from abiprobe.results.journal import BatchDone, Run
from abiprobe.results.traits import described

SLOWER = 1.5
"""A compiler that takes so many times as long for a probe has lost speed."""
NOTICED = 0.5
"""Seconds under which nobody measures speed."""


class Cause(msgspec.Struct, frozen=True):
    """Changes with one cause: `id` is its cluster where the run was triaged, else empty.

    `example` is the smallest question that shows it, `probe` that of a recorded change, `detail` its words.
    """

    news: News
    id: str
    what: str
    targets: tuple[str, ...]
    subjects: tuple[str, ...]
    clauses: tuple[str, ...]
    probes: int
    probe: str
    detail: str
    example: Question | None


class Replaced(msgspec.Struct, frozen=True):
    """A compiler or emulator that is not the one of the old run; empty where there was or is none."""

    target: str
    name: str
    before: str
    after: str


class Pace(msgspec.Struct, frozen=True):
    """A side whose compiler has become slower: milliseconds of its CPU for a probe, then and now."""

    side: Side
    before: float
    after: float


class Diff(msgspec.Struct, frozen=True):
    """Everything that changed.

    `unseen` are clauses that the old run had put to a subject and the new one has not; `missing` are sides of the old
    run that the new one lacks; `first` are clusters of the new run on probes that the old one never asked.
    """

    causes: tuple[Cause, ...]
    replaced: tuple[Replaced, ...]
    compared: tuple[Compared, ...]
    missing: tuple[Side, ...]
    unseen: dict[str, tuple[str, ...]]
    slower: tuple[Pace, ...]
    first: tuple[Cause, ...]

    @property
    def probes(self) -> int:
        """How many answers could be compared."""
        return sum(item.both for item in self.compared)

    @property
    def status(self) -> int:
        """0 as before, 1 when a deviation is new or one is gone, 3 when nothing could be compared."""
        if not self.probes:
            return 3
        news = {cause.news for cause in self.causes}
        return int(bool(news & (BAD | {News.GONE}) or self.first))


def diff(
    old: Run,
    new: Run,
    *,
    names: Mapping[str, str],
    targets: Mapping[str, str],
    clusters: tuple[Sequence[Cluster], Sequence[Cluster]] = ((), ()),
) -> Diff:
    """Compare two runs; `names` gives subjects of the new run by those of the old one, `targets` likewise targets."""
    before = {(targets.get(side[0], side[0]), *side[1:]): found for side, found in sides(old.batches).items()}
    after = sides(new.batches)
    pairs = list(matched(before, after, names))
    compared = tuple(compare(was, side, before[was], after[side]) for was, side in pairs)
    example = questions(old.batches) | questions(new.batches)
    changes = [item for one in compared for item in one.changes]
    asked = {(was[0], probe) for was, found in before.items() for probe in found}
    return Diff(
        gathered(changes, example, (by_probe(clusters[0]), by_probe(clusters[1]))),
        replaced(old, new, names, targets),
        compared,
        tuple(sorted(set(before) - {was for was, _ in pairs})),
        unseen(old, new, pairs),
        slower(old.batches, new.batches, pairs),
        first_seen(clusters, asked),
    )


Found = Mapping[tuple[str, str], Sequence[Cluster]]


def by_probe(clusters: Iterable[Cluster]) -> dict[tuple[str, str], list[Cluster]]:
    """The clusters of each probe of a target."""
    found: dict[tuple[str, str], list[Cluster]] = {}
    for cluster in clusters:
        for finding in cluster.findings:
            for probe in finding.probes:
                known = found.setdefault((finding.fingerprint.target, probe), [])
                if cluster not in known:
                    known.append(cluster)
    return found


def gathered(
    changes: Iterable[Change], example: Mapping[str, Question], found: tuple[Found, Found]
) -> tuple[Cause, ...]:
    """Changes under their causes, the worst news first."""
    groups: dict[tuple[News, str, str], list[tuple[Change, Cluster | None, Fingerprint | None]]] = {}
    for item in changes:
        fingerprint = telling(item)
        cluster = cluster_of(item, fingerprint, found)
        key = cluster.id if cluster else item.detail if fingerprint is None else str(fingerprint)
        groups.setdefault((item.news, key, "" if cluster else item.side[0]), []).append(
            (item, cluster, fingerprint)
        )
    causes = [cause(group, example) for group in groups.values()]
    order = list(News)
    return tuple(sorted(causes, key=lambda item: (order.index(item.news), -item.probes, item.what)))


def telling(item: Change) -> Fingerprint | None:
    """What a change is about: what deviates now and did not, or did and does not any more."""
    fresh = [one for one in item.after if one not in item.before]
    lost = [one for one in item.before if one not in item.after]
    return next(iter((*fresh, *lost)), None)


def cluster_of(item: Change, fingerprint: Fingerprint | None, found: tuple[Found, Found]) -> Cluster | None:
    """The cluster that a change belongs to, in the run that has the deviation."""
    old, new = found
    known = (
        *(new.get((item.side[0], item.probe), ()) if item.after else ()),
        *(old.get((item.was[0], item.probe), ()) if item.before else ()),
    )
    fitting = [
        one
        for one in known
        if fingerprint is not None and any(f.fingerprint == fingerprint for f in one.findings)
    ]
    return next(iter((*fitting, *known)), None)


def cause(
    group: Sequence[tuple[Change, Cluster | None, Fingerprint | None]], example: Mapping[str, Question]
) -> Cause:
    """Changes with one cause."""
    first, cluster, fingerprint = min(group, key=lambda one: (size(example.get(one[0].probe)), one[0].probe))
    clauses = tuple(dict.fromkeys(one.clause for _, _, one in group if one is not None and one.clause))
    what = described(cluster.traits) if cluster else ""
    if not what:
        what = first.detail if fingerprint is None else fingerprint.words or fingerprint.symptom.value
    return Cause(
        first.news,
        cluster.id if cluster else "",
        what,
        tuple(sorted({item.side[0] for item, _, _ in group})),
        tuple(sorted({item.side[1] for item, _, _ in group})),
        clauses,
        len({(item.side[0], item.probe) for item, _, _ in group}),
        first.probe,
        first.detail,
        cluster.first.example if cluster else example.get(first.probe),
    )


def size(question: Question | None) -> int:
    """How large a question is; one that was not kept comes last."""
    return 1 << 30 if question is None else len(str(question))


def first_seen(
    clusters: tuple[Sequence[Cluster], Sequence[Cluster]], asked: set[tuple[str, str]]
) -> tuple[Cause, ...]:
    """Clusters of the new run that the old one has not, on probes that it never asked: old or new, nobody knows."""
    known = {cluster.id for cluster in clusters[0]}
    return tuple(
        Cause(
            News.NEW,
            cluster.id,
            described(cluster.traits),
            cluster.targets,
            tuple(cluster.subjects),
            cluster.clauses,
            cluster.probes,
            cluster.first.probes[0] if cluster.first.probes else "",
            cluster.first.confirmed,
            cluster.first.example,
        )
        for cluster in clusters[1]
        if cluster.id not in known
        and cluster.first.steady
        and not any((f.fingerprint.target, probe) in asked for f in cluster.findings for probe in f.probes)
    )


def replaced(
    old: Run, new: Run, names: Mapping[str, str], targets: Mapping[str, str]
) -> tuple[Replaced, ...]:
    """Compilers and emulators that are others than in the old run."""
    before = {
        (targets.get(info.target, info.target), names.get(info.subject, info.subject)): info
        for info in old.header.subjects
    }
    after = {(info.target, info.subject): info for info in new.header.subjects}
    compilers = [
        Replaced(target, name, one.version, other.version)
        for (target, name), one in before.items()
        if (other := after.get((target, name))) is not None and one.digest != other.digest
    ]
    runs = {targets.get(tool.target, tool.target): tool for tool in old.header.tools}
    emulators = [
        Replaced(tool.target, tool.name, f"{was.name} {was.version}", f"{tool.name} {tool.version}")
        for tool in new.header.tools
        if (was := runs.get(tool.target)) is not None and (was.name, was.version) != (tool.name, tool.version)
    ]
    return (*compilers, *emulators)


def unseen(old: Run, new: Run, pairs: Sequence[tuple[Side, Side]]) -> dict[str, tuple[str, ...]]:
    """For each subject the clauses that it was asked about in the old run, and not in the new one.

    What two seeds draw meets rare clauses by chance, so of such runs only the corpus counts.
    """
    alike = old.header.plan.seed == new.header.plan.seed
    before, after = (
        clauses(batch for batch in run.batches if alike or batch.key.number < 0) for run in (old, new)
    )
    found: dict[str, tuple[str, ...]] = {}
    for was, side in pairs:
        lost = before.get(was, set()) - after.get(side, set())
        if lost:
            found[" ".join(side)] = tuple(sorted(lost))
    return found


def clauses(batches: Iterable[BatchDone]) -> dict[Side, set[str]]:
    """The clauses that each side was asked about."""
    found: dict[Side, set[str]] = {}
    for batch in batches:
        key = batch.key
        found.setdefault((key.target, key.subject, key.level), set()).update(batch.clauses)
    return found


def slower(
    old: Iterable[BatchDone], new: Iterable[BatchDone], pairs: Sequence[tuple[Side, Side]]
) -> tuple[Pace, ...]:
    """The sides whose compiler takes longer than it did, by much."""
    before, after = seconds(old), seconds(new)
    found = []
    for was, side in pairs:
        (then, n), (now, m) = before.get(was, (0.0, 0)), after.get(side, (0.0, 0))
        if n and m and min(then, now) > NOTICED and now / m > SLOWER * then / n:
            found.append(Pace(side, round(1000 * then / n, 3), round(1000 * now / m, 3)))
    return tuple(found)


def seconds(batches: Iterable[BatchDone]) -> dict[Side, tuple[float, int]]:
    """The compiler's CPU seconds and the number of probes of each side."""
    found: dict[Side, tuple[float, int]] = {}
    for batch in batches:
        side = (batch.key.target, batch.key.subject, batch.key.level)
        spent, probes = found.get(side, (0.0, 0))
        found[side] = (spent + batch.compile_seconds, probes + batch.probes)
    return found
