"""Clusters: one entry per root cause, described by the traits that its smallest examples cannot do without.

A finding is the reduced form of one group of deviations. Findings have the same cause when the same subjects stand
against the text on questions with the same traits; one whose traits include those of a simpler finding of the same
subjects adds nothing to it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

import msgspec

from abiprobe.oracles.question import Question
from abiprobe.results.blame import Blame, Stand, families, family
from abiprobe.results.fingerprint import Fingerprint, Symptom
from abiprobe.results.traits import alike, needed, traits


class Finding(msgspec.Struct, frozen=True):
    """A group of deviations and what its smallest member was reduced to.

    `probes` are the ids of the group's probes, `size` is how large the example is, `level` an optimisation level at which it shows. `confirmed`
    says in words what fresh runs came to, and `steady` whether it showed in each.
    """

    fingerprint: Fingerprint
    example: Question
    size: int
    traits: frozenset[str]
    blame: Blame
    level: str
    confirmed: str
    steady: bool
    probes: tuple[str, ...]
    subjects: dict[str, int]


class Cluster(msgspec.Struct, frozen=True, omit_defaults=True):
    """A root cause: its identity, the traits that describe it, its findings (smallest first), and how many probes show it."""

    id: str
    traits: tuple[str, ...]
    symptom: Symptom
    findings: tuple[Finding, ...]
    probes: int
    subjects: dict[str, int]

    @property
    def first(self) -> Finding:
        """The finding with the smallest example."""
        return self.findings[0]

    @property
    def targets(self) -> tuple[str, ...]:
        """The targets on which it shows."""
        return tuple(sorted({item.fingerprint.target for item in self.findings}))

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses that are broken, that of the smallest example first."""
        return tuple(
            dict.fromkeys(item.fingerprint.clause for item in self.findings if item.fingerprint.clause)
        )


class Support(msgspec.Struct, frozen=True):
    """How well the traits of a cause foretell it: of `having` questions drawn with all of them, `deviating` show it.

    Traits are needed, not enough: a value must also be passed, and in the place that matters.
    """

    deviating: int
    having: int

    def __str__(self) -> str:
        return f"of {self.having} drawn questions with these traits {self.deviating} show it"


FOLLOWING = {
    Symptom.LAYOUT: frozenset(
        {Symptom.MISPLACED, Symptom.ABOVE, Symptom.KEPT, Symptom.VALUES, Symptom.DEBUG_INFO}
    ),
    Symptom.MISPLACED: frozenset({Symptom.ABOVE, Symptom.KEPT}),
}
"""What a deviation brings about.

A value of another size is passed elsewhere, where other bits are above it; who returns it elsewhere overwrites what was
to be kept.
"""


def explains(
    cause: Finding, other: Finding, deviating: frozenset[str], clauses: frozenset[str] = frozenset()
) -> bool:
    """Whether what `deviating` do in `other` is the same as `cause`, with more around it, or follows from it.

    `clauses` are those that the cause is known to break, beside the one it breaks here.
    """
    a, b = cause.fingerprint, other.fingerprint
    ours = frozenset(cause.blame.deviating)
    mine, theirs = needed(cause.traits), needed(other.traits)
    if a.words or b.words:
        return (a.symptom, a.words) == (b.symptom, b.words) and bool(ours & deviating)
    if a.symptom is b.symptom and a.target != b.target:
        return mine == theirs and (ours <= deviating or deviating <= ours)
    if a.target != b.target or not deviating <= ours:
        return False
    # By chance others may do as the text says: an alignment too large is right for a record that has it anyway.
    cleared = ours & frozenset(other.blame.agreeing)
    shared = mine == theirs or b.clause in clauses | {a.clause}
    if cleared and not (a.symptom is b.symptom and shared and other_families(cleared, deviating)):
        return False
    around = needed(traits(other.example))
    if a.symptom is b.symptom:
        return mine <= theirs | around
    # A union around what is laid out otherwise does not matter to a call.
    mine -= {"union"}
    return b.symptom in FOLLOWING.get(a.symptom, ()) and bool(mine) and mine <= around


def other_families(cleared: frozenset[str], deviating: frozenset[str]) -> bool:
    """Whether no family is both accused and cleared."""
    return not set(families(cleared)) & set(families(deviating))


