"""The place of a result (Return Values)."""

from __future__ import annotations

from abiprobe.oracles.abis.m68k.data import HOLE, OTHER, STORED, WORD
from abiprobe.oracles.abis.m68k.vectors import elements, is_divided, words
from abiprobe.oracles.engine.machine_modes import Mode, held_real, mode_of
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Complex, Pointer, Record, Scalar, Vector, spelling, strip
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Extension, Form, Passed, Passing, Piece, Register

cite, implements = citing(__package__)
INTEGER = cite("result.integer")
POINTER = cite("result.pointer")
REAL = cite("result.real")
MEMORY = cite("result.memory")
ADDRESS = Register("a1")
DATA = (Register("d0"), Register("d1"))
EXTENDED = 10
"""Bytes of a floating-point register."""


@implements("result.integer", "result.pointer", "result.real", "result.memory")
def assign_result(types: TypeTable, value: Travelling) -> Passed:
    """The place of a result; one in memory has no pieces."""
    # [m68k:result.memory]
    if is_in_memory(types, value):
        return value.passed(Passing.INDIRECT, MEMORY)
    if is_divided(types, value):
        places = iter(DATA)
        return value.passed(Passing.DIRECT, OTHER, *elements(types, value, lambda _size: next(places)))
    # [m68k:result.real]
    real = real_in(types, value)
    if real is not None and types.reading is None:
        raise SilentError(REAL, spelling(value.declared))
    if real is not None and types.reading is Reading.GCC:
        return value.passed(Passing.DIRECT, REAL, *in_floating(value))
    # [m68k:result.pointer]
    if isinstance(value.type, Pointer):
        return value.passed(Passing.DIRECT, POINTER, Piece(0, WORD, Register("a0"), POINTER, None, WORD))
    # [m68k:result.integer]
    return value.passed(Passing.DIRECT, INTEGER, *in_data(value))


def real_in(types: TypeTable, value: Travelling) -> Scalar | None:
    """The real that a result is, or that gcc holds it as."""
    held = held_real(types, value.type) if isinstance(value.type, Record) else value.type
    return held if isinstance(held, Scalar) and held.kind.is_floating else None


def is_in_memory(types: TypeTable, value: Travelling) -> bool:
    """Return whether a result is in memory: an aggregate by the text, and of what it does not have what no registers hold."""
    declared = strip(value.declared)
    if isinstance(value.type, Vector):
        few = words(types, value) <= len(DATA) if is_divided(types, value) else is_held(value, declared)
        return not few
    if isinstance(declared, Complex):
        return types.reading is Reading.CLANG or value.size > len(DATA) * WORD
    if not isinstance(value.type, Record):
        return False
    return not (types.policies.small_records_in_registers and is_small(types, value))


def is_held(value: Travelling, vector: object) -> bool:
    """Return whether gcc holds a vector as an integer."""
    assert isinstance(vector, Vector), "a vector is declared"
    return vector.kind.is_integer and value.size in {1, 2, WORD, 2 * WORD}


def is_small(types: TypeTable, value: Travelling) -> bool:
    """Return whether gcc holds a record as a number."""
    if not value.size or mode_of(types, value.type) is Mode.BLOCK:
        return False
    return value.size in {1, 2, WORD, 2 * WORD} or real_in(types, value) is not None


def in_floating(value: Travelling) -> tuple[Piece, ...]:
    """A real in fp0: a long double without the bytes that hold nothing, others extended."""
    register, (first, last) = Register("fp0"), HOLE
    if value.size == STORED:
        rest = Piece(last, STORED, register, REAL, None, EXTENDED, at=first)
        return Piece(0, first, register, REAL, None, EXTENDED), rest
    form = Piece(0, value.size, register, REAL, None, EXTENDED, form=Form.EXTENDED, order=value.order)
    return (form,)


def in_data(value: Travelling) -> tuple[Piece, ...]:
    """A value in d0, at the end of it if it is narrow, and what is behind the first word in d1."""
    if value.size < WORD:
        before = value.right_aligned(value.size, WORD)
        return (Piece(0, value.size, DATA[0], INTEGER, Extension.ANY, WORD, INTEGER, at=before),)
    return tuple(
        Piece(start, start + WORD, place, INTEGER, None, WORD)
        for start, place in zip(range(0, value.size, WORD), DATA, strict=False)
    )
