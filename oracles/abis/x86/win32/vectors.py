"""Vectors as clang passes them for Microsoft's ABI on i386: the first three themselves, later ones by reference."""

from __future__ import annotations

from abiprobe.oracles.abis.x86.i386 import calls as sysv
from abiprobe.oracles.abis.x86.i386.calls import FILES, CallState
from abiprobe.oracles.abis.x86.win32.data import WORD
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Pointer, Vector
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Extension, Passed, Passing, Piece, Place, Register

cite, _ = citing(__package__)
OTHER = cite("pass.other")
LARGEST = 64
"""Bytes of the largest vector that is passed itself."""
XMM_BYTES = 16


def is_one_element(types: TypeTable, vector: Vector) -> bool:
    """Return whether a vector has a single element."""
    return types.data.kind(vector.kind).size == vector.size


def by_reference(call: CallState, value: Travelling) -> Passed:
    """A value of which the address is passed."""
    address = sysv.pass_argument(call, Travelling.of(call.types, value.name, Pointer()))
    pieces = (Piece(one.start, one.end, one.place, OTHER, None, WORD) for one in address.pieces)
    return value.passed(Passing.INDIRECT, OTHER, *pieces)


def pass_vector(call: CallState, value: Travelling, vector: Vector) -> Passed:
    """A vector by itself, whatever it has room for, if it is one of the first three."""
    if value.is_unnamed and call.types.policies.va_arg_of_vectors:
        place = call.stack.push(round_up(vector.size, WORD), WORD)
        return value.passed(Passing.DIRECT, OTHER, piece(0, vector.size, place, round_up(vector.size, WORD)))
    if vector.size > LARGEST or call.counted == sysv.VECTOR_ARGUMENTS:
        return by_reference(call, value)
    call.counted += 1
    if is_one_element(call.types, vector):
        return value.passed(Passing.DIRECT, OTHER, *element(call, vector))
    width = max(XMM_BYTES, min(call.types.options.vectors, vector.size))
    pieces = (
        piece(start, min(start + width, vector.size), vector_place(call, width), width)
        for start in range(0, vector.size, width)
    )
    return value.passed(Passing.DIRECT, OTHER, *pieces)


def element(call: CallState, vector: Vector) -> tuple[Piece, ...]:
    """The one element of a vector: a real in a vector register, the words of an integer in general ones, in others the next word of the stack."""
    if vector.kind.is_floating:
        if call.variadic or call.vectors == sysv.VECTOR_ARGUMENTS:
            place: Place = call.stack.push(round_up(vector.size, WORD), WORD)
            return (piece(0, vector.size, place, round_up(vector.size, WORD)),)
        return (piece(0, vector.size, vector_place(call, XMM_BYTES), XMM_BYTES),)
    pieces = []
    left = [] if call.variadic else (call.general or call.scalars)
    for start in range(0, vector.size, WORD):
        place = Register(left.pop(0)) if left else call.stack.push(WORD, WORD)
        pieces.append(piece(start, min(start + WORD, vector.size), place, WORD))
    return tuple(pieces)


def vector_place(call: CallState, width: int) -> Place:
    """The next vector register of so many bytes, or as many bytes of the stack."""
    if call.variadic or call.vectors == sysv.VECTOR_ARGUMENTS:
        return call.stack.push(width, WORD if call.variadic else width)
    call.vectors += 1
    return Register(f"{FILES[width]}{call.vectors - 1}")


def piece(start: int, end: int, place: Place, width: int) -> Piece:
    """Some bytes of a vector in a place, of which the rest is undefined."""
    above = Extension.ANY if end - start < width else None
    return Piece(start, end, place, OTHER, above, width, OTHER if above else "")
