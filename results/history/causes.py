"""Changes gathered under their causes: the clusters of triaged runs, else clauses and the words of tools."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from abiprobe.oracles.question import Question
from abiprobe.results.cluster import Cluster
from abiprobe.results.fingerprint import Fingerprint
from abiprobe.results.history.compare import Change, News
from abiprobe.results.traits import described


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
