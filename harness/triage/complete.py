"""The complete triage of a run: every deviation reduced, grouped by cause and compared with what is known."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from abiprobe.harness.base.progress import steps
from abiprobe.harness.runs.availability import Availability
from abiprobe.harness.runs.run_files import current_triage, keep_first_causes, keep_triage, read_first_causes
from abiprobe.harness.subjects.find import parse_subject
from abiprobe.harness.triage.group_reduction import UNREDUCED, ignore, reduce_groups, reduce_new, still_asked
from abiprobe.harness.triage.known_causes import KnownComparison, compare_with_known
from abiprobe.harness.triage.known_clusters import known_clusters
from abiprobe.harness.triage.underlying_layouts import with_layouts
from abiprobe.results.causes.cluster import Cluster, Finding, cluster, with_names_of
from abiprobe.results.causes.groups import Group
from abiprobe.results.causes.triage_progress import FirstCauses
from abiprobe.results.journal.journal import Run
from abiprobe.results.known.deviations import Known
from abiprobe.results.known.matches import KnownMatches, MatchedCluster, match_known


def triage_run(
    folder: Path,
    run: Run,
    known: Known,
    jobs: int,
    near: Availability,
    *,
    fresh: bool = False,
    cpu: float = math.inf,
) -> KnownComparison:
    """Return the causes of a run against what is known: those stored beside its journal, or new ones, which are stored there.

    Only what is new is reduced, for at most `cpu` CPU seconds, and never to something that is known. What a compiler shows that is not here, or is not the
    one of the run, stands as the run saw it.
    """
    entries = known.in_force(datetime.now(UTC).date())
    found = match_known(run.batches, entries, run.versions)
    clusters = None if fresh and not near.missing else kept_clusters(folder, run, near)
    matched = None if clusters is None else found.matched(clusters, entries, run)
    if matched is None or (not near.missing and has_forgotten(matched)):
        made = new_clusters(folder, run, found, jobs, near, cpu)
        keep_triage(folder, run, made, near.missing)
        matched = found.matched(made, entries, run)
    return compare_with_known(matched, found, known, run)


def kept_clusters(folder: Path, run: Run, near: Availability) -> tuple[Cluster, ...] | None:
    """Return the clusters stored with a run that still hold; `None` where there are none, or more could be reduced now."""
    kept = current_triage(folder, run)
    if kept is None or not set(kept.unasked) <= set(near.missing):
        return None
    return tuple(filter(still_holds, kept.clusters))


def still_holds(item: Cluster) -> bool:
    """Return whether today's model agrees with the one of the run on whether a cluster's example is decided.

    It may have been found by another version.
    """
    first = item.first
    return still_asked(first.fingerprint, first.example, map(parse_subject, first.blame.deviating))


def has_forgotten(matched: Sequence[MatchedCluster]) -> bool:
    """Return whether a cluster was known when it was stored, so nothing was reduced, and is not any more."""
    return any(not one.known and one.shown.first.confirmed == UNREDUCED for one in matched)


def new_clusters(
    folder: Path, run: Run, found: KnownMatches, jobs: int, near: Availability, cpu: float
) -> tuple[Cluster, ...]:
    """Reduce what is new, or may be, and group it by cause; what is known is grouped as the run saw it."""
    first = read_first_causes(folder, run.digest)
    findings = with_layouts(reduced(folder, first, run, found, jobs, near, cpu), frozenset(near.missing))
    return (*with_names_of(first.clusters, cluster(findings)), *known_clusters(found, findings))


def reduced(
    folder: Path,
    first: FirstCauses,
    run: Run,
    found: KnownMatches,
    jobs: int,
    near: Availability,
    cpu: float,
) -> tuple[Finding, ...]:
    """Reduce the groups of what is new, or may be, whose compilers are installed; shows progress on a terminal.

    The reductions are kept, so that a budget that ends too soon is not lost.
    """
    done = first.examined
    here, absent = near.divided(found.left)
    doubtful, _ = near.divided(found.doubtful)
    with steps("groups of deviations", len(here) + len(doubtful)) as step:

        def advance(group: Group) -> None:
            step(f"{group.fingerprint.target} {group.fingerprint.clause}")

        askable = msgspec.structs.replace(found, left=here, doubtful=doubtful)
        findings, examined = reduce_new(askable, done, jobs, math.inf, advance, cpu)
    if cpu < math.inf:
        every = {(one.subjects, one.probe, one.finding.fingerprint): one for one in (*done, *examined)}
        keep_first_causes(
            folder, msgspec.structs.replace(first, digest=run.digest, examined=tuple(every.values()))
        )
    # A deadline of zero runs no compiler: earlier reductions are used, and the rest stays unreduced.
    return (*findings, *reduce_groups(absent, 1, ignore, done, deadline=0.0).findings)
