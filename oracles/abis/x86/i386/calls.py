"""The places of an i386 System V call (Intel386 psABI 2.2.3, Parameter Passing and Returning Values)."""

from __future__ import annotations

from dataclasses import dataclass, field

from abiprobe.oracles.abis.x86.i386.convention import (
    FASTCALL,
    OPEN,
    REGPARM,
    THISCALL,
    argument_registers,
    callee_pops,
    is_word,
    use,
)
from abiprobe.oracles.abis.x86.i386.data import BIT_INT, VECTOR_SIZE
from abiprobe.oracles.abis.x86.i386.results import (
    ELEMENT,
    FLOAT16,
    MEMORY,
    SIXTEEN_BITS,
    in_memory,
    in_registers,
    is_other_size,
    is_packed,
    share,
)
from abiprobe.oracles.abis.x86.i386.stack import FIRST_STACK_ARGUMENT, WORD, above_clause, on_stack
from abiprobe.oracles.abis.x86.x87 import x87_stack
from abiprobe.oracles.engine.cursor import Cursor
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import (
    BitInt,
    Complex,
    Convention,
    Kind,
    Pointer,
    Prototype,
    Scalar,
    Type,
    Vector,
    spelling,
)
from abiprobe.oracles.model import CallerFrame, Forbidden, Preserved, RegisterConvention
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Assignment, Extension, Hidden, Passed, Passing, Piece, Place, Register

cite, implements = citing(__package__)
MXCSR_STATUS = 0x3F
"""The bits of MXCSR that are the status of past operations."""
M64 = cite("pass.m64")
VECTOR = cite("pass.vector")
VARIADIC = cite("pass.variadic")
OURS = cite("call.registers")
ALIGNED = cite("call.stack-alignment")
CONTROL_WORDS = cite("call.control-words")
REGISTERS = RegisterConvention(
    (
        *(Preserved(name, OURS) for name in ("ebx", "esi", "edi", "ebp")),
        Preserved("x87_control", CONTROL_WORDS),
        Preserved("mxcsr", CONTROL_WORDS, free=MXCSR_STATUS),
    ),
    OURS,
    16,
    ALIGNED,
    (Forbidden("eflags", 0x400, 0x400, "the direction flag is set", cite("call.direction")),),
    caller_frame=CallerFrame(cite("call.frame")),
    stack_of_registers=x87_stack(cite("call.x87-empty"), cite("call.x87-mode")),
)
VECTOR_ARGUMENTS = 3
REGISTER_CLAUSES: dict[Convention | None, str] = {
    Convention.FASTCALL: FASTCALL,
    Convention.THISCALL: THISCALL,
}
FILES = {8: "xmm", 16: "xmm", 32: "ymm", 64: "zmm"}


@dataclass
class CallState:
    """A call while its places are assigned: what is left of each kind of place.

    Of `mmx` and `vectors` it is what is taken, and vectors are `counted` where a compiler does so. `scalars` are left for vectors
    of one integer, where a compiler has these in registers.
    """

    types: TypeTable
    stack: Cursor
    variadic: bool
    general: list[str]
    clause: str
    convention: Convention | None
    mmx: int = 0
    vectors: int = 0
    counted: int = 0
    scalars: list[str] = field(default_factory=list)


def assign(types: TypeTable, prototype: Prototype) -> Assignment:
    """The places of a call."""
    registers = argument_registers(types, prototype)
    call = CallState(
        types,
        Cursor(FIRST_STACK_ARGUMENT),
        prototype.variadic,
        list(registers),
        REGISTER_CLAUSES.get(prototype.convention, REGPARM),
        prototype.convention,
    )
    result, hidden = assign_result(call, prototype.result)
    pointer_on_stack = call.stack.used
    params = tuple(
        pass_argument(call, Travelling.of(types, argument.name, argument.type))
        for argument in prototype.arguments
    )
    size = round_up(call.stack.used, WORD)
    popped = round_up(size, call.stack.align) if types.policies.pops_aligned_areas else size
    pops = popped if callee_pops(prototype) else pointer_on_stack
    if types.policies.stack_in_words:
        return Assignment(params, result, hidden, size, pops, WORD)
    return Assignment(params, result, hidden, size, pops, call.stack.align, ALIGNED)


