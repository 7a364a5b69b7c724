"""Which way a batch goes: most targets run programs, some are asked in a way of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from abiprobe.generators.pool import PoolKind
from abiprobe.harness import batch
from abiprobe.harness.batch import Job
from abiprobe.harness.coverage import each_with_clauses
from abiprobe.harness.ptx.batch import run_device_job
from abiprobe.harness.ptx.tools import find_tool
from abiprobe.harness.vectors.batch import asks_vectors
from abiprobe.oracles.lang import Prototype
from abiprobe.oracles.question import by_probe
from abiprobe.oracles.registry import find_target
from abiprobe.results.journal import BatchDone

OWN_CALLS: Mapping[str, Callable[[Job], list[BatchDone]]] = {"nvptx64-cuda": run_device_job}
"""The targets whose calls are not run but read, by name."""


def run_job(job: Job) -> list[BatchDone]:
    """Put a batch to each of its subjects, the way its target asks for."""
    own = OWN_CALLS.get(find_target(job.target)[0].name)
    if own is None or not all(isinstance(question, Prototype) for question in job.questions):
        return batch.run_job(job)
    return each_with_clauses(own(job), by_probe(job.questions))


def has_own_ways(job: Job) -> bool:
    """Whether a batch is asked in a way of its target's own, and not in the usual one."""
    own = find_target(job.target)[0].name in OWN_CALLS
    return asks_vectors(job.target, job.questions) or (own and job.sort == PoolKind.PROTOTYPES.value)


def has_calls(target: str) -> bool:
    """Whether calls of a target can be asked, and not layouts only."""
    return runs_programs(target) or find_target(target)[0].name in OWN_CALLS


def runs_programs(target: str) -> bool:
    """Whether the calls of a target are observed in programs that run."""
    return bool(find_target(target)[0].machine)


def misses_ptxas(target: str) -> bool:
    """Whether a target's calls can be read only in part, for want of ptxas."""
    return find_target(target)[0].name in OWN_CALLS and find_tool("ptxas") is None
