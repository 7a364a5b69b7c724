"""Calls by n32 and n64 as the compiler families have them, where abiprobe follows no text.

Sources: GCC, mips.cc, mips_get_arg_info, mips_function_arg and mips_function_value_1; Clang, Mips.cpp, MipsABIInfo, with the calling
conventions of LLVM.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from abiprobe.oracles.abis.mips.slots import WORD, Slots, general, in_words, real, real_before, word
from abiprobe.oracles.abis.mips.told import above, before, before_result, boundary, check_told
from abiprobe.oracles.engine.policies import Argument
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import (
    BitInt,
    Complex,
    Kind,
    Prototype,
    Record,
    Scalar,
    Type,
    Vector,
    strip,
)
from abiprobe.oracles.text.place import (
    RESULT_POINTER,
    Assignment,
    Hidden,
    Passed,
    Passing,
    Piece,
    Place,
    Register,
)
from abiprobe.oracles.unmodelled import CALLS

REALS = {Scalar(Kind.FLOAT), Scalar(Kind.DOUBLE)}
QUADRUPLE = {Scalar(Kind.LDOUBLE), Scalar(Kind.FLOAT128)}
PARTS_APART = {Complex(Kind.FLOAT), Complex(Kind.DOUBLE)}
Part: TypeAlias = tuple[int, int]
"""Offset and size in bytes of a part of a value."""
MOST_RETURNED = 2 * WORD
"""Bytes of the largest result in registers."""


def calls(types: TypeTable, prototype: Prototype) -> Assignment:
    """The places of a whole call, of named and unnamed arguments alike."""
    slots = Slots()
    result, hidden = assign_result(types, prototype.result)
    if hidden:
        slots.take(WORD)
    params = tuple(
        pass_argument(types, slots, Travelling.of(types, argument.name, argument.type))
        for argument in prototype.arguments
    )
    return Assignment(params, result, hidden, slots.stack_bytes)


def pass_argument(types: TypeTable, slots: Slots, value: Travelling) -> Passed:
    """One argument by its type; an unnamed real is in general registers."""
    check_told(value)
    if not value.size:
        align(types, slots, value)
        return value.passed(Passing.IGNORED, CALLS)
    if value.type in PARTS_APART and is_apart(types, slots, value):
        return pass_parts(types, slots, value)
    if isinstance(value.type, BitInt) and value.size > 2 * WORD:
        address = Piece(0, WORD, general(slots.take(WORD)), CALLS, None, WORD)
        return value.passed(Passing.INDIRECT, CALLS, address)
    align(types, slots, value)
    named = not value.is_unnamed
    first = slots.take(value.size)
    if value.type == Complex(Kind.LDOUBLE) and not named and types.policies.loses_wide_complex:
        return value.passed(Passing.IGNORED, CALLS)
    count = -(-value.size // WORD)
    reals = named and value.type in REALS | QUADRUPLE | {Complex(Kind.LDOUBLE)}
    doubles = set(doubles_of(types, value.type)) if named else set()
    places = [
        real(first + number) if reals or number in doubles else general(first + number)
        for number in range(count)
    ]
    of_reals = reals or is_vector_of_reals(types, value.type)
    at = before(types, value.type, value.size, WORD) or (
        real_before(types, value.size, places[0]) if of_reals else 0
    )
    return in_words(value, places, above(types, value.type, WORD), at)


def is_vector_of_reals(types: TypeTable, c_type: Type) -> bool:
    """Return whether a type is a vector that gcc has where a narrow real would be in its register."""
    return types.reading is Reading.GCC and isinstance(c_type, Vector) and c_type.kind.is_floating


def align(types: TypeTable, slots: Slots, value: Travelling) -> None:
    """Align the slots for a value, as far as a compiler does."""
    policies, aligned = types.policies, boundary(types, value)
    counts = Argument.of(named=not value.is_unnamed) in policies.unaligned_int128
    if value.is_unnamed and not counts:
        # va_arg goes by the slots themselves.
        slots.counted = slots.used
    apart = counts and is_int128(value.type)
    if apart or (not value.size and policies.unaligned_nothing):
        slots.count_aligned(aligned)
    else:
        slots.align(aligned)


def is_int128(c_type: Type) -> bool:
    """Return whether a type is `__int128`, with a sign or without, or a `_BitInt` of more than a word."""
    wide = isinstance(c_type, BitInt) and c_type.width > 8 * WORD
    return wide or (isinstance(c_type, Scalar) and c_type.kind.is_int128)


def is_apart(types: TypeTable, slots: Slots, value: Travelling) -> bool:
    """Return whether the parts of a complex number have slots of their own: of a named one where two with registers are left."""
    always = Argument.of(named=not value.is_unnamed) in types.policies.complex_parts_apart
    return always or (not value.is_unnamed and slots.left > 1)


def pass_parts(types: TypeTable, slots: Slots, value: Travelling) -> Passed:
    """Each part of a complex number in a slot, as a real; to clang it counts as the structure that it is."""
    size = value.size // 2
    place = general if value.is_unnamed else real
    counts_parts = not types.policies.complex_parts_apart
    firsts = [slots.take(size, counted=counts_parts) for _ in range(2)]
    slots.counted += 0 if counts_parts else -(-value.size // WORD)
    pieces = (part(types, at, size, place(first)) for at, first in zip((0, size), firsts, strict=True))
    return value.passed(Passing.DIRECT, CALLS, *pieces)


def doubles_of(types: TypeTable, c_type: Type) -> Iterator[int]:
    """Yield the numbers of the words of a structure that are a member of type `double`."""
    if isinstance(c_type, Record) and not c_type.union:
        for item in types.shape(c_type).fields:
            if types.plain(item.type) == Scalar(Kind.DOUBLE) and item.bit_offset % (8 * WORD) == 0:
                yield item.bit_offset // (8 * WORD)


def assign_result(types: TypeTable, result: Type | None) -> tuple[Passed | None, tuple[Hidden, ...]]:
    """The places of a result, or the argument with the address of memory for it."""
    if result is None:
        return None, ()
    value = Travelling.of(types, "", result)
    check_told(value)
    if not value.size:
        return value.passed(Passing.IGNORED, CALLS), ()
    if value.size > MOST_RETURNED:
        address = Piece(0, WORD, general(0), CALLS, None, WORD)
        return value.passed(Passing.INDIRECT, CALLS), (Hidden(RESULT_POINTER, (address,)),)
    own = strip(value.declared)
    if isinstance(own, Complex) and own.kind.is_integer and types.policies.splits_complex_results:
        half = value.size // 2
        at = WORD - half if types.data.order == "big" and half < WORD else 0
        words = (
            word(start, start + half, place, at=at)
            for start, place in zip((0, half), registers("v", 1), strict=True)
        )
        return value.passed(Passing.DIRECT, CALLS, *words), ()
    if parts := reals_of(types, value):
        return in_parts(types, value, parts, registers("f", 2)), ()
    if value.type in QUADRUPLE:
        return in_words(value, registers("f", 2)), ()
    if holds_quadruple(value.type):
        return in_words(value, registers("f", 1)), ()
    count = -(-value.size // WORD)
    rest, at = above(types, value.type, WORD), before_result(types, value, WORD)
    return in_words(value, registers("v", 1)[:count], rest, at), ()


def holds_quadruple(c_type: Type) -> bool:
    """Return whether a type is a structure of one member, which has quadruple precision."""
    return (
        isinstance(c_type, Record)
        and not c_type.union
        and len(c_type.members) == 1
        and c_type.members[0].type in QUADRUPLE
    )


def part(types: TypeTable, start: int, size: int, place: Place) -> Piece:
    """A real that is part of a value."""
    return word(start, start + size, place, at=real_before(types, size, place))


def in_parts(types: TypeTable, value: Travelling, parts: list[Part], places: list[Place]) -> Passed:
    """A value of which each part, a real, has a place."""
    pieces = (part(types, at, size, place) for (at, size), place in zip(parts, places, strict=False))
    return value.passed(Passing.DIRECT, CALLS, *pieces)


def registers(letter: str, step: int) -> list[Place]:
    """The two registers of a result."""
    return [Register(f"{letter}{number}") for number in (0, step)]


def halves(value: Travelling) -> list[Part]:
    """The parts of a complex number."""
    half = value.size // 2
    return [(0, half), (half, half)]


def reals_of(types: TypeTable, value: Travelling) -> list[Part]:
    """The parts of a result that have a floating-point register each: reals, also in a structure of one or two."""
    match value.type:
        case Scalar() if value.type in REALS:
            return [(0, value.size)]
        case Complex() if value.type in PARTS_APART:
            return halves(value)
        case Record(union=False):
            fields = types.shape(value.type).fields
            if len(fields) <= len(registers("f", 2)) and all(
                types.plain(one.type) in REALS for one in fields
            ):
                return [(one.bit_offset // 8, types.extent(one.type).size) for one in fields]
            return []
        case _:
            return []
