"""The reducer: the smallest question that still shows a deviation, with the same fingerprint and the same blame.

A round puts many candidates to one compiler in one batch. Those that still show the fingerprint are put to the other
subjects, which must stand where they stood; the cheapest that passes is where the next round begins. When no candidate
passes, nothing that the candidates leave out can be left out. The order of candidates is fixed, so the same deviation
is always reduced to the same question, and answers on candidates are remembered. What confirms a deviation never is.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

import msgspec

from abiprobe.generators.reduction import shrinking
from abiprobe.generators.reduction.candidates import candidates
from abiprobe.generators.reduction.cost import cost
from abiprobe.generators.reduction.names import renamed
from abiprobe.generators.reduction.shrinking import shrink
from abiprobe.harness.base.progress import Step, steps
from abiprobe.harness.machines.render.arrange import Manner, in_manner, manner_of
from abiprobe.harness.observers.ask import ask, ask_about, on, witnesses
from abiprobe.harness.runs.answer_cache import cached_answer
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.find import version_of
from abiprobe.oracles.language.lang import Kind, Prototype
from abiprobe.oracles.language.question import Question, probe
from abiprobe.oracles.model import Target
from abiprobe.oracles.registry import find_target
from abiprobe.results.causes.answers import Answers
from abiprobe.results.causes.blame import Blame, Configuration, blame
from abiprobe.results.causes.fingerprint import OPEN, Fingerprint, Symptom, blamed_value, fingerprints
from abiprobe.results.causes.places import places_of
from abiprobe.results.coverage.differing import compare
from abiprobe.results.known.deviations import KnownCause, is_described
from abiprobe.results.known.sides import Split
from abiprobe.results.verdicts.record import Judgement, Verdict

SIZES = {Symptom.CRASHED: (24, 24), Symptom.REFUSED: (24, 24), Symptom.TIMED_OUT: (2, 2)}
"""A batch in which many candidates break the tool is compiled once for each; a tool that hangs takes all its time."""
REPEATS = 3
LIMITS = Limits(base_seconds=5.0)


class Goal(msgspec.Struct, frozen=True):
    """The goal of a reduction: the compilers that show a fingerprint, and those that follow the text, must stay the same.

    `known` are entries for known deviations by subject. What these describe, or quirks explain, is another deviation than that
    of the goal, for the subjects that are named.
    """

    fingerprint: Fingerprint
    deviating: tuple[Configuration, ...]
    agreeing: tuple[Configuration, ...] = ()
    known: Mapping[str, tuple[KnownCause, ...]] = {}

    @property
    def target(self) -> Target:
        """The target that the deviation is from."""
        return find_target(self.fingerprint.target)


class Confirmation(msgspec.Struct, frozen=True):
    """A question asked by itself, in fresh processes: how often of `repeats` it showed, and the blame then.

    `value` names the parameter, `result` or member that is not as predicted, `places` where the text puts such values.
    `instead` is what all who are to blame show every time, if they never all show the deviation that was asked for.
    """

    shown: int
    repeats: int
    blame: Blame
    value: str
    places: tuple[str, ...] = ()
    instead: Fingerprint | None = None

    @property
    def steady(self) -> bool:
        """Return whether it showed every time."""
        return self.shown == self.repeats

    def __str__(self) -> str:
        if self.steady:
            return f"confirmed by {self.repeats} fresh runs"
        how = "flaky: shown by" if self.shown else "not confirmed: shown by"
        return f"{how} {self.shown} of {self.repeats} fresh runs"


class Reduced(msgspec.Struct, frozen=True):
    """The end of a reduction: what is left, how many rounds and candidates it took, and whether a fresh run agrees.

    `finished` says that no candidate was left to try when it ended.
    """

    question: Question
    goal: Goal
    confirmation: Confirmation
    rounds: int
    tried: int
    seconds: float
    finished: bool = True


def reduce(
    question: Question, goal: Goal, everyone: Sequence[Configuration], *, budget: float = 60.0
) -> Reduced:
    """Reduce `question` for at most `budget` seconds; `everyone` is asked about what is left.

    A deviation that does not show every time it is asked for is not reduced: each step could be chance. If another one
    shows every time in its place, that one is reduced, and it is the fingerprint of the goal that is returned.
    """
    with steps("reducing", seconds=budget) as step:
        return reduced(question, goal, everyone, budget, step)


def reduced(
    question: Question, goal: Goal, everyone: Sequence[Configuration], budget: float, advance: Step
) -> Reduced:
    """See `reduce`; `advance` is called with each round."""
    started = time.monotonic()
    deadline = started + budget
    before = confirm(question, goal, goal.deviating)
    if before.instead is not None:
        goal = msgspec.structs.replace(goal, fingerprint=before.instead)
        before = confirm(question, goal, goal.deviating)
    manner = manner_of(probe(question).id) if isinstance(question, Prototype) else Manner.PLAIN
    if manner is not Manner.PLAIN and before.steady:
        # What shows in the plain manner, too, is smaller there.
        plain = asked_in(question, Manner.PLAIN)
        if confirm(plain, goal, goal.deviating, 1).steady:
            question, manner = plain, Manner.PLAIN
    if not before.steady:
        return given_up(question, goal, everyone, before, time.monotonic() - started)
    shrunk = shrink(
        question,
        lambda one: smaller(one, goal, manner),
        lambda some: reaching(some, goal),
        lambda: time.monotonic() >= deadline,
        SIZES.get(goal.fingerprint.symptom, shrinking.SIZES),
        lambda number, one: advance(f"reducing: round {number}, cost {cost(one)}"),
    )
    named = renamed(shrunk.question)
    for last in dict.fromkeys((named, asked_in(named, manner), shrunk.question)):
        after = confirm(last, goal, everyone)
        if after.steady:
            seconds = time.monotonic() - started
            return Reduced(last, goal, after, shrunk.rounds, shrunk.tried, seconds, shrunk.finished)
    unchanged = given_up(question, goal, everyone, before, time.monotonic() - started)
    return msgspec.structs.replace(unchanged, rounds=shrunk.rounds, tried=shrunk.tried)


def given_up(
    question: Question,
    goal: Goal,
    everyone: Sequence[Configuration],
    before: Confirmation,
    seconds: float,
) -> Reduced:
    """A question as it was asked for, which is not reduced, with the blame of one more run."""
    shown = msgspec.structs.replace(before, blame=confirm(question, goal, everyone, 1).blame)
    return Reduced(question, goal, shown, 0, 0, seconds, finished=False)


def smaller(question: Question, goal: Goal, manner: Manner) -> tuple[Question, ...]:
    """The candidates for a reduction; where only a `manner` shows the deviation, each in that one."""
    found = candidates(question, bits_of_long(goal.target))
    return found if manner is Manner.PLAIN else tuple(asked_in(one, manner) for one in found)


def asked_in(question: Question, manner: Manner) -> Question:
    """The question as it is asked in a manner; a record is asked in one only."""
    return in_manner(question, manner) if isinstance(question, Prototype) else question


def bits_of_long(target: Target) -> int:
    """Return the number of bits of a `long`, which no bit-field of it may exceed."""
    return target.model().types.data.kind(Kind.LONG).size * 8


def reaching(questions: Sequence[Question], goal: Goal) -> list[Question]:
    """Those of `questions` that reach the goal."""
    left = list(questions)
    target, kinds = goal.target, witnesses(goal.fingerprint.symptom)
    new: set[str] = set()
    for together in asked_together(goal):
        if left:
            seen = ask(target, left, together, kinds, LIMITS, cached_answer)
            left = [one for one in left if all(shows(goal, on(seen, one)[asked]) for asked in together)]
            new |= {
                probe(one).id for one in left for asked in together if is_new(goal, asked, one, on(seen, one))
            }
    left = [one for one in left if probe(one).id in new]
    for asked in goal.agreeing:
        if left:
            seen = ask(target, left, (asked,), kinds, LIMITS, cached_answer)
            left = [one for one in left if opposes(goal, on(seen, one)[asked])]
    return left


def opposes(goal: Goal, verdicts: Sequence[Verdict]) -> bool:
    """Return whether a subject stands against a deviation: it follows the text or, where none decides, shows an answer without it."""
    if goal.fingerprint.symptom not in OPEN:
        return agrees(verdicts)
    return any(one.shown for one in verdicts) and not shows(goal, verdicts)


def asked_together(goal: Goal) -> tuple[tuple[Configuration, ...], ...]:
    """Return the configurations that are asked at once: one after the other, but together all that disagree where no text decides."""
    if goal.fingerprint.symptom is Symptom.DIFFERS:
        return (goal.deviating,)
    return tuple((asked,) for asked in goal.deviating)


def shows(goal: Goal, verdicts: Sequence[Verdict]) -> bool:
    """Return whether a subject shows the fingerprint."""
    return goal.fingerprint in fingerprints(goal.fingerprint.target, verdicts)


def is_new(
    goal: Goal,
    asked: Configuration,
    question: Question,
    seen: Mapping[Configuration, tuple[Verdict, ...]],
) -> bool:
    """Return whether the deviation that a subject shows is known by no quirk and no entry, where the goal is a new one.

    `seen` are the verdicts of all that were asked with it.
    """
    known = goal.known.get(asked[0])
    if known is None:
        return True
    what = goal.fingerprint
    versions = {
        subject: version_of(subject, goal.target) or ""
        for subject, _ in seen
        if what.symptom is Symptom.DIFFERS
    }
    split = Split.of(compare(what.target, probe(question).id, seen), versions)
    return not is_described(known, what, question, seen[asked], split)


def agrees(verdicts: Sequence[Verdict]) -> bool:
    """Return whether a subject follows the text, and deviates in no way."""
    kinds = {item.verdict for item in verdicts}
    return Judgement.AGREES in kinds and Judgement.DEVIATES not in kinds


def confirm(
    question: Question, goal: Goal, everyone: Sequence[Configuration], repeats: int = REPEATS
) -> Confirmation:
    """Ask for a deviation again, by itself: once everybody, and then those to blame."""
    first = ask_about(goal.target, question, everyone, goal.fingerprint)
    again = (ask_about(goal.target, question, goal.deviating, goal.fingerprint) for _ in range(repeats - 1))
    common = [shown_by_all(goal, seen) for seen in (first, *again)]
    shown = sum(goal.fingerprint in found for found in common)
    value = blamed_value(goal.fingerprint, first[goal.deviating[0]])
    places = places_of(goal.fingerprint, first[goal.deviating[0]])
    instead = None if shown else shown_instead(common)
    answers = Answers(goal.fingerprint.target, probe(question).id, first)
    return Confirmation(shown, repeats, blame(goal.fingerprint, answers), value, places, instead)


def shown_by_all(goal: Goal, seen: Mapping[Configuration, Sequence[Verdict]]) -> tuple[Fingerprint, ...]:
    """Return the fingerprints that all the compilers to blame show, most significant first."""
    target = goal.fingerprint.target
    every = [fingerprints(target, seen[asked]) for asked in goal.deviating]
    return tuple(item for item in every[0] if all(item in found for found in every))


def shown_instead(common: Sequence[tuple[Fingerprint, ...]]) -> Fingerprint | None:
    """Return the most significant fingerprint that shows every time; disagreements are not part of it."""
    steady = (item for item in common[0] if all(item in found for found in common))
    return next((item for item in steady if item.symptom not in OPEN), None)
