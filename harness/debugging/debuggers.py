"""gdb as a subject: what it shows of parameters, of the results of `finish` and of `call`, and what it passes to functions that it calls."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from enum import Enum
from pathlib import Path
from typing import Any

import msgspec

from abiprobe.harness.base import child
from abiprobe.harness.debugging import gdb_script
from abiprobe.harness.debugging.host_unit import host_unit
from abiprobe.harness.debugging.judging import TURN, hexadecimal, sort_of
from abiprobe.harness.machines.render.own_names import own
from abiprobe.harness.observers.attempt import Attempt, Failed, compiled
from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.harness.subjects.compile import failure_text
from abiprobe.oracles.language.lang import Type
from abiprobe.oracles.text.place import Passed
from abiprobe.results.verdicts.record import Outcome

SECONDS = 300.0
INTERNAL = "internal problem"
"""A part of the words with which gdb gives up on itself."""


class Action(Enum):
    """Something that a debugger is told."""

    PRINT = "print a parameter"
    FINISH = "finish"
    ARGUMENT = "call, argument"
    RESULT = "call, result"


class Seen(msgspec.Struct, frozen=True):
    """A value as a debugger has it, or passes it: `found` is in hexadecimal, or its words where it refuses. `is_right` is `None` then."""

    action: Action
    name: str
    type: str
    expected: str
    found: str
    is_right: bool | None

    @property
    def kind(self) -> str:
        """The way in which it is wrong: what was told, and of what."""
        return f"{self.action.value}: {self.type}"


def looked(attempt: Attempt, plans: Sequence[CallPlan], gdb: str) -> list[tuple[Seen, ...] | Failed] | Failed:
    """Everything that gdb has to say of the functions of one program, which one process of it runs."""
    assert attempt.bench is not None, "programs are linked"
    unit = compiled(attempt, host_unit(plans), len(plans), "-g")
    if isinstance(unit, Failed):
        return unit
    program, asked, answered = attempt.scratch(""), attempt.scratch(".json"), attempt.scratch(".json")
    done = child.run(
        (*attempt.bench.trusted.ld, "-static", "-e", "start", "-o", str(program), str(unit)),
        timeout=SECONDS,
        scratch=attempt.folder,
    )
    if not done.ok:
        return Failed(Outcome.REFUSED, failure_text(done, attempt.folder))
    asked.write_text(json.dumps([question(number, plan) for number, plan in enumerate(plans)]), "utf-8")
    environment = {**os.environ, gdb_script.ASKED: str(asked), gdb_script.ANSWERED: str(answered)}
    done = child.run(
        (gdb, "-nx", "-batch", "-x", str(Path(gdb_script.__file__)), str(program)),
        timeout=SECONDS,
        scratch=attempt.folder,
        env=environment,
    )
    if not answered.exists():
        words = failure_text(done, attempt.folder)
        return Failed(Outcome.CRASHED if INTERNAL in words.lower() else Outcome.UNDECODED, words)
    found = json.loads(answered.read_text("utf-8"))
    return [
        tuple(seen(plan, found[f"f{number}"]))
        if f"f{number}" in found
        else Failed(Outcome.NOT_RUN, "gdb did not stop in it")
        for number, plan in enumerate(plans)
    ]


def question(number: int, plan: CallPlan) -> dict[str, object]:
    """A function as the part inside gdb is asked about it."""
    names = [own(param.name, f"_{number}") for param in plan.prototype.params]
    return {"number": number, "names": names, "has_result": plan.prototype.result is not None}


def seen(plan: CallPlan, found: dict[str, Any]) -> Iterator[Seen]:
    """The values of a function, held against those that are passed and returned."""
    turn = plan.turns[TURN]
    for action, key in ((Action.PRINT, "parameters"), (Action.ARGUMENT, "arguments")):
        told = found.get(key, ())
        named = zip(plan.prototype.params, plan.assignment.params, turn.values, told, strict=False)
        for param, passed, value, text in named:
            yield value_seen(action, param.type, passed, value, text)
    result, returned = plan.prototype.result, plan.assignment.result
    if result is not None and returned is not None and turn.result is not None:
        for action, key in ((Action.FINISH, "finish"), (Action.RESULT, "result")):
            if key in found:
                yield value_seen(action, result, returned, turn.result, found[key])


def value_seen(action: Action, c_type: Type, passed: Passed, value: bytes, text: str) -> Seen:
    """One value, `text` as the part inside gdb tells it."""
    expected = hexadecimal(value, passed.mask)
    if text.startswith("!"):
        return Seen(action, passed.name, described(c_type, passed.size), expected, text[1:], None)
    bits = zip(value, bytes.fromhex(text), passed.mask, strict=False)
    is_right = len(text) == 2 * len(value) and not any((one ^ other) & mask for one, other, mask in bits)
    return Seen(action, passed.name, described(c_type, passed.size), expected, text, is_right)


def described(c_type: Type, size: int) -> str:
    """A type in a word, a vector with its size in bytes."""
    sort = sort_of(c_type)
    return f"{sort} of {size} bytes" if sort == "vector" else sort
