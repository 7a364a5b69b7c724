"""The places of a whole call (Function arguments and return values)."""

from __future__ import annotations

from abiprobe.oracles.abis.wasm.places import ADDRESS, VALUES, WasmSignature, result_place, value_types
from abiprobe.oracles.abis.wasm.singleton import UNNAMED_BITS, inflexible, only_scalar
from abiprobe.oracles.abis.wasm.variadic import Buffer
from abiprobe.oracles.engine.policies import Argument
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import BitInt, Complex, Prototype, Record, Type, Vector, spelling
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import (
    RESULT_POINTER,
    Assignment,
    Extension,
    Hidden,
    Passed,
    Passing,
    Piece,
    Register,
)

cite, implements = citing(__package__)
SCALAR = cite("pass.scalar")
EXTENDED = cite("pass.extension")
TWO = cite("pass.two")
EMPTY = cite("pass.empty")
SINGLETON = cite("pass.singleton")
UNUSED = cite("pass.singleton-unused")
RESULT_INDIRECT = cite("result.indirect")
RESULT_TWO = cite("result.two")
IGNORED = frozenset({EMPTY, UNNAMED_BITS})
"""Why a value is not passed."""
BIT_INT = cite("type.bit-int")
COMPLEX = cite("type.complex")
VECTOR = cite("type.vector")


def calls(types: TypeTable, prototype: Prototype) -> Assignment:
    """The places of a whole call."""
    signature = WasmSignature()
    result, hidden = assign_result(types, signature, prototype.result)
    named = tuple(
        pass_argument(types, signature, Travelling.of(types, param.name, param.type))
        for param in prototype.params
    )
    buffer = Buffer()
    unnamed = tuple(
        pass_unnamed(types, buffer, Travelling.of(types, argument.name, argument.type))
        for argument in prototype.arguments[len(named) :]
    )
    if prototype.variadic:
        hidden += buffer.pointer(signature)
    return Assignment(
        (*named, *unnamed), result, hidden, buffer.used, area_align=buffer.align, area_clause=buffer.clause
    )


def pass_argument(types: TypeTable, signature: WasmSignature, value: Travelling) -> Passed:
    """A named argument: ignored, as one or two values, or by a pointer."""
    scalar, clause = carried(types, value)
    if scalar is None and clause in IGNORED:
        return value.passed(Passing.IGNORED, clause)
    if scalar is None:
        pointer = Piece(0, ADDRESS, signature.take("i32"), clause, None, ADDRESS)
        return value.passed(Passing.INDIRECT, clause, pointer)
    places = tuple(map(signature.take, value_types(types, scalar)))
    return value.passed(Passing.DIRECT, clause, *pieces(types, value, scalar, clause, places))


def pass_unnamed(types: TypeTable, buffer: Buffer, value: Travelling) -> Passed:
    """An unnamed argument: ignored, or in the buffer."""
    scalar, clause = carried(types, value)
    if clause == UNNAMED_BITS and Argument.UNNAMED in types.policies.placed_empties:
        buffer.pass_over(value)
    if scalar is None and clause in IGNORED:
        return value.passed(Passing.IGNORED, clause)
    return buffer.place(types, value, scalar)


@implements("result.indirect", "result.two")
def assign_result(
    types: TypeTable, signature: WasmSignature, result: Type | None
) -> tuple[Passed | None, tuple[Hidden, ...]]:
    """A result is ignored or one value; the address of the memory for any other is the first parameter."""
    if result is None:
        return None, ()
    value = Travelling.of(types, "", result)
    scalar, clause = carried(types, value)
    if scalar is None and clause in IGNORED:
        return value.passed(Passing.IGNORED, clause), ()
    if scalar is None:
        # [wasm:result.indirect]
        return in_memory(signature, value, RESULT_INDIRECT)
    values = value_types(types, scalar)
    if len(values) > 1 and types.reading is Reading.CLANG:
        return in_memory(signature, value, RESULT_TWO)
    if len(values) > 1:
        # [wasm:result.two]
        raise SilentError(RESULT_TWO, f"{spelling(result)} is two values")
    return value.passed(
        Passing.DIRECT, clause, *pieces(types, value, scalar, clause, (result_place(values[0]),))
    ), ()


def in_memory(signature: WasmSignature, value: Travelling, clause: str) -> tuple[Passed, tuple[Hidden, ...]]:
    """A result in memory, whose address is the first parameter."""
    pointer = Piece(0, ADDRESS, signature.take("i32"), clause, None, ADDRESS)
    return value.passed(Passing.INDIRECT, clause), (Hidden(RESULT_POINTER, (pointer,)),)


@implements("pass.empty", "pass.singleton", "type.complex", "type.vector", "pass.scalar")
def carried(types: TypeTable, value: Travelling) -> tuple[Type | None, str]:
    """The scalar as which a value is passed, and by what clause; `None` for what is ignored or passed by a pointer."""
    # [wasm:type.vector]
    if isinstance(value.type, Vector):
        raise SilentError(VECTOR, spelling(value.declared))
    # [wasm:type.complex]
    if isinstance(value.type, Complex):
        return None, COMPLEX
    # [wasm:pass.scalar]
    if not isinstance(value.type, Record):
        return value.type, SCALAR
    # [wasm:pass.empty]
    if not value.size:
        inflexible(value)
        return None, EMPTY
    # [wasm:pass.singleton]
    scalar, otherwise = only_scalar(types, value)
    return scalar, SINGLETON if scalar is not None else otherwise


@implements("pass.two")
def pieces(
    types: TypeTable, value: Travelling, scalar: Type, clause: str, places: tuple[Register, ...]
) -> tuple[Piece, ...]:
    """The value in its places: one, or two of 8 bytes, the less significant first."""
    if len(places) > 1:
        # [wasm:pass.two]
        low, high = places
        half = value.size // 2
        return Piece(0, half, low, TWO, None, half), Piece(half, value.size, high, TWO, None, half)
    (place,) = places
    width = VALUES[place.name.partition(".")[0]]
    if value.size >= width:
        return (Piece(0, value.size, place, clause, None, width),)
    return (Piece(0, value.size, place, clause, *above(types, scalar, clause, width)),)


@implements("pass.extension", "pass.singleton-unused")
def above(types: TypeTable, scalar: Type, clause: str, width: int) -> tuple[Extension, int, str]:
    """Return the extension above a narrow integer, the byte up to which it reaches, and its clause."""
    # [wasm:pass.singleton-unused]
    if clause == SINGLETON:
        return Extension.ANY, width, UNUSED
    # [wasm:pass.extension]
    why = BIT_INT if isinstance(scalar, BitInt) and scalar.width % 8 else EXTENDED
    return (Extension.SIGN if types.is_signed(scalar) else Extension.ZERO), width, why
