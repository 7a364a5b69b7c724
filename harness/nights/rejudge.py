"""Judge recorded observations with today's model, without running a compiler.

Predictions are compared by digest; where a digest is unchanged, so are the verdicts. Elsewhere the recorded observation
is judged again, provided that today's model would have asked the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from typing import Any

import msgspec

from abiprobe.harness.nights.current_model import CurrentModel, CurrentModels, subject_of
from abiprobe.harness.observers.batch import kept
from abiprobe.harness.observers.deciding import by_clause
from abiprobe.harness.observers.observer import PairObserver
from abiprobe.harness.observers.recording import Tape, packed_digests, unpacked, unpacked_digests
from abiprobe.harness.subjects.subject import Subject
from abiprobe.oracles.language.question import ProbeKind, Question, Sort
from abiprobe.oracles.registry import find_target
from abiprobe.results.journal.journal import BatchDone, Run
from abiprobe.results.verdicts.record import Judgement, Outcome, Verdict

UNRECORDED = "nothing was recorded with which today's model can be compared"
NEVER_ASKED = frozenset(
    {Outcome.UNSUPPORTED, Outcome.REFUSED, Outcome.CRASHED, Outcome.TIMED_OUT, Outcome.UNDECODED}
)
"""Outcomes that do not depend on the model: the program is the same under any."""


class Rejudged(msgspec.Struct, frozen=True):
    """A batch judged with today's model.

    `probes` are those of its `questions` with a changed prediction; `stale` questions must be observed again.
    """

    batch: BatchDone
    questions: Mapping[str, Question]
    probes: frozenset[str]
    stale: tuple[Question, ...]


def rejudge(run: Run, renamed: Mapping[str, str]) -> Iterator[Rejudged]:
    """Judge every batch of a run with today's model, under another target where `renamed` maps to one.

    A batch without recorded observations is returned unchanged.
    """
    asked = {(item.target, item.sort, item.number): item for item in run.asked}
    for (target, sort, number), batches in groupby(
        sorted(run.batches, key=_group), key=lambda item: _group(item)[:3]
    ):
        line = asked.get((target, sort, number)) or asked.get(("", sort, number))
        questions = () if line is None else line.read()
        today = CurrentModels(find_target(renamed.get(target, target)), questions)
        for batch in batches:
            if not batch.raw or not questions:
                yield Rejudged(batch, {}, frozenset(), ())
                continue
            subject = subject_of(batch)
            yield rejudge_batch(batch, subject, today.of(subject, batch))


def _group(batch: BatchDone) -> tuple[str, Sort, int, str, str]:
    key = batch.key
    return key.target, key.sort, key.number, key.subject, key.level


def rejudge_batch(batch: BatchDone, subject: Subject, now: CurrentModel) -> Rejudged:
    """Judge one batch with today's model."""
    tape = LazyTape(batch.raw)
    then = unpacked_digests(batch.predicted)
    found: dict[str, list[Verdict]] = {}
    anew: set[str] = set()
    for identity, old in by_probe(batch.verdicts).items():
        if identity not in now.questions:
            raise ValueError(f"probe {identity!r} is none of {batch.key.sort} {batch.key.number}")
        said = now.digest(identity)
        if then.get(identity) == said:
            found[identity] = old
            continue
        found[identity] = still_marked(old, rejudge_probe(identity, old, tape.tape, subject, now))
        # Earlier versions kept no digest where the model had no answer: there only the verdicts tell of a change.
        if identity not in then and not differing(old, found[identity]):
            continue
        anew.add(identity)
        then[identity] = said
    verdicts = in_old_order(batch.verdicts, found)
    stale = {verdict.probe for verdict in verdicts if verdict.outcome is Outcome.ASKED_OTHERWISE}
    doubtful = {
        identity: now.questions[identity] for identity, part in found.items() if not all(map(agrees, part))
    }
    key = msgspec.structs.replace(batch.key, target=now.target.spelling)
    done = msgspec.structs.replace(
        batch,
        key=key,
        verdicts=tuple(verdicts),
        kept=kept(doubtful, verdicts) if anew else batch.kept,
        predicted=packed_digests(then),
    )
    if anew:
        clauses, compared = by_clause(done.verdicts, now.deciding)
        done = msgspec.structs.replace(done, clauses=clauses, compared=compared)
    return Rejudged(
        done,
        now.questions,
        frozenset(anew),
        tuple(question for identity, question in now.questions.items() if identity in stale),
    )


def differing(old: Sequence[Verdict], new: Sequence[Verdict]) -> bool:
    """Return whether the verdicts on one probe differ by the text, regardless of their order."""
    return {(one.kind, one.partner): one.by_text for one in old} != {
        (one.kind, one.partner): one.by_text for one in new
    }


def still_marked(old: Iterable[Verdict], new: Iterable[Verdict]) -> list[Verdict]:
    """New verdicts; one that is by the text what it was keeps the quirks by which it is known."""
    before = {(one.kind, one.partner): one for one in old}
    return [
        before[key] if (key := (one.kind, one.partner)) in before and before[key].by_text == one else one
        for one in new
    ]


def agrees(verdict: Verdict) -> bool:
    """Return whether a verdict is an agreement."""
    return verdict.verdict is Judgement.AGREES


def in_old_order(old: Iterable[Verdict], found: Mapping[str, list[Verdict]]) -> list[Verdict]:
    """Order new verdicts like the old ones, so that equal verdicts give an equal digest."""
    fresh = {(one.probe, one.kind, one.partner): one for part in found.values() for one in part}
    placed = [fresh.pop(key) for one in old if (key := (one.probe, one.kind, one.partner)) in fresh]
    return [*placed, *fresh.values()]


class LazyTape:
    """A recording that is decompressed on first use."""

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


def rejudge_probe(
    identity: str, old: Sequence[Verdict], tape: Tape, subject: Subject, now: CurrentModel
) -> Iterator[Verdict]:
    """Judge one probe whose prediction has changed."""
    plan = now.plan(subject, identity)
    if isinstance(plan, tuple):
        yield from plan
        return
    if identity not in tape.seen:
        yield from without_recording(
            plan, [verdict for verdict in old if verdict.kind is not ProbeKind.PAIR], now
        )
        return
    yield from now.observer.judge(plan, now.seen(plan, tape))
    for verdict in old:
        if verdict.kind is ProbeKind.PAIR:
            yield rejudge_pair(plan, verdict, tape, now)


def without_recording(plan: Any, old: Sequence[Verdict], now: CurrentModel) -> tuple[Verdict, ...]:
    """Settle a probe without a recording: keep an outcome that no model affects, else mark it as stale."""
    if old and all(verdict.outcome in NEVER_ASKED for verdict in old):
        return now.observer.settle(plan, old[0].outcome, old[0].detail)
    return now.observer.settle(plan, Outcome.ASKED_OTHERWISE, UNRECORDED)


def rejudge_pair(plan: Any, old: Verdict, tape: Tape, now: CurrentModel) -> Verdict:
    """Judge one pair again."""
    if plan.probe not in tape.pairs.get(old.partner, {}) and old.outcome in NEVER_ASKED:
        return old
    assert isinstance(now.observer, PairObserver), "only its subjects are paired"
    verdict = now.observer.judge_pair(plan, now.arrived(plan, tape, old.partner))
    return msgspec.structs.replace(verdict, partner=old.partner)
