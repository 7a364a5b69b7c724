"""Run compilers again on the questions that recorded observations cannot answer (`rejudge --ask`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from abiprobe.generators.pool import BATCH
from abiprobe.harness.base.progress import counted
from abiprobe.harness.nights.current_model import CurrentModels, subject_of
from abiprobe.harness.nights.rejudge import Rejudged
from abiprobe.harness.observers.batch import Job, in_order, kept, run_job
from abiprobe.harness.observers.deciding import by_clause
from abiprobe.harness.observers.recording import Tape, packed, unpacked
from abiprobe.harness.subjects.find import at_level
from abiprobe.oracles.language.question import ProbeKind, Question, Sort, by_probe, probe
from abiprobe.oracles.registry import find_target
from abiprobe.results.journal.journal import BatchDone, BatchKey, Plan
from abiprobe.results.verdicts.record import Verdict


def ask_again(plan: Plan, found: Sequence[Rejudged]) -> list[BatchDone]:
    """Run the stale questions again and return the batches with fresh verdicts."""
    answers: dict[tuple[str, str, str, Sort], dict[str, tuple[Verdict, ...]]] = {}
    tapes: dict[tuple[str, str, str, Sort], list[Tape]] = {}
    asked = tuple(jobs(plan, found))
    for job in counted(asked, "asking again", len(asked)):
        for done in run_job(job):
            key = done.key.target, done.key.subject, done.key.level, done.key.sort
            by_probe = answers.setdefault(key, {})
            for verdict in done.verdicts:
                by_probe[verdict.probe] = (*by_probe.get(verdict.probe, ()), verdict)
            tapes.setdefault(key, []).append(unpacked(done.raw) if done.raw else Tape())
    return [
        with_fresh_verdicts(
            item, answers.get(family(item.batch.key), {}), tapes.get(family(item.batch.key), ())
        )
        for item in found
    ]


def family(key: BatchKey) -> tuple[str, str, str, Sort]:
    """Return the key by which stale questions of batches are grouped."""
    return key.target, key.subject, key.level, key.sort


def jobs(plan: Plan, found: Iterable[Rejudged]) -> Iterator[Job]:
    """Yield jobs for the stale questions; subjects at one level share a job, since pairs are judged together."""
    groups: dict[tuple[str, str, Sort], tuple[set[str], dict[str, Question]]] = {}
    for item in found:
        key = item.batch.key
        subjects, questions = groups.setdefault((key.target, key.level, key.sort), (set(), {}))
        subjects.add(key.subject)
        questions.update((probe(question).id, question) for question in item.stale)
    for (target, level, sort), (subjects, questions) in groups.items():
        put = tuple(at_level((name, level)) for name in plan.subjects if name in subjects)
        witnesses = tuple(dict.fromkeys((*plan.witnesses, *plan.sampled)))
        every = tuple(questions.values())
        for start in range(0, len(every), BATCH):
            part = every[start : start + BATCH]
            yield Job(
                find_target(target), 0, sort, part, put, witnesses=witnesses, pairs=plan.pairs, keep=True
            )


def with_fresh_verdicts(
    item: Rejudged, answers: dict[str, tuple[Verdict, ...]], tapes: Sequence[Tape]
) -> BatchDone:
    """Return a batch with its stale verdicts replaced by fresh ones of the same kinds."""
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
        copy_observations(tape, other, stale)
    done = msgspec.structs.replace(
        item.batch,
        verdicts=in_order((*verdicts, *fresh), item.questions),
        kept=(*known, *kept(by_probe(item.stale), fresh)),
        raw=packed(tape),
    )
    foresights = CurrentModels(find_target(done.key.target), tuple(item.questions.values()))
    clauses, compared = by_clause(done.verdicts, foresights.of(subject_of(done), done).deciding)
    return msgspec.structs.replace(done, clauses=clauses, compared=compared)


def copy_observations(tape: Tape, other: Tape, stale: Iterable[str]) -> None:
    """Copy the observations of the stale probes from another recording."""
    for identity in stale:
        if identity in other.seen:
            tape.asked[identity] = other.asked[identity]
            tape.seen[identity] = other.seen[identity]
        for partner, arrived in other.pairs.items():
            if identity in arrived:
                tape.pairs.setdefault(partner, {})[identity] = arrived[identity]
