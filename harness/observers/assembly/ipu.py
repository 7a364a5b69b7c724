"""IPU assembly: offsets are in words or double words, the stack pointer is $m11; instructions may stand in bundles."""

from __future__ import annotations

import re

from abiprobe.harness.observers.assembly.assembly import WORD, Dialect, Other, State, forget_pair, nothing

ZEROES = frozenset({"m15", "a15", "mzero", "azero"})


def _number(text: str) -> int:
    return int(text, 0)


def _pair(name: str) -> tuple[str, str]:
    file, first, second = name[0], *name[1:].split(":")
    return file + first, file + second


def _move(state: State, match: re.Match[str]) -> None:
    state.set(match[1], 0 if match[2] in ZEROES else state.get(match[2]))


def _move_pair(state: State, match: re.Match[str]) -> None:
    for to, of in zip(_pair(match[1]), _pair(match[2]), strict=True):
        state.set(to, state.get(of))


def _combine(state: State, match: re.Match[str]) -> None:
    amount = _number(match[3])
    state.combine(match[1], 0 if match[2] in ZEROES else state.get(match[2]), lambda value: value | amount)


def _add(state: State, match: re.Match[str]) -> None:
    target, base, amount = match[1], match[2], _number(match[3])
    if base == target == "m11":
        return
    if base in {"m11", "sp"}:
        state.set(target, Other.ADDRESS)
    elif base in ZEROES:
        state.set(target, amount)
    else:
        state.combine(target, state.get(base), lambda value: value + amount)


def _store(state: State, match: re.Match[str]) -> None:
    held = 0 if match[1] in ZEROES else state.get(match[1])
    state.stack[_number(match[2]) * WORD] = held


def _store_pair(state: State, match: re.Match[str]) -> None:
    at = _number(match[2]) * 2 * WORD
    for offset, name in enumerate(_pair(match[1])):
        state.stack[at + offset * WORD] = state.get(name)


def _load(state: State, match: re.Match[str]) -> None:
    state.set(match[1], state.stack.get(_number(match[2]) * WORD, Other.UNKNOWN))


REGISTER = r"\$([am]\w+)"
PAIR = r"\$([am]\d+:\d+)"
STACK = r"\$(?:m11|sp), \$(?:m15|mzero)"
STEPS = {
    rf"setzi {REGISTER}, (\d\w*)": lambda state, match: state.set(match[1], _number(match[2])),
    rf"setzi {REGISTER}, [A-Za-z_.].*": lambda state, match: state.set(match[1], Other.ADDRESS),
    rf"or {REGISTER}, {REGISTER}, (\w+)": _combine,
    rf"add {REGISTER}, {REGISTER}, (-?\w+)": _add,
    rf"mov {REGISTER}, {REGISTER}": _move,
    rf"mov {PAIR}, {PAIR}": _move_pair,
    rf"st32 {REGISTER}, {STACK}, (\w+)": _store,
    rf"st64 {PAIR}, {STACK}, (\w+)": _store_pair,
    rf"ld32 {REGISTER}, {STACK}, (\w+)": _load,
    rf"\w+ {PAIR}, .*": forget_pair(_pair),
    r"(?:st\w+|[{}]|f?nop)(?: .*)?": nothing,
}
IPU = Dialect(
    STEPS,
    call=re.compile(r"call \$(?:m10|lr), ([\w.$]+)"),
    leave=re.compile(r"br \$(?:m10|lr)"),
    destination=re.compile(r"\w+ \$([am]\d+)\b"),
    preserved=frozenset({"m7", "m8", "m9", "a6", "a7"}),
    comment="#",
)
