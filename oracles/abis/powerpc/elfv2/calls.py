"""Parameter passing and return values (2.2.3 Parameter Passing in Registers, 2.2.5 Return Values)."""

from __future__ import annotations

from msgspec import structs

from abiprobe.oracles.abis.powerpc.doublewords import DOUBLEWORD, QUADWORD, Doublewords
from abiprobe.oracles.abis.powerpc.elfv2.data import BIT_INT, VECTOR_SIZE
from abiprobe.oracles.abis.powerpc.elfv2.doublewords import ALIGNED, UNUSED, area, empty_list
from abiprobe.oracles.abis.powerpc.elfv2.homogeneous import Base, Homogeneous, base_of, homogeneous
from abiprobe.oracles.abis.powerpc.elfv2.registers import pass_homogeneous, pass_members
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import (
    BitInt,
    Complex,
    Kind,
    Pointer,
    Prototype,
    Record,
    Scalar,
    Type,
    Vector,
)
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Assignment, Extension, Hidden, Passed, Passing, Piece, Register

cite, implements = citing(__package__)
NOTHING = cite("pass.nothing")
NOTHING_ALIGNED = cite("pass.nothing-aligned")
OF_PADDING = cite("pass.record-of-padding")
TYPEDEF = cite("pass.alignment-typedef")
EXTENDED = cite("pass.integer")
POINTER = cite("pass.pointer")
WIDE = cite("pass.int128")
RECORD = cite("pass.record")
SCALAR = cite("pass.real")
COMPLEX = cite("pass.complex")
UNNAMED = cite("pass.unnamed")
UNNAMED_COMPLEX = cite("pass.unnamed-complex")
RESULT_REGISTERS = cite("result.registers")
RESULT_MEMORY = cite("result.memory")
RESULT_UNUSED = cite("result.complex-unused")

MOST_RETURNED = 2 * DOUBLEWORD
"""Bytes of the largest aggregate that is returned in general registers."""


@implements("pass.order", "result.buffer")
def calls(types: TypeTable, prototype: Prototype) -> Assignment:
    """The places of a whole call, of named and unnamed arguments alike."""
    # [elfv2:pass.order]
    arguments = empty_list()
    result, hidden = assign_result(types, prototype.result)
    if hidden:
        # [elfv2:result.buffer]
        arguments.skip(DOUBLEWORD)
    named = len(prototype.params)
    params = []
    for number, argument in enumerate(prototype.arguments):
        value = Travelling.of(types, argument.name, argument.type)
        pass_it = pass_named if number < named else pass_unnamed
        params.append(pass_it(types, arguments, value))
    return Assignment(tuple(params), result, hidden, area(arguments, variadic=prototype.variadic))


@implements("pass.nothing", "pass.nothing-aligned")
def pass_nothing(types: TypeTable, arguments: Doublewords, value: Travelling) -> Passed:
    """An argument of size zero, which aligns the list to compilers."""
    # [elfv2:pass.nothing-aligned]
    if types.reading is not None:
        arguments.align(value.align)
    elif value.align > DOUBLEWORD:
        raise SilentError(
            NOTHING_ALIGNED, f"{value.name or 'the result'} has no size and is aligned to {value.align}"
        )
    # [elfv2:pass.nothing]
    return value.passed(Passing.IGNORED, NOTHING)


def pass_named(types: TypeTable, arguments: Doublewords, value: Travelling) -> Passed:
    """A named argument, or a result as if it were the first one."""
    if not value.size:
        return pass_nothing(types, arguments, value)
    if is_unwritten(types, value):
        return pass_unwritten(types, arguments, value)
    if isinstance(value.type, Complex) and value.type.is_integer:
        return pass_in_parts(types, arguments, value, value.type)
    group = as_group(types, value)
    if isinstance(group, str):
        return pass_general(types, arguments, value, because=group)
    if isinstance(value.type, Record):
        return carried(pass_homogeneous(types, arguments, value, group))
    clause = COMPLEX if isinstance(value.type, Complex) else SCALAR
    return carried(value.passed(Passing.DIRECT, clause, *pass_members(types, arguments, value, group)))


