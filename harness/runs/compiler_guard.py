"""Refuse a batch whose compiler changed since the run began."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.observers.batch import Job
from abiprobe.harness.subjects.find import build, identity
from abiprobe.results.journal.journal import BatchDone, SubjectInfo


class CompilerChangedError(Problem):
    """A compiler was replaced or removed while a run was in progress."""


def with_digests(job: Job, infos: Iterable[SubjectInfo]) -> Job:
    """Return a job with the digests that a run's header has for its compilers."""
    digests = {(info.target, info.subject): info.digest for info in infos}
    return msgspec.structs.replace(
        job, programs=tuple(digests[job.target.spelling, subject.spelling] for subject, _ in job.subjects)
    )


def run_guarded(answer: Callable[[Job], list[BatchDone]], job: Job) -> list[BatchDone]:
    """Run a job by `answer`; raises `CompilerChangedError` if a compiler changed before or meanwhile."""
    require_unchanged(job)
    answers = answer(job)
    require_unchanged(job)
    return answers


def require_unchanged(job: Job) -> None:
    """Raise `CompilerChangedError` unless each compiler of a job still has its digest in `job.programs`."""
    for (subject, level), digest in zip(job.subjects, job.programs, strict=False):
        built = build(subject, job.target, level)
        found = identity(built.command) if built is not None else None
        if found is None or found.digest != digest:
            now = f"it is now {found.version or 'a program without a version'}" if found else "it is gone"
            raise CompilerChangedError(
                f"{subject.spelling} for {job.target} changed during the run: {now}", "start a new run"
            )
