"""The places of a call by `__vectorcall` on x86, which follows `__fastcall` and has vectors in registers."""

from __future__ import annotations

from enum import Enum as PyEnum
from itertools import accumulate

from abiprobe.oracles.abis.x86.i386.calls import CallState
from abiprobe.oracles.abis.x86.i386.convention import FASTCALL, FASTCALL_REGISTERS
from abiprobe.oracles.abis.x86.i386.stack import FIRST_STACK_ARGUMENT
from abiprobe.oracles.abis.x86.win32.calls import (
    ALIGNMENT,
    SIZES,
    TWO_WORDS,
    check,
    in_pair,
    in_register,
    on_stack,
)
from abiprobe.oracles.abis.x86.win32.data import WORD
from abiprobe.oracles.abis.x86.win32.divided import is_real, pass_apart, scalars_apart
from abiprobe.oracles.abis.x86.win32.families import pass_by_family
from abiprobe.oracles.abis.x86.windows.vectorcall import (
    MOST,
    REGISTERS,
    Homogeneity,
    elements,
    homogeneity,
    in_vectors,
    is_vector,
)
from abiprobe.oracles.engine.cursor import Cursor
from abiprobe.oracles.engine.records import round_up
from abiprobe.oracles.engine.silence import AbsentError, SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import (
    BitInt,
    Complex,
    Convention,
    Pointer,
    Prototype,
    Record,
    Scalar,
    Type,
    Vector,
    spelling,
)
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Assignment, Passed, Passing, Piece

cite, implements = citing(__package__)
INTEGER = cite("vectorcall.integer")
VECTOR = cite("vectorcall.vector")
STACKED_VECTOR = cite("vectorcall.stacked-vector")
HVA = cite("vectorcall.hva")
HVA_MEMORY = cite("vectorcall.hva-memory")
HVA_REGISTER = cite("vectorcall.hva-register")
SMALL_HVA = cite("vectorcall.small-hva")
OTHER_HVA = cite("vectorcall.other-hva")
RECORD_SIZE = cite("vectorcall.record-size")
OTHER = cite("vectorcall.other")
RESULT = cite("vectorcall.result")
ADDRESS = cite("vectorcall.result-address")


class Sort(PyEnum):
    """The kinds of values that the convention tells apart."""

    INTEGER = "an integer type: a number, an address or a record of one register"
    VECTOR = "a vector type: a real or a SIMD vector"
    HVA = "a homogeneous vector aggregate"
    LARGER = "a larger integer or record"


@implements("vectorcall.vector", "vectorcall.hva")
def assign(types: TypeTable, prototype: Prototype, *, mingw: bool) -> Assignment:
    """The places of a call."""
    if prototype.variadic:
        raise AbsentError("no function with variable arguments is vectorcall")
    result = assign_result(types, prototype.result)
    call = CallState(
        types,
        Cursor(FIRST_STACK_ARGUMENT),
        variadic=False,
        general=list(FASTCALL_REGISTERS),
        clause=FASTCALL,
        convention=Convention.FASTCALL,
    )
    values = [Travelling.of(types, one.name, one.type) for one in prototype.arguments]
    sorts = [sort(types, value, WORD) for value in values]
    apart = [
        scalars_apart(types, value, types.policies) if one is Sort.LARGER else ()
        for value, one in zip(values, sorts, strict=True)
    ]
    used = list(accumulate(map(registers_of, sorts, apart), initial=0))
    counted = min(sorts.count(Sort.VECTOR), REGISTERS)
    free = list(range(min(used[-1], REGISTERS), REGISTERS))
    left = REGISTERS - counted
    params: list[Passed] = []
    for value, one, scalars, number in zip(values, sorts, apart, used, strict=False):
        before = sorts[: len(params)].count(Sort.VECTOR)
        if scalars:
            divided = pass_apart(types, value, scalars, number, REGISTERS, call.stack.push, OTHER)
            params.append(divided)
        elif one is Sort.VECTOR and number >= REGISTERS > before:
            params.append(on_stack(call, value))
        # [win32:vectorcall.vector]
        elif one is Sort.VECTOR and before < REGISTERS:
            params.append(in_vectors(value, [(0, value.size)], [number], VECTOR))
        # [win32:vectorcall.hva]
        elif one is Sort.HVA and len(parts := elements(types, value)) <= left:
            if len(parts) > len(free):
                raise SilentError(HVA, f"{spelling(value.declared)} has registers that are taken")
            numbers, free = free[: len(parts)], free[len(parts) :]
            left -= len(parts)
            params.append(in_vectors(value, parts, numbers, HVA))
        else:
            params.append(pass_otherwise(call, value, one, mingw=mingw))
    size = round_up(call.stack.used, WORD)
    return Assignment(tuple(params), result, (), size, size, call.stack.align, ALIGNMENT)


