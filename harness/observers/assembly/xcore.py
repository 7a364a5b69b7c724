"""XCore assembly: offsets from the stack pointer are in words."""

from __future__ import annotations

import re

from abiprobe.harness.observers.assembly.assembly import WORD, Dialect, Other, State, Step


def _load(state: State, match: re.Match[str]) -> None:
    words = state.pool.get(match[2], ())
    state.set(match[1], words[0] if words else Other.UNKNOWN)


def _step(pattern: str, does: object) -> Step:
    assert callable(does)
    return re.compile(pattern), does


STEPS = (
    _step(r"ldc (\w+), (\d+)", lambda state, match: state.set(match[1], int(match[2]))),
    _step(r"mkmsk (\w+), (\d+)", lambda state, match: state.set(match[1], (1 << int(match[2])) - 1)),
    _step(r"ldw (\w+), [cd]p\[([\w.$]+)\]", _load),
    _step(
        r"ldw (\w+), sp\[(\d+)\]",
        lambda state, match: state.set(match[1], state.stack.get(int(match[2]) * WORD, Other.UNKNOWN)),
    ),
    _step(r"ldaw (\w+), \w+\[.*\]", lambda state, match: state.set(match[1], Other.ADDRESS)),
    _step(r"ldap (\w+), .*", lambda state, match: state.set(match[1], Other.ADDRESS)),
    _step(
        r"stw (\w+), sp\[(\d+)\]",
        lambda state, match: state.stack.update({int(match[2]) * WORD: state.get(match[1])}),
    ),
    _step(r"mov (\w+), (\w+)", lambda state, match: state.set(match[1], state.get(match[2]))),
    _step(
        r"neg (\w+), (\w+)",
        lambda state, match: state.combine(match[1], state.get(match[2]), lambda value: -value),
    ),
    _step(
        r"not (\w+), (\w+)",
        lambda state, match: state.combine(match[1], state.get(match[2]), lambda value: ~value),
    ),
    _step(
        r"add (\w+), (\w+), (\d+)",
        lambda state, match: state.combine(
            match[1], state.get(match[2]), lambda value: value + int(match[3])
        ),
    ),
    _step(r"(?:entsp|extsp|ldwsp|ext|set|st8|st16|stw|clre|bu|nop)\b.*", lambda _state, _match: None),
)
XCORE = Dialect(
    STEPS,
    call=re.compile(r"bl[a]? ([\w.$]+)"),
    leave=re.compile(r"retsp\b"),
    destination=re.compile(r"\w+ (r\d+)\b"),
    preserved=frozenset(f"r{number}" for number in range(4, 11)),
    comment="#",
)
