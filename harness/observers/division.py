"""A batch in parts, and its verdicts put together again: for batches on which workers die, or we fail ourselves."""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import TypeVar

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.base.removal import temporary
from abiprobe.harness.base.stopwatch import lapse
from abiprobe.harness.observers.attempt import Attempt
from abiprobe.harness.observers.batch import Answer, Job, finished, run_job, serve
from abiprobe.harness.observers.prediction import kinds
from abiprobe.harness.observers.recording import Tape, packed, packed_digests, unpacked, unpacked_digests
from abiprobe.harness.subjects.find import build
from abiprobe.oracles.language.question import by_probe
from abiprobe.oracles.text.sheet_error import SheetError
from abiprobe.results.journal.journal import BatchDone, BatchKey, Pairs
from abiprobe.results.verdicts.record import Outcome, unobserved

N = TypeVar("N", int, float)
WHY = "abiprobe's own process died each time that it asked this"


def halves(job: Job) -> tuple[Job, ...]:
    """A job in two parts: of its subjects, unless they call each other, or of its questions; empty for one question."""
    if len(job.subjects) > 1 and (job.pairs is Pairs.NONE or len(job.questions) == 1):
        middle = len(job.subjects) // 2
        return tuple(
            msgspec.structs.replace(job, subjects=job.subjects[part], programs=job.programs[part])
            for part in (slice(middle), slice(middle, None))
        )
    middle = len(job.questions) // 2
    parts = (job.questions[:middle], job.questions[middle:]) if middle else ()
    return tuple(msgspec.structs.replace(job, questions=part) for part in parts)


def joined(job: Job, parts: Sequence[list[BatchDone]]) -> list[BatchDone]:
    """The batches of a job from those of its parts."""
    found: dict[tuple[str, str], list[BatchDone]] = {}
    for done in chain.from_iterable(parts):
        found.setdefault((done.key.subject, done.key.level), []).append(done)
    return [one_of(found[asked.spelling]) for asked in job.subjects]


def one_of(parts: Sequence[BatchDone]) -> BatchDone:
    """One batch from those of parts of its questions."""
    first = parts[0]
    if len(parts) == 1:
        return first
    return BatchDone(
        first.key,
        sum(part.probes for part in parts),
        tuple(chain.from_iterable(part.verdicts for part in parts)),
        tuple(chain.from_iterable(part.kept for part in parts)),
        sum(part.compile_seconds for part in parts),
        sum(part.link_seconds for part in parts),
        sum(part.run_seconds for part in parts),
        sum(part.own_seconds for part in parts),
        observed=tuple(chain.from_iterable(part.observed for part in parts)),
        raw=tapes([part.raw for part in parts if part.raw]),
        predicted=digests([part.predicted for part in parts if part.predicted]),
        clauses=by_clause(part.clauses for part in parts),
        compared=tuple(sorted(total(part.compared for part in parts).items())),
        stages=tuple(sorted(total(part.stages for part in parts).items())),
    )


def total(parts: Iterable[Iterable[tuple[str, N]]]) -> dict[str, N]:
    """The sums of numbers by name."""
    found: dict[str, N] = {}
    for name, number in chain.from_iterable(parts):
        found[name] = found.get(name, 0) + number
    return found


def by_clause(parts: Iterable[dict[str, tuple[int, int]]]) -> dict[str, tuple[int, int]]:
    """Return the number of probes that agree with and deviate from each clause, in all parts."""
    found: dict[str, tuple[int, int]] = {}
    for part in parts:
        for clause, (agree, deviate) in part.items():
            before = found.get(clause, (0, 0))
            found[clause] = before[0] + agree, before[1] + deviate
    return dict(sorted(found.items()))


def tapes(parts: Sequence[bytes]) -> bytes:
    """One tape from several."""
    if not parts:
        return b""
    whole = Tape()
    for tape in map(unpacked, parts):
        whole.asked |= tape.asked
        whole.seen |= tape.seen
        for partner, arrived in tape.pairs.items():
            whole.pairs.setdefault(partner, {}).update(arrived)
    return packed(whole)


def digests(parts: Sequence[bytes]) -> bytes:
    """The predictions of all parts."""
    if not parts:
        return b""
    return packed_digests(dict(chain.from_iterable(unpacked_digests(part).items() for part in parts)))


def run_in_parts(job: Job) -> list[BatchDone]:
    """Run a job; an error of our own costs the questions on which it comes again, alone.

    Raises what is no such error: `Problem`, `SheetError`, `OSError` and `MemoryError`.
    """
    try:
        return run_job(job)
    except (Problem, SheetError, OSError, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001 - whatever it is, it is ours, and no reason to lose the rest of a run
        parts = halves(job)
        return joined(job, list(map(run_in_parts, parts))) if parts else failed(job, error)


def failed(job: Job, error: Exception) -> list[BatchDone]:
    """The batches of a job of one question that ends in an error of our own, with no verdict but that."""
    *_, frame = traceback.extract_tb(error.__traceback__)
    words = f"{type(error).__name__}: {error} (line {frame.lineno} of {Path(frame.filename).name})"
    lost = tuple(
        unobserved(probe, kind, Outcome.FAILED, words)
        for probe, question in by_probe(job.questions).items()
        for kind in kinds(question, job.witnesses)
    )
    return [
        BatchDone(
            BatchKey(job.target.spelling, *asked.spelling, job.sort, job.number), len(job.questions), lost
        )
        for asked in job.subjects
    ]


def abandoned(job: Job) -> list[BatchDone]:
    """The batches of a job that nobody can ask: what the model leaves open stays so, the rest has not been run."""
    questions = by_probe(job.questions)
    found = []
    for asked in job.subjects:
        with lapse() as used, temporary() as folder:
            shared = serve(job, asked.subject, questions, {})
            built = build(asked.subject, job.target, asked.level)
            assert built is not None, "the session offers subjects that are installed for the target"
            answer = Answer(asked, shared, Attempt(None, built, Path(folder), job.limits), used)
            answer.verdicts += shared.prepared.settled
            for plan in shared.prepared.plans:
                answer.verdicts += shared.observer.settle(plan, Outcome.NOT_RUN, WHY)
            found.append(finished(job, answer, questions))
    return found
