"""The places of a call by Microsoft's x64 convention, with the types of System V."""

from __future__ import annotations

from enum import Enum as PyEnum

from msgspec import Struct, structs

from abiprobe.oracles.abis.x86.ms.flattened import in_parts, parts, returned_in_parts
from abiprobe.oracles.engine.emptiness import has_flexible_array
from abiprobe.oracles.engine.policies import Policies
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import (
    DECIMAL,
    BitInt,
    Complex,
    Prototype,
    Record,
    Scalar,
    Type,
    Vector,
    spelling,
)
from abiprobe.oracles.language.lang import Kind as Kinds
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import (
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

cite, implements = citing(__package__)
TYPES = cite("types")
INTEGER = cite("pass.integer")
UPPER_BITS = cite("pass.upper-bits")
FLOAT = cite("pass.float")
AGGREGATE = cite("pass.aggregate")
REFERENCE = cite("pass.reference")
STACK = cite("pass.stack")
VARARGS = cite("pass.varargs")
VARARGS_NAMED = cite("pass.varargs-named")
OTHER = cite("pass.other")
RESULT_SCALAR = cite("result.scalar")
RESULT_XMM = cite("result.xmm")
RESULT_AGGREGATE = cite("result.aggregate")
RESULT_MEMORY = cite("result.memory")
RESULT_EMPTY = cite("result.empty")
UNUSED_BITS = cite("result.unused-bits")

INTEGERS = ("rcx", "rdx", "r8", "r9")
FLOATS = ("xmm0", "xmm1", "xmm2", "xmm3")
SHADOW = 32
"""Bytes of the shadow store, in which the callee may keep what came in registers."""
FIRST_STACK_ARGUMENT = 8 + SHADOW
"""Byte offset from rsp at callee entry of the fifth argument: above the return address and the shadow store."""
WORD = 8
SIZES = (1, 2, 4, 8)
REFERENCED_ALIGN = 16
"""Bytes to which the memory of an aggregate or `__m128` is aligned."""
XMM_BYTES = 16
X87_BYTES = 10


class Words(Struct, frozen=True):
    """The first position of an argument, how many it takes, and whether they have the value itself though it may fit none."""

    first: int
    count: int
    itself: bool = False


class Kind(PyEnum):
    """The kind of a value in the convention."""

    INTEGER = "an integer, enumeration or pointer"
    FLOAT = "a floating-point number"
    AGGREGATE = "a struct, a union or `__m64`: passed as an integer"
    REFERENCE = "what is not of 1, 2, 4 or 8 bytes"


@implements("pass.integer", "pass.float", "pass.aggregate", "pass.reference", "pass.other")
def kind(types: TypeTable, value: Travelling) -> Kind:
    """Return the kind of an argument; Microsoft's compiler has no decimal types."""
    policies = types.policies
    if is_decimal(value.type) and types.reading is None:
        raise SilentError(OTHER, f"a value of type {value.passed(Passing.IGNORED, OTHER).type}")
    if value.size not in SIZES or is_opaque(value, policies):
        # [ms:pass.reference]
        return Kind.REFERENCE
    match value.type:
        case Vector(kind=Kinds.DOUBLE) if policies.widens_vectors:
            return Kind.FLOAT
        case Vector(size=8) if is_widened(types, value):
            return Kind.REFERENCE
        case Scalar(scalar) if scalar in policies.halves_in_general_registers:
            return Kind.INTEGER
        # [ms:pass.aggregate]
        case Record() | Vector(size=8):
            return Kind.AGGREGATE
        case Complex() | Vector() if types.reading is None:
            raise SilentError(OTHER, f"a value of type {value.passed(Passing.IGNORED, OTHER).type}")
        case Vector() if types.reading is Reading.CLANG:
            return kind_of_small_vector(types, value.type)
        case Complex() | Vector():
            return Kind.AGGREGATE
        # [ms:pass.float]
        case Scalar(scalar) if scalar.is_floating and scalar not in DECIMAL:
            return Kind.FLOAT
        # [ms:pass.integer]
        case _:
            return Kind.INTEGER


def is_decimal(c_type: Type) -> bool:
    """Return whether a type is a decimal number."""
    return isinstance(c_type, Scalar) and c_type.kind in DECIMAL


def kind_of_small_vector(types: TypeTable, vector: Vector) -> Kind:
    """The kind of a vector of less than 8 bytes to LLVM: that of its one element, or of a vector of 16 bytes."""
    if types.data.kind(vector.kind).size != vector.size:
        return Kind.REFERENCE
    return Kind.FLOAT if vector.kind.is_floating else Kind.INTEGER


def is_opaque(value: Travelling, policies: Policies) -> bool:
    """Return whether a compiler takes a record for one of no known size."""
    return policies.opaque_flexible_arrays and has_flexible_array(value.type)


def is_widened(types: TypeTable, value: Travelling) -> bool:
    """Return whether a vector of 8 bytes is passed by reference, since it is taken for one of 16, or has one element."""
    kind_ = value.type.kind if isinstance(value.type, Vector) else None
    of_integer = kind_ is not None and kind_.is_integer and types.data.kind(kind_).size == WORD
    return (types.policies.widens_vectors and not of_integer) or (
        types.policies.widens_vectors_of_one and kind_ is Kinds.DOUBLE
    )


def words(types: TypeTable, value: Travelling, position: int, *, unnamed: bool) -> Words:
    """The positions that an argument takes by what a compiler does: none, one, or as many words as it has."""
    policies, whole = types.policies, Words(position, -(-value.size // WORD))
    if value.size in SIZES:
        empty = (policies.skips_unnamed_members and position >= len(INTEGERS)) or (
            unnamed and policies.va_arg_skips_unnamed_members
        )
        itself = unnamed and policies.takes_references_for_values and is_widened(types, value)
        return Words(position, 0 if empty and not types.carries(value.declared) else 1, itself)
    if unnamed and policies.va_arg_by_size:
        return Words(position, 1)
    if is_in_words(types, value):
        return whole
    if is_in_shares(types, value):
        return Words(position, value.size // types.options.vectors)
    if unnamed and policies.takes_references_for_values:
        # gcc aligns the list for nothing that has no bytes.
        align = max(1, value.align // WORD) if value.size else 1
        return structs.replace(whole, first=round_up(position, align), itself=True)
    return Words(position, 1)


@implements("pass.position", "pass.shadow")
def assign(types: TypeTable, prototype: Prototype, aligned: str = TYPES) -> Assignment:
    """The places of a call; a position is that of an argument with the hidden pointer counted.

    `aligned` is the clause by which memory that is passed has an alignment of more than 16 bytes if its type has; empty
    where no text says so.
    """
    result, hidden = assign_result(types, prototype.result)
    position = named = len(hidden)
    params = []
    copied = copy_clauses(types, prototype)
    # [ms:pass.position]
    for index, argument in enumerate(prototype.arguments):
        value = Travelling.of(types, argument.name, argument.type)
        unnamed = index >= len(prototype.params)
        if index == len(prototype.params) and types.policies.va_arg_skips_unnamed_members:
            position -= sum(is_skipped(types, one.type) for one in prototype.params)
        if members := parts(types, value) if not unnamed else ():
            files = (FLOATS if part.is_real else INTEGERS for part in members)
            places = [place(position + at, own) for at, own in enumerate(files)]
            params.append(in_parts(value, members, places))
            position = named = position + len(members)
            continue
        taken = words(types, value, position, unnamed=unnamed)
        passed = (
            pass_argument(types, value, taken.first, unnamed=unnamed, copied=copied[unnamed], aligned=aligned)
            if taken.count == 1 and not taken.itself
            else pass_in_shares(value, taken)
            if is_in_shares(types, value)
            else pass_in_words(value, taken)
        )
        params.append(in_shadow(passed, taken.first) if taken.first < named and unnamed else passed)
        position = taken.first + taken.count
        named = named if unnamed else position
    on_stack = max(0, position - len(INTEGERS))
    # [ms:pass.shadow]
    return Assignment(tuple(params), result, hidden, FIRST_STACK_ARGUMENT - WORD + on_stack * WORD)


@implements("pass.varargs", "pass.varargs-named")
def copy_clauses(types: TypeTable, prototype: Prototype) -> tuple[str, str]:
    """The clauses by which a named and an unnamed real are in the integer register, too; empty for one that is not."""
    named = prototype.variadic and not types.policies.named_reals_in_one_register
    # [ms:pass.varargs-named]
    return VARARGS_NAMED if named else "", VARARGS


def is_skipped(types: TypeTable, c_type: Type) -> bool:
    """Return whether a parameter would be passed itself, and its bits are all unnamed."""
    return types.extent(c_type).size in SIZES and not types.carries(c_type)


def is_in_words(types: TypeTable, value: Travelling) -> bool:
    """Return whether a value is a vector of `__int128` to a compiler that has each of its words in a position."""
    of_int128 = isinstance(value.type, Vector) and value.type.kind.is_int128
    return of_int128 and types.policies.int128_vectors_in_words


def is_in_shares(types: TypeTable, value: Travelling) -> bool:
    """Return whether a value is a vector that clang divides into vectors as wide as the registers."""
    wide = isinstance(value.type, Vector) and value.size > types.options.vectors
    return types.reading is Reading.CLANG and wide and not is_in_words(types, value)


def pass_in_shares(value: Travelling, taken: Words) -> Passed:
    """A vector of which each share has an address of its own."""
    pieces = (
        Piece(at * WORD, at * WORD + WORD, place(taken.first + at, INTEGERS), OTHER, None, WORD)
        for at in range(taken.count)
    )
    return value.passed(Passing.INDIRECT, OTHER, *pieces)


def in_shadow(passed: Passed, position: int) -> Passed:
    """An argument that a compiler takes from the part of the shadow store in which it has kept no register."""
    pieces = (structs.replace(one, place=StackSlot(WORD + position * WORD)) for one in passed.pieces[:1])
    return structs.replace(passed, pieces=tuple(pieces))


def pass_in_words(value: Travelling, taken: Words) -> Passed:
    """An argument that a compiler has in other than one word."""
    pieces = (
        Piece(
            at,
            min(at + WORD, value.size),
            place(taken.first + at // WORD, INTEGERS),
            REFERENCE,
            Extension.ANY,
            WORD,
        )
        for at in range(0, value.size if taken.count else 0, WORD)
    )
    return value.passed(Passing.DIRECT if value.size and taken.count else Passing.IGNORED, REFERENCE, *pieces)


@implements("pass.stack")
def place(position: int, registers: tuple[str, ...]) -> Place:
    """The place of an argument by its position."""
    if position < len(registers):
        return Register(registers[position])
    return StackSlot(FIRST_STACK_ARGUMENT + (position - len(registers)) * WORD)


def pass_argument(
    types: TypeTable, value: Travelling, position: int, *, unnamed: bool, copied: str, aligned: str
) -> Passed:
    """An argument in the place of its position; a real also in the integer register, if the clause `copied` says so."""
    policies, in_register = types.policies, position < len(INTEGERS)
    if policies.float128_in_register and value.type == Scalar(Kinds.FLOAT128) and in_register:
        return value.passed(
            Passing.DIRECT,
            REFERENCE,
            Piece(0, XMM_BYTES, place(position, FLOATS), REFERENCE, None, XMM_BYTES),
        )
    match kind(types, value):
        case Kind.REFERENCE if unnamed and policies.va_arg_by_size and value.size in SIZES:
            clause = VARARGS
        case Kind.REFERENCE:
            piece = Piece(0, WORD, place(position, INTEGERS), REFERENCE, None, WORD)
            return referenced(value.passed(Passing.INDIRECT, REFERENCE, piece), value, policies, aligned)
        case Kind.FLOAT if in_register:
            piece = Piece(0, value.size, place(position, FLOATS), FLOAT, Extension.ANY, XMM_BYTES, UPPER_BITS)
            copies = (word(value, place(position, INTEGERS), copied),) if copied else ()
            return value.passed(Passing.DIRECT, FLOAT, piece, *copies)
        case Kind.INTEGER | Kind.FLOAT:
            clause = INTEGER if in_register else STACK
        case Kind.AGGREGATE:
            clause = AGGREGATE if in_register else STACK
    return value.passed(Passing.DIRECT, clause, word(value, place(position, INTEGERS), clause))


@implements("pass.reference", "types")
def referenced(passed: Passed, value: Travelling, policies: Policies, aligned: str) -> Passed:
    """Pass a value by reference: aggregates and vectors lie in memory aligned to 16 bytes, or as their type asks."""
    if not isinstance(value.type, (Record, Vector)):
        return passed
    if policies.natural_copies:
        # LLVM copies a vector, whose typedef names it does not know.
        align = max(value.size, XMM_BYTES) if isinstance(value.type, Vector) else value.align
        return structs.replace(passed, memory_align=align, memory_clause=REFERENCE)
    most = policies.most_aligned_copy or value.align
    # [ms:types]
    if aligned and min(value.align, most) > REFERENCED_ALIGN:
        return structs.replace(passed, memory_align=value.align, memory_clause=aligned)
    return structs.replace(passed, memory_align=REFERENCED_ALIGN, memory_clause=REFERENCE)


@implements("pass.upper-bits")
def word(value: Travelling, where: Place, clause: str) -> Piece:
    """A value in a word, above which nothing is said."""
    above = Extension.ANY if value.size < WORD else None
    return Piece(0, value.size, where, clause, above, WORD, UPPER_BITS)


@implements(
    "result.empty", "result.scalar", "result.xmm", "result.aggregate", "result.memory", "result.unused-bits"
)
def assign_result(types: TypeTable, result: Type | None) -> tuple[Passed | None, tuple[Hidden, ...]]:
    """The place of a result, and the pointer to one in memory, which is the first argument."""
    if result is None:
        return None, ()
    value = Travelling.of(types, "", result)
    if members := parts(types, value):
        return returned_in_parts(value, members), ()
    match value.type:
        case Record() if not value.size and types.reading is None:
            raise SilentError(RESULT_EMPTY, f"{spelling(result)} has no bytes")
        case Record() if not (value.size or types.reading is Reading.CLANG or has_flexible_array(value.type)):
            return value.passed(Passing.IGNORED, RESULT_EMPTY), ()
        case Record() if types.policies.skips_unnamed_results and not types.carries(result):
            return value.passed(Passing.IGNORED, RESULT_AGGREGATE), ()
        case Record() if value.size not in SIZES or is_opaque(value, types.policies):
            return in_memory(value, RESULT_MEMORY)
        case Record():
            return in_register(value, "rax", WORD, RESULT_AGGREGATE), ()
        case Vector(kind=scalar, size=16) if scalar.is_int128 and types.policies.int128_vectors_in_words:
            return in_pair(value), ()
        case Vector(size=8) if types.policies.widens_vectors and is_widened(types, value):
            return in_register(value, "xmm0", XMM_BYTES, RESULT_SCALAR), ()
        case Vector(size=8) if types.policies.widens_vectors_of_one:
            # gcc has these in rax, as the text says; only their arguments are widened.
            return in_register(value, "rax", WORD, RESULT_SCALAR), ()
        case Scalar(scalar) if scalar in types.policies.halves_in_general_registers:
            return in_register(value, "rax", WORD, RESULT_SCALAR), ()
        case Vector(size=16):
            return in_register(value, "xmm0", XMM_BYTES, RESULT_XMM), ()
        case _ if value.size not in SIZES:
            return other_result(types, value)
        case Scalar(scalar) if scalar.is_floating and scalar not in DECIMAL:
            return in_register(value, "xmm0", XMM_BYTES, RESULT_XMM), ()
        case _ if kind(types, value) in {Kind.INTEGER, Kind.AGGREGATE}:
            # [ms:result.unused-bits]
            return in_register(value, "rax", WORD, RESULT_SCALAR), ()
        case _ if types.reading is Reading.CLANG:
            return in_register(value, "xmm0", XMM_BYTES, OTHER), ()
        case _:
            raise SilentError(OTHER, f"a result of {value.size} bytes")


def other_result(types: TypeTable, value: Travelling) -> tuple[Passed, tuple[Hidden, ...]]:
    """A result that is no record and not of the size of an integer, of which the text has `__m128` alone, as families return it."""
    match value.type:
        case _ if types.reading is None:
            raise SilentError(OTHER, f"a result of {value.size} bytes")
        case Scalar(scalar) if scalar.is_int128:
            return in_register(value, "xmm0", XMM_BYTES, OTHER), ()
        # gcc has it as __int128.
        case BitInt() if types.reading is Reading.GCC and value.size == XMM_BYTES:
            return in_register(value, "xmm0", XMM_BYTES, OTHER), ()
        case Scalar(Kinds.FLOAT128) if types.policies.returns_float128_in_register:
            return in_register(value, "xmm0", XMM_BYTES, OTHER), ()
        # To clang for MinGW it is in memory, as to gcc.
        case Scalar(Kinds.LDOUBLE) if (
            types.reading is Reading.CLANG and types.data.kind(Kinds.LONG).size == WORD
        ):
            piece = Piece(0, X87_BYTES, Register("st0"), OTHER, None, X87_BYTES)
            return value.passed(Passing.DIRECT, OTHER, piece), ()
        case Vector() if types.reading is Reading.CLANG and not is_in_words(types, value):
            return divided(types, value), ()
        case _:
            return in_memory(value, OTHER)


def divided(types: TypeTable, value: Travelling) -> Passed:
    """A vector in as many vector registers as it takes."""
    width = types.options.vectors
    prefix = "ymm" if width > XMM_BYTES else "xmm"
    pieces = (
        Piece(start, start + width, Register(f"{prefix}{start // width}"), OTHER, None, width)
        for start in range(0, value.size, width)
    )
    return value.passed(Passing.DIRECT, OTHER, *pieces)


def in_memory(value: Travelling, clause: str) -> tuple[Passed, tuple[Hidden, ...]]:
    """A result in memory, whose address is the first argument."""
    address = Piece(0, WORD, Register("rax"), clause, None, WORD)
    hidden = Piece(0, WORD, Register(INTEGERS[0]), clause, None, WORD)
    return value.passed(Passing.INDIRECT, clause, address), (Hidden("result pointer", (hidden,)),)


def in_pair(value: Travelling) -> Passed:
    """A result of two words in rax and rdx."""
    pieces = (
        Piece(at, at + WORD, Register(name), RESULT_XMM, None, WORD)
        for at, name in ((0, "rax"), (WORD, "rdx"))
    )
    return value.passed(Passing.DIRECT, RESULT_XMM, *pieces)


def in_register(value: Travelling, name: str, width: int, clause: str) -> Passed:
    """A result in one register, whose unused bits are undefined."""
    above = Extension.ANY if value.size < width else None
    return value.passed(
        Passing.DIRECT, clause, Piece(0, value.size, Register(name), clause, above, width, UNUSED_BITS)
    )
