"""Merge the shards of a run."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from abiprobe.results.journal.journal import BatchDone, BatchKey, Footer, JournalError, Run, verdict_digest


def merged(shards: Sequence[Run]) -> Run:
    """The run that the shards are parts of, or several runs of one plan: each batch once, the first that has it.

    It is complete when every shard is there and complete. Raises `JournalError` for runs of different plans, and for
    those of different compilers.
    """
    first = shards[0]
    for other in shards[1:]:
        if alike(other) != alike(first):
            raise JournalError("these are not parts of one run: seed, targets, compilers or options differ")
        if other.header.subjects != first.header.subjects:
            raise JournalError("these are not parts of one run: the compilers are not the same everywhere")
    batches: dict[BatchKey, BatchDone] = {}
    for run in shards:
        for batch in run.batches:
            batches.setdefault(batch.key, batch)
    ordered = tuple(batches[key] for key in sorted(batches))
    asked = {(item.target, item.sort, item.number): item for run in shards for item in run.asked}
    whole = covered(shards)
    plan = msgspec.structs.replace(first.header.plan, shard=(1, 1) if whole else first.header.plan.shard)
    started = min(run.header.started for run in shards)
    head = msgspec.structs.replace(first.header, plan=plan, started=started)
    return Run(head, ordered, footer(shards, ordered) if whole else None, tuple(asked.values()))


def alike(run: Run) -> object:
    """Return the properties that all parts of one run share."""
    return msgspec.structs.replace(run.header.plan, shard=(1, 1))


def covered(shards: Sequence[Run]) -> bool:
    """Return whether every shard is there, and each is complete."""
    there = {run.header.plan.shard for run in shards if run.footer is not None}
    totals = {total for _, total in there}
    return len(totals) == 1 and {part for part, _ in there} == set(range(1, totals.pop() + 1))


def footer(shards: Sequence[Run], batches: Sequence[BatchDone]) -> Footer:
    """The last line of the whole: it took as long as its longest part."""
    footers = [run.footer for run in shards if run.footer is not None]
    ended = next((one.ended for one in footers if one.ended != "complete"), "complete")
    verdicts = sum(len(batch.verdicts) for batch in batches)
    return Footer(len(batches), verdicts, verdict_digest(batches), ended, max(one.seconds for one in footers))
