"""How each subject stands by each clause of a target: what JUnit, SARIF, the card and the page are made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from abiprobe.oracles.clause import find_clause
from abiprobe.results.cluster import Cluster
from abiprobe.results.journal import BatchDone, Run
from abiprobe.results.report.maps import Map
from abiprobe.results.summary import Row, rows
from abiprobe.results.traits import described


class Standing(msgspec.Struct, frozen=True):
    """One clause and one subject: probes that agree and that deviate; `known` says what is known of the deviation."""

    target: str
    subject: str
    clause: str
    agrees: int
    deviates: int
    clusters: tuple[str, ...]
    known: str


class Told(msgspec.Struct, frozen=True):
    """A cause with everything that a reader wants to see of it; `example` is C, `known` and `link` are of the entry."""

    cluster: Cluster
    title: str
    example: str
    known: str
    link: str
    maps: tuple[Map, ...]


class Story(msgspec.Struct, frozen=True):
    """A run as reports tell it."""

    run: Run
    rows: tuple[Row, ...]
    standings: tuple[Standing, ...]
    told: tuple[Told, ...]


def story(run: Run, told: Sequence[Told]) -> Story:
    """A run with its causes; those that nobody knows come first."""
    ordered = sorted(told, key=lambda item: bool(item.known))
    return Story(run, rows(run.batches), tuple(standings(run.batches, told)), tuple(ordered))


def standings(batches: Iterable[BatchDone], told: Sequence[Told]) -> list[Standing]:
    """Every clause that a subject was asked about, over all levels and batches."""
    counts: dict[tuple[str, str, str], tuple[int, int]] = {}
    for batch in batches:
        for clause, (good, bad) in batch.clauses.items():
            key = (batch.key.target, batch.key.subject, clause)
            before = counts.get(key, (0, 0))
            counts[key] = (before[0] + good, before[1] + bad)
    behind = causes(told)
    return [
        Standing(*key, good, bad, *behind.get(key, ((), "")) if bad else ((), ""))
        for key, (good, bad) in sorted(counts.items())
    ]


def causes(told: Sequence[Told]) -> Mapping[tuple[str, str, str], tuple[tuple[str, ...], str]]:
    """The clusters behind each clause that a subject breaks, and what is known if all of them are known."""
    found: dict[tuple[str, str, str], list[Told]] = {}
    for item in told:
        for finding in item.cluster.findings:
            for subject in finding.subjects:
                key = (finding.fingerprint.target, subject, finding.fingerprint.clause)
                if item not in found.setdefault(key, []):
                    found[key].append(item)
    return {
        key: (
            tuple(item.cluster.id for item in items),
            "; ".join(item.known for item in items) if all(item.known for item in items) else "",
        )
        for key, items in found.items()
    }


def title(cluster: Cluster) -> str:
    """A cause in a few words."""
    return described(cluster.traits) or cluster.first.fingerprint.words or cluster.symptom.value


def says(clause: str) -> str:
    """What a clause says, with where it stands."""
    if not clause:
        return ""
    found = find_clause(clause)
    return f"{found.section}: {found.says}"
