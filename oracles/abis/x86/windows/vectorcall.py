"""The places of a call by `__vectorcall` on x64, which extends the convention of all other functions there."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum as PyEnum

from abiprobe.oracles.abis.x86.ms.calls import (
    FIRST_STACK_ARGUMENT,
    INTEGERS,
    SIZES,
    WORD,
    XMM_BYTES,
    in_memory,
    in_register,
    is_opaque,
    place,
    referenced,
    word,
)
from abiprobe.oracles.engine.leaves import Leaf, leaves
from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import (
    Array,
    Complex,
    Kind,
    Prototype,
    Record,
    Scalar,
    Type,
    Vector,
    spelling,
    strip,
)
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Assignment, Extension, Hidden, Passed, Passing, Piece, Register

cite, implements = citing(__package__)
INTEGER = cite("vectorcall.integer")
VECTOR = cite("vectorcall.vector")
STACKED_VECTOR = cite("vectorcall.stacked-vector")
HVA = cite("vectorcall.hva")
HVA_MEMORY = cite("vectorcall.hva-memory")
SMALL_HVA = cite("vectorcall.small-hva")
OTHER_HVA = cite("vectorcall.other-hva")
RECORD = cite("vectorcall.record")
RECORD_SIZE = cite("vectorcall.record-size")
OTHER = cite("vectorcall.other")
RESULT = cite("vectorcall.result")
REGISTERS = 6
"""Vector registers for arguments."""
MOST = 4
"""Members of the largest homogeneous vector aggregate."""
REALS = {Kind.FLOAT, Kind.DOUBLE, Kind.LDOUBLE}
LARGEST_REAL = 8
"""Bytes of a double."""


class Sort(PyEnum):
    """The kinds of values that the convention tells apart."""

    INTEGER = "an integer type"
    VECTOR = "a vector type: a real or a SIMD vector"
    HVA = "a homogeneous vector aggregate"
    RECORD = "a larger record"


class Homogeneity(PyEnum):
    """The kinds of records by the vector types in them."""

    NONE = "of other types, or of too many"
    PLAIN = "of nothing but members and arrays"
    OTHER = "of other records or unions, or of more"
    UNKNOWN = "with a member of which the page does not speak"


@implements("vectorcall.hva", "vectorcall.shadow")
def assign(types: TypeTable, prototype: Prototype) -> Assignment:
    """The places of a call; positions are those of arguments, with the address of a result in memory as the first."""
    if prototype.variadic:
        raise AbsentError("no function with variable arguments is vectorcall")
    result, hidden = assign_result(types, prototype.result)
    values = [Travelling.of(types, one.name, one.type) for one in prototype.arguments]
    sorts = [sort(types, value) for value in values]
    positions = range(len(hidden), len(hidden) + len(values))
    vectors = {at for at, one in zip(positions, sorts, strict=True) if one is Sort.VECTOR}
    free = [number for number in range(REGISTERS) if number not in vectors]
    params, skipped = [], 0
    for at, value, one in zip(positions, values, sorts, strict=True):
        if one is Sort.HVA and len(parts := elements(types, value)) <= len(free):
            numbers, free = free[: len(parts)], free[len(parts) :]
            params.append(in_vectors(value, parts, numbers, HVA))
            # [windows:vectorcall.shadow]
            skipped += types.policies.no_shadow_of_later_aggregates and at >= REGISTERS
        else:
            params.append(by_position(types, value, one, at - skipped))
    on_stack = max(0, positions.stop - skipped - len(INTEGERS))
    return Assignment(tuple(params), result, hidden, FIRST_STACK_ARGUMENT - WORD + on_stack * WORD)


@implements("vectorcall.integer", "vectorcall.vector", "vectorcall.stacked-vector", "vectorcall.hva-memory")
def by_position(types: TypeTable, value: Travelling, what: Sort, position: int) -> Passed:
    """An argument in the place of its position."""
    match what:
        # [windows:vectorcall.vector]
        case Sort.VECTOR if position < REGISTERS:
            return in_vectors(value, [(0, value.size)], [position], VECTOR)
        case Sort.VECTOR if types.policies.stacked_reals_themselves and isinstance(value.type, Scalar):
            piece = word(value, place(position, INTEGERS), STACKED_VECTOR)
            return value.passed(Passing.DIRECT, STACKED_VECTOR, piece)
        # [windows:vectorcall.stacked-vector]
        case Sort.VECTOR:
            clause = STACKED_VECTOR
        # [windows:vectorcall.hva-memory]
        case Sort.HVA:
            clause = HVA_MEMORY
        case Sort.RECORD:
            clause = RECORD
        # [windows:vectorcall.integer]
        case Sort.INTEGER:
            piece = word(value, place(position, INTEGERS), INTEGER)
            return value.passed(Passing.DIRECT, INTEGER, piece)
    address = Piece(0, WORD, place(position, INTEGERS), clause, None, WORD)
    return referenced(value.passed(Passing.INDIRECT, clause, address), value, types.policies, "")


@implements("vectorcall.result")
def assign_result(types: TypeTable, result: Type | None) -> tuple[Passed | None, tuple[Hidden, ...]]:
    """The place of a result, and the address of one in memory."""
    if result is None:
        return None, ()
    value = Travelling.of(types, "", result)
    match sort(types, value):
        case Sort.INTEGER:
            return in_register(value, "rax", WORD, RESULT), ()
        case Sort.VECTOR:
            return in_vectors(value, [(0, value.size)], [0], RESULT), ()
        case Sort.HVA:
            return in_vectors(value, elements(types, value), range(MOST), RESULT), ()
        case Sort.RECORD:
            return in_memory(value, RESULT)


def in_vectors(
    value: Travelling, parts: Sequence[tuple[int, int]], numbers: Sequence[int], clause: str
) -> Passed:
    """A value whose parts, by first byte and size, are in vector registers of these numbers each."""
    pieces = []
    for (start, size), number in zip(parts, numbers, strict=False):
        name, width = (f"ymm{number}", size) if size > XMM_BYTES else (f"xmm{number}", XMM_BYTES)
        above = Extension.ANY if size < width else None
        pieces.append(
            Piece(start, start + size, Register(name), clause, above, width, clause if above else "")
        )
    return value.passed(Passing.DIRECT, clause, *pieces)


@implements("vectorcall.other")
def sort(types: TypeTable, value: Travelling) -> Sort:
    """Return what a value is; raises `SilentError` where the page does not say."""
    match value.type:
        case Record() if is_opaque(value, types.policies):
            return Sort.RECORD
        case Record() as record:
            return sort_of_record(types, value, record)
        case Scalar() | Vector() if is_vector(types, value.type):
            return Sort.VECTOR
        # [windows:vectorcall.other]
        case Complex() | Vector():
            raise SilentError(OTHER, f"a value of type {spelling(value.declared)}")
        case Scalar(kind) if kind.is_floating:
            raise SilentError(OTHER, f"a value of type {spelling(value.declared)}")
        case _ if value.size > WORD:
            raise SilentError(OTHER, f"a value of type {spelling(value.declared)}")
        case _:
            return Sort.INTEGER


def is_vector(types: TypeTable, c_type: Type) -> bool:
    """Return whether a type is what the page has as a vector type: a real of up to 8 bytes, `__m128`, and `__m256` where there are registers."""
    match c_type:
        case Scalar(kind):
            return kind in REALS and types.extent(c_type).size <= LARGEST_REAL
        case Vector(kind, size):
            return XMM_BYTES <= size <= types.options.vectors and size <= 2 * XMM_BYTES and not kind.is_int128
        case _:
            return False


@implements(
    "vectorcall.hva",
    "vectorcall.small-hva",
    "vectorcall.other-hva",
    "vectorcall.record",
    "vectorcall.record-size",
)
def sort_of_record(types: TypeTable, value: Travelling, record: Record) -> Sort:
    """Return what a record is: of up to four identical vector types an HVA, else by its size an integer type or not."""
    inner = homogeneity(types, record)
    if inner is Homogeneity.UNKNOWN:
        # [windows:vectorcall.other]
        raise SilentError(OTHER, f"{spelling(value.declared)} has a member of which the page does not speak")
    if inner is Homogeneity.OTHER:
        # [windows:vectorcall.other-hva]
        raise SilentError(OTHER_HVA, f"{spelling(value.declared)} has more than members and arrays")
    if inner is Homogeneity.PLAIN:
        if value.size <= WORD and types.reading is None:
            # [windows:vectorcall.small-hva]
            raise SilentError(SMALL_HVA, f"{spelling(value.declared)} has {value.size} bytes")
        # [windows:vectorcall.hva]
        return Sort.HVA
    # [windows:vectorcall.record]
    if value.size > WORD:
        return Sort.RECORD
    if value.size in SIZES:
        return Sort.INTEGER
    if types.reading is None:
        # [windows:vectorcall.record-size]
        raise SilentError(RECORD_SIZE, f"{spelling(value.declared)} has {value.size} bytes")
    # Clang has it as any other function does.
    return Sort.RECORD


def homogeneity(types: TypeTable, record: Record) -> Homogeneity:
    """Return whether a record is of up to four identical vector types."""
    inner = [leaf.type for leaf in leaves(types, record) if is_data(types, leaf)]
    kinds = set(inner)
    if any(isinstance(one, (Complex, Vector)) and not is_vector(types, one) for one in kinds):
        return Homogeneity.UNKNOWN
    if len(kinds) == 1 and 0 < len(inner) <= MOST and is_vector(types, next(iter(kinds))):
        return Homogeneity.PLAIN if is_plain(types, record) else Homogeneity.OTHER
    return Homogeneity.NONE


def is_data(types: TypeTable, leaf: Leaf) -> bool:
    """Return whether a leaf is a data member: it has bytes, or is a bit-field with a name."""
    return bool(leaf.bit_field.member.name) if leaf.bit_field else types.extent(leaf.type).size > 0


def is_plain(types: TypeTable, record: Record) -> bool:
    """Return whether a record is a structure of nothing but members of vector types and arrays of them, one behind the other."""
    size = sum(types.extent(one.type).size for one in record.members)
    bare = all(one.width is None and is_members(one.type) for one in record.members)
    natural = not types.extent(record).user
    return not record.union and bare and natural and size == types.extent(record).size


def is_members(c_type: Type) -> bool:
    """Return whether the type of a member is a vector type, or an array of one."""
    match strip(c_type):
        case Array(element, length):
            return bool(length) and is_members(element)
        case other:
            return not isinstance(other, Record)


def elements(types: TypeTable, value: Travelling) -> list[tuple[int, int]]:
    """The first byte and the size of each element of an HVA."""
    return [(leaf.bit_offset // 8, types.extent(leaf.type).size) for leaf in leaves(types, value.type)]
