"""Arm assembly with hardware floating point: `d1` is s2 and s3, the lower word in the even one."""

from __future__ import annotations

import re
import struct

from abiprobe.harness.observers.assembly.assembly import (
    Dialect,
    Held,
    Other,
    State,
    forget_pair,
    load_pooled,
    nothing,
)


def _pair(name: str) -> tuple[str, str]:
    number = int(name.removeprefix("d")) * 2
    return f"s{number}", f"s{number + 1}"


def _load_pair(state: State, match: re.Match[str]) -> None:
    words: tuple[Held, ...] = (*state.pool.get(match[2], ()), Other.UNKNOWN, Other.UNKNOWN)
    for name, word in zip(_pair(match[1]), words, strict=False):
        state.set(name, word)


def _real(state: State, match: re.Match[str]) -> None:
    (word,) = struct.unpack("<I", struct.pack("<f", float(match[2])))
    state.set(match[1], word)


def _real_pair(state: State, match: re.Match[str]) -> None:
    words = struct.unpack("<II", struct.pack("<d", float(match[2])))
    for name, word in zip(_pair(match[1]), words, strict=True):
        state.set(name, word)


def _top(state: State, match: re.Match[str]) -> None:
    state.combine(match[1], state.get(match[1]), lambda value: value & 0xFFFF | int(match[2], 0) << 16)


NUMBER = r"#(-?\w+)"
STEPS = {
    rf"movw? (r\d+), {NUMBER}": lambda state, match: state.set(match[1], int(match[2], 0)),
    rf"mvn (r\d+), {NUMBER}": lambda state, match: state.set(match[1], ~int(match[2], 0)),
    rf"movt (r\d+), {NUMBER}": _top,
    r"mov (r\d+), (r\d+)": lambda state, match: state.set(match[1], state.get(match[2])),
    r"vldr (s\d+), (\.\w+)": load_pooled,
    r"ldr (r\d+), (\.\w+)": load_pooled,
    r"vldr (d\d+), (\.\w+)": _load_pair,
    r"vmov\.f32 (s\d+), #(\S+)": _real,
    r"vmov\.f64 (d\d+), #(\S+)": _real_pair,
    r"vmov (s\d+), (r\d+)": lambda state, match: state.set(match[1], state.get(match[2])),
    r"v\S+ (d\d+), .*": forget_pair(_pair),
    r"(?:push|str\w*|vstr|sub sp)\b.*": nothing,
}
ARM = Dialect(
    STEPS,
    call=re.compile(r"bl ([\w.$]+)"),
    leave=re.compile(r"bx lr"),
    destination=re.compile(r"\S+ ([rs]\d+)\b"),
    preserved=frozenset(f"r{number}" for number in range(4, 12)),
    comment="@",
)
