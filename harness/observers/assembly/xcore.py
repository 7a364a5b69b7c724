"""XCore assembly: offsets from the stack pointer are in words."""

from __future__ import annotations

import re

from abiprobe.harness.observers.assembly.assembly import WORD, Dialect, Other, load_pooled, nothing

STEPS = {
    r"ldc (\w+), (\d+)": lambda state, match: state.set(match[1], int(match[2])),
    r"mkmsk (\w+), (\d+)": lambda state, match: state.set(match[1], (1 << int(match[2])) - 1),
    r"ldw (\w+), [cd]p\[([\w.$]+)\]": load_pooled,
    r"ldw (\w+), sp\[(\d+)\]": lambda state, match: state.set(
        match[1], state.stack.get(int(match[2]) * WORD, Other.UNKNOWN)
    ),
    r"ldaw (\w+), \w+\[.*\]": lambda state, match: state.set(match[1], Other.ADDRESS),
    r"ldap (\w+), .*": lambda state, match: state.set(match[1], Other.ADDRESS),
    r"stw (\w+), sp\[(\d+)\]": lambda state, match: state.stack.update(
        {int(match[2]) * WORD: state.get(match[1])}
    ),
    r"mov (\w+), (\w+)": lambda state, match: state.set(match[1], state.get(match[2])),
    r"neg (\w+), (\w+)": lambda state, match: state.combine(
        match[1], state.get(match[2]), lambda value: -value
    ),
    r"not (\w+), (\w+)": lambda state, match: state.combine(
        match[1], state.get(match[2]), lambda value: ~value
    ),
    r"add (\w+), (\w+), (\d+)": lambda state, match: state.combine(
        match[1], state.get(match[2]), lambda value: value + int(match[3])
    ),
    r"(?:entsp|extsp|ldwsp|ext|set|st8|st16|stw|clre|bu|nop)\b.*": nothing,
}
XCORE = Dialect(
    STEPS,
    call=re.compile(r"bl[a]? ([\w.$]+)"),
    leave=re.compile(r"retsp\b"),
    destination=re.compile(r"\w+ (r\d+)\b"),
    preserved=frozenset(f"r{number}" for number in range(4, 11)),
    comment="#",
)
