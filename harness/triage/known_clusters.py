"""Clusters of what is known of a run: one for each known cause, by the cause's name, without reducing anything.

The example of a known cause is its own; that of the cluster is the smallest question of the run that shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec.structs import replace

from abiprobe.generators.reduction.cost import cost
from abiprobe.harness.triage.group_reduction import unreduced_finding, with_probes_of
from abiprobe.results.causes.cluster import Cluster, Finding, digest, make_cluster, order
from abiprobe.results.causes.fingerprint import Fingerprint
from abiprobe.results.causes.groups import Group, Member, group_members
from abiprobe.results.causes.traits import alike, needed, traits
from abiprobe.results.known.matches import Deviation, KnownMatches, restrict_subjects


def known_clusters(found: KnownMatches, findings: Iterable[Finding]) -> tuple[Cluster, ...]:
    """Return a cluster for each known cause that is met outside these `findings`, those with the most probes first."""
    taken = {
        (finding.fingerprint, subject, one)
        for finding in findings
        for subject in finding.subjects
        for one in finding.probes
    }
    names = {shown: cause.name for shown, cause in found.entries.items() if shown not in taken}
    clusters = [known_cluster(name, groups) for name, groups in groups_by_name(names, found).items()]
    return tuple(sorted(clusters, key=lambda item: (-item.probes, item.id)))


def groups_by_name(names: Mapping[Deviation, str], found: KnownMatches) -> dict[str, tuple[Group, ...]]:
    """Divide the known groups of a run by the known cause whose name their deviations have."""
    parts: dict[str, list[tuple[Fingerprint, tuple[str, ...], Member]]] = {}

    def is_of(name: str) -> Callable[[Deviation], bool]:
        return lambda shown: names.get(shown) == name

    for group in found.known:
        for member in group.members:
            part = (group.fingerprint, group.subjects, member)
            mine = (names.get((group.fingerprint, subject, member.probe)) for subject in group.subjects)
            for name in filter(None, dict.fromkeys(mine)):
                parts.setdefault(name, []).extend(restrict_subjects(part, is_of(name)))
    return {name: group_members(some) for name, some in parts.items()}


def known_cluster(name: str, groups: Sequence[Group]) -> Cluster:
    """The cluster of the known cause called `name`, with a finding for each of these groups."""
    made = make_cluster(sorted(map(smallest, groups), key=order))
    shared = frozenset.intersection(
        *(alike(traits(member.question)) for group in groups for member in group.members)
    )
    return replace(made, id=digest("known", name), traits=tuple(sorted(needed(shared))))


def smallest(group: Group) -> Finding:
    """A finding of all members of a group, with the smallest one as example."""
    first = min(group.members, key=lambda member: (cost(member.question), member.probe))
    return with_probes_of(unreduced_finding(group, first), list(group.members))
