"""Old observations under the model of today, without any compiler.

What the model says now is compared with what it said then, by a digest. Where that is the same, so are the verdicts.
Elsewhere the recorded answers are judged anew, as far as the model of today would have asked for the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby

import msgspec

from abiprobe.harness.batch import kept
from abiprobe.harness.bench import described
from abiprobe.harness.calls.plan import CallPlan
from abiprobe.harness.coverage import Deciding, with_clauses
from abiprobe.harness.executors.replay import Died
from abiprobe.harness.judging import judge_kind, judged_layout
from abiprobe.harness.layouts import LayoutPlan
from abiprobe.harness.nights.tape import (
    DIED,
    Answer,
    Script,
    Tape,
    digest,
    heard,
    observation,
    packed_digests,
    prediction,
    script,
    unpacked,
    unpacked_digests,
)
from abiprobe.harness.observe import CallSeen, Failed, seen_calls
from abiprobe.harness.pairs import judged_pair
from abiprobe.harness.prepare import asked_by, kinds, predict, settle
from abiprobe.harness.toolchains.find import parse_subject
from abiprobe.harness.toolchains.options import subject_options
from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.lang import Record
from abiprobe.oracles.options import LayoutOptions
from abiprobe.oracles.place import Assignment, Layout, Unspecified, Unsupported
from abiprobe.oracles.question import Probe, ProbeKind, Question, probe
from abiprobe.oracles.registry import find_model, find_readings
from abiprobe.results.journal import BatchDone, Run
from abiprobe.results.record import Judgement, Outcome, Verdict
from abiprobe.results.witnesses import Shown

OTHERWISE = "it was asked as another model says"
UNRECORDED = "nothing was recorded that the model of today can be compared with"
NEVER_ASKED = frozenset(
    {Outcome.UNSUPPORTED, Outcome.REFUSED, Outcome.CRASHED, Outcome.TIMED_OUT, Outcome.UNDECODED}
)
"""Outcomes in which the model has no say: the program is the same under any."""


class Rejudged(msgspec.Struct, frozen=True):
    """A batch under the model of today; of its `questions`, `probes` were judged anew, and `stale` must be asked again."""

    batch: BatchDone
    questions: Mapping[str, Question]
    probes: frozenset[str]
    stale: tuple[Question, ...]


class Foresight:
    """What the model of today says of the questions of a batch, found out once and only as far as it is needed."""

    def __init__(self, target: str, options: LayoutOptions, questions: Sequence[Question]) -> None:
        self.target, self.options = target, options
        self.questions = {probe(question).id: question for question in questions}
        self.model, self.readings = find_model(target, options), find_readings(target, options)
        self.asked = {identity: Probe(identity, question) for identity, question in self.questions.items()}
        self.deciding = Deciding(target, options, self.questions)
        self._digests: dict[str, bytes] = {}
        self._scripts: dict[str, Script] = {}
        self._plans: dict[tuple[str, tuple[ProbeKind, ...]], CallPlan | LayoutPlan | tuple[Verdict, ...]] = {}

    def digest(self, identity: str) -> bytes:
        """A digest of what the model says of a probe, empty where it settles the question."""
        if identity not in self._digests:
            self._digests[identity] = self._digest(self.asked[identity])
        return self._digests[identity]

    def _digest(self, asked: Probe) -> bytes:
        if isinstance(asked.question, Record):
            plan = self.plan(asked.id)
            return prediction(plan) if isinstance(plan, LayoutPlan) else b""
        try:
            answer = self.said(asked.id)
        except (SilentError, AbsentError):
            return b""
        return digest(answer) if isinstance(answer, Assignment) else b""

    def said(self, identity: str) -> Assignment | Unspecified | Unsupported:
        """What the model says of a prototype, asked once. Raises what the model raises."""
        answer = self.deciding.predicted(identity)
        assert not isinstance(answer, Layout), "a prototype is assigned"
        return answer

    def plan(
        self, identity: str, witnesses: tuple[ProbeKind, ...] = (ProbeKind.LAYOUT,)
    ) -> CallPlan | LayoutPlan | tuple[Verdict, ...]:
        """What can be asked about a probe, or the verdicts that settle it."""
        key = identity, witnesses if isinstance(self.asked[identity].question, Record) else ()
        if key not in self._plans:
            self._plans[key] = predict(
                self.model, self.asked[identity], witnesses, self.readings, lambda _: self.said(identity)
            )
        return self._plans[key]

    def script(self, plan: CallPlan) -> Script:
        """Digests of what a program would be asked."""
        if plan.probe not in self._scripts:
            self._scripts[plan.probe] = script(plan, *described(self.target, self.options.vectors))
        return self._scripts[plan.probe]


def rejudge(run: Run, renamed: Mapping[str, str]) -> Iterator[Rejudged]:
    """Every batch of a run under the model of today, and under another name where `renamed` says so.

    A batch of which nothing was recorded stays as it is.
    """
    asked = {(item.target, item.sort, item.number): item for item in run.asked}
    for (target, sort, number), batches in groupby(
        sorted(run.batches, key=_group), key=lambda item: _group(item)[:3]
    ):
        line = asked.get((target, sort, number)) or asked.get(("", sort, number))
        questions = () if line is None else line.read()
        now: dict[LayoutOptions, Foresight] = {}
        for batch in batches:
            if not batch.raw or not questions:
                yield Rejudged(batch, {}, frozenset(), ())
                continue
            subject = parse_subject(batch.key.subject)
            options = subject_options(subject)
            if options not in now:
                now[options] = Foresight(renamed.get(target, target), options, questions)
            yield rejudged(batch, now[options])


def _group(batch: BatchDone) -> tuple[str, str, int, str, str]:
    key = batch.key
    return key.target, key.sort, key.number, key.subject, key.level


def rejudged(batch: BatchDone, now: Foresight) -> Rejudged:
    """One batch under the model of today."""
    tape = Lazy(batch.raw)
    then = unpacked_digests(batch.predicted)
    before = by_probe(batch.verdicts)
    found: dict[str, list[Verdict]] = {}
    anew: set[str] = set()
    for identity, old in before.items():
        if then.get(identity, b"") == (said := now.digest(identity)) != b"":
            found[identity] = old
            continue
        anew.add(identity)
        then[identity] = said
        found[identity] = list(judged_anew(identity, old, tape.tape, now))
    verdicts = in_order(batch.verdicts, found)
    stale = {verdict.probe for verdict in verdicts if verdict.outcome is Outcome.ASKED_OTHERWISE}
    doubtful = {
        identity: now.questions[identity] for identity, part in found.items() if not all(map(agrees, part))
    }
    key = msgspec.structs.replace(batch.key, target=now.target)
    done = msgspec.structs.replace(
        batch,
        key=key,
        verdicts=tuple(verdicts),
        kept=kept(doubtful, verdicts) if anew else batch.kept,
        predicted=packed_digests(then),
    )
    return Rejudged(
        with_clauses(done, now.deciding) if anew else done,
        now.questions,
        frozenset(anew),
        tuple(question for identity, question in now.questions.items() if identity in stale),
    )


def agrees(verdict: Verdict) -> bool:
    """Whether there is nothing to look into."""
    return verdict.verdict is Judgement.AGREES


def in_order(old: Iterable[Verdict], found: Mapping[str, list[Verdict]]) -> list[Verdict]:
    """The verdicts on each probe in the places of the old ones, so that those who say the same have the same digest."""
    fresh = {(one.probe, one.kind, one.partner): one for part in found.values() for one in part}
    placed = [fresh.pop(key) for one in old if (key := (one.probe, one.kind, one.partner)) in fresh]
    return [*placed, *fresh.values()]


class Lazy:
    """A tape that is read when somebody wants to see it."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    @cached_property
    def tape(self) -> Tape:
        """The tape."""
        return unpacked(self._data)


