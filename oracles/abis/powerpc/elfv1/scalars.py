"""Arguments that are no aggregates: integers, pointers, reals, complex numbers and vectors (3.2.3 Parameter Passing)."""

from __future__ import annotations

from msgspec import structs

from abiprobe.oracles.abis.powerpc.doublewords import DOUBLEWORD, QUADWORD, Doublewords
from abiprobe.oracles.abis.powerpc.elfv1.data import BIT_INT, OTHER_REAL, OTHER_REALS, OTHER_VECTOR
from abiprobe.oracles.abis.powerpc.elfv1.in_register import above, real, right_aligned
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import BitInt, Complex, Kind, Pointer, Scalar, Type, Vector
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Extension, Piece

cite, implements = citing(__package__)
EXTENDED = cite("pass.integer")
POINTER = cite("pass.pointer")
WIDE = cite("pass.int128")
ALIGNED = cite("pass.aligned")
FLOAT = cite("pass.float")
FLOAT_WORD = cite("pass.float-word")
LONG_DOUBLE = cite("pass.extended")
THIRTEEN = cite("pass.thirteen")
COMPLEX = cite("pass.complex")
COMPLEX_UNNAMED = cite("pass.complex-unnamed")
VECTOR = cite("pass.vector")
TWELVE = cite("pass.twelve")
UNNAMED = cite("pass.unnamed")


def pass_scalar(
    types: TypeTable, arguments: Doublewords, c_type: Type, *, named: bool, because: str
) -> tuple[str, tuple[Piece, ...]]:
    """The places of a value that is no aggregate, and the clause for its type.

    `because` is the clause by which an aggregate is passed like it, if one is.
    """
    size = types.extent(c_type).size
    match c_type:
        case BitInt(width) if types.reading is None:
            raise SilentError(BIT_INT, f"_BitInt({width})")
        case Scalar(kind) if kind in OTHER_REALS:
            raise SilentError(OTHER_REAL, kind.value)
        case Scalar(kind) if kind.is_floating:
            clause = because or (LONG_DOUBLE if size > DOUBLEWORD else FLOAT)
            return deciding_clause(clause, named=named), pass_real(arguments, 0, size, clause, named=named)
        case Complex() as number if number.is_integer:
            return COMPLEX, pass_complex(types, arguments, number, named=named)
        case Complex() as number:
            return deciding_clause(COMPLEX, named=named), pass_complex(types, arguments, number, named=named)
        case Vector():
            clause = because or VECTOR
            return deciding_clause(clause, named=named), pass_vector(
                types, arguments, size, clause, named=named
            )
        case Pointer():
            return POINTER, arguments.place_bytes(0, size, "")
        case _:
            clause = WIDE if size > DOUBLEWORD else EXTENDED
            return clause, pass_integer(types, arguments, c_type, 0, size)


@implements("pass.unnamed")
def deciding_clause(clause: str, *, named: bool) -> str:
    """The clause of a type that has registers of its own, or the one that keeps an unnamed argument from them."""
    return clause if named else UNNAMED


@implements("pass.integer", "pass.int128")
def pass_integer(
    types: TypeTable, arguments: Doublewords, c_type: Type, start: int, size: int
) -> tuple[Piece, ...]:
    """The `size` bytes at byte `start` of a value that are an integer, in the next doublewords of the list."""
    # [elfv1:pass.int128]
    if size > DOUBLEWORD:
        return arguments.place_bytes(start, start + size, "")
    # [elfv1:pass.integer]
    extension, why = above(types, c_type, EXTENDED)
    return arguments.place_bytes(start, start + size, "", extension, why, right_aligned(size))


@implements("pass.float", "pass.float-word", "pass.extended", "pass.thirteen")
def pass_real(
    arguments: Doublewords, start: int, size: int, clause: str, *, named: bool
) -> tuple[Piece, ...]:
    """The `size` bytes at byte `start` of a value that are a real: each doubleword in a register, as long as there are any.

    `clause` is told of those in registers.
    """
    end = start + size
    pieces = []
    # [elfv1:pass.float] [elfv1:pass.extended] [elfv1:pass.thirteen]
    while named and start < end and arguments.registers.left("floating"):
        stop = min(start + DOUBLEWORD, end)
        pieces.append(real(arguments.registers.take("floating"), start, stop, clause))
        arguments.skip(DOUBLEWORD)
        start = stop
    # [elfv1:pass.float-word]
    before = right_aligned(size)
    rest = deciding_clause(FLOAT_WORD if before else THIRTEEN, named=named)
    return (*pieces, *arguments.place_bytes(start, end, rest, Extension.ANY, FLOAT_WORD, before))


@implements("pass.complex", "pass.complex-unnamed")
def pass_complex(
    types: TypeTable, arguments: Doublewords, number: Complex, *, named: bool
) -> tuple[Piece, ...]:
    """A complex number, each part as an argument of its own."""
    part = Scalar(number.kind)
    size = types.extent(part).size
    # [elfv1:pass.complex-unnamed]
    if number.kind is Kind.FLOAT and not named and types.reading is None:
        raise SilentError(COMPLEX_UNNAMED, "an unnamed float _Complex")
    # [elfv1:pass.complex]
    pieces: list[Piece] = []
    clause = LONG_DOUBLE if size > DOUBLEWORD else FLOAT
    for start in (0, size):
        if number.is_integer:
            pieces += open_parts(types, pass_integer(types, arguments, part, start, size))
        else:
            pieces += pass_real(arguments, start, size, clause, named=named)
    return tuple(pieces)


def open_parts(types: TypeTable, pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """The pieces of a part of a complex integer, which a compiler may not extend."""
    if not types.policies.open_complex_parts:
        return pieces
    return tuple(structs.replace(one, extension=one.extension and Extension.ANY) for one in pieces)


@implements("pass.vector", "pass.twelve")
def pass_vector(
    types: TypeTable, arguments: Doublewords, size: int, clause: str, *, named: bool
) -> tuple[Piece, ...]:
    """A vector, in a quadword of the list, or in a register beside it, of which `clause` is told."""
    if size != QUADWORD and types.reading is None:
        raise SilentError(OTHER_VECTOR, f"a vector of {size} bytes")
    if size < QUADWORD:
        return arguments.place_bytes(0, size, OTHER_VECTOR, Extension.ANY, OTHER_VECTOR, right_aligned(size))
    moved = arguments.align(QUADWORD)
    # [elfv1:pass.vector]
    if named and arguments.registers.left("vector"):
        arguments.skip(QUADWORD)
        return (Piece(0, QUADWORD, arguments.registers.take("vector"), clause, None, QUADWORD),)
    # [elfv1:pass.twelve]
    return arguments.place_bytes(0, QUADWORD, ALIGNED if moved else deciding_clause(TWELVE, named=named))
