"""Running a script to its end, whatever the compiled code in it does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from abiprobe.harness.base.stopwatch import RUN, charge, stage
from abiprobe.harness.machines.runtime.messages import Message, end, message
from abiprobe.harness.machines.runtime.records import decode_records
from abiprobe.harness.machines.runtime.script import Op, Record, Trapped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from abiprobe.harness.base import child
    from abiprobe.harness.machines.executors.executor import Executor
    from abiprobe.harness.machines.runtime.machine import Machine

DEATHS = 500
"""How many operations of a script may end its program before the others are given up."""
HANGS = 20
"""How many runs of a script may have to be ended by us, each of which takes all its time."""


TIMED_OUT = "timed out"
GIVEN_UP = "given up after too many runs that did not end well"
WHERE = re.compile(r"^at 0x[0-9a-f]+: | at 0x[0-9a-f]+")
"""An address in the words of an emulator."""


class Died(msgspec.Struct, frozen=True):
    """The program ended, or had to be ended, in the operation of this index, or never came to it; `why` says.

    It never comes to what is `unsupported`, because that cannot be expressed.
    """

    index: int
    why: str
    ran: bool = True
    unsupported: bool = False


Observation: TypeAlias = Record | Died


def observe(
    executor: Executor,
    image: Path,
    ops: Sequence[Op],
    machine: Machine,
    *,
    timeout: float,
    memory: int | None = None,
) -> list[Observation]:
    """Exactly one answer to each of `ops`, in their order.

    `timeout` (seconds) and `memory` (bytes) are for each run of the program; after the operation in which it dies
    a new run goes on. Raises `ValueError` for an operation that cannot be encoded, and `OSError` when the program
    cannot be started.
    """
    with stage("script"):
        messages = [message(op, machine) for op in ops]
    return replay(executor, image, messages, machine, timeout=timeout, memory=memory)


def replay(
    executor: Executor,
    image: Path,
    messages: Sequence[Message],
    machine: Machine,
    *,
    timeout: float,
    memory: int | None = None,
) -> list[Observation]:
    """Do as `observe` does, with operations that are already encoded."""
    answers: list[Observation] = []
    deaths = hangs = 0
    while deaths <= DEATHS and hangs <= HANGS:
        script = b"".join((*(one.data for one in messages[len(answers) :]), end(machine)))
        ended = executor.run(image, script, timeout=timeout, memory=memory)
        charge(RUN, ended.cpu_seconds)
        with stage("read"):
            records = list(_fitting(decode_records(ended.stdout, machine), messages[len(answers) :]))
        answers += records
        if len(answers) == len(messages):
            return answers
        deaths, hangs = deaths + 1, hangs + ended.stopped
        # Ended by us after some answers: the next operation is not to blame for the time or space they took,
        # and gets a run that starts with it.
        if not (ended.stopped and records):
            answers.append(Died(messages[len(answers)].index, _why(ended)))
        if len(answers) == len(messages):
            return answers
    answers += [Died(one.index, GIVEN_UP, ran=False) for one in messages[len(answers) :]]
    return answers


def _fitting(records: Sequence[Record | Trapped], messages: Sequence[Message]) -> Iterator[Observation]:
    """The records that answer `messages`, up to the first that does not: compiled code may write what looks like one."""
    for record, asked in zip(records, messages, strict=False):
        if record.index != asked.index or type(record) not in {asked.answer, Trapped}:
            return
        yield Died(record.index, record.why) if isinstance(record, Trapped) else record


def _why(ended: child.Exit) -> str:
    """Return how a program ended, in words that do not depend on the rest of its unit: neither time nor place."""
    if ended.timed_out:
        return TIMED_OUT
    if ended.truncated:
        return "wrote without end"
    if ended.signal is not None:
        return ended.signal
    lines = ended.stderr.decode(errors="replace").strip().splitlines()
    words = WHERE.sub("", lines[-1]) if lines else ""
    return f"exit status {ended.returncode}" + (f": {words}" if words else "")
