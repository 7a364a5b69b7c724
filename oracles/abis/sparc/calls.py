"""Arguments and results (3P-11 Function Argument Passing, 3P-13 Function Result Passing)."""

from __future__ import annotations

from msgspec import structs

from abiprobe.oracles.abis.sparc.argument_kind import ArgumentKind, argument_kinds
from abiprobe.oracles.abis.sparc.data import BIT_INT, ENUM, EXTENDED_WORD, INT128, QUADWORD
from abiprobe.oracles.abis.sparc.fields import NAMED, only_integral, place_record
from abiprobe.oracles.abis.sparc.parameter_array import (
    GENERAL,
    OUTS,
    REALS,
    SINGLE,
    ParameterArray,
    in_array,
    in_reals,
)
from abiprobe.oracles.abis.sparc.unwritten import (
    align_scalar,
    align_unwritten,
    clause_of,
    counted_words,
    is_demoted,
    is_unwritten,
    place_result,
    place_unwritten,
    words_of,
)
from abiprobe.oracles.engine.leaves import Leaf, leaves
from abiprobe.oracles.engine.policies import Argument
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import BitInt, Enum, Kind, Pointer, Prototype, Record, Scalar, Type
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import (
    Assignment,
    Extension,
    Hidden,
    Passed,
    Passing,
    Piece,
    Register,
    StackSlot,
)

cite, implements = citing(__package__)
INTEGER = cite("pass.integer")
POINTER = cite("pass.pointer")
REAL = cite("pass.floating")
SINGLE_PRECISION = cite("pass.single")
DOUBLE = cite("pass.double")
QUAD = cite("pass.quad")
HOLE = cite("pass.hole")
UNNAMED = cite("pass.unnamed")
ONE = cite("struct.one")
TWO = cite("struct.two")
REFERENCE = cite("struct.reference")
COPY = cite("struct.copy")
NOTHING = cite("struct.nothing-aligned")
TYPEDEF = cite("struct.typedef")
RESULT_INTEGER = cite("result.integer")
RESULT_POINTER = cite("result.pointer")
RESULT_REAL = cite("result.real")
RESULT_RECORD = cite("result.record")
RESULT_MEMORY = cite("result.memory")

MOST_PASSED, MOST_RETURNED = QUADWORD, 4 * EXTENDED_WORD
"""Bytes of the largest structure or union that is passed by value, and that is returned in registers."""
QUADRUPLE = {Kind.LDOUBLE, Kind.FLOAT128}
FORMATS = {4: SINGLE_PRECISION, 8: DOUBLE, 16: QUAD}


def calls(types: TypeTable, prototype: Prototype) -> Assignment:
    """The places of a whole call, of named and unnamed arguments alike."""
    array = ParameterArray()
    result, hidden = assign_result(types, prototype.result)
    if hidden:
        array.assign(EXTENDED_WORD)
    params = []
    for argument, argument_kind in zip(prototype.arguments, argument_kinds(prototype), strict=True):
        value = Travelling.of(types, argument.name, argument.type)
        passed = pass_argument(types, array, value, argument_kind)
        params.append(in_own_memory(types, array, value, passed))
    return Assignment(tuple(params), result, hidden, array.area())


def pass_argument(
    types: TypeTable, array: ParameterArray, value: Travelling, argument_kind: ArgumentKind
) -> Passed:
    """One argument by its type: a structure or union, a real, or what is integral or a pointer."""
    match value.type:
        case _ if is_unwritten(types, value):
            return pass_unwritten(types, array, value, argument_kind)
        case Record():
            return pass_record(types, array, value, argument_kind)
        case Scalar(kind) if kind.is_floating:
            return pass_real(types, array, value, argument_kind)
        case _:
            return pass_integral(types, array, value)


@implements("pass.integer", "pass.pointer")
def pass_integral(types: TypeTable, array: ParameterArray, value: Travelling) -> Passed:
    """An integer, an enumeration or a pointer in a word of its own."""
    of_the_text(types, value)
    # [scd:pass.integer] [scd:pass.pointer]
    clause = POINTER if isinstance(value.type, Pointer) else INTEGER
    align_by_name(types, array, value)
    first = array.assign(EXTENDED_WORD)
    return value.passed(Passing.DIRECT, clause, *in_word(types, value, first, clause, GENERAL))


def pass_unwritten(
    types: TypeTable, array: ParameterArray, value: Travelling, argument_kind: ArgumentKind
) -> Passed:
    """A value of a type that the text does not have, as a compiler passes it: by value in up to two words."""
    if value.size > MOST_PASSED:
        return pass_by_reference(types, array, value)
    align_unwritten(types, array, value)
    first = array.assign(words_of(types, value) * EXTENDED_WORD, counted_words(types, value))
    pieces = place_unwritten(types, value, first, argument_kind)
    return value.passed(Passing.DIRECT, clause_of(value), *pieces)


def of_the_text(types: TypeTable, value: Travelling) -> None:
    """Raise `SilentError` for a type that is no record and not real, and that the text does not have, unless a compiler is asked."""
    if types.reading is not None:
        return
    only_integral(value.type)
    if isinstance(value.type, BitInt):
        raise SilentError(BIT_INT, f"_BitInt({value.type.width})")
    if value.size > EXTENDED_WORD:
        raise SilentError(INT128, value.name or "the result")


