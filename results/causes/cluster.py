"""Cluster findings by root cause; a cluster is described by the traits that its smallest examples need.

A finding is the reduced form of one group of deviations. Findings have the same cause when the same subjects stand
against the text on questions with the same traits; one whose traits include those of a simpler finding of the same
subjects adds nothing to it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

import msgspec

from abiprobe.oracles.language.lang import Record
from abiprobe.oracles.language.question import Question
from abiprobe.oracles.quirks.versions import family
from abiprobe.results.causes.blame import Blame, Stand, families
from abiprobe.results.causes.fingerprint import OPEN, Fingerprint, Symptom, is_telling
from abiprobe.results.causes.traits import Features, alike, features, needed, traits
from abiprobe.results.journal.fields import Level

IDENTITIES = 2
"""The version of the rules by which causes are told apart and named (`explains`, `identity`)."""


class Underlying(msgspec.Struct, frozen=True):
    """A record type in an example whose own layout deviates for every compiler to blame."""

    record: Record
    fingerprint: Fingerprint


class Finding(msgspec.Struct, frozen=True, dict=True):
    """A group of deviations with the reduced form of its smallest member.

    `probes` are the ids of the group's probes, `size` is how large the example is, `level` an optimisation level at which it shows. `confirmed`
    says in words what fresh runs came to, and `steady` whether it showed in each. `places` are those of the values that
    deviate in the example, none where that is not known; `value` is the parameter, `result` or member in which it shows,
    and `layouts` are the types of that value whose own layout deviates, so that this deviation follows from it.
    """

    fingerprint: Fingerprint
    example: Question
    size: int
    traits: frozenset[str]
    blame: Blame
    level: Level
    confirmed: str
    steady: bool
    probes: tuple[str, ...]
    subjects: dict[str, int]
    places: tuple[str, ...] = ()
    value: str = ""
    layouts: tuple[Underlying, ...] = ()

    @cached_property
    def of_example(self) -> frozenset[str]:
        """All traits of the example."""
        return traits(self.example)

    @cached_property
    def around(self) -> frozenset[str]:
        """The traits of the example that not every record has."""
        return needed(self.of_example)

    @cached_property
    def needs(self) -> frozenset[str]:
        """Those of its own traits that not every record has."""
        return needed(self.traits)

    @cached_property
    def features(self) -> Features:
        """The unusual features of the example, whose traits are also those that the finding has."""
        return features(self.example, self.traits)


class Cluster(msgspec.Struct, frozen=True, omit_defaults=True):
    """A root cause: its identity, the traits that describe it, its findings (smallest first), and how many probes show it.

    `former` are other identities that lead to it: those of its other findings, by which it is called in a run that has
    these alone, and those that earlier versions of abiprobe gave it.
    """

    id: str
    traits: tuple[str, ...]
    symptom: Symptom
    findings: tuple[Finding, ...]
    probes: int
    subjects: dict[str, int]
    former: tuple[str, ...] = ()

    def is_called(self, name: str) -> bool:
        """Return whether `name` is the cluster's id or a former one."""
        return name == self.id or name in self.former

    @property
    def first(self) -> Finding:
        """The finding with the smallest example."""
        return self.findings[0]

    @property
    def targets(self) -> tuple[str, ...]:
        """The targets that show the cause."""
        return tuple(sorted({item.fingerprint.target for item in self.findings}))

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses that are broken, that of the smallest example first."""
        return tuple(
            dict.fromkeys(item.fingerprint.clause for item in self.findings if item.fingerprint.clause)
        )


def restricted(cluster: Cluster, wanted: Callable[[Finding], Callable[[str, str], bool]]) -> Cluster | None:
    """Restrict a cluster to the `wanted` pairs of subject and probe; `None` if nothing remains."""
    found: list[Finding] = []
    for one in cluster.findings:
        is_wanted = wanted(one)
        mine = {
            subject: {probe for probe in one.probes if is_wanted(subject, probe)} for subject in one.subjects
        }
        probes = set().union(*mine.values())
        if probes:
            counts = {subject: len(theirs) for subject, theirs in mine.items() if theirs}
            kept = tuple(probe for probe in one.probes if probe in probes)
            found.append(msgspec.structs.replace(one, probes=kept, subjects=counts))
    if not found:
        return None
    made = make_cluster(found)
    names = dict.fromkeys((cluster.id, *cluster.former, *made.former))
    return msgspec.structs.replace(made, former=tuple(name for name in names if name != made.id))


def with_names_of(told: Sequence[Cluster], clusters: Sequence[Cluster]) -> tuple[Cluster, ...]:
    """Add the names that a run `told` for its causes to the clusters that have the first probe of each.

    A cause that is reduced may join another, and be called by that one's name.
    """
    names: dict[tuple[str, str, str], list[str]] = {}
    for one in told:
        mine = one.first
        names.setdefault((*key_of(mine), mine.probes[0]), []).append(one.id)

    def named(item: Cluster) -> Cluster:
        keys = ((*key_of(one), probe) for one in item.findings for probe in one.probes)
        known = dict.fromkeys((*item.former, *(name for key in keys for name in names.get(key, ()))))
        return msgspec.structs.replace(item, former=tuple(one for one in known if one != item.id))

    return tuple(map(named, clusters))


def key_of(finding: Finding) -> tuple[str, str]:
    """The target of a finding and its symptom, without which a probe is shown by more than one cause."""
    return finding.fingerprint.target, finding.fingerprint.symptom.value


class Support(msgspec.Struct, frozen=True):
    """The prediction of a cause by its traits: `deviating` of the `having` drawn questions with all traits show it.

    Traits are needed, not enough: a value must also be passed, and in the place that matters.
    """

    deviating: int
    having: int

    def __str__(self) -> str:
        if not self.having:
            return "no random probe of this run has these features"
        if not self.deviating:
            return f"none of {self.having} random probes with these features fails: more than these features is needed"
        return f"{self.deviating} of {self.having} random probes with these features fail"


FOLLOWING = {
    Symptom.LAYOUT: frozenset(
        {Symptom.MISPLACED, Symptom.ABOVE, Symptom.KEPT, Symptom.VALUES, Symptom.DEBUG_INFO}
    ),
    Symptom.MISPLACED: frozenset({Symptom.ABOVE, Symptom.KEPT}),
}
"""The consequences of a deviation.