def by_probe(verdicts: Iterable[Verdict]) -> dict[str, list[Verdict]]:
    """Verdicts by probe, in their order."""
    found: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        found.setdefault(verdict.probe, []).append(verdict)
    return found


def judged_anew(identity: str, old: Sequence[Verdict], tape: Tape, now: Foresight) -> tuple[Verdict, ...]:
    """The verdicts on one probe of which the model says something else than it did."""
    own = [verdict for verdict in old if verdict.kind is not ProbeKind.PAIR]
    witnesses = tuple(verdict.kind for verdict in own)
    plan = now.plan(identity, witnesses)
    if isinstance(plan, tuple):
        return plan
    if isinstance(plan, LayoutPlan):
        if identity in tape.layouts:
            said = {kind: measured(plan, kind, one) for kind, one in heard(tape.layouts[identity]).items()}
            return judged_layout(plan, said, witnesses)
        return unasked(plan, own, witnesses)
    if identity not in tape.calls:
        return unasked(plan, own, witnesses)
    return (*judged_call_anew(plan, tape, now), *judged_pairs_anew(plan, old, tape, now))


def measured(plan: LayoutPlan, kind: ProbeKind, said: Shown | Failed) -> Shown | Failed:
    """What a witness said, under the plan of today: nobody but DWARF tells how wide a member is that is no bit-field."""
    if isinstance(said, Failed) or kind is ProbeKind.DEBUG_INFO:
        return said
    widths = {member.path: member.bit_width for member in plan.predicted.members if not member.bit_field}
    places = {path: (at, widths.get(path, width)) for path, (at, width) in said.places.items()}
    return msgspec.structs.replace(said, places=places)


