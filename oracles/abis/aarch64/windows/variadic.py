"""Arguments of variadic functions: an imaginary stack, of which the general-purpose registers hold the beginning."""

from __future__ import annotations

from msgspec import structs

from abiprobe.oracles.abis.aarch64.calls import GENERAL, OF_PADDING, initial, is_real, natural_alignment
from abiprobe.oracles.abis.aarch64.data import QUAD, SHORT_VECTORS, VECTOR_SIZE
from abiprobe.oracles.abis.aarch64.general import COPY, DOUBLE_WORD, UNUSED, above, is_composite, top
from abiprobe.oracles.abis.aarch64.simd import pass_in_vector_register
from abiprobe.oracles.abis.aarch64.windows.open import (
    check_offset,
    least_alignment,
    occupied,
    placing_alignment,
)
from abiprobe.oracles.engine.emptiness import is_empty
from abiprobe.oracles.engine.policies import Argument
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Vector
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Extension, Passed, Passing, Piece, Place, Register, StackSlot

cite, implements = citing(__package__)
IMAGINARY = cite("variadic.stack")
ALIGNED = cite("variadic.aligned")
SPLIT = cite("variadic.split")
COMPOSITE = cite("variadic.composite")
IN_REGISTERS = len(GENERAL) * DOUBLE_WORD
"""The bytes of the imaginary stack that are in registers."""


def variadic_calls(types: TypeTable, values: tuple[Travelling, ...]) -> tuple[tuple[Passed, ...], int]:
    """The places of all arguments of a call, and the bytes that they take of the stack."""
    used, params = 0, []
    cursor = initial()
    for value in values:
        sort = Argument.UNNAMED if value.is_unnamed else Argument.NAMED
        if is_short_vector(value) and sort in types.policies.vectors_in_registers and cursor.left("float"):
            params.append(pass_in_vector_register(cursor, value, natural_alignment(types, value.type)))
            continue
        if sort in types.policies.splits_no_composite and is_composite(value.type):
            used = past_registers(used, value)
        passed, used = pass_argument(types, value, used)
        params.append(passed)
    return tuple(params), max(0, used - IN_REGISTERS)


def is_short_vector(value: Travelling) -> bool:
    """Return whether a value is a vector of 8 or 16 bytes."""
    return isinstance(value.type, Vector) and value.size in SHORT_VECTORS


def past_registers(used: int, value: Travelling) -> int:
    """Return the place of a composite that finds too few registers: on the stack, whole."""
    splits = used < IN_REGISTERS < used + round_up(value.size, DOUBLE_WORD)
    return IN_REGISTERS if value.size <= QUAD and splits else used


@implements("variadic.composite", "variadic.stack")
def pass_argument(types: TypeTable, value: Travelling, used: int) -> tuple[Passed, int]:
    """An argument behind so many bytes of the imaginary stack, and where that ends then."""
    if not is_composite(value.type):
        if isinstance(value.type, Vector) and not is_short_vector(value):
            if types.reading is None:
                raise SilentError(VECTOR_SIZE, f"a vector of {value.size} bytes")
            if value.size > QUAD and not (value.is_unnamed and types.policies.va_arg_of_wide_vectors):
                return by_reference(types, value, used)
        # [windows_arm64:variadic.stack]
        return put(types, value, used, natural_alignment(types, value.type), IMAGINARY)
    if types.reading is None and not types.carries(value.declared):
        raise SilentError(OF_PADDING, f"{value.name} has a size but no named member")
    if is_empty(value.type) and not (value.is_unnamed and types.policies.va_arg_of_nothing):
        return value.passed(Passing.IGNORED, OF_PADDING), used
    # [windows_arm64:variadic.composite]
    if value.size > QUAD:
        return by_reference(types, value, used)
    check_offset(types, value, used)
    return put(types, value, used, placing_alignment(types, value), COMPOSITE)


def by_reference(types: TypeTable, value: Travelling, used: int) -> tuple[Passed, int]:
    """A pointer to a copy."""
    piece = Piece(0, DOUBLE_WORD, place(used), COMPOSITE, None, DOUBLE_WORD)
    passed = value.passed(Passing.INDIRECT, COMPOSITE, piece)
    loose = types.extent(value.type).loose
    aligned = least_alignment(types, value) if loose else natural_alignment(types, value.type)
    return structs.replace(passed, memory_align=aligned, memory_clause=COPY), used + DOUBLE_WORD


@implements("variadic.aligned")
def put(types: TypeTable, value: Travelling, used: int, natural: int, clause: str) -> tuple[Passed, int]:
    """A value in double-words, at its natural alignment."""
    if types.policies.unaligned_va_arg and value.is_unnamed:
        natural = DOUBLE_WORD
    start = round_up(used, max(DOUBLE_WORD, natural))
    if start > used:
        # [windows_arm64:variadic.aligned]
        clause = ALIGNED
    size = round_up(occupied(types, value), DOUBLE_WORD)
    number = not (is_composite(value.type) or is_real(value.type) or isinstance(value.type, Vector))
    ending = top(value, size) if number else above(value.size, size)
    return value.passed(Passing.DIRECT, clause, *pieces(value, start, clause, ending)), start + size


@implements("variadic.split")
def pieces(value: Travelling, start: int, clause: str, ending: Extension | None) -> list[Piece]:
    """A value from a byte of the imaginary stack on: a piece for each register, and one for what is on the stack."""
    here = max(0, min(value.size, IN_REGISTERS - start))
    ends = [min(first + DOUBLE_WORD, here) for first in range(0, here, DOUBLE_WORD)]
    if here < value.size:
        ends.append(value.size)
    found = []
    for first, last in zip((0, *ends), ends, strict=False):
        # [windows_arm64:variadic.split]
        why = SPLIT if 0 < here < value.size and here in (first, last) else clause
        width = round_up(last - first, DOUBLE_WORD)
        above_it = ending if last == value.size else None
        found.append(Piece(first, last, place(start + first), why, above_it, width, UNUSED))
    return found


def place(offset: int) -> Place:
    """A byte of the imaginary stack."""
    if offset < IN_REGISTERS:
        return Register(GENERAL[offset // DOUBLE_WORD])
    return StackSlot(offset - IN_REGISTERS)