A value of another size is passed elsewhere, where other bits are above it; who returns it elsewhere overwrites what was
to be kept.
"""


def explains(
    cause: Finding, other: Finding, deviating: frozenset[str], clauses: frozenset[str] = frozenset()
) -> bool:
    """Return whether `cause` explains how `deviating` deviate in `other`.

    The same deviation with more around it, or one that follows.

    `clauses` are those that the cause is known to break, beside the one it breaks here.
    """
    a, b = cause.fingerprint, other.fingerprint
    ours = frozenset(cause.blame.deviating)
    mine, theirs = cause.needs, other.needs
    if a.words or b.words:
        alike_in_words = (a.symptom, a.words) == (b.symptom, b.words)
        same_family = bool(set(families(ours)) & set(families(deviating)))
        return alike_in_words and same_family and (is_telling(a.words) or mine <= theirs)
    if {a.symptom, b.symptom} & OPEN:
        # Nothing brings about that a text is silent, and nothing follows from it.
        return a == b and deviating <= ours and mine <= theirs | other.around
    if a.symptom is b.symptom and a.target != b.target:
        # Documents are implemented apart, so what departs from two of them is two causes.
        return a.clause == b.clause and mine == theirs and (ours <= deviating or deviating <= ours)
    if a.target != b.target or not deviating <= ours:
        return False
    # By chance others may do as the text says: an alignment too large is right for a record that has it anyway.
    cleared = ours & frozenset(other.blame.agreeing)
    shared = mine == theirs or b.clause in clauses | {a.clause}
    if cleared and not (a.symptom is b.symptom and shared and other_families(cleared, deviating)):
        return False
    around = other.around
    if a.symptom is b.symptom:
        return mine <= theirs | around
    # A union around what is laid out otherwise does not matter to a call.
    mine -= {"union"}
    return b.symptom in FOLLOWING.get(a.symptom, ()) and bool(mine) and mine <= around


def other_families(cleared: frozenset[str], deviating: frozenset[str]) -> bool:
    """Return whether no family deviates in one finding and agrees in the other."""
    return not set(families(cleared)) & set(families(deviating))


def cluster(findings: Iterable[Finding]) -> tuple[Cluster, ...]:
    """Group findings by cause, most significant first; flaky findings are grouped by what they show."""
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
    causes: dict[str, list[Finding]] = {}
    for group in (*groups, *flaky.values()):
        causes.setdefault(identity(group[0]), []).extend(group)
    return tuple(
        sorted((make_cluster(sorted(group, key=order)) for group in causes.values()), key=cluster_rank)
    )


def homes(groups: Sequence[list[Finding]], finding: Finding) -> list[tuple[Finding, list[Finding] | None]]:
    """Yield a finding with the cause that explains it, or `None`; split where families have different causes."""
    here = home_of(groups, finding, frozenset(finding.blame.deviating))
    if here is not None:
        return [(finding, here)]
    if finding.fingerprint.symptom is Symptom.DIFFERS:
        # It takes all of them to part.
        return [(finding, None)]
    parts = parts_of(finding, finding.blame.families)
    found = [(part, home_of(groups, part, frozenset(part.blame.deviating))) for part in parts]
    if len(parts) > 1 and all(home is not None for _, home in found):
        return found
    return [(finding, home_of(groups, finding, frozenset(finding.blame.deviating), elsewhere=True))]


def parts_of(finding: Finding, names: Sequence[str]) -> tuple[Finding, ...]:
    """A finding for each of some families that show it."""
    return tuple(part_of(finding, name) for name in names)


def part_of(finding: Finding, name: str) -> Finding:
    """Restrict a finding to one family."""
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


def order(finding: Finding) -> tuple[int, int, int, str, str, str]:
    """Sort key: causes before their consequences, few traits before many, small examples before large ones."""
    what = finding.fingerprint
    rank = list(Symptom).index(what.symptom)
    return (
        rank,
        len(finding.of_example),
        finding.size,
        str(finding.example),
        what.clause,
        what.target,
    )


def make_cluster(group: Sequence[Finding]) -> Cluster:
    """Make a cluster of findings with one cause; a probe in several findings counts once."""
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
        former(group),
    )


def identity(finding: Finding) -> str:
    """The identity of a cause: nothing of it depends on a seed, a version, an example, or what else a run has found.

    That is the symptom, the clause that breaks first, the traits, and the families to blame; for a failure of a tool its
    words, and the traits only where these name no place in the tool.
    """
    what = finding.fingerprint
    needs: tuple[str, ...] = tuple(sorted(alike(finding.traits)))
    if not finding.steady:
        # Nobody knows what it needs, and perhaps nobody showed it again.
        return digest(
            what.symptom.value, what.words, "flaky", what.target, what.clause, *families(finding.subjects)
        )
    if is_telling(what.words):
        needs = ()
    return digest(what.symptom.value, what.words, what.clause, *needs, *families(finding.blame.deviating))


def former(group: Sequence[Finding]) -> tuple[str, ...]:
    """Other identities of a cause: of its other findings, and by the rules before the clause belonged to an identity."""
    first = group[0]
    if not first.steady:
        return ()
    what = first.fingerprint
    parts = (what.symptom.value, what.words, *sorted(alike(first.traits)), *families(first.blame.deviating))
    targets = sorted({item.fingerprint.target for item in group})
    others = (identity(item) for item in group if item.fingerprint.symptom is what.symptom)
    found = (*others, digest(*parts), digest(*parts, *targets, *filter(None, (what.clause,))))
    return tuple(one for one in dict.fromkeys(found) if one != identity(first))


def digest(*parts: str) -> str:
    """Return a short digest of the words that identify a cause."""
    return "c" + hashlib.sha256("\0".join(parts).encode()).hexdigest()[:7]


STANDS = (
    Stand.ALONE,
    Stand.SPLIT,
    Stand.DEBUG_INFO,
    Stand.UNOPPOSED,
    Stand.SELF_INCONSISTENT,
    Stand.UNDECIDED,
    Stand.MODEL,
)


def cluster_rank(item: Cluster) -> tuple[bool, int, int, str]:
    """Sort key: steady before flaky, one family alone before all against the model, many probes before few."""
    stand = STANDS.index(item.first.blame.stand)
    return (not item.first.steady, stand, -item.probes, item.id)
