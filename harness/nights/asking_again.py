"""What old observations cannot answer, asked of the compilers again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from abiprobe.generators.pool import BATCH
from abiprobe.harness.batch import Job, kept
from abiprobe.harness.coverage import each_with_clauses
from abiprobe.harness.dispatch import run_job
from abiprobe.harness.nights.rejudge import Rejudged
from abiprobe.harness.nights.tape import Tape, packed, unpacked
from abiprobe.oracles.question import ProbeKind, Question, by_probe, probe
from abiprobe.results.journal import BatchDone, BatchKey, Plan
from abiprobe.results.record import Verdict


def ask_again(plan: Plan, found: Sequence[Rejudged]) -> list[BatchDone]:
    """The batches of a rejudged run, with fresh answers to what was stale."""
    answers: dict[tuple[str, str, str, str], dict[str, tuple[Verdict, ...]]] = {}
    tapes: dict[tuple[str, str, str, str], list[Tape]] = {}
    for job in jobs(plan, found):
        for done in run_job(job):
            key = done.key.target, done.key.subject, done.key.level, done.key.sort
            by_probe = answers.setdefault(key, {})
            for verdict in done.verdicts:
                by_probe[verdict.probe] = (*by_probe.get(verdict.probe, ()), verdict)
            tapes.setdefault(key, []).append(unpacked(done.raw) if done.raw else Tape())
    return [
        answered(item, answers.get(family(item.batch.key), {}), tapes.get(family(item.batch.key), ()))
        for item in found
    ]


def family(key: BatchKey) -> tuple[str, str, str, str]:
    """What batches have in common whose stale questions are asked together."""
    return key.target, key.subject, key.level, key.sort


def jobs(plan: Plan, found: Iterable[Rejudged]) -> Iterator[Job]:
    """The stale questions, in batches; subjects at one level are asked together, as their pairs must be."""
    groups: dict[tuple[str, str, str], tuple[set[str], dict[str, Question]]] = {}
    for item in found:
        key = item.batch.key
        subjects, questions = groups.setdefault((key.target, key.level, key.sort), (set(), {}))
        subjects.add(key.subject)
        questions.update((probe(question).id, question) for question in item.stale)
    for (target, level, sort), (subjects, questions) in groups.items():
        put = tuple((name, level) for name in plan.subjects if name in subjects)
        witnesses = tuple(dict.fromkeys((*plan.witnesses, *plan.sampled)))
        every = tuple(questions.values())
        for start in range(0, len(every), BATCH):
            part = every[start : start + BATCH]
            yield Job(target, 0, sort, part, put, witnesses=witnesses, pairs=plan.pairs, keep=True)


def answered(item: Rejudged, answers: dict[str, tuple[Verdict, ...]], tapes: Sequence[Tape]) -> BatchDone:
    """One batch with fresh verdicts, of the kinds that it had, in place of the stale ones."""
    stale = {probe(question).id for question in item.stale}
    if not stale:
        return item.batch
    had = {(verdict.probe, verdict.kind) for verdict in item.batch.verdicts}
    verdicts = [verdict for verdict in item.batch.verdicts if verdict.probe not in stale]
    fresh = [
        verdict
        for identity in stale
        for verdict in answers.get(identity, ())
        if (identity, verdict.kind) in had or verdict.kind is ProbeKind.PAIR
    ]
    known = [one for one in item.batch.kept if one.probe not in stale]
    tape = unpacked(item.batch.raw)
    for other in tapes:
        take(tape, other, stale)
    done = msgspec.structs.replace(
        item.batch,
        verdicts=(*verdicts, *sorted(fresh, key=lambda one: one.probe)),
        kept=(*known, *kept(by_probe(item.stale), fresh)),
        raw=packed(tape),
    )
    return each_with_clauses((done,), item.questions)[0]


def take(tape: Tape, other: Tape, stale: Iterable[str]) -> None:
    """Take over what another tape says of the stale probes."""
    for identity in stale:
        if identity in other.scripts:
            tape.scripts[identity] = other.scripts[identity]
        if identity in other.calls:
            tape.calls[identity] = other.calls[identity]
        if identity in other.layouts:
            tape.layouts[identity] = other.layouts[identity]
        for partner, turns in other.pairs.items():
            if identity in turns:
                tape.pairs.setdefault(partner, {})[identity] = turns[identity]
