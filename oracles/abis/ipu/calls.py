"""The places of a whole call on the IPU: result, hidden pointer, parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import msgspec

from abiprobe.oracles.abis.ipu.convention import FLOATS, INTEGERS, PAIR, WORD, Convention
from abiprobe.oracles.abis.ipu.members import is_vector, single_member
from abiprobe.oracles.abis.ipu.places import VARIADIC, FreePlaces
from abiprobe.oracles.abis.ipu.units import WIDE, Unit, units
from abiprobe.oracles.abis.ipu.vertex import vertex
from abiprobe.oracles.engine.silence import SilentError
from abiprobe.oracles.engine.travelling import Travelling
from abiprobe.oracles.engine.types import TypeTable
from abiprobe.oracles.language.lang import BitInt, Complex, Prototype, Record, Type
from abiprobe.oracles.text.clause import citing
from abiprobe.oracles.text.place import Assignment, Hidden, Passed, Passing, Piece, StackSlot

cite, implements = citing(__package__)
SINGLE = cite("pass.single-member")
REFERENCE = cite("pass.reference")
OTHER_REFERENCE = cite("pass.reference-other")
DIALECT_REFERENCE = cite("dialect.reference")
VARIADIC_VECTOR = cite("variadic.vector")
RESULT_INTEGER = cite("result.integer")
RESULT_FLOAT = cite("result.float")
RESULT_SINGLE = cite("result.single-member")
RESULT_MEMORY = cite("result.memory")
RESULT_POINTER = cite("result.pointer-first")


def calls(abi: Convention) -> Callable[[TypeTable, Prototype], Assignment]:
    """The assigner of one convention."""

    def assign(types: TypeTable, prototype: Prototype) -> Assignment:
        if prototype.vertex:
            return vertex(types, prototype)
        places = argument_places(abi, variadic=prototype.variadic)
        result, hidden = assign_result(types, abi, places, prototype.result)
        arguments = [(param.name, param.type) for param in prototype.params]
        arguments += [(f"...{index}", c_type) for index, c_type in enumerate(prototype.unnamed)]
        passed = tuple(
            pass_argument(types, abi, places, Travelling.of(types, name, c_type), variadic=prototype.variadic)
            for name, c_type in arguments
        )
        return Assignment(passed, result, hidden, places.used)

    return assign


@implements("variadic.stack")
def argument_places(abi: Convention, *, variadic: bool) -> FreePlaces:
    """Return all registers, or none for a variadic function."""
    if variadic:
        return FreePlaces((), (), VARIADIC)
    return FreePlaces(INTEGERS, FLOATS if abi.worker else ())


@implements("pass.reference", "pass.copy", "pass.reference-other", "dialect.reference", "variadic.vector")
def pass_argument(
    types: TypeTable, abi: Convention, places: FreePlaces, value: Travelling, *, variadic: bool
) -> Passed:
    """An argument: its units in their places, or the address of a copy."""
    carried = carried_value(types, abi, value)
    if carried is None:
        # [ipu:pass.reference] [ipu:pass.reference-other] [ipu:dialect.reference]
        clause = reference_clause(abi, value)
        pointer = msgspec.structs.replace(places.pointer(), clause=clause)
        # [ipu:pass.copy]
        return value.passed(Passing.INDIRECT, clause, pointer)
    inner, at = carried
    if variadic and is_vector(inner.type):
        raise SilentError(VARIADIC_VECTOR, f"{value.name} is a vector")
    cut = units(types, abi, inner)
    found = tuple(moved(places, words(cut) if variadic else cut, at))
    return value.passed(Passing.DIRECT, SINGLE if inner is not value else found[0].clause, *found)


def moved(places: FreePlaces, cut: Iterable[Unit], at: int) -> Iterator[Piece]:
    """The pieces of the units of a value that lies at byte `at` of what is passed."""
    for unit in cut:
        for piece in places.place(unit):
            yield msgspec.structs.replace(piece, start=piece.start + at, end=piece.end + at)


def words(cut: Iterable[Unit]) -> Iterator[Unit]:
    """Units as a variadic function takes them: in slots of one word."""
    for unit in cut:
        for start in range(unit.start, unit.end, WORD):
            last = start + WORD >= unit.end
            yield Unit(
                start,
                min(start + WORD, unit.end),
                unit.file,
                unit.clause,
                above=unit.above if last else None,
                above_clause=unit.above_clause if last else "",
            )


def carried_value(types: TypeTable, abi: Convention, value: Travelling) -> tuple[Travelling, int] | None:
    """Return the part of a value that travels in registers or slots, and its byte offset there; `None` for a reference."""
    match value.type:
        case Record() if abi.unwraps:
            found = single_member(types, value.declared, value.name or "the result")
            if found is None:
                return None
            member, at = found
            inner = Travelling.of(types, value.name, member)
            return None if by_reference(inner) else (inner, at)
        case _:
            return None if by_reference(value) else (value, 0)


def by_reference(value: Travelling) -> bool:
    """Return whether a value goes by reference although it could travel as it is."""
    match value.type:
        case Record() | Complex():
            return True
        case BitInt():
            return value.size > PAIR
        case _:
            return False


def reference_clause(abi: Convention, value: Travelling) -> str:
    """The clause by which a value is passed by reference."""
    match value.type:
        case Record(union=False, members=members) if members:
            return REFERENCE if abi.unwraps else DIALECT_REFERENCE
        case _:
            return OTHER_REFERENCE


@implements("result.integer", "result.float", "result.single-member", "result.memory", "result.pointer-first")
def assign_result(
    types: TypeTable, abi: Convention, places: FreePlaces, result: Type | None
) -> tuple[Passed | None, tuple[Hidden, ...]]:
    """A result in registers as a first argument would be, or in memory at the address of a hidden argument."""
    if result is None:
        return None, ()
    value = Travelling.of(types, "", result)
    carried = carried_value(types, abi, value)
    if carried is None:
        pointer = msgspec.structs.replace(places.pointer(), clause=RESULT_POINTER)
        return value.passed(Passing.INDIRECT, RESULT_MEMORY), (Hidden("result pointer", (pointer,)),)
    inner, at = carried
    registers = FreePlaces(INTEGERS, abi.result_floats if abi.worker else ())
    cut = units(types, abi, inner)
    found = tuple(moved(registers, cut, at))
    if any(isinstance(piece.place, StackSlot) for piece in found):
        raise SilentError(WIDE, "the result is a vector that does not fit the registers")
    plain = RESULT_FLOAT if cut[0].file == "a" else RESULT_INTEGER
    return value.passed(Passing.DIRECT, plain if inner is value else RESULT_SINGLE, *found), ()
