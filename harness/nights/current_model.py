"""Predict a recorded batch with today's model and replay its recorded observations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from abiprobe.harness.observers.attempt import Failed
from abiprobe.harness.observers.deciding import Deciding
from abiprobe.harness.observers.observer import OTHERWISE, PairObserver, PredictionKey
from abiprobe.harness.observers.recording import Tape
from abiprobe.harness.observers.registry import AnyObserver, observer_of, serving
from abiprobe.harness.subjects.find import parse_subject
from abiprobe.harness.subjects.options import options_for
from abiprobe.harness.subjects.subject import Subject
from abiprobe.oracles.language.question import Probe, ProbeKind, Question, probe
from abiprobe.oracles.model import Target
from abiprobe.results.journal.journal import BatchDone
from abiprobe.results.verdicts.record import Outcome, Verdict


class CurrentModel:
    """Today's predictions for the questions of a batch, computed lazily and once."""

    def __init__(self, target: Target, observer: AnyObserver, questions: Sequence[Question]) -> None:
        self.target, self.observer = target, observer
        self.questions = {probe(question).id: question for question in questions}
        self.asked = {identity: Probe(identity, question) for identity, question in self.questions.items()}
        self.deciding = Deciding(observer, self.questions)
        self._plans: dict[str, Any] = {}

    def digest(self, identity: str) -> bytes:
        """Return a digest of the prediction for a probe."""
        return self.observer.prediction(self.asked[identity])

    def plan(self, subject: Subject, identity: str) -> Any | tuple[Verdict, ...]:
        """Return the plan of a probe for a subject, or the verdicts where nothing needs to be observed."""
        if identity not in self._plans:
            self._plans[identity] = self.observer.prepare((self.asked[identity],))
        prepared = self._plans[identity]
        if not prepared.plans:
            return prepared.settled
        plan = prepared.plans[0]
        ready = self.observer.adapted(subject, plan, prepared.needs[identity])
        return self.observer.settle(plan, Outcome.UNSUPPORTED, ready) if isinstance(ready, str) else ready

    def seen(self, plan: Any, tape: Tape) -> Any | Failed:
        """Replay the recorded observation of a plan; `Failed` when today's plan would ask something else."""
        asked = tape.asked.get(plan.probe)
        return self.observer.replay(plan, tape.seen[plan.probe], asked)

    def arrived(self, plan: Any, tape: Tape, partner: str) -> Any | Failed:
        """Replay the recorded observation of a pair; `Failed` when today's plan would ask something else."""
        kept = tape.pairs.get(partner, {}).get(plan.probe)
        if kept is None or plan.probe not in tape.asked or not isinstance(self.observer, PairObserver):
            return Failed(Outcome.ASKED_OTHERWISE, OTHERWISE)
        return self.observer.replay_pair(plan, kept, tape.asked[plan.probe])


class CurrentModels:
    """Today's predictions for one batch, by the options and observers of subjects."""

    def __init__(self, target: Target, questions: Sequence[Question]) -> None:
        self._target, self._questions = target, questions
        self._known: dict[tuple[type[AnyObserver], PredictionKey], CurrentModel] = {}

    def of(self, subject: Subject, batch: BatchDone) -> CurrentModel:
        """Return the predictions for a subject and the witnesses that its batch used."""
        question = self._questions[0]
        key = PredictionKey(self._target, options_for(subject, self._questions), witnesses(batch.verdicts))
        chosen = serving(self._target, subject, type(question))
        kind = chosen or type(observer_of(self._target, question))
        if (kind, key) not in self._known:
            self._known[kind, key] = CurrentModel(self._target, kind(key), self._questions)
        return self._known[kind, key]


def witnesses(verdicts: Iterable[Verdict]) -> tuple[ProbeKind, ...]:
    """Return the layout witnesses that the verdicts of a batch come from."""
    kinds = dict.fromkeys(one.kind for one in verdicts)
    known = (ProbeKind.LAYOUT, ProbeKind.DEBUG_INFO, ProbeKind.VALUES)
    return tuple(kind for kind in known if kind in kinds) or (ProbeKind.LAYOUT,)


def subject_of(batch: BatchDone) -> Subject:
    """The subject of a batch."""
    return parse_subject(batch.key.subject)
