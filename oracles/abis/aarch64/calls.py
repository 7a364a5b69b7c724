"""Parameter passing, stage by stage, and result return (AAPCS64 6.8.2, 6.9)."""

from __future__ import annotations

from msgspec import structs

from abiprobe.oracles.abis.aarch64.data import QUAD
from abiprobe.oracles.abis.aarch64.general import (
    DOUBLE_WORD,
    PAIR,
    in_registers,
    is_composite,
    pass_by_reference,
    pass_composite,
    pass_integral,
)
from abiprobe.oracles.abis.aarch64.homogeneous import homogeneous
from abiprobe.oracles.abis.aarch64.int128_groups import (
    INT128_VECTORS,
    is_int128_group,
    is_int128_result,
    pass_int128_group,
    return_int128_group,
)
from abiprobe.oracles.abis.aarch64.other_vectors import (
    is_other_vector,
    pass_other_vector,
    return_other_vector,
)
from abiprobe.oracles.abis.aarch64.scalable import PREDICATES, SIMD, check_unnamed, parts, pass_scalable
from abiprobe.oracles.abis.aarch64.simd import pass_homogeneous, pass_in_vector_register, pass_members
from abiprobe.oracles.engine.bit_field_types import declared_alignment
from abiprobe.oracles.engine.cursor import Cursor
from abiprobe.oracles.engine.policies import Argument
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import Kind, Prototype, Record, Scalar, Type, Vector
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
NOTHING = cite("pass.nothing")
NOTHING_ALIGNED = cite("pass.nothing-aligned")
OF_PADDING = cite("pass.composite-of-padding")
RESULT_REGISTERS = cite("result.registers")
RESULT_MEMORY = cite("result.memory")
RESULT_ALIGNMENT = cite("result.memory-alignment")

HALF = 2
LONG_DOUBLE_VECTOR = Vector(Kind.LDOUBLE, QUAD)
GENERAL = tuple(f"x{number}" for number in range(8))
RESULT_ADDRESS = "x8"


@implements("pass.variadic", "a.1")
def calls(types: TypeTable, prototype: Prototype) -> Assignment:
    """The places of a whole call, of named and unnamed arguments alike."""
    # [aapcs64:a.1]
    cursor = initial()
    # [aapcs64:pass.variadic]
    named = len(prototype.params)
    params = tuple(
        pass_argument(types, cursor, Travelling.of(types, argument.name, argument.type), named=index < named)
        for index, argument in enumerate(prototype.arguments)
    )
    result, hidden = assign_result(types, prototype.result)
    return Assignment(params, result, hidden, cursor.used)


def initial() -> Cursor:
    """Stage A: NGRN, NSRN and NPRN are zero, and NSAA is the stack pointer."""
    return Cursor(integer=GENERAL, float=SIMD, predicate=PREDICATES)


@implements("b.3", "b.4")
def pass_argument(types: TypeTable, cursor: Cursor, value: Travelling, *, named: bool = True) -> Passed:
    """Stage B by the class of the argument's type; stage C is of its own for each."""
    natural = natural_alignment(types, value.type)
    if not value.size:
        return pass_nothing(types, value, natural)
    scalable = parts(types, value.type)
    if scalable:
        check_unnamed(types, value)
        return pass_scalable(cursor, value, scalable, natural, named=named)
    if not is_composite(value.type):
        if types.reading is not None and is_other_vector(value):
            return pass_other_vector(types, cursor, value, natural)
        in_simd = isinstance(value.type, Vector) or is_real(value.type)
        if types.policies.halves_vectors_of_long_double and value.type == LONG_DOUBLE_VECTOR:
            return first_half(pass_in_vector_register(cursor, value, natural), value)
        return (pass_in_vector_register if in_simd else pass_integral)(cursor, value, natural)
    # [aapcs64:b.3]
    # B.3: an HFA or HVA is used unmodified.
    group = homogeneous(types, value.type, value.align)
    if group is not None and not (types.policies.large_groups_by_reference and value.size > QUAD):
        if types.policies.splits_homogeneous_bf16 and group.size == HALF:
            return pass_members(cursor, value, group)
        if is_int128_group(types, value, named=named):
            declared = (
                DOUBLE_WORD if natural < QUAD and not types.policies.int128_groups_by_elements else QUAD
            )
            return pass_int128_group(types, cursor, value, declared)
        lowered = (
            types.policies.elements_on_stack if group.count == 1 else types.policies.all_elements_on_stack
        )
        if Argument.of(named=named) in lowered:
            natural = max(natural, group.size)
        return pass_homogeneous(cursor, value, group, natural)
    if not types.carries(value.declared):
        if types.reading is None:
            raise SilentError(OF_PADDING, f"{value.name or 'the result'} has a size but no named member")
        if types.reading is Reading.CLANG and Argument.of(named=named) not in types.policies.placed_empties:
            return value.passed(Passing.IGNORED, OF_PADDING)
    # [aapcs64:b.4]
    # B.4: a composite of more than 16 bytes is replaced by a pointer to a copy.
    if value.size > QUAD:
        return pass_by_reference(cursor, value, memory_alignment(types, natural))
    return pass_composite(cursor, value, natural)


