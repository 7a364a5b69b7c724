"""Answers of a subject on some sides of calls, judged by one of its dialects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, TypeAlias

import msgspec

from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.observers.needed_quirks import Quirks
from abiprobe.harness.observers.recording import Plain
from abiprobe.harness.observers.registry import AnyObserver
from abiprobe.harness.observers.subject_dialects import SubjectDialects
from abiprobe.oracles.language.question import Probe, ProbeKind
from abiprobe.oracles.quirks.quirk import Side
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict, from_differences

BOTH = frozenset(Side)
UNANSWERED = frozenset({Outcome.ASKED_OTHERWISE, Outcome.DIED})
"""The outcomes of what was recorded after which the subject has to be asked once more."""


class Departed(msgspec.Struct, frozen=True):
    """A plan of the text from which a subject departed, with what was seen and the verdicts on it."""

    plan: Any
    seen: Any
    verdicts: Sequence[Verdict]


class Explanation(msgspec.Struct, frozen=True):
    """The verdict on one side of a call by its dialect, and the names of the quirks without which it would not be so."""

    verdict: Verdict
    quirks: tuple[str, ...] = ()


Explanations: TypeAlias = Mapping[tuple[str, ProbeKind], Explanation]
"""Explanations by probe and kind."""


class SideAnswers:
    """Explanations of deviations on some `sides` of calls by a dialect; by the text where the dialect says nothing else.

    What was recorded is judged again where it answers the question of the dialect, too. The others are to be asked `again`.
    """

    def __init__(
        self,
        dialects: SubjectDialects,
        quirks: Quirks,
        sides: AbstractSet[Side],
        departed: Mapping[str, Departed],
        probes: Mapping[str, Probe],
    ) -> None:
        self.dialects, self.quirks, self.sides = dialects, quirks, sides
        self.dialect = dialects.by(quirks)
        self._departed, self._probes = departed, probes
        self._needed = {name: dialects.needed.of(quirks, one) for name, one in probes.items()}
        self._found: dict[tuple[str, ProbeKind], Explanation] = {}
        self._by_text()
        self.again = [plan for plan in self._moved() if not self._recorded(plan)]

    @property
    def found(self) -> Explanations:
        """The explanations, those of marks included."""
        return {**self._found, **self._unmarked()}

    def probe(self, plan: Any) -> Probe:
        """The question of a plan."""
        return self._probes[plan.probe]

    def predicts_as(self, other: SideAnswers, asked: Probe) -> bool:
        """Return whether the dialects of two sides predict the same of a question."""
        return self.quirks == other.quirks or self._digest(asked) == other._digest(asked)

    def _digest(self, asked: Probe) -> bytes:
        return self.dialects.needed.predicted(self.quirks, asked)

    def take(self, dialect: AnyObserver, plan: Any, seen: Any) -> bool:
        """Explain by what the subject did when it was asked once more, if that repeats what it did before.

        Return whether it did what its dialect says.
        """
        verdicts = judged_on(dialect, self.sides, plan, seen)
        if isinstance(seen, Failed):
            self._keep(plan.probe, verdicts, None, None)
        elif self._repeats(dialect, plan, seen):
            self._keep(plan.probe, verdicts, dialect.record(plan, seen), dialect.fingerprint(plan))
            return all(one.verdict is not Judgement.DEVIATES for one in verdicts)
        return False

    def _by_text(self) -> None:
        for name in (name for name, needed in self._needed.items() if not needed):
            before = self._departed[name]
            told = judged_on(self.dialects.observer, self.sides, before.plan, before.seen)
            self._found.update(((one.probe, one.kind), Explanation(one)) for one in told)

    def _moved(self) -> Iterable[Any]:
        moved = [self._probes[name] for name, needed in self._needed.items() if needed]
        return self.dialect.prepare(moved).plans if moved else ()

    def _recorded(self, plan: Any) -> bool:
        """Explain by what was recorded; return whether that answers the question."""
        before, by_text = self._departed[plan.probe], self.dialects.observer
        recorded, then = by_text.record(before.plan, before.seen), by_text.fingerprint(before.plan)
        verdicts = judged_on(self.dialect, self.sides, plan, self.dialect.replay(plan, recorded, then))
        if any(one.outcome in UNANSWERED for one in verdicts):
            return False
        self._keep(plan.probe, verdicts, recorded, then)
        return True

    def _keep(self, name: str, verdicts: Iterable[Verdict], recorded: Plain, then: Plain) -> None:
        """Explain verdicts on a probe by those of its quirks without which they would not be so."""
        mine = self._needed[name]
        several = mine if len(mine) > 1 and recorded is not None else []
        idle = {
            one: agreeing(
                self.dialects.without(one, self.quirks), self.sides, self._probes[name], recorded, then
            )
            for one in several
        }
        for verdict in verdicts:
            needed = [one.name for one in mine if verdict.kind not in idle.get(one, ())]
            names = tuple(needed or (one.name for one in mine))
            self._found[verdict.probe, verdict.kind] = Explanation(verdict, names)

    def _unmarked(self) -> Explanations:
        """Explanations of functions that by a dialect have not the mark that the text asks for, so that they have no reason to deviate."""
        names = {
            name: tuple(
                one.name for one in self.quirks if self.dialects.without(one, self.quirks).asks_mark(asked)
            )
            for name, asked in self._probes.items()
            if self.dialects.observer.asks_mark(asked) and not self.dialect.asks_mark(asked)
        }
        by_dialect = (from_differences(name, ProbeKind.SYMBOL, ()) for name in names)
        return {(one.probe, one.kind): Explanation(one, names[one.probe]) for one in by_dialect}

    def _repeats(self, dialect: AnyObserver, plan: Any, seen: Any) -> bool:
        """Return whether a second observation departs from the text as the first one did, as far as it tells."""
        before, by_text = self._departed[plan.probe], self.dialects.observer
        again = by_text.replay(before.plan, dialect.record(plan, seen), dialect.fingerprint(plan))
        told = {Judgement.AGREES, Judgement.DEVIATES}
        first = {one.kind: one for one in before.verdicts}
        return all(
            one.verdict is first[one.kind].verdict
            for one in by_text.judge(before.plan, again)
            if one.kind in first
            and {one.verdict, first[one.kind].verdict} <= told
            and Outcome.DIED not in {one.outcome, first[one.kind].outcome}
        )


def agreeing(
    observer: AnyObserver, sides: AbstractSet[Side], asked: Probe, recorded: Plain, then: Plain
) -> frozenset[ProbeKind]:
    """The kinds of probe on which a subject agrees with another dialect, by what was recorded of these sides."""
    return frozenset(
        verdict.kind
        for plan in observer.prepare([asked]).plans
        for verdict in judged_on(observer, sides, plan, observer.replay(plan, recorded, then))
        if verdict.verdict is Judgement.AGREES
    )


def judged_on(observer: AnyObserver, sides: AbstractSet[Side], plan: Any, seen: Any) -> tuple[Verdict, ...]:
    """The verdicts on what was seen of these sides of a call."""
    told = seen if isinstance(seen, Failed) or sides == BOTH else observer.of_one_side(seen, *sides)
    return observer.judge(plan, told)
