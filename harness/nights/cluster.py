"""Batches on a Dask cluster: a task is a job, and goes to a worker that has its compilers.

A worker that is lost takes nothing with it: Dask gives its tasks to others. What a batch comes to is decided by its
questions and its compilers alone, so the verdicts are those of a run on one machine.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from abiprobe.harness.batch import Job
from abiprobe.harness.dispatch import run_job
from abiprobe.harness.problem import Problem
from abiprobe.harness.toolchains.find import build, identity, parse_subject
from abiprobe.results.journal import BatchDone, Header

if TYPE_CHECKING:
    from collections.abc import Callable

RETRIES = 5
"""Workers that a task may outlive."""
SECONDS = 20
"""For a scheduler to answer."""
AHEAD = 2
"""Jobs kept waiting for each thread of a worker."""
Have = dict[tuple[str, str], str]
"""The digest of each compiler that a worker has, by target and subject."""


def distributed(
    pending: Iterator[Job], address: str, head: Header, over: Callable[[], bool]
) -> Iterator[list[BatchDone]]:
    """The answers to `pending` as they come from the workers of the scheduler at `address`, until it is `over`.

    Raises `Problem` when Dask is not installed, when nobody answers there, and when no worker has what a job needs.
    """
    try:
        from distributed import Client, as_completed
    except ImportError as error:
        raise Problem("dask is not installed", "pip install 'abiprobe[dask]'") from error
    reach(address)
    with Client(address, timeout=f"{SECONDS}s", set_as_default=False) as client:  # type: ignore[no-untyped-call,unused-ignore]
        announced = announce(client, head)
        queue: Any = as_completed(loop=client.loop)  # type: ignore[no-untyped-call,unused-ignore]
        waiting = 0
        for job in pending:
            if over():
                break
            queue.add(submitted(client, job, announced, head))
            waiting += 1
            while waiting >= AHEAD * max(1, threads(client)):
                waiting -= 1
                yield next(queue).result()
        while waiting:
            waiting -= 1
            yield next(queue).result()


def reach(address: str) -> None:
    """Raise `Problem` unless somebody listens at an address like `tcp://host:8786`."""
    found = re.fullmatch(r"(?:tcp://)?([^/:]+|\[[^]]+\]):(\d+)", address)
    if found is None:
        raise Problem(f"{address!r} is no address of a Dask scheduler", "write it like tcp://host:8786")
    try:
        with socket.create_connection((found[1].strip("[]"), int(found[2])), timeout=SECONDS):
            pass
    except (OSError, OverflowError) as error:
        raise Problem(f"no Dask scheduler answers at {address} ({error})") from error


def threads(client: Any) -> int:
    """How many jobs the workers do at a time."""
    return int(sum(client.nthreads().values()))


def announce(client: Any, head: Header) -> dict[str, Have]:
    """What each worker has of the compilers of a run, by its address."""
    asked = tuple((info.target, info.subject) for info in head.subjects)
    found: dict[str, Have] = client.run(having, asked, head.plan.levels[0])
    if not found:
        raise Problem("the Dask scheduler has no worker", "start some: dask worker ADDRESS")
    return found


def having(asked: tuple[tuple[str, str], ...], level: str) -> Have:
    """The compilers that are here, with their digests; run by each worker."""
    found: Have = {}
    for target, subject in asked:
        built = build(parse_subject(subject), target, level)
        if built is not None:
            found[target, subject] = identity(built.command).digest
    return found


def submitted(client: Any, job: Job, announced: dict[str, Have], head: Header) -> Any:
    """A task for a job, for the workers whose compilers are those of the run; who came later is asked first."""
    here = set(client.scheduler_info(n_workers=-1)["workers"])
    if here - set(announced):
        announced.update(announce(client, head))
    digests = {(info.target, info.subject): info.digest for info in head.subjects}
    needed = {(job.target, subject): digests[job.target, subject] for subject, _ in job.subjects}
    able = [
        worker
        for worker, has in announced.items()
        if worker in here and all(has.get(key) == digest for key, digest in needed.items())
    ]
    if not able:
        names = ", ".join(subject for _, subject in needed)
        raise Problem(f"no worker has {names} for {job.target} as this machine has them")
    # Who is lost is replaced by whoever is able, so a task is tied to workers only where not all are.
    chosen = {} if set(able) == here else {"workers": able, "allow_other_workers": False}
    return client.submit(run_job, job, pure=False, retries=RETRIES, **chosen)