def carried(passed: Passed) -> Passed:
    """A value with the bytes alone that some place has."""
    return passed.with_pieces(passed.pieces)


def is_unwritten(types: TypeTable, value: Travelling) -> bool:
    """Return whether a value is a vector that the text does not have, and a compiler is asked."""
    return isinstance(value.type, Vector) and types.reading is not None and value.size != QUADWORD


def pass_unwritten(types: TypeTable, arguments: Doublewords, value: Travelling) -> Passed:
    """A short vector as an integer, and a long one by its address."""
    if value.size > QUADWORD and value.is_unnamed and types.policies.va_arg_of_wide_vectors:
        pieces = arguments.place_bytes(0, value.size, VECTOR_SIZE)
        return value.passed(Passing.DIRECT, VECTOR_SIZE, *pieces)
    if value.size > QUADWORD:
        address = arguments.place_bytes(0, DOUBLEWORD, VECTOR_SIZE)
        return value.passed(Passing.INDIRECT, VECTOR_SIZE, *address)
    arguments.align(value.size)
    pieces = arguments.place_bytes(0, value.size, VECTOR_SIZE, Extension.ANY, VECTOR_SIZE)
    return value.passed(Passing.DIRECT, VECTOR_SIZE, *pieces)


@implements("pass.complex")
def pass_in_parts(
    types: TypeTable, arguments: Doublewords, value: Travelling, number: Complex, clause: str = COMPLEX
) -> Passed:
    """A complex number as if its parts were separate parameters, each in doublewords of its own."""
    part, size = Scalar(number.kind), value.size // 2
    above, why = Extension.ANY, COMPLEX
    if number.is_integer and not types.policies.open_complex_parts:
        above, why = Extension.SIGN if types.is_signed(part) else Extension.ZERO, EXTENDED
    # [elfv2:pass.complex]
    pieces = (
        piece
        for start in (0, size)
        for piece in arguments.place_bytes(start, start + size, clause, above, why)
    )
    return value.passed(Passing.DIRECT, clause, *pieces)


@implements("pass.complex")
def as_group(types: TypeTable, value: Travelling) -> Homogeneous | str:
    """A value as members for floating-point or vector registers; else the clause without which it would be some, or ""."""
    match value.type:
        case Record():
            return homogeneous(types, value.type)
        # [elfv2:pass.complex]
        case Complex(kind):
            part = base_of(types, Scalar(kind))
            return "" if part is None else Homogeneous(part, 2, frozenset({COMPLEX}))
        case other:
            base = base_of(types, other)
            return "" if base is None else Homogeneous(base, 1, frozenset({SCALAR}))


@implements("pass.unnamed", "pass.unnamed-complex")
def pass_unnamed(types: TypeTable, arguments: Doublewords, value: Travelling) -> Passed:
    """An unnamed argument, in the list of doublewords whatever its type."""
    if not value.size:
        return pass_nothing(types, arguments, value)
    if is_unwritten(types, value):
        return pass_unwritten(types, arguments, value)
    if isinstance(value.type, Complex) and value.type.is_integer:
        return pass_in_parts(types, arguments, value, value.type)
    # [elfv2:pass.unnamed-complex]
    if isinstance(value.type, Complex) and value.type.kind is Kind.FLOAT:
        if types.reading is not None:
            return pass_in_parts(types, arguments, value, value.type, UNNAMED_COMPLEX)
        raise SilentError(UNNAMED_COMPLEX, "an unnamed float _Complex")
    # [elfv2:pass.unnamed]
    group = as_group(types, value)
    if isinstance(group, str):
        return pass_general(types, arguments, value)
    return structs.replace(pass_general(types, arguments, value, group, UNNAMED), clause=UNNAMED)