def first_half(passed: Passed, value: Travelling) -> Passed:
    """The first 8 bytes of a vector in a register; all of it on the stack."""
    if not isinstance(passed.pieces[0].place, Register):
        return passed
    pieces = (
        structs.replace(
            passed.pieces[0],
            end=DOUBLE_WORD,
            extension=Extension.ANY,
            at=value.right_aligned(DOUBLE_WORD, QUAD),
        ),
    )
    return structs.replace(passed, pieces=pieces, mask=value.mask[:DOUBLE_WORD] + bytes(DOUBLE_WORD))


@implements("pass.nothing", "pass.nothing-aligned")
def pass_nothing(types: TypeTable, value: Travelling, natural: int) -> Passed:
    """A value of size zero."""
    if natural > DOUBLE_WORD and types.reading is None:
        raise SilentError(
            NOTHING_ALIGNED, f"{value.name or 'the result'} has no size and is aligned to {natural}"
        )
    return value.passed(Passing.IGNORED, NOTHING)


@implements("type.natural-alignment", "type.packed")
def natural_alignment(types: TypeTable, c_type: Type) -> int:
    """The alignment in bytes of a fundamental type, or the greatest of a composite's members."""
    # [aapcs64:type.natural-alignment] [aapcs64:type.packed]
    if not isinstance(c_type, Record):
        return types.extent(c_type).align
    return max(types.shape(c_type).natural, declared_alignment(types, c_type))


def memory_alignment(types: TypeTable, natural: int) -> int:
    """The alignment of the memory of a value of this natural alignment: the same, or as much as a compiler gives it."""
    return min(natural, types.policies.most_aligned_copy or natural)


def is_real(c_type: Type) -> bool:
    """Return whether this is a real floating type."""
    return isinstance(c_type, Scalar) and c_type.kind.is_floating


@implements("result.registers", "result.memory", "result.memory-alignment")
def assign_result(types: TypeTable, result: Type | None) -> tuple[Passed | None, tuple[Hidden, ...]]:
    """A result is where an only argument would be, or in memory whose address is in x8."""
    if result is None:
        return None, ()
    value = Travelling.of(types, "", result)
    if types.policies.int128_vectors_as_integers and value.type in INT128_VECTORS:
        answer = in_registers(initial(), value, PAIR, None)
    elif types.reading is not None and is_other_vector(value):
        answer = return_other_vector(types, value, natural_alignment(types, value.type))
    elif is_int128_result(types, value):
        answer = return_int128_group(types, initial(), value)
    else:
        answer = pass_argument(types, initial(), value)
    if answer.passing is not Passing.INDIRECT:
        return structs.replace(answer, clause=RESULT_REGISTERS if answer.pieces else answer.clause), ()
    address = Piece(0, DOUBLE_WORD, Register(RESULT_ADDRESS), RESULT_MEMORY, None, DOUBLE_WORD)
    passed = value.passed(Passing.INDIRECT, RESULT_MEMORY)
    aligned = memory_alignment(types, natural_alignment(types, value.type))
    return (
        structs.replace(passed, memory_align=aligned, memory_clause=RESULT_ALIGNMENT),
        (Hidden(RESULT_POINTER, (address,)),),
    )