@implements("type.enum")
def in_word(types: TypeTable, value: Travelling, first: int, clause: str, general: str) -> tuple[Piece, ...]:
    """An integer or pointer in word number `first`, widened as `clause` says; `general` is what has it in a register."""
    # [scd:type.enum]
    why = ENUM if isinstance(value.type, Enum) else clause
    above = Extension.SIGN if types.is_signed(value.type) else Extension.ZERO
    return in_array(first, 0, value.size, general, above=above, why=why, before=EXTENDED_WORD - value.size)


@implements(
    "pass.floating", "pass.single", "pass.double", "pass.quad", "pass.unnamed", "pass.named-of-variadic"
)
def pass_real(
    types: TypeTable, array: ParameterArray, value: Travelling, argument_kind: ArgumentKind
) -> Passed:
    """A real in the floating-point register of its word, in general registers if it is unnamed, or in memory."""
    # [scd:pass.single] [scd:pass.double] [scd:pass.quad]
    clause = FORMATS[value.size]
    moved = align_scalar(types, array, value.size) or align_by_name(types, array, value)
    uncounted = types.policies.uncounted_floats and value.size == SINGLE
    first = array.assign(value.size, 0 if uncounted else None)
    before = max(EXTENDED_WORD - value.size, 0)
    # [scd:pass.named-of-variadic]
    if argument_kind is ArgumentKind.NAMED and first < REALS and types.reading is None:
        raise SilentError(NAMED, f"{value.name} is real")
    # [scd:pass.floating]
    if argument_kind is not ArgumentKind.UNNAMED and first < REALS:
        register = (first * EXTENDED_WORD + before) // SINGLE
        pieces = in_reals(register, 0, value.size, HOLE if moved else clause)
        return value.passed(Passing.DIRECT, REAL, *pieces)
    told = HOLE if moved else ""
    # [scd:pass.unnamed]
    if argument_kind is ArgumentKind.UNNAMED:
        pieces = in_array(first, 0, value.size, UNNAMED, told, before=before)
        return value.passed(Passing.DIRECT, UNNAMED, *pieces)
    return value.passed(Passing.DIRECT, clause, *in_array(first, 0, value.size, moved=told, before=before))


@implements("struct.one", "struct.two", "struct.nothing-aligned")
def pass_record(
    types: TypeTable, array: ParameterArray, value: Travelling, argument_kind: ArgumentKind
) -> Passed:
    """A structure or union of up to 16 bytes in its words, a larger one by its address."""
    if value.size > MOST_PASSED:
        return pass_by_reference(types, array, value)
    # [scd:struct.nothing-aligned]
    if not value.size and own_alignment(types, value) > EXTENDED_WORD and types.reading is None:
        raise SilentError(NOTHING, f"{value.name} has no bytes, and is aligned to {value.align}")
    if not value.size and Argument.of(named=not value.is_unnamed) in types.policies.unassigned_nothing:
        return value.passed(Passing.IGNORED, ONE)
    own = alignment(types, value)
    moved = HOLE if align_structure(types, array, value, own) else ""
    # [scd:struct.two]
    if value.size > EXTENDED_WORD:
        pieces = place_record(types, value, array.assign(value.size), argument_kind, moved)
        return carried(types, value.passed(Passing.DIRECT, TWO, *pieces))
    # [scd:struct.one]
    first = array.assign(EXTENDED_WORD)
    if not value.size:
        return value.passed(Passing.IGNORED, ONE)
    return value.passed(Passing.DIRECT, ONE, *place_record(types, value, first, argument_kind))


def carried(types: TypeTable, passed: Passed) -> Passed:
    """A structure with the bytes alone that have places, where a compiler may lose some."""
    loses = types.policies.overwrites_arguments or types.policies.overwrites_results
    return passed.with_pieces(passed.pieces) if loses else passed


def align_structure(types: TypeTable, array: ParameterArray, value: Travelling, own: int) -> bool:
    """Align the array for a structure or union, as far as a compiler does; whether a word was left out."""
    policies = types.policies
    moved = not policies.unaligned_structures and array.align_structure(own)
    departs = policies.unaligned_structures or policies.uncounted_floats
    quad = departs and any(is_quad(types, leaf) for leaf in leaves(types, value.type))
    return (quad and array.align(own, counted=False)) or moved


def is_quad(types: TypeTable, leaf: Leaf) -> bool:
    """Return whether a leaf is a real in quad precision, which has an alignment of its own to a compiler."""
    kind = leaf.type.kind if isinstance(leaf.type, Scalar) else None
    return kind is not None and kind.is_floating and types.extent(leaf.type).size == QUADWORD


def align_by_name(types: TypeTable, array: ParameterArray, value: Travelling) -> bool:
    """Align the array for a scalar as a compiler does that looks at its typedef name; whether a word was left out."""
    return types.policies.aligned_names and array.align(value.align)


