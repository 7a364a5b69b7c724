"""The place of a result (Intel386 psABI 2.2.3, Returning Values)."""

from __future__ import annotations

from itertools import count

from abiprobe.oracles.abis.x86.data import PACKED_TYPES, X87_BYTES
from abiprobe.oracles.abis.x86.i386.data import VECTOR_SIZE, WORD
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import BitInt, Complex, Kind, Record, Scalar, Type, Vector, spelling
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Extension, Form, Passed, Passing, Piece, Place, Register

cite, implements = citing(__package__)
INTEGER = cite("result.integer")
NARROW = cite("result.narrow")
X87 = cite("result.x87")
COMPLEX_FLOAT = cite("result.complex-float")
DECIMAL = cite("result.decimal")
VECTOR = cite("result.vector")
MEMORY = cite("result.memory")
EMPTY = cite("result.empty")
FLOAT16 = cite("pass.float16")
ELEMENT = cite("pass.m64-element")
VECTORS = {8: "mm0", 16: "xmm0", 32: "ymm0", 64: "zmm0"}
SIXTEEN_BITS = frozenset({Kind.FLOAT16, Kind.BF16})


def is_other_size(types: TypeTable, vector: Vector) -> bool:
    """Return whether a vector has a size of which the text knows no packed type."""
    return vector.size not in PACKED_TYPES or vector.size > types.options.vectors


@implements("pass.m64-element")
def is_packed(types: TypeTable, vector: Vector) -> bool:
    """Return whether a vector is one of the packed types, which registers pass and return; the text knows no other size."""
    if is_other_size(types, vector):
        if types.reading is None:
            raise SilentError(VECTOR_SIZE, spelling(vector))
        return False
    alone = vector.kind is Kind.DOUBLE and vector.size == 8
    if (alone or vector.kind in SIXTEEN_BITS) and types.reading is None:
        raise SilentError(ELEMENT, spelling(vector))
    return not alone


@implements("result.memory", "result.empty")
def in_memory(types: TypeTable, result: Type, value: Travelling) -> bool:
    """Return whether a result is returned in memory."""
    # [i386:result.memory]
    match value.type:
        case Record():
            if not value.size and types.reading is None:
                raise SilentError(EMPTY, f"{spelling(result)} has no bytes")
            # gcc and clang have a pointer to one without bytes too.
            return True
        case Complex(kind):
            return kind is not Kind.FLOAT and kind not in SIXTEEN_BITS
        case Scalar(Kind.FLOAT128 | Kind.DECIMAL128):
            return True
        case BitInt():
            return value.size > 2 * WORD
        case Vector() as vector:
            # gcc has no mode for a vector of one float.
            small = vector.size <= WORD and vector.kind is not Kind.FLOAT
            kept = types.reading is Reading.CLANG or small
            return not is_packed(types, vector) and not kept
        case _:
            return False


@implements(
    "result.integer", "result.x87", "result.complex-float", "result.decimal", "result.vector", "pass.float16"
)
def in_registers(types: TypeTable, result: Type, value: Travelling) -> Passed:
    """A result in registers."""
    match value.type:
        case Scalar(kind) | Complex(kind) if kind in SIXTEEN_BITS:
            if types.reading is None:
                raise SilentError(FLOAT16, spelling(result))
            piece = Piece(0, value.size, Register("xmm0"), FLOAT16, Extension.ANY, 16, FLOAT16)
            return value.passed(Passing.DIRECT, FLOAT16, piece)
        case Complex():
            return in_general(value, COMPLEX_FLOAT)
        case Scalar(Kind.DECIMAL32 | Kind.DECIMAL64):
            return in_general(value, DECIMAL)
        case Scalar(kind) if kind.is_floating:
            return value.passed(Passing.DIRECT, X87, x87(value.size))
        case Vector() as vector if types.reading is Reading.CLANG and is_other_size(types, vector):
            return value.passed(Passing.DIRECT, VECTOR_SIZE, *divided(types, vector))
        case Vector(size=size) as vector if is_other_size(types, vector) or size == WORD:
            return in_general(value, VECTOR_SIZE)
        case Vector() as vector if not is_packed(types, vector):
            # To clang a vector of one double is a double.
            return value.passed(Passing.DIRECT, ELEMENT, x87(value.size))
        case Vector(kind=kind, size=8) if types.policies.no_mmx_registers:
            if kind in {Kind.LLONG, Kind.ULLONG}:
                return in_general(value, VECTOR)
            piece = Piece(0, 8, Register("xmm0"), VECTOR, Extension.ANY, 16, VECTOR)
            return value.passed(Passing.DIRECT, VECTOR, piece)
        case Vector(size=size):
            return value.passed(
                Passing.DIRECT, VECTOR, Piece(0, size, Register(VECTORS[size]), VECTOR, None, size)
            )
        case _:
            return in_general(value, INTEGER)


def divided(types: TypeTable, vector: Vector) -> list[Piece]:
    """The shares of a vector that no register holds, in as many as it takes; a small one is in the first part of one."""
    width = types.options.vectors
    names = (f"{VECTORS[width][:3]}{index}" for index in count())
    return [
        share(vector, start, width, Register(name))
        for start, name in zip(range(0, vector.size, width), names, strict=False)
    ]


def share(vector: Vector, start: int, width: int, place: Place) -> Piece:
    """The share of a vector from a byte on that is in a place of so many bytes."""
    end = min(start + width, vector.size)
    above = Extension.ANY if end - start < width else None
    return Piece(start, end, place, VECTOR_SIZE, above, width, VECTOR_SIZE if above else "")


def x87(size: int) -> Piece:
    """A real in st0: a long double as it is, others extended."""
    if size > 8:
        return Piece(0, X87_BYTES, Register("st0"), X87, None, X87_BYTES)
    return Piece(0, size, Register("st0"), X87, None, X87_BYTES, form=Form.EXTENDED)


@implements("result.narrow")
def in_general(value: Travelling, clause: str) -> Passed:
    """A result in eax, and in edx if it has eight bytes."""
    if value.size <= 4:
        above = Extension.ANY if value.size < 4 else None
        return value.passed(
            Passing.DIRECT, clause, Piece(0, value.size, Register("eax"), clause, above, 4, NARROW)
        )
    low, high = Register("eax"), Register("edx")
    return value.passed(
        Passing.DIRECT, clause, Piece(0, 4, low, clause, None, 4), Piece(4, 8, high, clause, None, 4)
    )
