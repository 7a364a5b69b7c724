"""The deviations of a run, gathered for triage: which probes show which fingerprint, with whom against whom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from abiprobe.oracles.question import Question
from abiprobe.results.blame import Asked, blame, family
from abiprobe.results.fingerprint import Fingerprint, fingerprints
from abiprobe.results.journal import BatchDone
from abiprobe.results.record import Verdict


class Member(msgspec.Struct, frozen=True):
    """One probe of a group: its question, and who was asked about it."""

    probe: str
    question: Question
    everyone: tuple[Asked, ...]
    deviating: tuple[Asked, ...]
    agreeing: tuple[Asked, ...]


class Group(msgspec.Struct, frozen=True):
    """Probes on which the same subjects of one family show the same fingerprint."""

    fingerprint: Fingerprint
    subjects: tuple[str, ...]
    members: tuple[Member, ...]


def groups(batches: Iterable[BatchDone]) -> tuple[Group, ...]:
    """Every deviation and failure of a run whose question the journal keeps, in a fixed order."""
    questions: dict[str, Question] = {}
    seen: dict[tuple[str, str], dict[Asked, tuple[Verdict, ...]]] = {}
    for batch in batches:
        questions |= {kept.probe: kept.question for kept in batch.kept}
        for verdict in batch.verdicts:
            by_asked = seen.setdefault((batch.key.target, verdict.probe), {})
            asked = (batch.key.subject, batch.key.level)
            by_asked[asked] = (*by_asked.get(asked, ()), verdict)
    found: dict[tuple[Fingerprint, tuple[str, ...]], list[Member]] = {}
    for (target, identity), verdicts in seen.items():
        if identity in questions:
            for fingerprint, subjects, member in members(target, identity, questions[identity], verdicts):
                found.setdefault((fingerprint, subjects), []).append(member)
    return tuple(
        Group(fingerprint, subjects, tuple(sorted(group, key=lambda one: one.probe)))
        for (fingerprint, subjects), group in sorted(found.items(), key=str)
    )


def members(
    target: str, identity: str, question: Question, verdicts: dict[Asked, tuple[Verdict, ...]]
) -> Iterator[tuple[Fingerprint, tuple[str, ...], Member]]:
    """What one probe shows, once for each fingerprint and family."""
    shown = {asked: fingerprints(target, found) for asked, found in verdicts.items()}
    for fingerprint in dict.fromkeys(item for found in shown.values() for item in found):
        agreeing = blame(fingerprint, verdicts).agreeing
        families: dict[str, list[Asked]] = {}
        for asked, found in shown.items():
            if fingerprint in found:
                families.setdefault(family(asked[0]), []).append(asked)
        for theirs in families.values():
            once = dict(reversed(theirs))
            level = theirs[0][1]
            opposed = tuple((subject, level) for subject in agreeing if (subject, level) in verdicts)
            yield (
                fingerprint,
                tuple(sorted(once)),
                Member(identity, question, tuple(verdicts), tuple(sorted(once.items())), opposed),
            )
