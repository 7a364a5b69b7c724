"""The characteristic data type and the vector length (2.2), and what a compiler refuses."""

from __future__ import annotations

from abiprobe.oracles.abis.vfabi.dialect import REGISTER, Dialect, Isa
from abiprobe.oracles.abis.vfabi.roles import Described, Role
from abiprobe.oracles.abis.vfabi.variant import RefusedError
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import (
    Atomic,
    BitInt,
    Enum,
    Kind,
    Pointer,
    Prototype,
    Record,
    Scalar,
    Type,
    spelling,
    strip,
    unnamed,
)
from abiprobe.oracles.language.simd import Simd
from abiprobe.oracles.text.clause import citing

cite, implements = citing(__package__)
RESULT = cite("cdt.result")
PARAMETER = cite("cdt.parameter")
RECORD = cite("cdt.record")
INT = cite("cdt.int")
SIMDLEN = cite("length.simdlen")
POWER_OF_TWO = cite("length.power-of-two")
LENGTH = cite("length.cdt")
FRACTION = cite("length.fraction")
CLANG_FRACTION = cite("clang.fraction")
GCC_TYPES = cite("gcc.types")
GCC_SIMDLEN = cite("gcc.simdlen")

SIZES = frozenset({1, 2, 4, 8})
LONGEST = 1024
REGISTERS = 16
UNBOUNDED = 16
"""The vector length up to which gcc does not count registers."""


@implements("cdt.result", "cdt.parameter", "cdt.record", "cdt.int")
def characteristic(prototype: Prototype, described: tuple[Described, ...]) -> tuple[Type, str]:
    """The characteristic data type, and the clause that chose it."""
    first = next((one.param.type for one in described if one.role is Role.VECTOR), None)
    if prototype.result is not None:
        found, clause = prototype.result, RESULT
    elif first is not None:
        found, clause = first, PARAMETER
    else:
        return Scalar(Kind.INT), INT
    if isinstance(strip(found), Record):
        return Scalar(Kind.INT), RECORD
    return found, clause


@implements("length.integer-register", "gcc.integer-register", "clang.register")
def register_bytes(dialect: Dialect, isa: Isa, c_type: Type) -> tuple[int, str]:
    """Return the width in bytes of the register that holds elements of a type, and its clause."""
    # [vfabi:length.integer-register] [vfabi:gcc.integer-register] [vfabi:clang.register]
    if isa is Isa.AVX and not is_real(c_type):
        return dialect.avx_integers, dialect.avx_clause
    return REGISTER[isa], LENGTH


@implements("length.simdlen", "length.cdt", "length.fraction", "clang.fraction")
def vector_length(dialect: Dialect, types: TypeTable, isa: Isa, simd: Simd, cdt: Type) -> tuple[int, str]:
    """The number of lanes of the variants for an ISA, and the clause that decides it."""
    if simd.simdlen is not None:
        return simd.simdlen, SIMDLEN
    width, clause = register_bytes(dialect, isa, cdt)
    size = types.extent(cdt).size
    if not size or width % size:
        if not dialect.rounds_length_down or not size:
            raise SilentError(FRACTION, f"{spelling(cdt)} has {size} bytes, the register {width}")
        clause = CLANG_FRACTION
    # [vfabi:length.cdt]
    return width // size, clause


@implements("length.power-of-two", "gcc.simdlen", "clang.simdlen", "gcc.types")
def refuse(
    dialect: Dialect, types: TypeTable, prototype: Prototype, described: tuple[Described, ...], simd: Simd
) -> None:
    """Raise `RefusedError` where a dialect makes no variants of a pragma."""
    length = simd.simdlen
    # [vfabi:clang.simdlen]
    if length is not None and not dialect.any_simdlen and length & (length - 1):
        raise RefusedError(POWER_OF_TWO, f"unsupported simdlen {length}")
    if not dialect.refuses:
        return
    if length is not None and not 1 < length <= LONGEST:
        raise RefusedError(GCC_SIMDLEN, f"unsupported simdlen {length}")
    if prototype.result is not None and not is_element(types, prototype.result):
        raise RefusedError(GCC_TYPES, f"unsupported return type {spelling(prototype.result)}")
    for one in described:
        if one.role is not Role.UNIFORM and not is_element(types, one.param.type):
            raise RefusedError(GCC_TYPES, f"unsupported argument type {spelling(one.param.type)}")
    cdt = characteristic(prototype, described)[0]
    bytes_needed = types.extent(cdt).size * (length or 0)
    if length is not None and length > UNBOUNDED and bytes_needed > REGISTERS * REGISTER[Isa.SSE]:
        raise RefusedError(GCC_SIMDLEN, f"unsupported simdlen {length}")


def is_real(c_type: Type) -> bool:
    """Return whether gcc counts a type among the floating ones."""
    inner = strip(c_type)
    return isinstance(inner, Scalar) and inner.kind.is_floating


def is_element(types: TypeTable, c_type: Type) -> bool:
    """Return whether gcc makes vectors of a type."""
    c_type = unnamed(c_type)
    if isinstance(c_type, Atomic):
        return False
    match c_type:
        case Scalar(Kind.FLOAT | Kind.DOUBLE):
            return True
        case Scalar(kind) if kind.is_floating:
            return False
        case Scalar() | Enum() | Pointer() | BitInt():
            return types.extent(c_type).size in SIZES
        case _:
            return False