def registers_of(one: Sort, scalars: tuple[Type, ...]) -> int:
    """The vector registers that an argument takes before HVAs have any: a vector one, a record that is taken apart as many as it has reals."""
    return sum(map(is_real, scalars)) if scalars else int(one is Sort.VECTOR)


@implements(
    "vectorcall.integer", "vectorcall.stacked-vector", "vectorcall.hva-memory", "vectorcall.hva-register"
)
def pass_otherwise(call: CallState, value: Travelling, what: Sort, *, mingw: bool) -> Passed:
    """An argument that is in no vector register."""
    policies, by_text = call.types.policies, call.types.reading is None
    match what:
        case Sort.VECTOR if policies.stacked_reals_themselves and isinstance(value.type, Scalar):
            return on_stack(call, value)
        # [win32:vectorcall.stacked-vector]
        case Sort.VECTOR:
            return by_reference(call, value, STACKED_VECTOR, registers=policies.addresses_in_registers)
        # [win32:vectorcall.hva-register]
        case Sort.HVA if call.general and by_text:
            raise SilentError(HVA_REGISTER, f"{spelling(value.declared)} is in no vector register")
        # [win32:vectorcall.hva-memory]
        case Sort.HVA:
            return by_reference(call, value, HVA_MEMORY, registers=True)
        case _ if policies.vectorcall_as_fastcall:
            return pass_by_family(call, value, mingw=mingw)
        case _:
            check(call.types, value)
            # [win32:vectorcall.integer]
            if what is Sort.INTEGER and call.general:
                return in_register(value, call.general.pop(0), INTEGER)
            return on_stack(call, value)


def by_reference(call: CallState, value: Travelling, clause: str, *, registers: bool) -> Passed:
    """A value of which the address is passed, in general `registers` while there are some, or on the stack."""
    pointer = Travelling.of(call.types, value.name, Pointer())
    if registers and call.general:
        address = in_register(pointer, call.general.pop(0), clause)
    else:
        address = on_stack(call, pointer)
    piece = Piece(0, WORD, address.pieces[0].place, clause, None, WORD)
    return value.passed(Passing.INDIRECT, clause, piece)


@implements("vectorcall.result", "vectorcall.result-address")
def assign_result(types: TypeTable, result: Type | None) -> Passed | None:
    """The place of a result in registers."""
    if result is None:
        return None
    value = Travelling.of(types, "", result)
    match sort(types, value, TWO_WORDS):
        case Sort.VECTOR:
            return in_vectors(value, [(0, value.size)], [0], RESULT)
        case Sort.HVA:
            return in_vectors(value, elements(types, value), range(MOST), RESULT)
        case Sort.INTEGER if value.size <= WORD:
            return in_register(value, "eax", RESULT)
        case Sort.INTEGER:
            return in_pair(value, RESULT)
        # [win32:vectorcall.result-address]
        case Sort.LARGER:
            raise SilentError(ADDRESS, f"{spelling(value.declared)} has {value.size} bytes")


@implements("vectorcall.other")
def sort(types: TypeTable, value: Travelling, most: int) -> Sort:
    """Return what a value is, where integers have up to `most` bytes; raises `SilentError` where the page does not say."""
    match value.type:
        case Record() as record:
            return sort_of_record(types, value, record, most)
        case Scalar() | Vector() if is_vector(types, value.type):
            return Sort.VECTOR
        # [win32:vectorcall.other]
        case Complex() | Vector() | BitInt():
            raise SilentError(OTHER, f"a value of type {spelling(value.declared)}")
        case Scalar(kind) if kind.is_floating:
            raise SilentError(OTHER, f"a value of type {spelling(value.declared)}")
        case _:
            return Sort.INTEGER if value.size <= most else Sort.LARGER


@implements("vectorcall.small-hva", "vectorcall.other-hva", "vectorcall.record-size")
def sort_of_record(types: TypeTable, value: Travelling, record: Record, most: int) -> Sort:
    """Return what a record is: of up to four identical vector types an HVA, else by its size an integer type or not."""
    match homogeneity(types, record):
        # [win32:vectorcall.other]
        case Homogeneity.UNKNOWN:
            raise SilentError(OTHER, f"a member of {spelling(value.declared)} is none that the page has")
        # [win32:vectorcall.other-hva]
        case Homogeneity.OTHER:
            raise SilentError(OTHER_HVA, f"{spelling(value.declared)} has more than members and arrays")
        # [win32:vectorcall.small-hva]
        case Homogeneity.PLAIN if value.size <= most:
            raise SilentError(SMALL_HVA, f"{spelling(value.declared)} has {value.size} bytes")
        case Homogeneity.PLAIN:
            return Sort.HVA
        case _ if value.size > most:
            return Sort.LARGER
        # [win32:vectorcall.record-size]
        case _ if value.size not in SIZES:
            raise SilentError(RECORD_SIZE, f"{spelling(value.declared)} has {value.size} bytes")
        case _:
            return Sort.INTEGER
