"""PowerPC assembly, 32-bit: registers are plain numbers, the stack pointer is register 1."""

from __future__ import annotations

import re

from abiprobe.harness.observers.assembly.assembly import Dialect, Other, State, nothing


def _store(state: State, match: re.Match[str]) -> None:
    state.stack[int(match[2])] = state.get(match[1])


def _load(state: State, match: re.Match[str]) -> None:
    state.set(match[1], state.stack.get(int(match[2]), Other.UNKNOWN))


def _add(state: State, match: re.Match[str]) -> None:
    base = Other.ADDRESS if match[2] == "1" else state.get(match[2])
    state.combine(match[1], base, lambda value: value + int(match[3]))


STEPS = {
    r"li (\d+), (-?\d+)": lambda state, match: state.set(match[1], int(match[2])),
    r"lis (\d+), (-?\d+)": lambda state, match: state.set(match[1], int(match[2]) << 16),
    r"lis (\d+), [\w.$+]+@\w+": lambda state, match: state.set(match[1], Other.ADDRESS),
    r"ori (\d+), (\d+), (\d+)": lambda state, match: state.combine(
        match[1], state.get(match[2]), lambda value: value | int(match[3])
    ),
    r"addi (\d+), (\d+), (-?\d+)": _add,
    r"(?:addi|la) (\d+), .*@.*": lambda state, match: state.set(match[1], Other.ADDRESS),
    r"mr (\d+), (\d+)": lambda state, match: state.set(match[1], state.get(match[2])),
    r"stw (\d+), (-?\d+)\(1\)": _store,
    r"lwz (\d+), (-?\d+)\(1\)": _load,
    r"l\w+u (\d+), .*\((\d+)\)": lambda state, match: state.registers.update(
        {match[2]: Other.ADDRESS, match[1]: Other.UNKNOWN}
    ),
    r"st\w+u \d+, .*\((\d+)\)": nothing,
    r"(?:st\w+|mflr|mtlr|cr\w+|nop)\b.*": nothing,
}
POWERPC = Dialect(
    STEPS,
    call=re.compile(r"bl ([\w.$]+)"),
    leave=re.compile(r"blr\b"),
    destination=re.compile(r"\w+ (\d+)\b"),
    preserved=frozenset(str(number) for number in range(14, 32)),
    comment="#",
)