@implements("pass.variadic", "pass.float16")
def pass_argument(call: CallState, value: Travelling) -> Passed:
    """A parameter: vectors in their registers, what an attribute asks for in general ones, others on the stack."""
    match value.type:
        case Scalar(kind) | Complex(kind) if kind in SIXTEEN_BITS and call.types.reading is None:
            raise SilentError(FLOAT16, spelling(value.declared))
        case Vector(kind=kind, size=8) if value.is_unnamed and kind in call.types.policies.widens_unnamed_m64:
            return as_vector_of_sixteen(call.stack, value, VARIADIC)
        case Vector(kind=kind, size=8) if is_widened(call, value, kind):
            return as_vector_of_sixteen(call.stack, value, VARIADIC if call.variadic else VECTOR)
        case Vector() as vector if is_divided(call, vector, value):
            return pass_in_shares(call, value, vector)
        case Vector() if call.variadic:
            return on_stack(call.types, call.stack, value, VARIADIC)
        case Vector() as vector if not is_packed(call.types, vector):
            if call.general and call.types.reading is Reading.GCC:
                return pass_in_general(call, value)
            clause = VECTOR_SIZE if is_other_size(call.types, vector) else ELEMENT
            return on_stack(call.types, call.stack, value, clause)
        case BitInt() if is_referenced(call.types, value):
            return value.passed(Passing.INDIRECT, BIT_INT, *pass_address(call, value).pieces)
        case Vector(size=8) as vector if call.types.policies.no_mmx_registers:
            is_real = vector.kind.is_floating
            return pass_vector(call, value, 8) if is_real else pass_as_two_words(call, value)
        case Vector(size=8):
            return pass_m64(call, value)
        case Vector(size=size):
            return pass_vector(call, value, size)
        case _ if call.general:
            return pass_in_general(call, value)
        case _:
            return on_stack(call.types, call.stack, value, convention=call.convention)


def is_referenced(types: TypeTable, value: Travelling) -> bool:
    """Return whether a `_BitInt` is passed by its address: to clang one of more than 64 bits, which its `va_arg` may not know."""
    known = not (value.is_unnamed and types.policies.va_arg_of_bit_ints)
    return types.reading is Reading.CLANG and value.size > 2 * WORD and known


def pass_address(call: CallState, value: Travelling) -> Passed:
    """The address of a `_BitInt`: under `regparm` its words have used up the registers, which `fastcall` counts the address in."""
    fastcall = call.convention is Convention.FASTCALL
    if call.convention is None or (fastcall and call.types.policies.bit_ints_use_registers):
        call.general.clear()
    return pass_argument(call, Travelling.of(call.types, value.name, Pointer()))


def is_divided(call: CallState, vector: Vector, value: Travelling) -> bool:
    """Return whether clang has a vector in as many vector registers, or places of their size, as it takes.

    One of a single element is that, and `va_arg` may take a vector as any other value.
    """
    types = call.types
    single = types.data.kind(vector.kind).size == vector.size
    known = not (value.is_unnamed and types.policies.va_arg_of_vectors)
    return types.reading is Reading.CLANG and is_other_size(types, vector) and not single and known


def pass_in_shares(call: CallState, value: Travelling, vector: Vector) -> Passed:
    """A vector that no register holds: each share of it in a register while there are some, or on the stack."""
    width, pieces = call.types.options.vectors, []
    for start in range(0, vector.size, width):
        place: Place
        if call.variadic or call.vectors == VECTOR_ARGUMENTS:
            place = call.stack.push(width, width)
        else:
            place = Register(f"{FILES[width]}{call.vectors}")
            call.vectors += 1
        pieces.append(share(vector, start, width, place))
    return value.passed(Passing.DIRECT, VECTOR_SIZE, *pieces)


def is_widened(call: CallState, value: Travelling, kind: Kind) -> bool:
    """Return whether a named `__m64` of reals, which is a vector of 16 bytes to a compiler, has no vector register left."""
    on_the_stack = call.variadic or call.vectors == VECTOR_ARGUMENTS
    of_reals = call.types.policies.no_mmx_registers and kind is Kind.FLOAT
    return of_reals and on_the_stack and not value.is_unnamed


def as_vector_of_sixteen(stack: Cursor, value: Travelling, clause: str) -> Passed:
    """A `__m64` on the stack where a vector of 16 bytes would be."""
    piece = Piece(0, 8, stack.push(16, 16), clause, Extension.ANY, 16, clause)
    return value.passed(Passing.DIRECT, clause, piece)


