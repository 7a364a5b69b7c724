"""Straight-line assembly, followed as far as constants and addresses go.

A function that passes or returns constants has no branches: each line loads a constant, stores one or takes an address.
What is not understood makes its destination unknown, and an unknown place is never compared.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

WORD = 4
MASK = (1 << 32) - 1


class Other(Enum):
    """The content of a place that is no constant."""

    ADDRESS = "address"
    """the address of an object, or of a copy in the frame"""
    UNKNOWN = "unknown"
    """the outcome of an instruction that is not followed"""
    UNWRITTEN = "nothing"
    """what was there before: no instruction has put anything there"""


Held: TypeAlias = int | Other


@dataclass
class State:
    """Registers by name, and the words of the frame by their offset in bytes from the stack pointer.

    Where that moves, `shift` is how far it has come, and offsets are from where it was.
    """

    pool: Mapping[str, Sequence[int]]
    registers: dict[str, Held] = field(default_factory=dict)
    stack: dict[int, Held] = field(default_factory=dict)
    shift: int = 0

    def get(self, name: str) -> Held:
        """Return the content of a register."""
        return self.registers.get(name, Other.UNWRITTEN)

    def set(self, name: str, held: Held) -> None:
        """Put a value in a register."""
        self.registers[name] = held & MASK if isinstance(held, int) else held

    def forget(self, but: frozenset[str]) -> None:
        """Leave only what some registers hold: a call does what it likes with the others."""
        self.registers = {name: held for name, held in self.registers.items() if name in but}

    def combine(self, name: str, one: Held, operation: Callable[[int], int]) -> None:
        """Put in a register what an operation makes of a value; an address stays one."""
        self.set(name, operation(one) if isinstance(one, int) else one)


Effect: TypeAlias = Callable[[State, re.Match[str]], object]


def nothing(_state: State, _match: re.Match[str]) -> None:
    """The line changes nothing that is followed."""


def load_pooled(state: State, match: re.Match[str]) -> None:
    """Load the first word behind label 2 into register 1."""
    words = state.pool.get(match[2], ())
    state.set(match[1], words[0] if words else Other.UNKNOWN)


def forget_pair(pair: Callable[[str], tuple[str, str]]) -> Effect:
    """Put something unknown in both halves, which `pair` names, of the double register 1."""

    def effect(state: State, match: re.Match[str]) -> None:
        for name in pair(match[1]):
            state.set(name, Other.UNKNOWN)

    return effect


@dataclass(frozen=True)
class Dialect:
    """The assembly of one instruction set: what ends a call or a function, and what each line does.

    `steps` maps patterns of whole lines to what such lines do.
    `call` matches a call with the name of the callee in group 1, `leave` a return; `destination` gives the register that a
    line which no step knows would write; `preserved` are the registers that outlive a call.
    """

    steps: Mapping[str, Effect]
    call: re.Pattern[str]
    leave: re.Pattern[str]
    destination: re.Pattern[str]
    preserved: frozenset[str]
    comment: str


LABEL = re.compile(r"([\w.$]+):$")
LONG = re.compile(r"\.(?:long|word|4byte)\s+(-?(?:0x)?[0-9a-fA-F]+)$")


def split(dialect: Dialect, text: str) -> dict[str, list[str]]:
    """The lines behind each label, without comments, blanks and directives that hold no number."""
    found: dict[str, list[str]] = {}
    current: list[str] = []
    for raw in text.splitlines():
        line = " ".join(raw.split(dialect.comment)[0].split())
        label = LABEL.fullmatch(line)
        if label:
            current = found.setdefault(label[1], [])
        elif line and (not line.startswith(".") or LONG.fullmatch(line)):
            current.append(line)
    return found


def pool(functions: Mapping[str, list[str]]) -> dict[str, list[int]]:
    """The words of every label behind which there are some."""
    words = {
        name: [int(match[1], 0) & MASK for line in lines if (match := LONG.fullmatch(line))]
        for name, lines in functions.items()
    }
    return {name: numbers for name, numbers in words.items() if numbers}


def follow(dialect: Dialect, functions: Mapping[str, list[str]], name: str, callee: str = "") -> State | None:
    """The state in which function `name` calls `callee`, or returns; `None` when it does neither."""
    state = State(pool(functions))
    for line in body(functions, name):
        called = dialect.call.match(line)
        if called and called[1] == callee:
            return state
        if called:
            state.forget(dialect.preserved)
        elif dialect.leave.match(line):
            return None if callee else state
        else:
            step(dialect, state, line)
    return None


def body(functions: Mapping[str, list[str]], name: str) -> list[str]:
    """The lines of a function; local labels inside it do not end it."""
    names = list(functions)
    if name not in names:
        return []
    start = names.index(name)
    lines = list(functions[name])
    for inner in names[start + 1 :]:
        if not inner.startswith((".Lfunc_begin", ".Ltmp")):
            break
        lines += functions[inner]
    return lines


def step(dialect: Dialect, state: State, line: str) -> None:
    """Follow one line."""
    for pattern, effect in dialect.steps.items():
        match = re.fullmatch(pattern, line)
        if match:
            effect(state, match)
            return
    written = dialect.destination.match(line)
    if written:
        state.set(written[1], Other.UNKNOWN)
