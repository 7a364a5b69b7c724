"""Of which compilers and targets nothing was compared, and why.

A run is green for what it compared only: the agreement of one compiler says nothing about another one that was named beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import TypeAlias

import msgspec

from abiprobe.oracles.question import ProbeKind
from abiprobe.results.differing import comparisons
from abiprobe.results.journal import BatchDone, Named
from abiprobe.results.quantity import quantity
from abiprobe.results.record import Judgement, Outcome, Verdict

NOTHING_NAMED = Named()
NOTHING_COMPARED = 3
"""The exit status where nothing was compared at all, or of something that a user named."""
JUDGED = frozenset({Judgement.AGREES, Judgement.DEVIATES})
"""The verdicts of a comparison with a text; a pair has them too, where it says whether a call arrives."""
TOOLS_OWN = frozenset({Outcome.REFUSED, Outcome.CRASHED, Outcome.TIMED_OUT, Outcome.DIED})
"""Outcomes whose detail needs the outcome before it to be understood."""
NOT_ASKED = "nothing was asked of it"
ALONE = "no text decides, and no other compiler was compared with it"
Asked: TypeAlias = tuple[str, str, str]
"""A target, a subject and a level."""
Reasons: TypeAlias = Mapping[Asked, Counter[tuple[Outcome, str]]]
"""Why nothing was compared of each, counted by verdict: the outcome, and words."""


class Uncompared(msgspec.Struct, frozen=True, omit_defaults=True):
    """A subject of which nothing was compared, on some targets and at some levels, all of them for the same reason.

    `subject` is empty where it is about all of a target, `targets` where it is about all of them. `named` says that the user
    named it, so that it decides the exit status.
    """

    subject: str
    targets: tuple[str, ...]
    levels: tuple[str, ...]
    why: str
    named: bool = True

    def __str__(self) -> str:
        who = " ".join((self.subject, *(f"-{level}" for level in self.levels)))
        where = ", ".join(self.targets)
        return f"nothing was compared of {' on '.join(filter(None, (who, where)))}: {self.why}"


class Coverage(msgspec.Struct, frozen=True):
    """Whether anything was compared, and of whom nothing was."""

    anything: bool
    uncompared: tuple[Uncompared, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        """A line for each, those first that decide the exit status."""
        return tuple(map(str, sorted(self.uncompared, key=lambda item: not item.named)))

    @property
    def complete(self) -> bool:
        """Whether something was compared, and something of everything that was named."""
        return self.anything and not any(item.named for item in self.uncompared)


def coverage(batches: Collection[BatchDone], named: Named = NOTHING_NAMED) -> Coverage:
    """Return of whom nothing was compared in a run.

    Of a subject that was named something has to be compared at each level at which it was asked, on each target that was named
    as well; of a target that was named something of one subject.
    """
    asked, compared = looked_at(batches)
    if asked - compared:
        compared |= {
            (found.target, *each)
            for found in comparisons(batches)
            for group in (*found.groups, *found.torn)
            for each in group.subjects
        }
    found = [
        *of_named(named, asked),
        *of_asked(named, reasons(batches, asked - compared), compared),
    ]
    return Coverage(bool(compared), tuple(found))


def looked_at(batches: Collection[BatchDone]) -> tuple[set[Asked], set[Asked]]:
    """Return who was asked anything, and who was judged by a text or called another subject."""
    asked: set[Asked] = set()
    compared: set[Asked] = set()
    for batch in batches:
        key = (batch.key.target, batch.key.subject, batch.key.level)
        if batch.verdicts:
            asked.add(key)
        if key not in compared and any(verdict.verdict in JUDGED for verdict in batch.verdicts):
            compared.add(key)
    return asked, compared


def of_named(named: Named, asked: set[Asked]) -> Iterator[Uncompared]:
    """Yield what was named and not asked anything at all."""
    for one in named.unusable:
        yield Uncompared(one.subject, (one.target,) if one.target else (), (), one.why)
    told = {(one.target, one.subject) for one in named.unusable}
    subjects = {subject for _, subject, _ in asked}
    for subject in named.subjects:
        if subject not in subjects and not any(subject == other for _, other in told):
            yield Uncompared(subject, (), (), NOT_ASKED)
    targets = {target for target, _, _ in asked}
    for target in named.targets:
        if target not in targets and (target, "") not in told:
            yield Uncompared("", (target,), (), NOT_ASKED)


def of_asked(named: Named, found: Reasons, compared: set[Asked]) -> Iterator[Uncompared]:
    """Yield who was asked and shows nothing that could be compared, those together for which the reason is the same."""
    subjects = {subject for _, subject, _ in compared}
    targets = {target for target, _, _ in compared}
    together: dict[tuple[str, str, bool], tuple[dict[str, None], dict[str, None]]] = {}
    for (target, subject, level), why in sorted(found.items()):
        by_subject = subject in named.subjects and (
            target in named.targets or subject not in subjects or not is_unable(why)
        )
        by_target = target in named.targets and target not in targets
        of_targets, levels = together.setdefault((subject, in_words(why), by_subject or by_target), ({}, {}))
        of_targets[target] = levels[level] = None
    for (subject, words, counts), (of_targets, levels) in together.items():
        yield Uncompared(subject, tuple(of_targets), tuple(levels), words, counts)


def reasons(batches: Collection[BatchDone], silent: set[Asked]) -> dict[Asked, Counter[tuple[Outcome, str]]]:
    """Count why nothing was compared of some subjects."""
    found: dict[Asked, Counter[tuple[Outcome, str]]] = {asked: Counter() for asked in silent}
    for batch in batches if silent else ():
        key = (batch.key.target, batch.key.subject, batch.key.level)
        if key in silent:
            found[key].update(reason(one) for one in batch.verdicts if one.kind is not ProbeKind.PAIR)
    return found


def reason(verdict: Verdict) -> tuple[Outcome, str]:
    """Return how far a probe got that was not compared, and why in words."""
    outcome = verdict.outcome
    if outcome is Outcome.OBSERVED:
        return outcome, ALONE
    if outcome in TOOLS_OWN:
        return outcome, f"{outcome.value}: {verdict.detail}" if verdict.detail else outcome.value
    return outcome, verdict.detail or outcome.value


def is_unable(why: Counter[tuple[Outcome, str]]) -> bool:
    """Whether a subject is able to answer none of the questions that it was asked: it does not build for the target, say."""
    return all(outcome is Outcome.UNSUPPORTED for outcome, _ in why)


def in_words(why: Counter[tuple[Outcome, str]]) -> str:
    """Return the most frequent reason, and how many more there are."""
    words = Counter[str]()
    for (_, text), count in why.items():
        words[text] += count
    ordered = sorted(words, key=lambda text: (-words[text], text))
    more = f" (and {quantity(len(ordered) - 1, 'more reason')})" if ordered[1:] else ""
    return (ordered[0] if ordered else NOT_ASKED) + more
