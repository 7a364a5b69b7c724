"""Clusters of what is known of a run: one for each known cause, by the cause's name, without reducing anything.

The example of a known cause is its own; that of the cluster is the smallest question of the run that shows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from abiprobe.generators.reduction.cost import cost
from abiprobe.harness.triage.group_reduction import unreduced_finding, with_probes_of
from abiprobe.results.causes.cluster import Cluster, Finding, digest, make_cluster, order
from abiprobe.results.causes.groups import Group
from abiprobe.results.causes.traits import alike, needed, traits
from abiprobe.results.known.matches import Deviation, KnownMatches, restricted_groups


def known_clusters(found: KnownMatches, findings: Iterable[Finding]) -> tuple[Cluster, ...]:
    """Return a cluster for each known cause that is met outside these `findings`, those with the most probes first."""
    taken = {
        (finding.fingerprint, subject, one)
        for finding in findings
        for subject in finding.subjects
        for one in finding.probes
    }
    names = {shown: cause.name for shown, cause in found.entries.items() if shown not in taken}
    clusters = [known_cluster(name, groups_of(name, names, found)) for name in sorted(set(names.values()))]
    return tuple(sorted(clusters, key=lambda item: (-item.probes, item.id)))


def groups_of(name: str, names: Mapping[Deviation, str], found: KnownMatches) -> tuple[Group, ...]:
    """The known groups of a run, restricted to the known cause called `name`."""
    members = ((group.fingerprint, group.subjects, one) for group in found.known for one in group.members)
    return restricted_groups(members, lambda shown: names.get(shown) == name)


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
