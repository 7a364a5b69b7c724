"""A second opinion on what deviates: does the subject do what its own dialect says, byte for byte?

The verdict is by the text and stays as it is. Where it deviates, the same question is predicted once more with the
reading of the subject's family and the quirks that are in force for its version (`oracles.quirks`). What was recorded is
judged again where it answers that question, too; otherwise what was compiled is run once more, and where that does not
tell, the subject is asked once more, in one batch. What agrees is known, by the quirks without which it would be predicted
otherwise. Bytes are exact, so a lie beside a quirk is new. A compiler that dies when it is asked once more answered by
chance: that is known where a known crash has the traits of the question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import msgspec

from abiprobe.harness.observers.attempt import Attempt, Failed
from abiprobe.harness.observers.needed_quirks import Quirks
from abiprobe.harness.observers.registry import AnyObserver
from abiprobe.harness.observers.side_answers import BOTH, Departed, Explanations, SideAnswers
from abiprobe.harness.observers.subject_dialects import SubjectDialects
from abiprobe.harness.subjects.find import identity
from abiprobe.harness.subjects.subject import AtLevel
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import Probe, ProbeKind, Question
from abiprobe.oracles.quirks.in_force import Choice, dialect_of, in_force
from abiprobe.oracles.quirks.quirk import Side
from abiprobe.oracles.quirks.versions import family
from abiprobe.results.verdicts.readings import AND, CRASHED_AGAIN
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict

SIDES = {ProbeKind.CALLER: frozenset({Side.CALLER}), ProbeKind.CALLEE: frozenset({Side.CALLEE})}
"""The sides of a call that a kind of probe looks at; any other looks at both."""


class SecondOpinion:
    """The questions to one subject, at one level, by its own `dialects`; `choice` is of quirks."""

    def __init__(self, dialects: SubjectDialects, asked: AtLevel, attempt: Attempt, choice: Choice) -> None:
        self.dialects, self.asked, self.choice = dialects, asked, choice
        self.attempt = attempt
        self.version = identity(attempt.built.command).version
        self._attempts = 0

    @property
    def observer(self) -> AnyObserver:
        """The observer by the text."""
        return self.dialects.observer

    def quirks(self, side: Side) -> Quirks:
        """The quirks that are in force on one side of a call."""
        target, (subject, level) = self.observer.key.target, self.asked
        return in_force(target, subject.spelling, self.version, level, side, self.choice)

    def known(
        self, verdicts: Sequence[Verdict], departed: Mapping[str, Departed], questions: Mapping[str, Question]
    ) -> list[Verdict]:
        """The verdicts, those that deviate, or that follow no reading of an open question, with the quirks that explain them."""
        sets = {side: self.quirks(side) for side in Side}
        if not any(sets.values()):
            return list(verdicts)

        def those(wanted: Callable[[Verdict], bool]) -> dict[str, Probe]:
            mine = (one.probe for one in verdicts if one.probe in departed and wanted(one))
            return {probe: Probe(probe, questions[probe]) for probe in mine}

        deviating, apart = those(deviates), those(self.is_apart)
        answers = self.answers_of_sides(sets, departed, deviating)
        sides = self.of_sides(sets)
        own = {probe for probe, asked in apart.items() if reads(sides, asked, departed[probe].seen)}
        own |= self.read_again([asked for probe, asked in apart.items() if probe not in own], sides)

        def with_quirks(verdict: Verdict) -> Verdict:
            if deviates(verdict) and verdict.probe in deviating:
                return self.marked(verdict, sets, answers)
            if self.is_apart(verdict) and verdict.probe in own:
                return self.named(verdict, apart[verdict.probe], sets.values())
            return verdict

        return list(map(with_quirks, verdicts))

    def is_apart(self, verdict: Verdict) -> bool:
        """Return whether a subject follows the reading of its family in nothing that it shows of an open question."""
        return bool(verdict.shown) and family(self.asked.subject.spelling) not in verdict.reading.split(AND)

    def of_sides(self, sets: Mapping[Side, Quirks]) -> AnyObserver:
        """The observer whose readings are the dialects of the subject on each side of a call, by the names of the sides."""
        key, subject = self.observer.key, self.asked.subject.spelling
        own = tuple((side.value, dialect_of(key.target, subject, quirks)) for side, quirks in sets.items())
        return type(self.observer)(msgspec.structs.replace(key, dialects=own))

    def read_again(self, asked: Sequence[Probe], observer: AnyObserver) -> set[str]:
        """Return the open questions on which each side by itself does what its dialect says, asked once more."""
        if not self.observer.tells_sides or not asked:
            return set()
        found = self.asked_again(observer, observer.prepare(asked).plans)
        return {
            plan.probe
            for plan, seen in found
            if not isinstance(seen, Failed) and follows(observer, plan, seen)
        }

    def named(self, verdict: Verdict, asked: Probe, used: Iterable[Quirks]) -> Verdict:
        """A verdict with the names of the quirks of its dialects that have a say in its question."""
        names = {
            one.name for quirks in dict.fromkeys(used) for one in self.dialects.needed.singly(quirks, asked)
        }
        return msgspec.structs.replace(verdict, quirks=tuple(sorted(names)))

    def marked(
        self,
        verdict: Verdict,
        sets: Mapping[Side, Quirks],
        answers: Mapping[Side, Explanations],
    ) -> Verdict:
        """A deviating verdict with the quirks that explain it; as it is if a side that it looks at is not explained."""
        sides = sorted(SIDES.get(verdict.kind, BOTH), key=lambda side: side.value)
        found = [(answers[side].get((verdict.probe, verdict.kind)), side) for side in sides]
        alone = len({sets[side] for side in sides}) == 1
        if any(answer and answer.verdict.outcome is Outcome.CRASHED for answer, _ in found):
            return msgspec.structs.replace(verdict, quirks=(CRASHED_AGAIN,))
        if not all(answer and explains(answer.verdict, side, alone=alone) for answer, side in found):
            return verdict
        names = {name for answer, _ in found if answer for name in answer.quirks}
        return msgspec.structs.replace(verdict, quirks=tuple(sorted(names)))

    def laying_out(self, quirks: Quirks, asked: Prototype) -> list[str]:
        """The names of the quirks without which a dialect would lay out the types of a call otherwise."""
        full = layouts(self.dialects.by(quirks), asked)
        return [one.name for one in quirks if layouts(self.dialects.without(one, quirks), asked) != full]

    def answers_of_sides(
        self,
        sets: Mapping[Side, Quirks],
        departed: Mapping[str, Departed],
        probes: Mapping[str, Probe],
    ) -> Mapping[Side, Explanations]:
        """The verdicts on each side of a call by its dialect; on both at once where they have the same one."""
        sides = {Side.CALLER: BOTH} if len(set(sets.values())) == 1 else {side: {side} for side in sets}
        answers = {
            side: SideAnswers(
                self.dialects, sets[side], looked_at, departed, deviating_on(looked_at, departed, probes)
            )
            for side, looked_at in sides.items()
        }
        self.ask_the_rest(tuple(answers.values()))
        return {side: answers.get(side, answers[Side.CALLER]).found for side in sets}

    def ask_the_rest(self, sides: Sequence[SideAnswers]) -> None:
        """Ask the subject once more what its sides have left; by the dialect of the last one, where another says the same."""
        *_, last = sides
        waiting: dict[AnyObserver, dict[str, tuple[Any, list[SideAnswers]]]] = {}
        for one in reversed(sides):
            for plan in one.again:
                asked = one.probe(plan)
                dialect = last.dialect if one.predicts_as(last, asked) else one.dialect
                own = plan if dialect is one.dialect else dialect.prepare([asked]).plans[0]
                waiting.setdefault(dialect, {}).setdefault(plan.probe, (own, []))[1].append(one)
        for dialect, plans in waiting.items():
            ask = {plan.probe: plan for plan, _ in plans.values()}
            for observe in self.rerun, self.compiled_again:
                for plan, seen in observe(dialect, list(ask.values())):
                    taken = [one.take(dialect, plan, seen) for one in plans[plan.probe][1]]
                    if all(taken):
                        del ask[plan.probe]

    def rerun(self, dialect: AnyObserver, plans: Sequence[Any]) -> Iterable[tuple[Any, Any]]:
        """Run what the subject has compiled of plans by its dialect."""
        return dialect.observe_compiled(self.attempt, plans)

    def asked_again(self, dialect: AnyObserver, plans: Sequence[Any]) -> Iterable[tuple[Any, Any]]:
        """Ask the subject by its dialect, and compile, in one batch, only what it has not compiled yet."""
        seen = list(self.rerun(dialect, plans))
        known = {plan.probe for plan, _ in seen}
        return [*seen, *self.compiled_again(dialect, [plan for plan in plans if plan.probe not in known])]

    def compiled_again(self, dialect: AnyObserver, plans: Sequence[Any]) -> Iterable[tuple[Any, Any]]:
        """Ask the subject by its dialect, all plans in one batch."""
        if not plans:
            return ()
        self._attempts += 1
        folder = self.attempt.folder / f"again{self._attempts}"
        folder.mkdir()
        attempt = dialect.begin(*self.asked, folder, self.attempt.limits)
        return list(dialect.observe(attempt, plans))


def reads(observer: AnyObserver, asked: Probe, seen: Any) -> bool:
    """Return whether a subject does on an open question what its dialects say, on both sides."""
    return any(follows(observer, plan, seen) for plan in observer.prepare([asked]).plans)


def follows(observer: AnyObserver, plan: Any, seen: Any) -> bool:
    """Return whether the two sides of an open call do what their dialects say, which are the readings of an observer."""
    return observer.follows(plan, seen, Side.CALLER.value, Side.CALLEE.value)


def deviates(verdict: Verdict) -> bool:
    """Return whether a verdict is a deviation from the text."""
    return verdict.verdict is Judgement.DEVIATES


def deviating_on(
    sides: AbstractSet[Side], departed: Mapping[str, Departed], probes: Mapping[str, Probe]
) -> dict[str, Probe]:
    """The probes of which a verdict deviates that looks at one of these sides of a call."""
    return {
        name: asked
        for name, asked in probes.items()
        if any(deviates(one) and sides & SIDES.get(one.kind, BOTH) for one in departed[name].verdicts)
    }


def explains(found: Verdict, side: Side, *, alone: bool) -> bool:
    """Return whether a verdict by a dialect shows that one side follows it; `alone` where both sides have the same dialect."""
    if found.verdict is Judgement.AGREES or found.outcome is Outcome.NOTHING:
        return True
    if alone or not found.differences:
        return False
    (other,) = BOTH - {side}
    return all(one.side == other.value for one in found.differences)


def layouts(observer: AnyObserver, asked: Prototype) -> tuple[object, ...]:
    """The layouts that an observer's model gives the types of a call."""
    return tuple(map(observer.key.model.layout, asked.types))


def laid_apart(
    verdicts: Iterable[Verdict],
    caller: SecondOpinion,
    callee: SecondOpinion,
    questions: Mapping[str, Question],
) -> dict[str, tuple[str, ...]]:
    """By probe of each call that fails between two subjects, the quirks by which they lay out one of its types in two ways."""
    found: dict[str, tuple[str, ...]] = {}
    failing = [one.probe for one in verdicts if deviates(one)]
    sides = [(one, one.quirks(side)) for one, side in ((caller, Side.CALLER), (callee, Side.CALLEE))]
    for probe in failing if any(quirks for _, quirks in sides) else ():
        asked = questions[probe]
        if isinstance(asked, Prototype):
            ours, theirs = (layouts(one.dialects.by(quirks), asked) for one, quirks in sides)
            if ours != theirs:
                found[probe] = tuple(
                    sorted({name for one, mine in sides for name in one.laying_out(mine, asked)})
                )
    return found
