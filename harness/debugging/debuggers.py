"""Debuggers as subjects: what they show of parameters and of results, what `return` gives, and what they pass to functions that they call."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
from collections.abc import Iterator, Sequence
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from abiprobe.harness.base import child
from abiprobe.harness.base.problem import Problem
from abiprobe.harness.debugging import gdb_script, lldb_script
from abiprobe.harness.debugging.host_unit import entry, host_unit
from abiprobe.harness.debugging.judging import TURN, hexadecimal, sort_of
from abiprobe.harness.machines.executors.executor import Absent
from abiprobe.harness.machines.executors.native import native
from abiprobe.harness.machines.executors.qemu_user import qemu_user
from abiprobe.harness.machines.render.own_names import own
from abiprobe.harness.observers.attempt import Attempt, Failed, compiled
from abiprobe.harness.observers.image.plan import CallPlan
from abiprobe.harness.subjects.compile import failure_text
from abiprobe.oracles.language.lang import Type
from abiprobe.oracles.text.place import Passed
from abiprobe.results.verdicts.record import Outcome

SECONDS = 300.0
VERSION_SECONDS = 30.0
INTERNAL = "internal problem"
"""A part of the words with which gdb gives up on itself."""
SIGNALED = "was signaled while in a function called"
"""A part of the words with which gdb says that a function died of what it was passed."""
GDB, LLDB = "gdb", "lldb"


class Debugger(msgspec.Struct, frozen=True):
    """A debugger: its kind, the program and the version that it tells."""

    kind: str
    program: str
    version: str

    def __str__(self) -> str:
        return f"{self.kind} {self.version}"

    def command(self, program: Path) -> tuple[str, ...]:
        """The command that asks it about a program."""
        if self.kind == LLDB:
            script = shlex.quote(str(lldb_script.__file__))
            return self.program, "-x", "-b", "-o", f"command script import {script}", str(program)
        return self.program, "-nx", "-batch", "-x", str(gdb_script.__file__), str(program)


class Action(Enum):
    """Something that a debugger is told."""

    PRINT = "print a parameter"
    FINISH = "finish"
    RETURN = "return"
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


@cache
def find_debugger(program: str) -> Debugger:
    """The debugger of a program; raises `Problem` where there is none that can be asked."""
    kind = LLDB if LLDB in Path(program).name else GDB
    if shutil.which(program) is None:
        raise Problem(f"{program} is not installed", f"apt-get install {kind}")
    words = ("--version",) if kind == LLDB else ("-nx", "-batch", "-ex", "python print(gdb.VERSION)")
    done = child.run((program, *words), timeout=VERSION_SECONDS)
    found = re.match(r"(?:lldb version )?(\d[\w.]*)", done.stdout.decode("utf-8", "replace").strip())
    if not done.ok or found is None:
        raise Problem(f"{program} does not tell its version by its Python", f"a {kind} with Python is needed")
    return Debugger(kind, program, found[1])


def emulated(machine: str) -> tuple[str, ...]:
    """The command that waits for a debugger with a machine's program, none where the program runs as it is. Raises `Problem`."""
    if not isinstance(native(machine, 0), Absent):
        return ()
    found = qemu_user(machine)
    if isinstance(found, Absent):
        raise Problem(
            f"nothing runs programs of {machine} for a debugger: {found.reason}", "install qemu-user"
        )
    return found.program, *found.options


def looked(
    attempt: Attempt, plans: Sequence[CallPlan], debugger: Debugger
) -> list[tuple[Seen, ...] | Failed] | Failed:
    """Everything that a debugger has to say of the functions of one program, which one process of it runs."""
    assert attempt.bench is not None, "programs are linked"
    machine = attempt.bench.machine
    unit = compiled(attempt, host_unit(plans, machine.name), len(plans), "-g")
    if isinstance(unit, Failed):
        return unit
    program, asked, answered = attempt.scratch(""), attempt.scratch(".json"), attempt.scratch(".json")
    linker = (*attempt.bench.trusted.ld, "-static", "--no-relax", "-e", entry(machine.name))
    done = child.run((*linker, "-o", str(program), str(unit)), timeout=SECONDS, scratch=attempt.folder)
    if not done.ok:
        return Failed(Outcome.REFUSED, failure_text(done, attempt.folder))
    emulator = emulated(machine.name)
    stub = shlex.join((*emulator, "-g", str(attempt.scratch(".socket")), str(program))) if emulator else ""
    asked.write_text(json.dumps([question(number, plan) for number, plan in enumerate(plans)]), "utf-8")
    environment = {
        **os.environ,
        gdb_script.ASKED: str(asked),
        gdb_script.ANSWERED: str(answered),
        gdb_script.STUB: stub,
    }
    done = child.run(debugger.command(program), timeout=SECONDS, scratch=attempt.folder, env=environment)
    if not answered.exists():
        words = failure_text(done, attempt.folder)
        return Failed(Outcome.CRASHED if INTERNAL in words.lower() else Outcome.UNDECODED, words)
    found = json.loads(answered.read_text("utf-8"))
    return [
        tuple(seen(plan, found[f"f{number}"]))
        if f"f{number}" in found
        else Failed(Outcome.NOT_RUN, f"{debugger.kind} did not stop in it")
        for number, plan in enumerate(plans)
    ]


def question(number: int, plan: CallPlan) -> dict[str, object]:
    """A function as the part inside a debugger is asked about it."""
    names = [own(param.name, f"_{number}") for param in plan.prototype.params]
    return {"number": number, "names": names, "has_result": plan.prototype.result is not None}


def seen(plan: CallPlan, found: dict[str, Any]) -> Iterator[Seen]:
    """The values of a function, held against those that are passed and returned."""
    turn = plan.turns[TURN]
    for action, key in ((Action.PRINT, "parameters"), (Action.ARGUMENT, "arguments")):
        told = found.get(key, ())
        if told and SIGNALED in told[0]:
            yield Seen(
                action, "", "a signal in the function", "", told[0][1:].splitlines()[0], is_right=False
            )
            continue
        named = zip(plan.prototype.params, plan.assignment.params, turn.values, told, strict=False)
        for param, passed, value, text in named:
            yield value_seen(action, param.type, passed, value, text)
    result, returned = plan.prototype.result, plan.assignment.result
    if result is not None and returned is not None and turn.result is not None:
        for action, key in ((Action.FINISH, "finish"), (Action.RETURN, "return"), (Action.RESULT, "result")):
            if key in found:
                yield value_seen(action, result, returned, turn.result, found[key])


def value_seen(action: Action, c_type: Type, passed: Passed, value: bytes, text: str) -> Seen:
    """One value, `text` as the part inside a debugger tells it."""
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
