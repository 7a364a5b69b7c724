"""The places of a call by Microsoft's conventions on x86: `__cdecl`, and the conventions that attributes ask for."""

from __future__ import annotations

from abiprobe.oracles.abis.x86.i386.calls import REGISTER_CLAUSES, VECTOR_ARGUMENTS, CallState
from abiprobe.oracles.abis.x86.i386.convention import (
    OPEN,
    REGPARM,
    argument_registers,
    callee_pops,
    is_word,
    use,
)
from abiprobe.oracles.abis.x86.i386.stack import FIRST_STACK_ARGUMENT
from abiprobe.oracles.abis.x86.win32.beside_mmx import without_lost
from abiprobe.oracles.abis.x86.win32.data import WORD
from abiprobe.oracles.abis.x86.win32.families import pass_by_family, result_by_family
from abiprobe.oracles.abis.x86.windows_types import X87_BYTES
from abiprobe.oracles.engine.cursor import Cursor
from abiprobe.oracles.engine.reading import Reading
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import (
    Complex,
    Convention,
    Kind,
    Pointer,
    Prototype,
    Record,
    Scalar,
    Type,
    Vector,
    spelling,
)
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import (
    Assignment,
    Extension,
    Form,
    Hidden,
    Passed,
    Passing,
    Piece,
    Register,
)

cite, implements = citing(__package__)
STACK = cite("pass.stack")
WIDENED = cite("pass.widened")
ALIGNED = cite("pass.aligned")
FASTCALL = cite("pass.fastcall")
FASTCALL_REAL = cite("pass.fastcall-real")
FASTCALL_RESULT = cite("pass.fastcall-result")
OTHER = cite("pass.other")
INTEGER = cite("result.integer")
LONG_LONG = cite("result.long-long")
REAL = cite("result.real")
LONG_DOUBLE = cite("result.long-double")
RECORD = cite("result.record")
RECORD_SIZE = cite("result.record-size")
MEMORY = cite("result.memory")
HIDDEN = cite("result.hidden")
ALIGNMENT = cite("call.stack-alignment")
TWO_WORDS = 8
SIZES = (1, 2, 4, 8)
"""Bytes of integers."""
SCALARS = ("eax", "edx", "ecx")
"""Where clang has the one integer of a vector, without a convention for arguments in registers."""
NATURAL = 8
"""The largest alignment in bytes that a type of the tables has by itself."""


@implements("call.cleanup")
def assign(types: TypeTable, prototype: Prototype, *, mingw: bool) -> Assignment:
    """The places of a call."""
    call = CallState(
        types,
        Cursor(FIRST_STACK_ARGUMENT),
        prototype.variadic,
        list(argument_registers(types, prototype)),
        REGISTER_CLAUSES.get(prototype.convention, REGPARM),
        prototype.convention,
        # Clang counts no vector registers beside those of regparm.
        counted=VECTOR_ARGUMENTS if prototype.regparm is not None else 0,
        scalars=list(SCALARS if prototype.convention in {None, Convention.STDCALL} else ()),
    )
    result, hidden = assign_result(call, prototype.result, mingw=mingw, wider=prototype.isa is not None)
    params = tuple(
        pass_argument(call, Travelling.of(types, one.name, one.type), mingw=mingw)
        for one in prototype.arguments
    )
    size = round_up(call.stack.used, WORD)
    pops = size if callee_pops(prototype) else 0
    answer = Assignment(params, result, hidden, size, pops, call.stack.align, ALIGNMENT)
    return without_lost(types, prototype, answer)


def pass_argument(call: CallState, value: Travelling, *, mingw: bool) -> Passed:
    """An argument, of which the text, or a family where that is silent, says how it travels."""
    if call.types.reading is not None:
        return pass_by_family(call, value, mingw=mingw)
    check(call.types, value)
    if call.convention is Convention.FASTCALL:
        return pass_by_fastcall(call, value)
    if not call.general:
        return on_stack(call, value)
    # [gnu:register-arguments]
    if call.convention is Convention.THISCALL and value.size and not is_word(value):
        raise SilentError(OPEN, f"{spelling(value.declared)} is no integer of one register")
    if not use(call.types, value, fastcall=False).there:
        return on_stack(call, value)
    return in_register(value, call.general.pop(0), call.clause)


@implements("pass.other", "pass.aligned")
def check(types: TypeTable, value: Travelling) -> None:
    """Raises `SilentError` for a value of which the text does not say how it travels."""
    if isinstance(value.type, (Complex, Vector)):
        # [win32:pass.other]
        raise SilentError(OTHER, f"a value of type {spelling(value.declared)}")
    extents = [types.extent(one) for one in (value.declared, value.type)]
    asked = max(one.align for one in extents)
    if asked > NATURAL or (asked > WORD and any(one.user for one in extents)):
        # [win32:pass.aligned]
        raise SilentError(ALIGNED, f"{spelling(value.declared)} is aligned to {asked} bytes")