def cluster(findings: Iterable[Finding]) -> tuple[Cluster, ...]:
    """Findings gathered under their causes, most telling first; those that are not steady, under what they show."""
    groups: list[list[Finding]] = []
    flaky: dict[tuple[Fingerprint, tuple[str, ...]], list[Finding]] = {}
    for finding in sorted(findings, key=order):
        if not finding.steady:
            flaky.setdefault((finding.fingerprint, families(finding.subjects)), []).append(finding)
            continue
        for part, home in homes(groups, finding):
            if home is None:
                groups.append([part])
            else:
                home.append(part)
    made = [gathered(group) for group in (*groups, *flaky.values())]
    return tuple(sorted(distinct(made), key=telling))


def homes(groups: Sequence[list[Finding]], finding: Finding) -> list[tuple[Finding, list[Finding] | None]]:
    """A finding with the cause that explains it, or none; in parts where each family has a cause of its own."""
    here = home_of(groups, finding, frozenset(finding.blame.deviating))
    if here is not None:
        return [(finding, here)]
    parts = parts_of(finding, finding.blame.families)
    found = [(part, home_of(groups, part, frozenset(part.blame.deviating))) for part in parts]
    if len(parts) > 1 and all(home is not None for _, home in found):
        return found
    return [(finding, home_of(groups, finding, frozenset(finding.blame.deviating), elsewhere=True))]


def parts_of(finding: Finding, names: Sequence[str]) -> tuple[Finding, ...]:
    """A finding for each of some families that show it."""
    return tuple(part_of(finding, name) for name in names)


def part_of(finding: Finding, name: str) -> Finding:
    """What one family shows of a finding."""
    mine = tuple(one for one in finding.blame.deviating if family(one) == name)
    counts = {subject: count for subject, count in finding.subjects.items() if family(subject) == name}
    blame = msgspec.structs.replace(finding.blame, deviating=mine)
    return msgspec.structs.replace(finding, blame=blame, subjects=counts)


def home_of(
    groups: Sequence[list[Finding]], finding: Finding, deviating: frozenset[str], *, elsewhere: bool = False
) -> list[Finding] | None:
    """The first group with a finding that explains what `deviating` do, on the same target or `elsewhere`."""
    for group in groups:
        clauses = frozenset(one.fingerprint.clause for one in group)
        for one in group:
            there = one.fingerprint.target != finding.fingerprint.target
            if there is elsewhere and explains(one, finding, deviating, clauses):
                return group
    return None


def order(finding: Finding) -> tuple[int, int, int, str]:
    """Causes before what follows from them, few traits before many, small examples before large ones."""
    rank = list(Symptom).index(finding.fingerprint.symptom)
    return (rank, len(traits(finding.example)), finding.size, str(finding.example))


def gathered(group: Sequence[Finding]) -> Cluster:
    """The cluster of one group of findings; a probe that shows in several counts once."""
    first = group[0]
    counts: dict[str, set[tuple[str, str]]] = {}
    for finding in group:
        for subject in finding.subjects:
            counts.setdefault(subject, set()).update(
                (finding.fingerprint.target, one) for one in finding.probes
            )
    probes = {(finding.fingerprint.target, one) for finding in group for one in finding.probes}
    return Cluster(
        identity(first),
        tuple(sorted(first.traits)),
        first.fingerprint.symptom,
        tuple(group),
        len(probes),
        {subject: len(found) for subject, found in sorted(counts.items())},
    )


def identity(finding: Finding, *more: str) -> str:
    """The identity of a cause: its symptom, its traits and the families to blame, not their versions."""
    what = finding.fingerprint
    needs = (*sorted(alike(finding.traits)), *families(finding.blame.deviating))
    if not finding.steady:
        # Nobody knows what it needs, and perhaps nobody showed it again.
        needs = ("flaky", what.target, what.clause, *families(finding.subjects))
    parts = (what.symptom.value, what.words, *needs, *more)
    return "c" + hashlib.sha256("\0".join(parts).encode()).hexdigest()[:7]


def distinct(clusters: Sequence[Cluster]) -> list[Cluster]:
    """Clusters that no two have the same identity: where they would, their clauses and targets tell them apart."""
    ids = [item.id for item in clusters]
    return [
        msgspec.structs.replace(item, id=identity(item.first, *item.targets, *item.clauses[:1]))
        if ids.count(item.id) > 1
        else item
        for item in clusters
    ]


STANDS = (Stand.ALONE, Stand.SPLIT, Stand.DEBUG_INFO, Stand.UNOPPOSED, Stand.MODEL)


def telling(item: Cluster) -> tuple[bool, int, int, str]:
    """Steady before flaky, one against all before all against the model, many probes before few."""
    stand = STANDS.index(item.first.blame.stand)
    return (not item.first.steady, stand, -item.probes, item.id)
