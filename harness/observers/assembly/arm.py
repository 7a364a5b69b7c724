"""Arm assembly with hardware floating point: `d1` is s2 and s3, the lower word in the even one."""

from __future__ import annotations

import re
import struct

from abiprobe.harness.observers.assembly.assembly import Dialect, Held, Other, State, Step


def _step(pattern: str, does: object) -> Step:
    assert callable(does)
    return re.compile(pattern), does


def _pair(name: str) -> tuple[str, str]:
    number = int(name.removeprefix("d")) * 2
    return f"s{number}", f"s{number + 1}"


def _load(state: State, match: re.Match[str]) -> None:
    words = state.pool.get(match[2], ())
    state.set(match[1], words[0] if words else Other.UNKNOWN)


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


def _forget_pair(state: State, match: re.Match[str]) -> None:
    for name in _pair(match[1]):
        state.set(name, Other.UNKNOWN)


NUMBER = r"#(-?\w+)"
STEPS = (
    _step(rf"movw? (r\d+), {NUMBER}", lambda state, match: state.set(match[1], int(match[2], 0))),
    _step(rf"mvn (r\d+), {NUMBER}", lambda state, match: state.set(match[1], ~int(match[2], 0))),
    _step(rf"movt (r\d+), {NUMBER}", _top),
    _step(r"mov (r\d+), (r\d+)", lambda state, match: state.set(match[1], state.get(match[2]))),
    _step(r"vldr (s\d+), (\.\w+)", _load),
    _step(r"ldr (r\d+), (\.\w+)", _load),
    _step(r"vldr (d\d+), (\.\w+)", _load_pair),
    _step(r"vmov\.f32 (s\d+), #(\S+)", _real),
    _step(r"vmov\.f64 (d\d+), #(\S+)", _real_pair),
    _step(r"vmov (s\d+), (r\d+)", lambda state, match: state.set(match[1], state.get(match[2]))),
    _step(r"v\S+ (d\d+), .*", _forget_pair),
    _step(r"(?:push|str\w*|vstr|sub sp)\b.*", lambda _state, _match: None),
)
ARM = Dialect(
    STEPS,
    call=re.compile(r"bl ([\w.$]+)"),
    leave=re.compile(r"bx lr"),
    destination=re.compile(r"\S+ ([rs]\d+)\b"),
    preserved=frozenset(f"r{number}" for number in range(4, 12)),
    comment="@",
)