def in_own_memory(types: TypeTable, array: ParameterArray, value: Travelling, passed: Passed) -> Passed:
    """A value as it is, or moved in memory by the words that a compiler has in registers alone: those of structures of no bytes."""
    nowhere = types.policies.nothing_on_stack
    if not nowhere:
        return passed
    shift = array.advance_memory(
        -(-value.size // EXTENDED_WORD) if passed.passing is Passing.DIRECT else 1,
        boundary(types, value) if passed.passing is not Passing.INDIRECT else EXTENDED_WORD,
        outside=array.words > OUTS and all(isinstance(piece.place, StackSlot) for piece in passed.pieces),
        there=bool(value.size) or Argument.of(named=not value.is_unnamed) not in nowhere,
    )
    return structs.replace(passed, pieces=tuple(lowered(piece, shift) for piece in passed.pieces))


def boundary(types: TypeTable, value: Travelling) -> int:
    """The alignment in memory by gcc, which has none of a record that is aligned to more than a quad, except in `va_arg`.

    That of a scalar's typedef name counts in registers alone.
    """
    taken = value.is_unnamed and Argument.UNNAMED not in types.policies.nothing_on_stack
    if not isinstance(value.type, Record):
        return types.extent(value.type).align
    over = value.align > QUADWORD
    return EXTENDED_WORD if over and not taken else value.align


def lowered(piece: Piece, words: int) -> Piece:
    """A piece that is as many words further down, if it is in memory."""
    if not words or not isinstance(piece.place, StackSlot):
        return piece
    return structs.replace(piece, place=StackSlot(piece.place.offset - words * EXTENDED_WORD))


def own_alignment(types: TypeTable, value: Travelling) -> int:
    """The alignment in bytes of a structure or union itself, whatever a typedef name makes of it."""
    return types.shape(value.type).align if isinstance(value.type, Record) else value.align


@implements("struct.typedef")
def alignment(types: TypeTable, value: Travelling) -> int:
    """The alignment in bytes of a structure or union in the parameter array.

    Raises `SilentError` where a typedef name or `_Atomic` gives it one that makes a difference; gcc goes by that, and clang does not.
    """
    own = own_alignment(types, value)
    if types.reading is not None:
        return own if types.reading is Reading.CLANG else value.align
    # [scd:struct.typedef]
    if (own < QUADWORD) != (value.align < QUADWORD):
        raise SilentError(TYPEDEF, f"{value.name} is aligned to {value.align} bytes, its type to {own}")
    return own


@implements("struct.reference", "struct.copy")
def pass_by_reference(types: TypeTable, array: ParameterArray, value: Travelling) -> Passed:
    """The address of a copy, passed as a pointer is."""
    # [scd:struct.reference]
    address = in_array(array.assign(EXTENDED_WORD), 0, EXTENDED_WORD, REFERENCE)
    # [scd:struct.copy]
    return in_memory(types, value.passed(Passing.INDIRECT, REFERENCE, *address), value, COPY)


def in_memory(types: TypeTable, passed: Passed, value: Travelling, clause: str) -> Passed:
    """A value that is in memory which is aligned as its type asks for, by a clause."""
    aligned = min(own_alignment(types, value), value.align)
    aligned = min(aligned, types.policies.most_aligned_copy or aligned)
    return structs.replace(passed, memory_align=aligned, memory_clause=clause)


@implements("result.integer", "result.pointer", "result.real", "result.record", "result.memory")
def assign_result(types: TypeTable, result: Type | None) -> tuple[Passed | None, tuple[Hidden, ...]]:
    """The place of a result, or the implicit argument with the address of memory for it."""
    if result is None:
        return None, ()
    value = Travelling.of(types, "", result)
    match value.type:
        # [scd:result.memory]
        case _ if value.size > MOST_RETURNED or is_demoted(types, value):
            address = Piece(0, EXTENDED_WORD, Register("o0"), RESULT_MEMORY, None, EXTENDED_WORD)
            passed = value.passed(Passing.INDIRECT, RESULT_MEMORY)
            hidden = Hidden("result pointer", (address,))
            return in_memory(types, passed, value, RESULT_MEMORY), (hidden,)
        case _ if is_unwritten(types, value):
            pieces = place_result(types, value)
            return value.passed(Passing.DIRECT, clause_of(value), *pieces), ()
        # [scd:result.record]
        case Record() if value.size:
            pieces = place_record(types, value, 0, ArgumentKind.FIXED)
            return carried(types, value.passed(Passing.DIRECT, RESULT_RECORD, *pieces)), ()
        case Record():
            return value.passed(Passing.IGNORED, RESULT_RECORD), ()
        # [scd:result.real]
        case Scalar(kind) if kind.is_floating:
            return value.passed(Passing.DIRECT, RESULT_REAL, *in_reals(0, 0, value.size, RESULT_REAL)), ()
        # [scd:result.integer] [scd:result.pointer]
        case _:
            of_the_text(types, value)
            clause = RESULT_POINTER if isinstance(value.type, Pointer) else RESULT_INTEGER
            return value.passed(Passing.DIRECT, clause, *in_word(types, value, 0, clause, clause)), ()
