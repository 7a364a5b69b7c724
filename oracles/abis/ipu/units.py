"""A value cut into units: what takes one register, pair or quad of one file, or one slot of the stack."""

from __future__ import annotations

from dataclasses import dataclass, replace

from abiprobe.oracles.abis.ipu.convention import PAIR, QUAD, WORD, Convention
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import BitInt, Enum, Kind, Pointer, Scalar, Vector
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Extension

cite, implements = citing(__package__)
INTEGER = cite("pass.integer")
FLOAT = cite("pass.float")
SUPERVISOR = cite("pass.supervisor")
IN_PAIR = cite("pass.pair")
IN_QUAD = cite("pass.quad")
EXTEND = cite("pass.extend")
HALF = cite("pass.half")
LANES = cite("pass.vector-lanes")
WIDE = cite("pass.vector-wide")
LOOSE_WORDS = cite("dialect.loose-words")
TWO_PAIRS = cite("dialect.two-pairs")
LANE = 2
"""Bytes of a lane: there are no vectors of anything narrower."""


@dataclass(frozen=True)
class Unit:
    """The bytes `[start, end)` of a value, in `count` registers of `file` (`m`, `a`) or a slot of the stack.

    `align` is that of the slot in bytes; `lane` as `Piece` has it.
    """

    start: int
    end: int
    file: str
    clause: str
    count: int = 1
    align: int = WORD
    above: Extension | None = None
    above_clause: str = ""
    lane: int = 0


def units(types: TypeTable, abi: Convention, value: Travelling) -> tuple[Unit, ...]:
    """The units of a scalar or vector of at most 128 bits, in order; raises `SilentError` for a wider one."""
    match value.type:
        case Vector(kind=kind, size=size):
            return vector(types, abi, value, kind, size)
        case Scalar(kind) if kind.is_floating:
            return floating(abi, value)
        case _:
            return integer(types, abi, value)


@implements("pass.integer", "pass.extend", "pass.pair", "dialect.loose-words")
def integer(types: TypeTable, abi: Convention, value: Travelling) -> tuple[Unit, ...]:
    """An integer or pointer: one word, or the two of 64 bits."""
    above = extension(types, value)
    clause = EXTEND if above else ""
    if value.size <= WORD:
        return (Unit(0, value.size, "m", INTEGER, above=above, above_clause=clause),)
    # [ipu:dialect.loose-words]
    return double_word(abi, "m", Unit(0, value.size, "m", IN_PAIR, above=above, above_clause=clause))


@implements("pass.float", "pass.half", "pass.supervisor")
def floating(abi: Convention, value: Travelling) -> tuple[Unit, ...]:
    """A real: in an $a register, if the code has them."""
    file = "a" if abi.worker else "m"
    clause = FLOAT if abi.worker else SUPERVISOR
    if value.size > WORD:
        return double_word(abi, file, Unit(0, value.size, file, IN_PAIR))
    above = Extension.ANY if value.size < WORD else None
    return (Unit(0, value.size, file, clause, above=above, above_clause=HALF if above else ""),)


def double_word(abi: Convention, file: str, whole: Unit) -> tuple[Unit, ...]:
    """A scalar of 64 bits: an aligned pair, or two words of which each finds its own place."""
    if abi.pairs:
        return (replace(whole, file=file, count=2),)
    low = Unit(0, WORD, "m", LOOSE_WORDS)
    return low, replace(whole, start=WORD, file="m", clause=LOOSE_WORDS)


@implements("pass.vector-lanes", "pass.vector-wide")
def vector(types: TypeTable, abi: Convention, value: Travelling, kind: Kind, size: int) -> tuple[Unit, ...]:
    """A vector, elements of one byte widened to a lane, ones of 8 bytes as scalars."""
    element = types.data.kind(kind).size
    lane = LANE if element == 1 else 0
    width = size * (lane or 1)
    if width > QUAD:
        raise SilentError(WIDE, f"{value.name or 'the result'} is a vector of more than 128 bits")
    if (kind.is_floating and not abi.worker) or (element > WORD and not abi.quads):
        step = min(element, WORD)
        return tuple(
            Unit(at, at + step, "m", SUPERVISOR if element <= WORD else LOOSE_WORDS)
            for at in range(0, size, step)
        )
    file = "a" if kind.is_floating and abi.worker else "m"
    if width <= WORD:
        clause = LANES if lane else FLOAT if file == "a" else INTEGER
        above = Extension.ANY if width < WORD else None
        return (Unit(0, size, file, clause, above=above, above_clause=clause if above else "", lane=lane),)
    return wide_vector(abi, file, size, width, lane)


@implements("pass.pair", "pass.quad", "dialect.two-pairs")
def wide_vector(abi: Convention, file: str, size: int, width: int, lane: int) -> tuple[Unit, ...]:
    """A vector of 64 bits in a pair, one of 128 in a quad, or in the two pairs that the compiler makes of it."""
    if width == PAIR:
        return (Unit(0, size, file, LANES if lane else IN_PAIR, count=2, align=PAIR, lane=lane),)
    if abi.quads:
        return (Unit(0, size, file, LANES if lane else IN_QUAD, count=4, align=PAIR, lane=lane),)
    half = size // 2
    return tuple(Unit(at, at + half, file, TWO_PAIRS, count=2, align=PAIR, lane=lane) for at in (0, half))


@implements("pass.extend")
def extension(types: TypeTable, value: Travelling) -> Extension | None:
    """Return the extension above an integer in its words."""
    width = value.size * 8
    match value.type:
        case BitInt(width=own):
            if own > WORD * 8:
                return Extension.ANY if own < width else None
            width = own
        case Scalar() | Enum():
            pass
        case Pointer():
            return None
    if width >= WORD * 8:
        return None
    return Extension.SIGN if types.is_signed(value.type) else Extension.ZERO
