"""Putting a few questions to a few subjects, and the verdicts by question, subject and level."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from abiprobe.harness.observers.batch import Job, run_job
from abiprobe.harness.subjects.compile import Limits
from abiprobe.harness.subjects.find import at_level
from abiprobe.harness.subjects.options import by_isa
from abiprobe.oracles.language.lang import Prototype
from abiprobe.oracles.language.question import WITNESSES, ProbeKind, Question, Sort, probe
from abiprobe.oracles.model import Target
from abiprobe.results.causes.blame import Configuration
from abiprobe.results.causes.fingerprint import Fingerprint, Symptom
from abiprobe.results.coverage.differing import with_differences
from abiprobe.results.journal.journal import BatchDone
from abiprobe.results.verdicts.record import Verdict

OBJECT = (ProbeKind.LAYOUT,)
"""The witness of layouts that is always there."""
Seen: TypeAlias = "dict[Configuration, dict[str, tuple[Verdict, ...]]]"
"""Verdicts by subject and level, then by the id of the probe."""


def witnesses(symptom: Symptom) -> tuple[ProbeKind, ...]:
    """Return the witnesses that must be asked about a record for a symptom to show."""
    return tuple(WITNESSES.values()) if symptom in {Symptom.DEBUG_INFO, Symptom.VALUES} else OBJECT


def ask(
    target: Target,
    questions: Sequence[Question],
    subjects: Iterable[Configuration],
    kinds: tuple[ProbeKind, ...] = OBJECT,
    limits: Limits | None = None,
    put: Callable[[Job], list[BatchDone]] = run_job,
) -> Seen:
    """The verdicts on `questions`, which are all records or all prototypes; `put` says how a job gets its answer."""
    sort = Sort.PROTOTYPES if isinstance(questions[0], Prototype) else Sort.RECORDS
    asked = tuple(map(at_level, subjects))
    found: Seen = {}
    for number, some in enumerate(by_isa(questions)):
        for batch in put(Job(target, number, sort, some, asked, limits or Limits(), witnesses=kinds)):
            by_probe = found.setdefault((batch.key.subject, batch.key.level), {})
            for verdict in batch.verdicts:
                by_probe[verdict.probe] = (*by_probe.get(verdict.probe, ()), verdict)
    return found


def on(
    seen: Mapping[Configuration, Mapping[str, tuple[Verdict, ...]]], question: Question
) -> dict[Configuration, tuple[Verdict, ...]]:
    """Return the verdicts on one question, with those on agreement where no text decides."""
    identity = probe(question).id
    found = {asked: by_probe.get(identity, ()) for asked, by_probe in seen.items()}
    # The target has no part in whether they part.
    return with_differences("", identity, found)


def ask_about(
    target: Target, question: Question, subjects: Iterable[Configuration], fingerprint: Fingerprint
) -> dict[Configuration, tuple[Verdict, ...]]:
    """Return the verdicts on one question for all compilers that a deviation concerns."""
    return on(ask(target, (question,), subjects, witnesses(fingerprint.symptom)), question)