@implements("pass.fastcall", "pass.fastcall-real")
def pass_by_fastcall(call: CallState, value: Travelling) -> Passed:
    """An argument under `__fastcall`, whose first two integers of one word are in registers."""
    if call.general and value.type == Scalar(Kind.FLOAT):
        # [win32:pass.fastcall-real]
        raise SilentError(FASTCALL_REAL, "a float of 32 bits")
    # [win32:pass.fastcall]
    if call.general and is_word(value):
        return in_register(value, call.general.pop(0), FASTCALL)
    return on_stack(call, value)


@implements("pass.stack")
def on_stack(call: CallState, value: Travelling) -> Passed:
    """An argument in the next words of the stack."""
    if not value.size:
        return value.passed(Passing.IGNORED, STACK)
    size = round_up(value.size, WORD)
    above = Extension.ANY if size > value.size else None
    piece = Piece(0, value.size, call.stack.push(size, WORD), STACK, above, size, WIDENED if above else "")
    return value.passed(Passing.DIRECT, STACK, piece)


@implements("pass.widened")
def in_register(value: Travelling, name: str, clause: str) -> Passed:
    """A value of at most one word in a general register."""
    above = Extension.ANY if value.size < WORD else None
    piece = Piece(0, value.size, Register(name), clause, above, WORD, WIDENED if above else "")
    return value.passed(Passing.DIRECT, clause, piece)


def assign_result(
    call: CallState, result: Type | None, *, mingw: bool, wider: bool
) -> tuple[Passed | None, tuple[Hidden, ...]]:
    """The place of a result, and the address of one in memory, which is a first argument."""
    if result is None:
        return None, ()
    value = Travelling.of(call.types, "", result)
    by_family = call.types.reading is not None
    found = result_by_family(call.types, value, wider=wider) if by_family else in_registers(call.types, value)
    return (found, ()) if found is not None else in_memory(call, value, mingw=mingw)


@implements("result.integer", "result.long-long", "result.real", "result.long-double")
def in_registers(types: TypeTable, value: Travelling) -> Passed | None:
    """A result in registers; none for one in memory."""
    match value.type:
        case Record():
            return record_in_registers(value)
        case Complex() | Vector():
            raise SilentError(OTHER, f"a result of type {spelling(value.declared)}")
        case Scalar(Kind.LDOUBLE) if types.data.significant:
            # [win32:result.long-double]
            raise SilentError(LONG_DOUBLE, "the page has float and double")
        # [win32:result.real]
        case Scalar(kind) if kind.is_floating:
            piece = Piece(0, value.size, Register("st0"), REAL, None, X87_BYTES, form=Form.EXTENDED)
            return value.passed(Passing.DIRECT, REAL, piece)
        # [win32:result.integer]
        case _ if value.size <= WORD:
            return in_register(value, "eax", INTEGER)
        # [win32:result.long-long]
        case _:
            return in_pair(value, LONG_LONG)


@implements("result.record", "result.record-size")
def record_in_registers(value: Travelling) -> Passed | None:
    """A record that is a result, in registers; none for one in memory."""
    # [win32:result.record]
    if value.size in {1, 2, WORD}:
        return in_register(value, "eax", RECORD)
    if value.size == TWO_WORDS:
        return in_pair(value, RECORD)
    # [win32:result.record-size]
    if value.size < TWO_WORDS:
        raise SilentError(RECORD_SIZE, f"a record of {value.size} bytes")
    return None


def in_pair(value: Travelling, clause: str) -> Passed:
    """A result of two words."""
    pieces = (
        Piece(at, at + WORD, Register(name), clause, None, WORD) for at, name in ((0, "eax"), (WORD, "edx"))
    )
    return value.passed(Passing.DIRECT, clause, *pieces)


@implements("result.memory", "result.hidden", "pass.fastcall-result")
def in_memory(call: CallState, value: Travelling, *, mingw: bool) -> tuple[Passed, tuple[Hidden, ...]]:
    """A result in memory, and its address as a first argument."""
    pointer = Travelling.of(call.types, "", Pointer())
    if call.types.reading is None and call.general:
        if call.convention is Convention.FASTCALL:
            raise SilentError(FASTCALL_RESULT, "the address is not in the argument list")
        # [gnu:register-arguments]
        if call.convention is Convention.THISCALL:
            raise SilentError(
                OPEN, "the address of a result is an argument that the prototype does not number"
            )
    in_front = call.general and not is_on_top(call, mingw=mingw)
    place = in_register(pointer, call.general.pop(0), HIDDEN) if in_front else on_stack(call, pointer)
    piece = Piece(0, WORD, place.pieces[0].place, HIDDEN, None, WORD)
    address = Piece(0, WORD, Register("eax"), MEMORY, None, WORD)
    return value.passed(Passing.INDIRECT, MEMORY, address), (Hidden("result pointer", (piece,)),)


def is_on_top(call: CallState, *, mingw: bool) -> bool:
    """Return whether clang has the address of a result on the stack, though there are registers for arguments."""
    without = {Convention.FASTCALL} if mingw else {Convention.FASTCALL, Convention.THISCALL}
    return call.types.reading is Reading.CLANG and call.convention in without
