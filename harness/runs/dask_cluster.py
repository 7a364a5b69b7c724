"""Run batches on a Dask cluster: each job is a task for a worker that has its compilers.

Dask reschedules the tasks of a lost worker. The result of a batch depends on its questions and compilers alone, so the
verdicts equal those of a run on one machine.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from abiprobe.harness.base.problem import Problem
from abiprobe.harness.observers.batch import Job
from abiprobe.harness.observers.division import run_in_parts
from abiprobe.harness.runs.compiler_guard import run_guarded
from abiprobe.harness.subjects.find import build, identity, parse_subject
from abiprobe.oracles.registry import find_target
from abiprobe.results.journal.journal import BatchDone, Header

if TYPE_CHECKING:
    from collections.abc import Callable

RETRIES = 5
"""How often Dask reschedules a task whose worker was lost."""
SECONDS = 20
"""For a scheduler to answer."""
AHEAD = 2
"""Jobs kept waiting for each thread of a worker."""
Have = dict[tuple[str, str], str]
"""The digest of each compiler that a worker has, by target and subject."""


def run_distributed(
    pending: Iterator[Job], address: str, head: Header, over: Callable[[], bool]
) -> Iterator[list[BatchDone]]:
    """Run `pending` on the scheduler at `address` and yield batches as they finish, until `over()`.

    Raises `Problem` when Dask is not installed, no scheduler answers, or no worker has the compilers of a job.
    """
    try:
        from distributed import Client, as_completed
    except ImportError as error:
        raise Problem("dask is not installed", "pip install distributed") from error
    require_reachable(address)
    with Client(address, timeout=f"{SECONDS}s", set_as_default=False) as client:  # type: ignore[no-untyped-call,unused-ignore]
        announced = compilers_of_workers(client, head)
        queue: Any = as_completed(loop=client.loop)  # type: ignore[no-untyped-call,unused-ignore]
        waiting = 0
        for job in pending:
            if over():
                break
            queue.add(submit(client, job, announced, head))
            waiting += 1
            while waiting >= AHEAD * max(1, threads(client)):
                waiting -= 1
                yield next(queue).result()
        while waiting:
            waiting -= 1
            yield next(queue).result()


def require_reachable(address: str) -> None:
    """Raise `Problem` unless a connection to an address like `tcp://host:8786` succeeds."""
    found = re.fullmatch(r"(?:tcp://)?([^/:]+|\[[^]]+\]):(\d+)", address)
    if found is None:
        raise Problem(f"{address!r} is no address of a Dask scheduler", "write it like tcp://host:8786")
    try:
        with socket.create_connection((found[1].strip("[]"), int(found[2])), timeout=SECONDS):
            pass
    except (OSError, OverflowError) as error:
        raise Problem(f"no Dask scheduler answers at {address} ({error})") from error


def threads(client: Any) -> int:
    """Return how many jobs the workers run at a time."""
    return int(sum(client.nthreads().values()))


def compilers_of_workers(client: Any, head: Header) -> dict[str, Have]:
    """Ask each worker, by address, which of a run's compilers it has."""
    asked = tuple((info.target, info.subject) for info in head.subjects)
    found: dict[str, Have] = client.run(local_compilers, asked, head.plan.levels[0])
    if not found:
        raise Problem("the Dask scheduler has no worker", "start some: dask worker ADDRESS")
    return found


def local_compilers(asked: tuple[tuple[str, str], ...], level: str) -> Have:
    """Return the digests of the compilers installed here; executed on each worker."""
    found: Have = {}
    for target, subject in asked:
        built = build(parse_subject(subject), find_target(target), level)
        if built is not None:
            found[target, subject] = identity(built.command).digest
    return found


def submit(client: Any, job: Job, announced: dict[str, Have], head: Header) -> Any:
    """Submit a job to the workers that have the run's compilers; asks workers that joined since."""
    here = set(client.scheduler_info(n_workers=-1)["workers"])
    if here - set(announced):
        announced.update(compilers_of_workers(client, head))
    digests = {(info.target, info.subject): info.digest for info in head.subjects}
    needed = {
        (job.target.spelling, subject.spelling): digests[job.target.spelling, subject.spelling]
        for subject, _ in job.subjects
    }
    able = [
        worker
        for worker, has in announced.items()
        if worker in here and all(has.get(key) == digest for key, digest in needed.items())
    ]
    if not able:
        names = ", ".join(subject for _, subject in needed)
        raise Problem(f"no worker has {names} for {job.target} as this machine has them")
    # A restriction would also bind reassignment after a loss, so tasks are restricted only where needed.
    chosen = {} if set(able) == here else {"workers": able, "allow_other_workers": False}
    return client.submit(run_guarded, run_in_parts, job, pure=False, retries=RETRIES, **chosen)
