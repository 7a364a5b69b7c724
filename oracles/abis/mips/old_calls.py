"""Calls by o32 as the compiler families have them, where abiprobe follows no text.

Sources: GCC, mips.cc, mips_get_arg_info, mips_function_arg and mips_function_value_1; Clang, Mips.cpp, MipsABIInfo.
"""

from __future__ import annotations

from abiprobe.oracles.abis.mips.told import above, before, before_result, boundary, check_told
from abiprobe.oracles.engine.records import round_up
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
    Extension,
    Hidden,
    Passed,
    Passing,
    Piece,
    Place,
    Register,
    StackSlot,
)
from abiprobe.oracles.unmodelled import CALLS

WORD = 4
IN_REGISTERS = 4
"""Words that have a register; each has a place on the stack, too."""
REALS = {Scalar(Kind.FLOAT), Scalar(Kind.DOUBLE), Scalar(Kind.LDOUBLE)}
RESULTS: list[Place] = [Register(name) for name in ("v0", "v1", "a0", "a1")]
"""The registers of a result, of which a complex integer may take four."""
REAL_ARGUMENTS = (12, 14)
"""The numbers of the registers of the first two arguments, while all so far are real; a double has two."""


class Call:
    """The bytes that are taken so far, and whether only reals have been passed.

    Aggregates are aligned by a count of bytes, which may differ from them: Clang counts what it asks LLVM for.
    """

    def __init__(self, *, variadic: bool) -> None:
        self.used = 0
        self.counted = 0
        self.reals: list[int] = [] if variadic else list(REAL_ARGUMENTS)

    def take(self, size: int, align: int, *, aggregate: bool = False) -> int:
        """The number of the first of the words that `size` bytes take."""
        aligned = min(max(align, WORD), 2 * WORD)
        padding, words = -self.counted % aligned, round_up(size, WORD)
        self.counted += padding + words
        start = self.used + padding if aggregate else round_up(self.used, aligned)
        self.used = start + words
        return start // WORD

    def count_aligned(self, align: int) -> None:
        """Count the padding before a value, and leave none."""
        self.counted = round_up(self.counted, min(max(align, WORD), 2 * WORD))


def calls(types: TypeTable, prototype: Prototype) -> Assignment:
    """The places of a whole call."""
    call = Call(variadic=prototype.variadic)
    result, hidden = assign_result(types, prototype.result)
    if hidden:
        call.take(WORD, WORD)
        call.reals.clear()
    params = tuple(
        pass_argument(types, call, Travelling.of(types, argument.name, argument.type))
        for argument in prototype.arguments
    )
    return Assignment(params, result, hidden, max(call.used, IN_REGISTERS * WORD))


def pass_argument(types: TypeTable, call: Call, value: Travelling) -> Passed:
    """One argument: in a floating-point register while all are real, else in words."""
    check_told(value, BitInt, Vector)
    aligned = boundary(types, value)
    if not value.size and types.policies.unaligned_nothing:
        call.count_aligned(aligned)
        return value.passed(Passing.IGNORED, CALLS)
    first = call.take(value.size, aligned, aggregate=isinstance(value.type, (Complex, Record)))
    if value.type in REALS and call.reals:
        return value.passed(Passing.DIRECT, CALLS, *in_reals(types, 0, value.size, call.reals.pop(0)))
    call.reals.clear()
    if not value.size:
        return value.passed(Passing.IGNORED, CALLS)
    count = -(-value.size // WORD)
    at = before(types, value.type, value.size, WORD)
    return in_words(types, value, [place(first + number) for number in range(count)], at)


def place(word: int) -> Place:
    """The register of a word, or its place on the stack."""
    return Register(f"a{word}") if word < IN_REGISTERS else StackSlot(word * WORD)


def in_words(types: TypeTable, value: Travelling, places: list[Place], at: int) -> Passed:
    """A value of which each word has a place; one that is narrower is behind `at` bytes."""
    pieces = (
        piece(start, min(start + WORD, value.size), where, above(types, value.type, WORD), at)
        for start, where in zip(range(0, value.size, WORD), places, strict=True)
    )
    return value.passed(Passing.DIRECT, CALLS, *pieces)


def piece(start: int, end: int, where: Place, rest: Extension, at: int) -> Piece:
    """The bytes `[start, end)` of a value in a word, behind `at` others, and what is above them."""
    if end - start == WORD:
        return Piece(start, end, where, CALLS, None, WORD)
    return Piece(start, end, where, CALLS, rest, WORD, CALLS, at=at)


def assign_result(types: TypeTable, result: Type | None) -> tuple[Passed | None, tuple[Hidden, ...]]:
    """The places of a result, or the argument with the address of memory for it, which every record is in."""
    if result is None:
        return None, ()
    value = Travelling.of(types, "", result)
    check_told(value, BitInt, Vector)
    own = strip(value.declared)
    if isinstance(own, Complex) and own.kind.is_integer:
        return return_complex_integer(types, value), ()
    if isinstance(value.type, Record):
        address = Piece(0, WORD, place(0), CALLS, None, WORD)
        return value.passed(Passing.INDIRECT, CALLS), (Hidden(RESULT_POINTER, (address,)),)
    if value.type in REALS:
        return value.passed(Passing.DIRECT, CALLS, *in_reals(types, 0, value.size, 0)), ()
    if isinstance(value.type, Complex):
        half = value.size // 2
        pieces = (*in_reals(types, 0, half, 0), *in_reals(types, half, value.size, 2))
        return value.passed(Passing.DIRECT, CALLS, *pieces), ()
    return in_result_words(types, value), ()


def return_complex_integer(types: TypeTable, value: Travelling) -> Passed:
    """A complex integer in as many registers as it has words, or a narrow one part by part."""
    half, big = value.size // 2, types.data.order == "big"
    if half < WORD and types.policies.splits_complex_results:
        pieces = (
            Piece(start, start + half, where, CALLS, Extension.ANY, WORD, CALLS, at=WORD - half if big else 0)
            for start, where in zip((0, half), RESULTS, strict=False)
        )
        return value.passed(Passing.DIRECT, CALLS, *pieces)
    return in_result_words(types, value)


def in_result_words(types: TypeTable, value: Travelling) -> Passed:
    """A result of which each word has a general register."""
    places = RESULTS[: -(-value.size // WORD)]
    return in_words(types, value, places, before_result(types, value, WORD))


def in_reals(types: TypeTable, start: int, end: int, number: int) -> tuple[Piece, ...]:
    """The bytes `[start, end)` of a value in floating-point registers, the lower word in the one of this `number`."""
    starts = list(range(start, end, WORD))
    lower_first = reversed(starts) if types.data.order == "big" else starts
    pieces = [
        Piece(at, at + WORD, Register(f"f{number + place}"), CALLS, None, WORD)
        for place, at in enumerate(lower_first)
    ]
    return tuple(sorted(pieces, key=lambda one: one.start))