@implements("pass.integer", "pass.pointer", "pass.int128", "pass.record", "pass.unused")
def pass_general(
    types: TypeTable,
    arguments: Doublewords,
    value: Travelling,
    group: Homogeneous | None = None,
    because: str = "",
) -> Passed:
    """A value, also one of a group of members, in the next doublewords of the list.

    `because` is the clause that keeps it from other registers, if one does.
    """
    if isinstance(value.type, BitInt) and types.reading is None:
        raise SilentError(BIT_INT, f"_BitInt({value.type.width})")
    if isinstance(value.type, Record) and types.reading is None and not types.carries(value.declared):
        raise SilentError(OF_PADDING, f"{value.name or 'the result'} has a size but no named member")
    moved = arguments.align(list_alignment(types, arguments, value, group))
    above, why = Extension.ANY, UNUSED
    match value.type:
        # [elfv2:pass.record] [elfv2:pass.unused]
        case Record():
            clause = RECORD
        # [elfv2:pass.pointer]
        case Pointer():
            clause = POINTER
        # [elfv2:pass.int128]
        case _ if value.size > DOUBLEWORD:
            clause = WIDE
        case _ if group is not None:
            clause = SCALAR
        # [elfv2:pass.integer]
        case _:
            clause = why = EXTENDED
            above = Extension.SIGN if types.is_signed(value.type) else Extension.ZERO
    pieces = arguments.place_bytes(0, value.size, ALIGNED if moved else because, above, why)
    return value.passed(Passing.DIRECT, clause, *pieces)


@implements("pass.alignment", "pass.alignment-base", "pass.alignment-typedef")
def list_alignment(
    types: TypeTable, arguments: Doublewords, value: Travelling, group: Homogeneous | None
) -> int:
    """The alignment in bytes of a value in the list of doublewords, as far as it is more than that of a doubleword.

    Raises `SilentError` where a typedef name or `_Atomic` gives an aggregate one that makes a difference behind what is in
    the list. gcc goes by that, and clang does not.
    """
    # [elfv2:pass.alignment-base]
    if group is not None:
        return QUADWORD if group.base is Base.VECTOR else DOUBLEWORD
    if not isinstance(value.type, Record):
        return DOUBLEWORD
    own = types.shape(value.type).align
    if types.reading is not None:
        return own if types.reading is Reading.CLANG else value.align
    # [elfv2:pass.alignment-typedef]
    if arguments.next % 2 and (own < QUADWORD) != (value.align < QUADWORD):
        raise SilentError(TYPEDEF, f"{value.name} is aligned to {value.align} bytes, its type to {own}")
    # [elfv2:pass.alignment]
    return own


@implements("result.complex-unused")
def without_extension(result: Passed, value: Travelling) -> Passed:
    """A result of which nothing above the parts is said if it is a complex integer."""
    if not (isinstance(value.type, Complex) and value.type.is_integer):
        return result
    open_above = {"extension": Extension.ANY, "extension_clause": RESULT_UNUSED}
    pieces = (structs.replace(one, **open_above) if one.extension else one for one in result.pieces)
    return structs.replace(result, pieces=tuple(pieces))


@implements("result.registers", "result.memory")
def assign_result(types: TypeTable, result: Type | None) -> tuple[Passed | None, tuple[Hidden, ...]]:
    """A result is where a first argument would be, or in memory whose address is in r3."""
    if result is None:
        return None, ()
    value = Travelling.of(types, "", result)
    # [elfv2:result.memory]
    large = value.size > MOST_RETURNED
    too_large = large or types.policies.mixed_results_in_memory
    aggregate = too_large and isinstance(value.type, Record) and isinstance(as_group(types, value), str)
    if aggregate or (large and isinstance(value.type, Vector)):
        address = Piece(0, DOUBLEWORD, Register("r3"), RESULT_MEMORY, None, DOUBLEWORD)
        return value.passed(Passing.INDIRECT, RESULT_MEMORY), (Hidden("result pointer", (address,)),)
    # [elfv2:result.registers]
    answer = without_extension(pass_named(types, empty_list(), value), value)
    return structs.replace(answer, clause=RESULT_REGISTERS if answer.pieces else answer.clause), ()