def unasked(
    plan: CallPlan | LayoutPlan, old: Sequence[Verdict], witnesses: tuple[ProbeKind, ...]
) -> tuple[Verdict, ...]:
    """Of a probe without recorded answers: as it was where the model had no say in it, else to be asked again."""
    if old and all(verdict.outcome in NEVER_ASKED for verdict in old):
        return settle(asked_by(plan), old[0].outcome, old[0].detail, witnesses)
    return settle(asked_by(plan), Outcome.ASKED_OTHERWISE, UNRECORDED, witnesses)


def judged_call_anew(plan: CallPlan, tape: Tape, now: Foresight) -> Iterator[Verdict]:
    """The verdicts on each kind of probe of a prototype, from the answers that are still to the point."""
    then, today = tape.scripts.get(plan.probe), now.script(plan)
    answers = tuple(enumerate(tape.calls[plan.probe]))
    known: dict[tuple[bool, ...], CallSeen] = {}
    for kind in kinds(plan.prototype):
        good = (
            (False,) * len(answers)
            if then is None
            else (True,) * len(answers)
            if then == today
            else tuple(to_the_point(number, answer, kind, then, today) for number, answer in answers)
        )
        if good not in known:
            known[good] = still_seen(plan, tape, now, good)
        yield judge_kind(plan, known[good], kind)


def to_the_point(number: int, answer: Answer, kind: ProbeKind, then: Script, today: Script) -> bool:
    """Whether the recorded answer to operation `number` is one to what would be asked today.

    What a caller passes does not depend on what it gets back, unless it died of that.
    """
    if kind is ProbeKind.CALLER and number % 2 == 0 and answer[0] != DIED:
        return then.before[number // 2] == today.before[number // 2]
    return then.operations[number] == today.operations[number]


def still_seen(plan: CallPlan, tape: Tape, now: Foresight, good: Sequence[bool]) -> CallSeen:
    """What the answers show that are still to the point; the others are missing, and say why."""
    machine, registers = described(now.target, now.options.vectors)
    answers = [
        observation(each, 0) if fine else Died(0, OTHERWISE, ran=False)
        for each, fine in zip(tape.calls[plan.probe], good, strict=True)
    ]
    seen = seen_calls([plan], answers, machine, registers)[0]
    missing = Failed(Outcome.ASKED_OTHERWISE, OTHERWISE)
    return CallSeen(
        tuple(one if fine else missing for one, fine in zip(seen.callers, good[::2], strict=True)),
        tuple(one if fine else missing for one, fine in zip(seen.callees, good[1::2], strict=True)),
    )


def judged_pairs_anew(
    plan: CallPlan, old: Sequence[Verdict], tape: Tape, now: Foresight
) -> Iterator[Verdict]:
    """The verdicts on the pairs of a prototype; where values travel matters to nobody, only what is passed."""
    then, today = tape.scripts.get(plan.probe), now.script(plan)
    for verdict in old:
        if verdict.kind is not ProbeKind.PAIR:
            continue
        turns = tape.pairs.get(verdict.partner, {}).get(plan.probe)
        if then is not None and turns is not None and then.given == today.given:
            yield judged_pair(plan, tuple(turn.seen for turn in turns), verdict.partner)
        elif verdict.outcome in NEVER_ASKED:
            yield verdict
        else:
            yield judged_pair(plan, Failed(Outcome.ASKED_OTHERWISE, OTHERWISE), verdict.partner)
