"""DPU assembly: the stack pointer is r22, and moves up when a frame is made; `d4` is r4 and r5, r4 the higher word."""

from __future__ import annotations

import re

from abiprobe.harness.observers.assembly.assembly import (
    WORD,
    Dialect,
    Held,
    Other,
    State,
    forget_pair,
    nothing,
)

STACK_POINTER = "r22"
ABOVE = 1 << 32


def _number(text: str) -> int:
    return int(text, 0)


def _move(state: State, match: re.Match[str]) -> None:
    target, source = match[1], match[2]
    if target.startswith("d"):
        for to, of in zip(_pair(target), _pair(source), strict=True):
            state.set(to, state.get(of))
    elif source == STACK_POINTER:
        state.set(target, Other.ADDRESS)
    elif source.startswith("r"):
        state.set(target, state.get(source))
    else:
        state.set(target, _constant(source))


def _constant(text: str) -> Held:
    """A number, or the address that a symbol is."""
    try:
        return _number(text)
    except ValueError:
        return Other.ADDRESS


def _pair(name: str) -> tuple[str, str]:
    number = int(name.removeprefix("d"))
    return f"r{number}", f"r{number + 1}"


def _add(state: State, match: re.Match[str]) -> None:
    target, base, amount = match[1], match[2], _number(match[3])
    if target == STACK_POINTER == base:
        state.shift += amount
    elif base == STACK_POINTER:
        state.set(target, Other.ADDRESS)
    else:
        state.combine(target, state.get(base), lambda value: value + amount)


def _store(state: State, match: re.Match[str]) -> None:
    state.stack[state.shift + _number(match[1])] = _held(state, match[2])


def _held(state: State, text: str) -> Held:
    return state.get(text) if text.startswith("r") else _constant(text)


def _store_pair(state: State, match: re.Match[str]) -> None:
    at = state.shift + _number(match[1])
    if match[2].startswith("d"):
        high, low = (state.get(name) for name in _pair(match[2]))
    else:
        whole = _number(match[2]) % (ABOVE * ABOVE)
        high, low = whole // ABOVE, whole % ABOVE
    state.stack[at], state.stack[at + WORD] = low, high


def _load(state: State, match: re.Match[str]) -> None:
    state.set(match[1], state.stack.get(state.shift + _number(match[2]), Other.UNKNOWN))


def _load_pair(state: State, match: re.Match[str]) -> None:
    at = state.shift + _number(match[2])
    high, low = _pair(match[1])
    state.set(low, state.stack.get(at, Other.UNKNOWN))
    state.set(high, state.stack.get(at + WORD, Other.UNKNOWN))


STEPS = {
    r"moved? ([rd]\d+), (\S+)": _move,
    r"add (r\d+), (r\d+), (-?\w+)": _add,
    r"sw r22, (-?\w+), (\S+)": _store,
    r"sd r22, (-?\w+), (\S+)": _store_pair,
    r"lw (r\d+), r22, (-?\w+)": _load,
    r"ld (d\d+), r22, (-?\w+)": _load_pair,
    r"\w+ (d\d+), .*": forget_pair(_pair),
    r"(?:s[bhwd]\w*|nop)\b.*": nothing,
}
DPU = Dialect(
    STEPS,
    call=re.compile(r"call r23, ([\w.$]+)"),
    leave=re.compile(r"jump r23\b"),
    destination=re.compile(r"\w+ (r\d+)\b"),
    preserved=frozenset(f"r{number}" for number in range(14, 22)),
    comment="//",
)
