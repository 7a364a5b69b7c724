"""Group the deviations of a run for triage, by fingerprint and by the subjects that show it."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator

import msgspec

from abiprobe.oracles.language.question import Question
from abiprobe.oracles.quirks.versions import family
from abiprobe.results.causes.answers import ProbeVerdicts
from abiprobe.results.causes.blame import Blame, Configuration, blame
from abiprobe.results.causes.fingerprint import Fingerprint, Symptom
from abiprobe.results.coverage.differing import Group as Together
from abiprobe.results.coverage.differing import with_differences
from abiprobe.results.journal.journal import BatchDone
from abiprobe.results.verdicts.record import Verdict


class Member(msgspec.Struct, frozen=True):
    """One probe of a group: its question and the configurations it was run on.

    Where no text decides, `groups` are those that go together, and `what` is what they part on. `places` are those of
    the values that deviate, as the run saw them, and `value` is the first of these.
    """

    probe: str
    question: Question
    everyone: tuple[Configuration, ...]
    deviating: tuple[Configuration, ...]
    agreeing: tuple[Configuration, ...]
    what: str = ""
    groups: tuple[Together, ...] = ()
    places: tuple[str, ...] = ()
    value: str = ""


class Group(msgspec.Struct, frozen=True):
    """Probes on which the same subjects of one family show the same fingerprint."""

    fingerprint: Fingerprint
    subjects: tuple[str, ...]
    members: tuple[Member, ...]


def verdicts_by_probe(
    batches: Collection[BatchDone], wanted: Container[tuple[str, str]] | None = None
) -> Iterator[ProbeVerdicts]:
    """Yield the probes of a run whose questions the journal stores, in journal order.

    `wanted` restricts them to pairs of target and probe id.
    """
    # Nearly all verdicts are on questions that agree; only the others are held.
    questions = {kept.probe: kept.question for batch in batches for kept in batch.kept}
    seen: dict[tuple[str, str], dict[Configuration, tuple[Verdict, ...]]] = {}
    for batch in batches:
        for verdict in batch.verdicts:
            if verdict.probe not in questions:
                continue
            if wanted is not None and (batch.key.target, verdict.probe) not in wanted:
                continue
            by_asked = seen.setdefault((batch.key.target, verdict.probe), {})
            asked = (batch.key.subject, batch.key.level)
            by_asked[asked] = (*by_asked.get(asked, ()), verdict)
    for (target, identity), verdicts in seen.items():
        compared = with_differences(target, identity, verdicts)
        yield ProbeVerdicts(target, identity, compared, questions[identity])


def groups(batches: Collection[BatchDone]) -> tuple[Group, ...]:
    """Group every deviation and failure of a run whose question the journal stores, in a fixed order."""
    return group_members(found for one in verdicts_by_probe(batches) for found in members_of(one))


def group_members(shown: Iterable[tuple[Fingerprint, tuple[str, ...], Member]]) -> tuple[Group, ...]:
    """Group members by fingerprint and subjects, in a fixed order."""
    found: dict[tuple[Fingerprint, tuple[str, ...]], list[Member]] = {}
    for fingerprint, subjects, member in shown:
        found.setdefault((fingerprint, subjects), []).append(member)
    return tuple(
        Group(fingerprint, subjects, tuple(sorted(group, key=lambda one: one.probe)))
        for (fingerprint, subjects), group in sorted(found.items(), key=str)
    )


def members_of(one: ProbeVerdicts) -> Iterator[tuple[Fingerprint, tuple[str, ...], Member]]:
    """Yield one group member for each fingerprint and compiler family that a probe shows."""
    for fingerprint in one.fingerprints:
        blamed = blame(fingerprint, one)
        if fingerprint.symptom is Symptom.DIFFERS:
            yield disagreement(fingerprint, one, blamed)
            continue
        families: dict[str, list[Configuration]] = {}
        for asked, answer in one.each.items():
            if fingerprint in answer.fingerprints:
                families.setdefault(family(asked[0]), []).append(asked)
        for theirs in families.values():
            yield member_of(fingerprint, one, theirs, blamed)


def member_of(
    fingerprint: Fingerprint, one: ProbeVerdicts, theirs: list[Configuration], blamed: Blame
) -> tuple[Fingerprint, tuple[str, ...], Member]:
    """The group member of one family, of which `theirs` show a fingerprint."""
    contradiction = one.among(theirs).comparison if fingerprint.symptom is Symptom.SELF_INCONSISTENT else None
    once = dict(reversed(theirs))
    first = one.each[theirs[0]]
    level = theirs[0][1]
    opposed = tuple((subject, level) for subject in blamed.agreeing if (subject, level) in one.verdicts)
    member = Member(
        one.probe,
        one.question,
        tuple(one.verdicts),
        tuple(sorted(once.items())),
        opposed,
        groups=contradiction.contradictory if contradiction is not None else (),
        places=first.places[fingerprint],
        value=first.values[fingerprint],
    )
    return fingerprint, tuple(sorted(once)), member


def disagreement(
    fingerprint: Fingerprint, one: ProbeVerdicts, found: Blame
) -> tuple[Fingerprint, tuple[str, ...], Member]:
    """The group member of subjects that part where no text decides: all families at once, one level of each subject.

    The first and the last of them do not go together.
    """
    everyone = tuple(one.verdicts)
    member = Member(one.probe, one.question, everyone, found.representatives, (), found.what, found.groups)
    return fingerprint, found.deviating, member