@implements("pass.m64")
def pass_m64(call: CallState, value: Travelling) -> Passed:
    """The first three of type `__m64` are in MMX registers."""
    if call.mmx == VECTOR_ARGUMENTS:
        return on_stack(call.types, call.stack, value, M64)
    piece = Piece(0, 8, Register(f"mm{call.mmx}"), M64, None, 8)
    call.mmx += 1
    return value.passed(Passing.DIRECT, M64, piece)


def pass_as_two_words(call: CallState, value: Travelling) -> Passed:
    """A `__m64` that is an integer of two words to clang: on the stack, but for the first word where `thiscall` has a register left."""
    if not (call.convention is Convention.THISCALL and call.general):
        return on_stack(call.types, call.stack, value, M64)
    first = Piece(0, WORD, Register(call.general.pop(0)), M64, None, WORD)
    second = Piece(WORD, 2 * WORD, call.stack.push(WORD, WORD), M64, None, WORD)
    return value.passed(Passing.DIRECT, M64, first, second)


@implements("pass.vector")
def pass_vector(call: CallState, value: Travelling, size: int) -> Passed:
    """The first three larger vectors are in vector registers, whatever part of them they fill."""
    if call.vectors == VECTOR_ARGUMENTS:
        return on_stack(call.types, call.stack, value, VECTOR)
    above = Extension.ANY if size < 16 else None
    piece = Piece(
        0,
        size,
        Register(f"{FILES[size]}{call.vectors}"),
        VECTOR,
        above,
        max(size, 16),
        VECTOR if above else "",
    )
    call.vectors += 1
    return value.passed(Passing.DIRECT, VECTOR, piece)


def pass_in_general(call: CallState, value: Travelling) -> Passed:
    """An argument while general registers are left for arguments: in those that it needs, or on the stack."""
    # [gnu:register-arguments]
    if call.convention is Convention.THISCALL and value.size and not is_word(value):
        raise SilentError(OPEN, f"{spelling(value.declared)} is no integer of one register")
    asked = use(call.types, value, fastcall=call.convention is Convention.FASTCALL)
    taken, left = call.general[: asked.words], call.general[asked.words :]
    call.general = call.general[: len(left)] if asked.last else left
    if not asked.there or len(taken) < asked.words or (asked.real and call.vectors == VECTOR_ARGUMENTS):
        return on_stack(call.types, call.stack, value, convention=call.convention)
    if asked.real:
        piece = Piece(
            0, value.size, Register(f"xmm{call.vectors}"), call.clause, Extension.ANY, 16, call.clause
        )
        call.vectors += 1
        return value.passed(Passing.DIRECT, call.clause, piece)
    pieces = []
    for index, name in enumerate(taken):
        start, end = index * WORD, min((index + 1) * WORD, value.size)
        above = Extension.ANY if end - start < WORD else None
        pieces.append(Piece(start, end, Register(name), call.clause, above, WORD, above_clause(value.type)))
    return value.passed(Passing.DIRECT, call.clause, *pieces)


@implements("result.memory")
def assign_result(call: CallState, result: Type | None) -> tuple[Passed | None, tuple[Hidden, ...]]:
    """The places of a result, and of the address of one in memory, which is an implicit first argument."""
    if result is None:
        return None, ()
    value = Travelling.of(call.types, "", result)
    if not in_memory(call.types, result, value):
        return in_registers(call.types, result, value), ()
    fastcall = call.convention is Convention.FASTCALL
    unnumbered = call.convention is Convention.THISCALL or (fastcall and call.types.reading is None)
    if call.general and unnumbered:
        raise SilentError(OPEN, "the address of a result is an argument that the prototype does not number")
    pointer = Travelling.of(call.types, "", Pointer())
    on_top = fastcall and call.types.reading is Reading.CLANG
    on_top |= call.types.policies.float128_address_on_stack and value.type == Scalar(Kind.FLOAT128)
    place = on_stack(call.types, call.stack, pointer) if on_top else pass_argument(call, pointer)
    piece = Piece(0, WORD, place.pieces[0].place, MEMORY, None, WORD)
    address = Piece(0, WORD, Register("eax"), MEMORY, None, WORD)
    return value.passed(Passing.INDIRECT, MEMORY, address), (Hidden("result pointer", (piece,)),)
