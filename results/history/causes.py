"""Group the changes between two runs by cause: by cluster if triaged, else by clause or tool message."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence

import msgspec

from abiprobe.oracles.language.question import Question
from abiprobe.oracles.quirks.versions import family
from abiprobe.results.causes.cluster import FOLLOWING, Cluster
from abiprobe.results.causes.fingerprint import Fingerprint
from abiprobe.results.causes.traits import described
from abiprobe.results.history.compare import Change, News


class Cause(msgspec.Struct, frozen=True):
    """Changes with one cause: `id` is its cluster if the run found its causes, else empty.

    `news` is the worst of them, `parts` counts the probes of each. `example` is the smallest question that shows it,
    `probe` that of a recorded change, `detail` its words.
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
    parts: tuple[tuple[News, int], ...] = ()


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


TOGETHER = {News.NEW: "bad", News.CHANGED: "bad", News.LOST: "bad"}
"""News that one cause brings about: what agreed before is new, what deviated otherwise has changed."""
Item = tuple[Change, Cluster | None, Fingerprint | None]
"""A change with the cluster that it belongs to and what it is about, if anything."""


def group_by_cause(
    changes: Iterable[Change], example: Mapping[str, Question], found: tuple[Found, Found]
) -> tuple[Cause, ...]:
    """Changes under their causes, the worst news first."""
    groups: dict[tuple[str, ...], list[Item]] = {}
    for item in changes:
        for cluster, fingerprint in causes_of_change(item, found):
            key = key_of(item, cluster, fingerprint)
            groups.setdefault(key, []).append((item, cluster, fingerprint))
    causes = [cause(group, example) for group in groups.values()]
    order = list(News)
    return tuple(sorted(causes, key=lambda item: (order.index(item.news), -item.probes, item.what)))


def key_of(item: Change, cluster: Cluster | None, fingerprint: Fingerprint | None) -> tuple[str, ...]:
    """Return the key that changes of one cause share: the cluster, or else the clause or words, target and compiler family."""
    news = TOGETHER.get(item.news, item.news.value)
    if cluster is not None:
        return news, cluster.id
    target, subject, _ = item.side
    if fingerprint is None:
        return news, target, family(subject), item.clause, item.detail
    return news, target, family(subject), fingerprint.clause or fingerprint.words


def causes_of_change(
    item: Change, found: tuple[Found, Found]
) -> Iterable[tuple[Cluster | None, Fingerprint | None]]:
    """The clusters that a change belongs to, each with a deviation of it; without one, what appeared or else disappeared first."""
    fresh = [one for one in item.after if one not in item.before]
    lost = [one for one in item.before if one not in item.after]
    clusters: dict[str, tuple[Cluster, Fingerprint | None]] = {}
    for one in fresh or lost:
        if cluster := cluster_of(item, one, found):
            clusters.setdefault(cluster.id, (cluster, one))
    if item.news is News.READS and (cluster := cluster_of_reading(item, found[1])):
        clusters[cluster.id] = (cluster, None)
    return clusters.values() or [(None, next(iter((*fresh, *lost)), None))]


def cluster_of_reading(item: Change, new: Found) -> Cluster | None:
    """The cluster of what a subject does otherwise on an open question."""
    clusters = new.get((item.side[0], item.probe), ())
    mine = (
        cluster
        for cluster in clusters
        for finding in cluster.findings
        if finding.fingerprint.clause == item.clause and item.side[1] in finding.subjects
    )
    return next(mine, None)


def cluster_of(item: Change, fingerprint: Fingerprint, found: tuple[Found, Found]) -> Cluster | None:
    """The cluster of a deviation of a change, shown by its subject, in the run that shows it."""
    old, new = found
    clusters, side = (new, item.side) if fingerprint in item.after else (old, item.was)
    own = [
        (cluster, finding)
        for cluster in clusters.get((side[0], item.probe), ())
        for finding in cluster.findings
        if side[1] in finding.subjects and item.probe in finding.probes
    ]
    exact = (cluster for cluster, finding in own if finding.fingerprint == fingerprint)
    # A triage leaves out what follows from another deviation of the same probe.
    following = (
        cluster
        for cluster, finding in own
        if finding.fingerprint.target == fingerprint.target
        and fingerprint.symptom in FOLLOWING.get(finding.fingerprint.symptom, ())
    )
    return next(iter((*exact, *following)), None)


def cause(group: Sequence[Item], example: Mapping[str, Question]) -> Cause:
    """Changes with one cause."""
    order = list(News)
    first, cluster, fingerprint = min(
        group,
        key=lambda one: (order.index(one[0].news), size(example.get(one[0].probe)), one[0].probe),
    )
    broken = (one.clause if one is not None else item.clause for item, _, one in group)
    clauses = tuple(dict.fromkeys(filter(None, broken)))
    what = described(cluster.traits) if cluster else ""
    if not what:
        what = first.detail if fingerprint is None else fingerprint.words or fingerprint.symptom.value
    probes: dict[News, set[tuple[str, str]]] = {}
    for item, _, _ in group:
        probes.setdefault(item.news, set()).add((item.side[0], item.probe))
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
        tuple((news, len(probes[news])) for news in order if news in probes),
    )


def size(question: Question | None) -> int:
    """Return a sort key by the size of a question; one that was not kept comes last."""
    return 1 << 30 if question is None else len(str(question))


def first_seen(
    clusters: tuple[Sequence[Cluster], Sequence[Cluster]], asked: Mapping[str, Container[str]]
) -> tuple[Cause, ...]:
    """Clusters of the new run on probes that the old run had not `asked`, by target, so that their age is unknown."""

    def is_known(cluster: Cluster) -> bool:
        return any(cluster.is_called(old.id) or old.is_called(cluster.id) for old in clusters[0])

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
            ((News.NEW, cluster.probes),),
        )
        for cluster in clusters[1]
        if not is_known(cluster)
        and cluster.first.steady
        and not any(
            probe in asked.get(f.fingerprint.target, ()) for f in cluster.findings for probe in f.probes
        )
    )
