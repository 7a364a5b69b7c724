"""PowerPC assembly, 32-bit: registers are plain numbers, the stack pointer is register 1."""

from __future__ import annotations

import re

from abiprobe.harness.observers.assembly.assembly import Dialect, Other, State, Step


def _step(pattern: str, does: object) -> Step:
    assert callable(does)
    return re.compile(pattern), does


def _store(state: State, match: re.Match[str]) -> None:
    state.stack[int(match[2])] = state.get(match[1])


def _load(state: State, match: re.Match[str]) -> None:
    state.set(match[1], state.stack.get(int(match[2]), Other.UNKNOWN))


def _add(state: State, match: re.Match[str]) -> None:
    base = Other.ADDRESS if match[2] == "1" else state.get(match[2])
    state.combine(match[1], base, lambda value: value + int(match[3]))


STEPS = (
    _step(r"li (\d+), (-?\d+)", lambda state, match: state.set(match[1], int(match[2]))),
    _step(r"lis (\d+), (-?\d+)", lambda state, match: state.set(match[1], int(match[2]) << 16)),
    _step(r"lis (\d+), [\w.$+]+@\w+", lambda state, match: state.set(match[1], Other.ADDRESS)),
    _step(
        r"ori (\d+), (\d+), (\d+)",
        lambda state, match: state.combine(
            match[1], state.get(match[2]), lambda value: value | int(match[3])
        ),
    ),
    _step(r"addi (\d+), (\d+), (-?\d+)", _add),
    _step(r"(?:addi|la) (\d+), .*@.*", lambda state, match: state.set(match[1], Other.ADDRESS)),
    _step(r"mr (\d+), (\d+)", lambda state, match: state.set(match[1], state.get(match[2]))),
    _step(r"stw (\d+), (-?\d+)\(1\)", _store),
    _step(r"lwz (\d+), (-?\d+)\(1\)", _load),
    _step(
        r"l\w+u (\d+), .*\((\d+)\)",
        lambda state, match: (state.set(match[2], Other.ADDRESS), state.set(match[1], Other.UNKNOWN)),
    ),
    _step(r"st\w+u \d+, .*\((\d+)\)", lambda _state, _match: None),
    _step(r"(?:st\w+|mflr|mtlr|cr\w+|nop)\b.*", lambda _state, _match: None),
)
POWERPC = Dialect(
    STEPS,
    call=re.compile(r"bl ([\w.$]+)"),
    leave=re.compile(r"blr\b"),
    destination=re.compile(r"\w+ (\d+)\b"),
    preserved=frozenset(str(number) for number in range(14, 32)),
    comment="#",
)
