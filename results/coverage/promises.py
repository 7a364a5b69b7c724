"""The fate of a promise that two subjects do the same: the questions on which it held, those on which it did not, and the rest.

Nobody is right here. Two configurations show the same part of an answer in one place, or the promise is broken. One that
contradicts itself where the other does not breaks it, too, as does a call from one to the other that does not arrive.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

import msgspec

from abiprobe.oracles.language.question import ProbeKind
from abiprobe.results.coverage.differing import Comparison, Configuration, compare
from abiprobe.results.coverage.uncompared import CALLS, LAYOUTS, in_words, part_of, reason
from abiprobe.results.journal.journal import BatchDone
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict

Both = tuple[Configuration, Configuration]
"""The two configurations that are said to do the same."""
NOT_SHOWN = "it shows no part that the other one shows"
SORTS = (LAYOUTS, CALLS)
ANY_TWO: Both = (("one", ""), ("other", ""))
REMEMBERED = 1 << 16


class Promise(msgspec.Struct, frozen=True):
    """Two subjects that are said to do the same, each at a level of its own if `level` and `other_level` name one."""

    subject: str
    other: str
    level: str = ""
    other_level: str = ""

    def configurations(self, levels: Iterable[str]) -> tuple[Both, ...]:
        """The configurations that are held against each other, where runs are at some `levels`."""
        found = (
            ((self.subject, self.level or level), (self.other, self.other_level or level)) for level in levels
        )
        return tuple(dict.fromkeys(found))

    @property
    def names(self) -> tuple[str, str]:
        """The subjects as a user writes them."""
        return with_level(self.subject, self.level), with_level(self.other, self.other_level)

    def __str__(self) -> str:
        return " and ".join(self.names)


def with_level(subject: str, level: str) -> str:
    """Return a subject with a level of its own, if it has one."""
    return f"{subject} -{level}" if level else subject


class PromisedPart(msgspec.Struct, frozen=True):
    """The layouts or the calls of one target: the probes on which a promise held, was broken, or was not put to the test.

    A probe that both were asked counts once, whatever the number of levels: broken if it is at one of them, held if it is at
    one and broken at none.
    `why` has for each subject the reasons why nothing was compared, in words.
    """

    target: str
    part: str
    held: int
    broken: frozenset[str]
    uncompared: int
    why: Mapping[str, str]

    @property
    def asked(self) -> int:
        """The number of probes."""
        return self.held + len(self.broken) + self.uncompared

    @property
    def compared(self) -> bool:
        """Return whether anything was compared."""
        return bool(self.held or self.broken)

    @property
    def reasons(self) -> Iterator[str]:
        """A sentence for each subject that could not be compared on some questions."""
        for subject, why in self.why.items():
            yield f"{subject}: {why}"


class Tested(msgspec.Struct, frozen=True):
    """A promise and what became of it on each target."""

    promise: Promise
    parts: tuple[PromisedPart, ...]

    @property
    def held(self) -> int:
        """The number of probes on which it held."""
        return sum(part.held for part in self.parts)

    @property
    def broken(self) -> int:
        """The number of probes on which it was broken."""
        return sum(len(part.broken) for part in self.parts)

    @property
    def uncompared(self) -> int:
        """The number of probes on which nothing was compared."""
        return sum(part.uncompared for part in self.parts)

    @property
    def complete(self) -> bool:
        """Return whether something was compared of each part that was asked about."""
        return bool(self.parts) and all(part.compared for part in self.parts)


Answers: TypeAlias = Mapping[Configuration, tuple[Verdict, ...]]
"""The verdicts of configurations on one probe."""
Answered: TypeAlias = Mapping[tuple[str, str], Mapping[str, Answers]]
"""The answers to each probe, by target and by whether it is about layouts or calls."""


def answered(batches: Iterable[BatchDone]) -> Answered:
    """Return the answers of a run, of which several promises can be told."""
    found: dict[tuple[str, str], dict[str, dict[Configuration, tuple[Verdict, ...]]]] = {}
    for batch in batches:
        asked = (batch.key.subject, batch.key.level)
        for verdict in batch.verdicts:
            probes = found.setdefault((batch.key.target, part_of(verdict)), {})
            by_asked = probes.setdefault(verdict.probe, {})
            by_asked[asked] = (*by_asked.get(asked, ()), verdict)
    return found


def tested(promise: Promise, run: Answered, levels: Sequence[str]) -> Tested:
    """Return the fate of a promise in a run that was asked with every question open."""
    pairs = promise.configurations(levels)
    parts = (part_tested(*key, probes, pairs) for key, probes in sorted(run.items()))
    return Tested(promise, tuple(part for part in parts if part.asked))


def breaks(promise: Promise, run: Answered, levels: Sequence[str], like: Tested) -> bool:
    """Return whether a promise is broken on one of the probes on which another one is."""
    pairs = promise.configurations(levels)
    return any(
        kept(part.target, probe, both, answers) is False
        for part in like.parts
        for probe in part.broken
        for answers in (run[part.target, part.part][probe],)
        for both in pairs
        if both[0] in answers and both[1] in answers
    )


def part_tested(target: str, part: str, probes: Mapping[str, Answers], pairs: Sequence[Both]) -> PromisedPart:
    """Return what became of a promise on the layouts or calls of a target."""
    held, broken, uncompared = 0, set(), 0
    why: dict[str, Counter[tuple[Outcome, str]]] = {}
    for probe, answers in probes.items():
        each = [
            kept(target, probe, both, answers) for both in pairs if both[0] in answers and both[1] in answers
        ]
        if not each:
            continue
        if False in each:
            broken.add(probe)
        elif True in each:
            held += 1
        else:
            uncompared += 1
            for subject, one in reasons(answers, pairs):
                why.setdefault(subject, Counter())[one] += 1
    words = {subject: in_words(one) for subject, one in why.items()}
    return PromisedPart(target, part, held, frozenset(broken), uncompared, words)


def kept(target: str, probe: str, both: Both, answers: Answers) -> bool | None:
    """Return whether two configurations do the same on a question; `None` where nothing was compared."""
    one, other = (tuple(seen for seen in answers[asked] if seen.kind is not ProbeKind.PAIR) for asked in both)
    held, final = (
        held_alike(target, probe, one) if one == other else held_by_places(target, probe, both, (one, other))
    )
    together = both[0][1] == both[1][1]
    if not final and together and any(fails(answers[one], other[0]) for one, other in (both, both[::-1])):
        return False
    return held


@lru_cache(maxsize=REMEMBERED)
def held_alike(target: str, probe: str, verdicts: tuple[Verdict, ...]) -> tuple[bool | None, bool]:
    """As `held_by_places`, of two that have the same verdicts, which most promises of a matrix compare."""
    return held_by_places(target, probe, ANY_TWO, (verdicts, verdicts))


def held_by_places(
    target: str, probe: str, both: Both, own: tuple[tuple[Verdict, ...], tuple[Verdict, ...]]
) -> tuple[bool | None, bool]:
    """Return whether the places of two configurations say that they do the same, and whether calls between them have no say."""
    found = compare(target, probe, dict(zip(both, own, strict=True)))
    if found is None:
        return None, True
    contradictory = {asked for group in found.contradictory for asked in group.subjects}
    if found.subjects_differ:
        return False, True
    if len(contradictory) == 1:
        # One that shows nothing does not do otherwise.
        return False if set(both) - contradictory <= set(found.showing) else None, True
    if contradictory:
        # Both do, and alike.
        return True if len(found.contradictory) == 1 else None, True
    return True if shared(found, both) else None, False


def shared(found: Comparison, both: Both) -> bool:
    """Return whether both configurations show a part."""
    return any(set(both) <= set(part.shown_by) for part in found.parts)


def fails(verdicts: Iterable[Verdict], partner: str) -> bool:
    """Return whether a call to a function of another subject does not arrive."""
    return any(
        one.kind is ProbeKind.PAIR and one.partner == partner and one.verdict is Judgement.DEVIATES
        for one in verdicts
    )


def reasons(answers: Answers, pairs: Sequence[Both]) -> Iterator[tuple[str, tuple[Outcome, str]]]:
    """Yield why nothing was compared on a question, of each subject that has a reason."""
    for subject, level in dict.fromkeys(one for both in pairs for one in both):
        found = answers.get((subject, level), ())
        own = [one for one in found if one.kind is not ProbeKind.PAIR]
        if own and not any(one.shown for one in own):
            first = next((one for one in own if one.outcome is not Outcome.OBSERVED), own[0])
            yield subject, (first.outcome, NOT_SHOWN) if first.outcome is Outcome.OBSERVED else reason(first)
